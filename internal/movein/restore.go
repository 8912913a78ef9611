package movein

import (
	"bufio"
	"bytes"
	"cmp"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/client"
)

// Restore says what is imported and where to.
type Restore struct {
	Server   *client.Client
	Path     string // the file; "" for In
	In       io.Reader
	Resume   bool
	Progress Progress
}

// Imported counts what was imported.
type Imported struct {
	Definitions, Annotations, Recorded, Refused int64
	Problems                                    []string // why some were refused, each once
}

const (
	restoreBytes = 1 << 20  // of lines in one request, about
	maxLine      = 16 << 20 // the longest line
	maxProblems  = 20
)

// restoreCursor is how far an import is.
type restoreCursor struct {
	Bytes int64 // of the file, unpacked, that are imported
	Lines int64
	Done  Imported
}

// restoring is an import under way.
type restoring struct {
	Restore
	cursor  restoreCursor
	pending []byte // lines of measurements
	taken   int64  // bytes since the cursor
	lines   int64  // lines since the cursor
}

// Run imports, and has the server tidy up.
func (x Restore) Run(ctx context.Context) (Imported, error) {
	run := &restoring{Restore: x}
	err := run.all(ctx)
	if err == nil && run.cursor.Done.Recorded > 0 {
		x.Progress("Making summaries", 0, 1)
		err = x.Server.Settle(ctx)
	}
	if err == nil && x.Path != "" {
		err = cursorOf(x.Path).remove()
	}
	return run.cursor.Done, err
}

func (x *restoring) all(ctx context.Context) error {
	in, size := x.In, func() (int64, int64) { return 0, 0 }
	if x.Path != "" {
		if err := cursorOf(x.Path).load(x.Resume, &x.cursor); err != nil {
			return err
		}
		f, err := os.Open(x.Path)
		if err != nil {
			return err
		}
		defer f.Close()
		in, size = f, func() (int64, int64) { return positionOf(f) }
	}
	lines, err := unpacked(in)
	if err != nil {
		return err
	}
	if _, err := io.CopyN(io.Discard, lines, x.cursor.Bytes); err != nil {
		return fmt.Errorf("%s is shorter than what was imported of it", x.Path)
	}
	for {
		line, err := readLine(lines)
		if len(line) > 0 {
			if err := x.line(ctx, line); err != nil {
				return fmt.Errorf("line %d: %w", x.cursor.Lines+x.lines+1, err)
			}
			done, total := size()
			x.Progress("Importing", done, total)
		}
		if errors.Is(err, io.EOF) {
			return x.flush(ctx)
		}
		if err != nil {
			return fmt.Errorf("line %d: %w", x.cursor.Lines+x.lines+1, err)
		}
	}
}

// positionOf is how far a file is read, and how long it is.
func positionOf(f *os.File) (done, total int64) {
	done, _ = f.Seek(0, io.SeekCurrent)
	if info, err := f.Stat(); err == nil {
		total = info.Size()
	}
	return done, total
}

// unpacked reads what may be gzip.
func unpacked(in io.Reader) (*bufio.Reader, error) {
	r := bufio.NewReaderSize(in, 1<<16)
	if magic, _ := r.Peek(2); !bytes.Equal(magic, []byte{0x1f, 0x8b}) {
		return r, nil
	}
	z, err := gzip.NewReader(r)
	if err != nil {
		return nil, err
	}
	return bufio.NewReaderSize(z, 1<<16), nil
}

// readLine returns the next line with its end.
func readLine(r *bufio.Reader) (line []byte, err error) {
	for {
		part, err := r.ReadSlice('\n')
		line = append(line, part...)
		if len(line) > maxLine {
			return nil, fmt.Errorf("is longer than %d bytes", maxLine)
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return line, err
		}
	}
}

// line takes one line.
func (x *restoring) line(ctx context.Context, line []byte) error {
	if len(bytes.TrimSpace(line)) == 0 {
		return x.took(ctx, line)
	}
	var o other
	if err := json.Unmarshal(line, &o); err != nil {
		return fmt.Errorf("is no JSON: %w", err)
	}
	if o.Metric != nil {
		x.pending = append(bytes.TrimRight(append(x.pending, line...), "\n"), '\n')
		return x.took(ctx, line)
	}
	if err := x.flush(ctx); err != nil { // in their order
		return err
	}
	if err := x.other(ctx, &o); err != nil {
		return err
	}
	return x.took(ctx, line)
}

