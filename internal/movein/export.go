package movein

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/client"
)

// Export says what is exported and where to.
type Export struct {
	Server   *client.Client
	Metrics  []string // names, which may hold *; none for all
	Start    int64
	End      int64
	Path     string // the file; "" for Out
	Out      io.Writer
	Resume   bool
	Progress Progress
}

// Exported counts what was exported.
type Exported struct {
	Metrics, Lines, Annotations int64
}

// exportCursor is how far an export is. All before Metric is written, and what
// it has before Time; all streams of annotations before Stream are.
type exportCursor struct {
	Metrics []string
	Start   int64
	End     int64
	Bytes   int64 // of the file
	Metric  string
	Time    int64
	Stream  string
	Done    Exported
}

// exporting is an export under way.
type exporting struct {
	Export
	cursor exportCursor
	file   *os.File // nil for Out
}

// Run exports. With a file it can be interrupted and resumed: the cursor
// beside the file says how much of it holds.
func (x Export) Run(ctx context.Context) (Exported, error) {
	run := &exporting{Export: x, cursor: exportCursor{Metrics: x.Metrics, Start: x.Start, End: x.End}}
	if x.Path != "" {
		if err := run.open(); err != nil {
			return Exported{}, err
		}
		defer run.file.Close()
	}
	err := run.all(ctx)
	if run.file != nil && err == nil {
		err = errors.Join(run.file.Sync(), cursorOf(x.Path).remove())
	}
	return run.cursor.Done, err
}

// open opens the file where it is to go on.
func (x *exporting) open() error {
	had := exportCursor{}
	if err := cursorOf(x.Path).load(x.Resume, &had); err != nil {
		return err
	}
	flags := os.O_RDWR | os.O_CREATE
	if !x.Resume {
		flags |= os.O_EXCL
	}
	f, err := os.OpenFile(x.Path, flags, 0o600)
	if errors.Is(err, os.ErrExist) {
		return fmt.Errorf("%s is there already", x.Path)
	}
	if err != nil {
		return err
	}
	x.file = f
	if !x.Resume {
		return nil
	}
	if !slices.Equal(had.Metrics, x.Metrics) {
		return fmt.Errorf("the export that is resumed was of the metrics %s", cmp.Or(strings.Join(had.Metrics, " "), "*"))
	}
	x.cursor = had // with its times: "until now" was then
	if err := f.Truncate(had.Bytes); err != nil {
		return err
	}
	_, err = f.Seek(had.Bytes, io.SeekStart)
	return err
}

func (x *exporting) all(ctx context.Context) error {
	if x.cursor.Bytes == 0 {
		first, err := lineOf(header{format, x.cursor.Start, x.cursor.End})
		if err == nil {
			err = x.write(first)
		}
		if err != nil {
			return err
		}
	}
	metrics, err := x.metrics(ctx)
	if err != nil {
		return err
	}
	for i := range metrics {
		m := &metrics[i]
		x.Progress("Exporting metrics", int64(i), int64(len(metrics)))
		if key := tidemark.MetricKey(m.Name); key >= tidemark.MetricKey(x.cursor.Metric) {
			if err := x.metric(ctx, m); err != nil {
				return fmt.Errorf("export %s: %w", m.Name, err)
			}
		}
	}
	x.Progress("Exporting metrics", 1, 1)
	return x.annotations(ctx)
}

// metrics returns what is to be exported, by name.
func (x *exporting) metrics(ctx context.Context) ([]tidemark.Metric, error) {
	if x.cursor.Stream != "" {
		return nil, nil
	}
	all, err := x.Server.Metrics(ctx, "")
	if err != nil {
		return nil, err
	}
	all = slices.DeleteFunc(all, func(m tidemark.Metric) bool {
		return len(x.Metrics) > 0 && !slices.ContainsFunc(x.Metrics, func(p string) bool { return matches(p, m.Name) })
	})
	slices.SortFunc(all, func(a, b tidemark.Metric) int {
		return strings.Compare(tidemark.MetricKey(a.Name), tidemark.MetricKey(b.Name))
	})
	return all, nil
}

