// Package exchange is the form in which measurements leave a server and enter
// another: lines of JSON, each a stretch of one stream.
//
//	{"metric":"cpu","tags":{"host":"a"},"times":[0,60],"values":[1,2.5]}
//	{"metric":"latency","times":[120],"summaries":[[3,6,1,3,2,2]],"sketches":["IAAA/ALI"]}
//
// A summary is count, sum, min, max, last and the sum of squared deviations
// from the mean. A sketch says how the values of its summary are distributed;
// it is empty where that is not known.
package exchange

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"math"
	"strconv"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/sketch"
	"github.com/tidemark-metrics/tidemark/internal/tsdb"
)

// MaxPoints is how many points a line has at most, so that none is long.
const MaxPoints = 1000

// line is what a line of measurements holds.
type line struct {
	Metric    string            `json:"metric"`
	Tags      map[string]string `json:"tags"`
	Times     []int64           `json:"times"`
	Values    []float64         `json:"values"`
	Summaries [][]float64       `json:"summaries"`
	Sketches  [][]byte          `json:"sketches"`
}

// Append appends s, which has summaries and may have sketches, as lines. Points
// whose numbers overflowed are left out: JSON has no text for them.
func Append(dst []byte, s *tsdb.Series) []byte {
	for from := 0; from < len(s.Times); {
		to := from + 1
		for to < len(s.Times) && to-from < MaxPoints && kindOf(s, to) == kindOf(s, from) {
			to++
		}
		if kindOf(s, from) != broken {
			dst = appendLine(dst, s, from, to)
		}
		from = to
	}
	return dst
}

type kind uint8

const (
	single kind = iota
	several
	broken
)

// kindOf says how a point is written.
func kindOf(s *tsdb.Series, i int) kind {
	m := &s.Summaries[i]
	total := m.Count + m.Sum + m.Min + m.Max + m.Last + m.M2
	switch {
	case math.IsNaN(total) || math.IsInf(total, 0):
		return broken
	case m.IsSingle() && s.SketchAt(i) == nil:
		return single
	}
	return several
}

func appendLine(dst []byte, s *tsdb.Series, from, to int) []byte {
	dst = appendText(append(dst, `{"metric":`...), s.Metric)
	for i, t := range s.Tags {
		if i == 0 {
			dst = append(dst, `,"tags":{`...)
		} else {
			dst = append(dst, ',')
		}
		dst = appendText(append(appendText(dst, t.Name), ':'), t.Value)
	}
	if len(s.Tags) > 0 {
		dst = append(dst, '}')
	}
	dst = appendList(append(dst, `,"times":`...), from, to, func(dst []byte, i int) []byte { return strconv.AppendInt(dst, s.Times[i], 10) })
	if kindOf(s, from) == single {
		dst = appendList(append(dst, `,"values":`...), from, to, func(dst []byte, i int) []byte { return appendNumber(dst, s.Summaries[i].Sum) })
		return append(dst, '}', '\n')
	}
	dst = appendList(append(dst, `,"summaries":`...), from, to, func(dst []byte, i int) []byte { return appendSummary(dst, &s.Summaries[i]) })
	return append(appendSketches(dst, s, from, to), '}', '\n')
}

func appendSummary(dst []byte, m *tsdb.Summary) []byte {
	numbers := [...]float64{m.Count, m.Sum, m.Min, m.Max, m.Last, m.M2}
	return appendList(dst, 0, len(numbers), func(dst []byte, i int) []byte { return appendNumber(dst, numbers[i]) })
}

// appendSketches appends the list of sketches, unless there are none.
func appendSketches(dst []byte, s *tsdb.Series, from, to int) []byte {
	any := false
	for i := from; i < to; i++ {
		any = any || s.SketchAt(i) != nil
	}
	if !any {
		return dst
	}
	return appendList(append(dst, `,"sketches":`...), from, to, func(dst []byte, i int) []byte {
		dst = append(dst, '"')
		if k := s.SketchAt(i); k != nil {
			dst = base64.StdEncoding.AppendEncode(dst, k.AppendBinary(nil))
		}
		return append(dst, '"')
	})
}

func appendList(dst []byte, from, to int, one func([]byte, int) []byte) []byte {
	dst = append(dst, '[')
	for i := from; i < to; i++ {
		if i > from {
			dst = append(dst, ',')
		}
		dst = one(dst, i)
	}
	return append(dst, ']')
}

func appendNumber(dst []byte, v float64) []byte { return strconv.AppendFloat(dst, v, 'g', -1, 64) }

func appendText(dst []byte, s string) []byte {
	text, _ := json.Marshal(s) // a text can be marshalled
	return append(dst, text...)
}

// Parse returns the series that a line holds, with summaries. Names are as
// they are written there; nobody has checked them.
func Parse(text []byte) (*tsdb.Series, error) {
	var l line
	in := json.NewDecoder(bytes.NewReader(text))
	in.DisallowUnknownFields()
	if err := in.Decode(&l); err != nil {
		return nil, tidemark.Errorf(tidemark.Invalid, "is no line of measurements: %v", err)
	}
	s := &tsdb.Series{Metric: l.Metric, Tags: tidemark.MakeTags(l.Tags), Times: l.Times}
	if err := l.fill(s); err != nil {
		return nil, &tidemark.Error{Kind: tidemark.Invalid, Msg: err.Error()}
	}
	return s, nil
}

// fill gives s the numbers of l.
func (l *line) fill(s *tsdb.Series) error {
	n := len(l.Times)
	switch {
	case n == 0:
		return fmt.Errorf("times: is empty")
	case (l.Values == nil) == (l.Summaries == nil):
		return fmt.Errorf("values: a line has either values or summaries")
	case l.Values != nil && len(l.Values) != n, l.Summaries != nil && len(l.Summaries) != n:
		return fmt.Errorf("times: there are %d, but not as many values or summaries", n)
	case l.Sketches != nil && (l.Summaries == nil || len(l.Sketches) != n):
		return fmt.Errorf("sketches: must be as many as summaries")
	}
	for _, v := range l.Values {
		s.Summaries = append(s.Summaries, tsdb.Single(v))
	}
	for i, v := range l.Summaries {
		if len(v) != 6 {
			return fmt.Errorf("summaries: number %d is not count, sum, min, max, last and squared deviations", i+1)
		}
		s.Summaries = append(s.Summaries, tsdb.Summary{Count: v[0], Sum: v[1], Min: v[2], Max: v[3], Last: v[4], M2: v[5]})
	}
	return l.fillSketches(s)
}

func (l *line) fillSketches(s *tsdb.Series) error {
	for i, text := range l.Sketches {
		k, err := sketch.Decode(text)
		if err != nil {
			return fmt.Errorf("sketches: number %d: %w", i+1, err)
		}
		s.Sketches = append(s.Sketches, k)
	}
	return nil
}