// took counts a line, and sends what has gathered if that is enough.
func (x *restoring) took(ctx context.Context, line []byte) error {
	x.taken += int64(len(line))
	x.lines++
	if len(x.pending) < restoreBytes {
		return nil
	}
	return x.flush(ctx)
}

// flush sends the lines that have gathered, and then notes where the import is.
func (x *restoring) flush(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	done := &x.cursor.Done
	if len(x.pending) > 0 {
		res, err := x.Server.Restore(ctx, x.pending)
		if err != nil {
			return cmp.Or(ctx.Err(), err) // of an answer that was cut off, why
		}
		done.Recorded += res.Recorded
		done.Refused += res.Refused
		for _, p := range res.Problems {
			if len(done.Problems) < maxProblems && !slices.Contains(done.Problems, p) {
				done.Problems = append(done.Problems, p)
			}
		}
		x.pending = x.pending[:0]
	}
	x.cursor.Bytes += x.taken
	x.cursor.Lines += x.lines
	x.taken, x.lines = 0, 0
	if x.Path == "" {
		return nil
	}
	return cursorOf(x.Path).save(x.cursor)
}

// other takes a line that is no measurements.
func (x *restoring) other(ctx context.Context, o *other) error {
	switch {
	case o.Version > format:
		return fmt.Errorf("is of version %d, which this version of tidemark does not know", o.Version)
	case o.Version > 0:
		return nil
	case o.Definition != nil:
		x.cursor.Done.Definitions++
		return x.define(ctx, o.Definition)
	case o.Annotation != nil:
		x.cursor.Done.Annotations++
		return x.annotate(ctx, o.Annotation)
	case o.Stream != nil:
		return x.Server.PutAnnotationStream(ctx, o.Stream.Name, map[string]any{"display_name": o.Stream.DisplayName})
	}
	return errors.New("is nothing that an export has")
}

// define makes a metric, or gives one that is there what it lacks: nothing
// that somebody set is changed.
func (x *restoring) define(ctx context.Context, m *tidemark.Metric) error {
	has, err := x.Server.Metric(ctx, m.Name)
	if tidemark.KindOf(err) == tidemark.NotFound && err != nil {
		return x.Server.PutMetric(ctx, m.Name, m)
	}
	if err != nil {
		return err
	}
	if lacks := lacking(has, m); len(lacks) > 0 {
		return x.Server.PutMetric(ctx, m.Name, lacks)
	}
	return nil
}

// lacking is what m says and has does not.
func lacking(has, m *tidemark.Metric) map[string]any {
	lacks := make(map[string]any)
	if has.DisplayName == nil && m.DisplayName != nil {
		lacks["display_name"] = *m.DisplayName
	}
	if has.Description == nil && m.Description != nil {
		lacks["description"] = *m.Description
	}
	if has.Period == nil && m.Period != nil {
		lacks["period"] = *m.Period
	}
	if has.SourceLag == nil && m.SourceLag != nil {
		lacks["source_lag"] = *m.SourceLag
	}
	attributes := make(map[string]any)
	for key, v := range m.Attributes {
		if had, ok := has.Attributes[key]; (!ok || had == nil) && v != nil {
			attributes[key] = v
		}
	}
	if len(attributes) > 0 {
		lacks["attributes"] = attributes
	}
	return lacks
}

// annotate adds an event, unless it is there.
func (x *restoring) annotate(ctx context.Context, a *annotation) error {
	there, _, err := x.Server.Annotations(ctx, a.Stream, a.StartTime, a.StartTime)
	if err != nil && tidemark.KindOf(err) != tidemark.NotFound {
		return err
	}
	same := func(e tidemark.AnnotationEvent) bool {
		return e.Title == a.Title && text(e.Source) == text(a.Source) && text(e.Description) == text(a.Description)
	}
	if slices.ContainsFunc(there, same) {
		return nil
	}
	_, err = x.Server.Annotate(ctx, a.Stream, &a.AnnotationEvent)
	return err
}

func text(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}