// matches reports whether a name is what a pattern with * says, in any case.
func matches(pattern, name string) bool {
	return tidemark.Glob(tidemark.MetricKey(pattern), tidemark.MetricKey(name))
}

// metric exports one metric: what it is, then its measurements.
func (x *exporting) metric(ctx context.Context, m *tidemark.Metric) error {
	at := x.cursor.Start
	if tidemark.MetricKey(m.Name) == tidemark.MetricKey(x.cursor.Metric) {
		at = x.cursor.Time
	} else {
		text, err := lineOf(other{Definition: m})
		if err != nil {
			return err
		}
		x.cursor.Metric, x.cursor.Time = m.Name, at
		x.cursor.Done.Metrics++
		if err := x.write(text); err != nil {
			return err
		}
	}
	for m.Type != tidemark.Composite && at < x.cursor.End {
		lines, next, err := x.Server.Lines(ctx, m.Name, at, x.cursor.End)
		if err != nil {
			return err
		}
		if at = next; next == 0 {
			at = x.cursor.End
		}
		x.cursor.Time = at
		x.cursor.Done.Lines += int64(bytes.Count(lines, []byte("\n")))
		if err := x.write(lines); err != nil {
			return err
		}
	}
	return nil
}

// write writes whole lines, and then where the export is.
func (x *exporting) write(lines []byte) error {
	if x.file == nil {
		_, err := x.Out.Write(lines)
		return err
	}
	if strings.HasSuffix(x.Path, ".gz") && len(lines) > 0 {
		lines = packed(lines) // a file of several is one of all
	}
	if _, err := x.file.Write(lines); err != nil {
		return err
	}
	x.cursor.Bytes += int64(len(lines))
	return cursorOf(x.Path).save(x.cursor)
}

func packed(text []byte) []byte {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	_, _ = z.Write(text) // to memory
	_ = z.Close()
	return b.Bytes()
}

// annotations exports the events of all streams but the history of alerts,
// which only a server writes.
func (x *exporting) annotations(ctx context.Context) error {
	streams, err := x.Server.AnnotationStreams(ctx)
	if err != nil {
		return err
	}
	slices.SortFunc(streams, func(a, b tidemark.AnnotationStream) int { return strings.Compare(a.Name, b.Name) })
	for i := range streams {
		s := &streams[i]
		if s.Name <= x.cursor.Stream || strings.EqualFold(s.Name, tidemark.AlertStream) {
			continue
		}
		lines, err := x.events(ctx, s)
		if err != nil {
			return fmt.Errorf("export annotations %s: %w", s.Name, err)
		}
		x.cursor.Stream = s.Name
		if err := x.write(lines); err != nil {
			return err
		}
	}
	return nil
}

// events returns the lines of a stream of annotations.
func (x *exporting) events(ctx context.Context, s *tidemark.AnnotationStream) (lines []byte, err error) {
	for end := max(0, x.cursor.End-1); ; {
		events, before, err := x.Server.Annotations(ctx, s.Name, x.cursor.Start, end)
		if err != nil {
			return nil, err
		}
		slices.SortFunc(events, func(a, b tidemark.AnnotationEvent) int {
			return cmp.Or(cmp.Compare(a.StartTime, b.StartTime), cmp.Compare(a.ID, b.ID))
		})
		for _, e := range events {
			e.ID = 0
			text, err := lineOf(other{Annotation: &annotation{s.Name, e}})
			if err != nil {
				return nil, err
			}
			lines = append(lines, text...)
			x.cursor.Done.Annotations++
		}
		if end = before; before == 0 {
			break
		}
	}
	if len(lines) == 0 || s.DisplayName == nil {
		return lines, nil
	}
	text, err := lineOf(other{Stream: s})
	return append(lines, text...), err
}
