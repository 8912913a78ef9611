package api

import (
	"encoding/json"
	"io"
	"strconv"
	"strings"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/tsdb"
)

// jsonWriter writes JSON piece by piece, so that an answer is never whole in
// memory. Its first error sticks.
type jsonWriter struct {
	w   io.Writer
	buf []byte
	err error
}

const jsonBuffer = 32 << 10

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
func (out *jsonWriter) float(v float64) {
	format := byte('f')
	if abs := max(v, -v); abs != 0 && (abs < 1e-6 || abs >= 1e21) {
		format = 'e'
	}
	out.buf = strconv.AppendFloat(out.buf, v, format, -1, 64)
}

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

func (out *jsonWriter) points(times []int64, values []float64) {
	out.text("[")
	for i, at := range times {
		head := `,{"time":`
		if i == 0 {
			head = head[1:]
		}
		out.text(head)
		out.integer(at)
		out.buf = append(out.buf, `,"value":`...)
		out.float(values[i])
		out.buf = append(out.buf, '}')
	}
	out.text("]")
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
