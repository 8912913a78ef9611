package api

import (
	"encoding/json"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/tsdb"
)

// jsonWriter writes JSON piece by piece, so that an answer is never whole in
// memory. Its first error sticks.
type jsonWriter struct {
	w     io.Writer
	buf   []byte
	err   error
	times []int64 // of the points written last
	heads []byte  // what comes before the values of points at these times
	ends  []int   // of each in heads
}

// jsonBuffer is what is gathered before it is written. Pieces are short: it
// is looked at between them.
const jsonBuffer = 128 << 10

func newJSONWriter(w io.Writer) *jsonWriter {
	return &jsonWriter{w: w, buf: make([]byte, 0, jsonBuffer+4<<10)}
}

// streamed is an answer that write writes. Writers are used again: their
// memory is most of what short answers need.
func (s *Server) streamed(write func(out *jsonWriter) error) reply {
	return reply{status: http.StatusOK, stream: func(w io.Writer) error {
		out, ok := s.writers.Get().(*jsonWriter)
		if !ok {
			out = newJSONWriter(w)
		}
		out.w, out.buf, out.err, out.times = w, out.buf[:0], nil, out.times[:0]
		defer s.writers.Put(out)
		if err := write(out); err != nil {
			return err
		}
		return out.flush()
	}}
}

func (out *jsonWriter) flush() error {
	if out.err == nil {
		_, out.err = out.w.Write(out.buf)
	}
	out.buf = out.buf[:0]
	return out.err
}

func (out *jsonWriter) text(s string) {
	if len(out.buf) >= jsonBuffer {
		_ = out.flush()
	}
	out.buf = append(out.buf, s...)
}

func (out *jsonWriter) integer(n int64) { out.buf = strconv.AppendInt(out.buf, n, 10) }

// float writes a number as encoding/json does.
func (out *jsonWriter) float(v float64) { out.buf = appendFloat(out.buf, v) }

// value writes something that is small and has a form of its own.
func (out *jsonWriter) value(v any) {
	b, err := json.Marshal(v)
	if err != nil && out.err == nil {
		out.err = err
	}
	out.buf = append(out.buf, b...)
}

func (out *jsonWriter) quoted(s string) {
	if strings.ContainsFunc(s, func(r rune) bool { return r < ' ' || r >= 0x7f || r == '"' || r == '\\' }) {
		out.value(s)
		return
	}
	out.buf = append(out.buf, '"')
	out.buf = append(out.buf, s...)
	out.buf = append(out.buf, '"')
}

func (out *jsonWriter) tags(tags tidemark.Tags) {
	out.text("{")
	for i, t := range tags {
		if i > 0 {
			out.text(",")
		}
		out.quoted(t.Name)
		out.text(":")
		out.quoted(t.Value)
	}
	out.text("}")
}

// series writes one stream or group and its points.
func (out *jsonWriter) series(s *tsdb.Series) {
	out.text(`{"tags":`)
	out.tags(s.Tags)
	out.text(`,"measurements":`)
	if s.Summaries == nil {
		out.points(s.Times, s.Values)
	} else {
		out.summaries(s.Times, s.Summaries)
	}
	out.text("}")
}

// maxHeads is of how many points at a time the beginnings are kept.
const maxHeads = 8 << 10

func (out *jsonWriter) points(times []int64, values []float64) {
	out.pointsAfter(`,{"time":`, times, values)
}

// pointsAfter writes points that begin with head; the first goes without its
// comma.
func (out *jsonWriter) pointsAfter(head string, times []int64, values []float64) {
	out.text("[")
	skip := 1
	for len(times) > 0 {
		n := min(len(times), maxHeads)
		out.somePoints(head, times[:n], values[:n], skip)
		times, values, skip = times[n:], values[n:], 0
	}
	out.text("]")
}

// somePoints writes points, all but the first skip letters of them. Streams
// mostly have the same times as their neighbours, and then everything but the
// values is there already.
func (out *jsonWriter) somePoints(head string, times []int64, values []float64, skip int) {
	if !slices.Equal(times, out.times) {
		out.setTimes(head, times)
	}
	start := skip
	for i, end := range out.ends {
		if len(out.buf) >= jsonBuffer {
			_ = out.flush()
		}
		b := append(out.buf, out.heads[start:end]...)
		b = appendFloat(b, values[i])
		out.buf = append(b, '}')
		start = end
	}
}

// setTimes writes down what comes before values at these times.
func (out *jsonWriter) setTimes(head string, times []int64) {
	out.times, out.ends = append(out.times[:0], times...), slices.Grow(out.ends[:0], len(times))
	out.heads = slices.Grow(out.heads[:0], len(times)*(len(head)+len(`1234567890,"value":`)))
	for _, at := range times {
		out.heads = append(out.heads, head...)
		out.heads = strconv.AppendInt(out.heads, at, 10)
		out.heads = append(out.heads, `,"value":`...)
		out.ends = append(out.ends, len(out.heads))
	}
}

func (out *jsonWriter) summaries(times []int64, summaries []tsdb.Summary) {
	out.text("[")
	for i, at := range times {
		if i > 0 {
			out.text(",")
		}
		s := &summaries[i]
		out.text(`{"time":`)
		out.integer(at)
		for _, f := range summaryFields {
			out.text(f.name)
			out.float(s.Value(f.function))
		}
		out.text("}")
	}
	out.text("]")
}

// summaryFields are what a point has where everything is asked for.
var summaryFields = []struct {
	name     string
	function tsdb.Function
}{
	{`,"value":`, tsdb.Mean}, {`,"count":`, tsdb.Count}, {`,"sum":`, tsdb.Sum}, {`,"min":`, tsdb.Min},
	{`,"max":`, tsdb.Max}, {`,"last":`, tsdb.Last}, {`,"stddev":`, tsdb.StdDev},
}
