package jsonout

import (
	"encoding/json"
	"errors"
	"math"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/tsdb"
	"pgregory.net/rapid"
)

// point is a point as a reader of the answer sees it.
type point struct {
	Time  int64   `json:"time"`
	Value float64 `json:"value"`
}

// drawPoints draws times and values of a stream; some streams have the times of
// the one before, as most have.
func drawPoints(t *rapid.T, before []int64) (times []int64, values []float64) {
	times = before
	if rapid.Bool().Draw(t, "other times") {
		times = rapid.SliceOfN(rapid.Int64(), 0, 20).Draw(t, "times")
	}
	finite := rapid.Float64().Filter(func(v float64) bool { return !math.IsInf(v, 0) && !math.IsNaN(v) })
	return times, rapid.SliceOfN(finite, len(times), len(times)).Draw(t, "values")
}

// TestPointsAreReadBack: whatever was written before, points are valid JSON that
// has exactly the times and values given, also after the writer was used again.
func TestPointsAreReadBack(t *testing.T) {
	t.Parallel()
	out := New(nil)
	rapid.Check(t, func(t *rapid.T) {
		var b strings.Builder
		out.Reset(&b)
		out.Text("[")
		var want [][]point
		var times []int64
		var values []float64
		for i := range rapid.IntRange(1, 6).Draw(t, "streams") {
			if i > 0 {
				out.Text(",")
			}
			times, values = drawPoints(t, times)
			out.Points(times, values)
			list := []point{}
			for j := range times {
				list = append(list, point{times[j], values[j]})
			}
			want = append(want, list)
		}
		out.Text("]")
		if err := out.Flush(); err != nil {
			t.Fatal(err)
		}
		var got [][]point
		if err := json.Unmarshal([]byte(b.String()), &got); err != nil || !reflect.DeepEqual(got, want) {
			t.Fatalf("%v: %s\nwant %v", err, b.String(), want)
		}
	})
}

// TestManyPoints: more points than beginnings are kept of are one list, written
// in pieces that are bounded.
func TestManyPoints(t *testing.T) {
	t.Parallel()
	n := 3*maxHeads + 1
	times, values := make([]int64, n), make([]float64, n)
	for i := range times {
		times[i], values[i] = int64(i), float64(i)/7
	}
	w := &pieces{}
	out := New(w)
	for range 2 {
		out.Points(times, values)
		out.Text("\n")
	}
	if err := out.Flush(); err != nil {
		t.Fatal(err)
	}
	dec := json.NewDecoder(strings.NewReader(w.text.String()))
	for range 2 {
		var got []point
		if err := dec.Decode(&got); err != nil || len(got) != n || got[0] != (point{0, 0}) || got[maxHeads] != (point{maxHeads, float64(maxHeads) / 7}) || got[n-1].Time != int64(n-1) {
			t.Fatalf("%d points of %d, %v", len(got), n, err)
		}
	}
	if w.longest > bufferSize+4<<10 || w.count < 5 {
		t.Errorf("%d pieces of up to %d bytes", w.count, w.longest)
	}
}

// pieces remembers how it was written to.
type pieces struct {
	text           strings.Builder
	count, longest int
}

func (p *pieces) Write(b []byte) (int, error) {
	p.count++
	p.longest = max(p.longest, len(b))
	return p.text.Write(b)
}

// TestQuotedIsReadBack: any text of tags is one JSON string, and so is what has
// quotes, control characters or is no text at all.
func TestQuotedIsReadBack(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.OneOf(rapid.String(), rapid.StringOf(rapid.RuneFrom([]rune("\"\\\n\t\x00\x7f<>&\u2028é界a")))).Draw(t, "text")
		var b strings.Builder
		out := New(&b)
		out.Quoted(text)
		if err := out.Flush(); err != nil {
			t.Fatal(err)
		}
		var got string
		if err := json.Unmarshal([]byte(b.String()), &got); err != nil || got != text {
			t.Fatalf("%q is written %s, %v", text, b.String(), err)
		}
	})
	if got := written(t, func(out *Writer) { out.Quoted("\xff") }); !json.Valid([]byte(got)) {
		t.Errorf("what is no text is written %s", got)
	}
}

// TestSeries: a stream has its tags and its points; with summaries each point
// has all that is known of it.
func TestSeries(t *testing.T) {
	t.Parallel()
	tags := tidemark.Tags{{Name: "host", Value: "a"}, {Name: "path", Value: `c:\"x"`}}
	for _, tt := range []struct {
		s    tsdb.Series
		want string
	}{
		{tsdb.Series{Times: []int64{60}, Values: []float64{1.5}}, `{"tags":{},"measurements":[{"time":60,"value":1.5}]}`},
		{tsdb.Series{Tags: tags}, `{"tags":{"host":"a","path":"c:\\\"x\""},"measurements":[]}`},
		{tsdb.Series{Tags: tags[:1], Times: []int64{60, 120}, Summaries: []tsdb.Summary{{Count: 2, Sum: 6, Min: 2, Max: 4, Last: 4, M2: 2}, {Count: 1, Sum: -1, Min: -1, Max: -1, Last: -1}}},
			`{"tags":{"host":"a"},"measurements":[{"time":60,"value":3,"count":2,"sum":6,"min":2,"max":4,"last":4,"stddev":1},{"time":120,"value":-1,"count":1,"sum":-1,"min":-1,"max":-1,"last":-1,"stddev":0}]}`},
		{tsdb.Series{Summaries: []tsdb.Summary{}}, `{"tags":{},"measurements":[]}`},
	} {
		got := written(t, func(out *Writer) { out.Series(&tt.s) })
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Error(diff)
		}
	}
}

// TestValue: small things are written as encoding/json does, and what cannot be
// is the writer's first error, which later ones do not replace.
func TestValue(t *testing.T) {
	t.Parallel()
	got := written(t, func(out *Writer) {
		out.Value(map[string]any{"a": []int{1}, "b": nil})
		out.Text(",")
		out.Integer(math.MinInt64)
		out.Text(",")
		out.Float(-0.25)
	})
	if want := `{"a":[1],"b":null},-9223372036854775808,-0.25`; got != want {
		t.Errorf("wrote %s, want %s", got, want)
	}
	out := New(brokenPipe{})
	out.Value(math.Inf(1))
	var unsupported *json.UnsupportedValueError
	if !errors.As(out.Err(), &unsupported) {
		t.Errorf("an infinity: %v", out.Err())
	}
	out.Members(7)
	if err := out.Flush(); !errors.As(err, &unsupported) {
		t.Errorf("the first error became %v", err)
	}
}
