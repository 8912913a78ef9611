// Package jsonout writes JSON piece by piece: answers with many points, which
// are never whole in memory. It knows no HTTP.
package jsonout

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/tsdb"
)

// A Writer writes JSON piece by piece, so that an answer is never whole in
// memory. Its first error sticks.
type Writer struct {
	w     io.Writer
	buf   []byte
	err   error
	head  string  // of the points written last
	times []int64 // of the points written last
	heads []byte  // what comes before the values of points at these times
	ends  []int   // of each in heads
}

// bufferSize is what is gathered before it is written. Pieces are short: it
// is looked at between them.
const bufferSize = 128 << 10

// New returns a Writer into w.
func New(w io.Writer) *Writer {
	return &Writer{w: w, buf: make([]byte, 0, bufferSize+4<<10)}
}

// Reset makes out begin again, into w: its memory is most of what short answers
// need.
func (out *Writer) Reset(w io.Writer) {
	out.w, out.buf, out.err, out.times = w, out.buf[:0], nil, out.times[:0]
}

// Err is the first error there was.
func (out *Writer) Err() error { return out.err }

// Flush writes what was gathered.
func (out *Writer) Flush() error {
	if out.err == nil {
		_, out.err = out.w.Write(out.buf)
	}
	out.buf = out.buf[:0]
	return out.err
}

// Push writes what was gathered and has it sent on, where w can do that: what
// comes next may take long.
func (out *Writer) Push() {
	if out.Flush() != nil {
		return
	}
	if w, ok := out.w.(interface{ Flush() error }); ok {
		out.err = w.Flush()
	}
}

// Text writes s as it is.
func (out *Writer) Text(s string) {
	if len(out.buf) >= bufferSize {
		_ = out.Flush()
	}
	out.buf = append(out.buf, s...)
}

// Integer writes a whole number.
func (out *Writer) Integer(n int64) { out.buf = strconv.AppendInt(out.buf, n, 10) }

// Float writes a number as encoding/json does.
func (out *Writer) Float(v float64) { out.buf = AppendFloat(out.buf, v) }

// Value writes something that is small and has a form of its own.
func (out *Writer) Value(v any) {
	b, err := json.Marshal(v)
	if err != nil && out.err == nil {
		out.err = err
	}
	out.buf = append(out.buf, b...)
}

// Members writes the members of an object, all that is between its braces: the
// caller adds others. What v marshals to must be an object.
func (out *Writer) Members(v any) {
	b, err := json.Marshal(v)
	if err == nil && (len(b) < 2 || b[0] != '{') {
		err = fmt.Errorf("%T is not written as an object", v)
	}
	switch {
	case err == nil:
		out.buf = append(out.buf, b[1:len(b)-1]...)
	case out.err == nil:
		out.err = err
	}
}

// Quoted writes a string.
func (out *Writer) Quoted(s string) {
	if strings.ContainsFunc(s, func(r rune) bool { return r < ' ' || r >= 0x7f || r == '"' || r == '\\' }) {
		out.Value(s)
		return
	}
	out.buf = append(out.buf, '"')
	out.buf = append(out.buf, s...)
	out.buf = append(out.buf, '"')
}

// Tags writes tags as an object.
func (out *Writer) Tags(tags tidemark.Tags) {
	out.Text("{")
	for i, t := range tags {
		if i > 0 {
			out.Text(",")
		}
		out.Quoted(t.Name)
		out.Text(":")
		out.Quoted(t.Value)
	}
	out.Text("}")
}

// Series writes one stream or group and its points.
func (out *Writer) Series(s *tsdb.Series) {
	out.Text(`{"tags":`)
	out.Tags(s.Tags)
	out.Text(`,"measurements":`)
	if s.Summaries == nil {
		out.Points(s.Times, s.Values)
	} else {
		out.summaries(s.Times, s.Summaries)
	}
	out.Text("}")
}

// maxHeads is of how many points at a time the beginnings are kept.
const maxHeads = 8 << 10

// Points writes a list of times and values.
func (out *Writer) Points(times []int64, values []float64) {
	out.PointsAfter(`,{"time":`, times, values)
}

// PointsAfter writes points that begin with head; the first goes without its
// comma.
func (out *Writer) PointsAfter(head string, times []int64, values []float64) {
	out.Text("[")
	skip := 1
	for len(times) > 0 {
		n := min(len(times), maxHeads)
		out.somePoints(head, times[:n], values[:n], skip)
		times, values, skip = times[n:], values[n:], 0
	}
	out.Text("]")
}

// somePoints writes points, all but the first skip letters of them. Streams
// mostly have the same times as their neighbours, and then everything but the
// values is there already.
func (out *Writer) somePoints(head string, times []int64, values []float64, skip int) {
	if head != out.head || !slices.Equal(times, out.times) {
		out.setTimes(head, times)
	}
	start := skip
	for i, end := range out.ends {
		if len(out.buf) >= bufferSize {
			_ = out.Flush()
		}
		b := append(out.buf, out.heads[start:end]...)
		b = AppendFloat(b, values[i])
		out.buf = append(b, '}')
		start = end
	}
}

// setTimes writes down what comes before values at these times.
func (out *Writer) setTimes(head string, times []int64) {
	out.head = head
	out.times, out.ends = append(out.times[:0], times...), slices.Grow(out.ends[:0], len(times))
	out.heads = slices.Grow(out.heads[:0], len(times)*(len(head)+len(`1234567890,"value":`)))
	for _, at := range times {
		out.heads = append(out.heads, head...)
		out.heads = strconv.AppendInt(out.heads, at, 10)
		out.heads = append(out.heads, `,"value":`...)
		out.ends = append(out.ends, len(out.heads))
	}
}

func (out *Writer) summaries(times []int64, summaries []tsdb.Summary) {
	out.Text("[")
	for i, at := range times {
		if i > 0 {
			out.Text(",")
		}
		s := &summaries[i]
		out.Text(`{"time":`)
		out.Integer(at)
		for _, f := range summaryFields {
			out.Text(f.name)
			out.Float(s.Value(f.function))
		}
		out.Text("}")
	}
	out.Text("]")
}

// summaryFields are what a point has where everything is asked for.
var summaryFields = []struct {
	name     string
	function tsdb.Function
}{
	{`,"value":`, tsdb.Mean}, {`,"count":`, tsdb.Count}, {`,"sum":`, tsdb.Sum}, {`,"min":`, tsdb.Min},
	{`,"max":`, tsdb.Max}, {`,"last":`, tsdb.Last}, {`,"stddev":`, tsdb.StdDev},
}
