package exchange_test

import (
	"bytes"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/exchange"
	"github.com/tidemark-metrics/tidemark/internal/sketch"
	"github.com/tidemark-metrics/tidemark/internal/tsdb"
)

func known(values ...float64) *sketch.Sketch {
	s := new(sketch.Sketch)
	for _, v := range values {
		s.Add(v, 1)
	}
	return s
}

// TestThereAndBack: every kind of point comes back as it was, whatever stands
// beside it.
func TestThereAndBack(t *testing.T) {
	three := tsdb.Summary{Count: 3, Sum: 6.6, Min: 1.1, Max: 3.3, Last: 2.2, M2: 2.42}
	in := &tsdb.Series{
		Metric: "latency", Tags: tidemark.Tags{{Name: "host", Value: `a\b`}, {Name: "path", Value: "/x y?"}},
		Times:     []int64{0, 60, 120, 180, 240},
		Summaries: []tsdb.Summary{tsdb.Single(0.1), tsdb.Single(-1e-300), three, three, tsdb.Single(5)},
		Sketches:  []*sketch.Sketch{nil, nil, known(1.1, 2.2, 3.3), nil, nil},
	}
	text := exchange.Append(nil, in)
	lines := bytes.Split(bytes.TrimSpace(text), []byte("\n"))
	if len(lines) != 3 {
		t.Fatalf("%d lines, want one for each stretch of a kind:\n%s", len(lines), text)
	}
	back := &tsdb.Series{Metric: in.Metric, Tags: in.Tags}
	var sketches [][]byte
	for _, l := range lines {
		s, err := exchange.Parse(l)
		if err != nil {
			t.Fatal(err)
		}
		if s.Metric != in.Metric || cmp.Diff(in.Tags, s.Tags) != "" {
			t.Errorf("%s is of %s %v", l, s.Metric, s.Tags)
		}
		back.Times, back.Summaries = append(back.Times, s.Times...), append(back.Summaries, s.Summaries...)
		for i := range s.Times {
			var b []byte
			if i < len(s.Sketches) {
				b = s.Sketches[i].AppendBinary(nil)
			}
			sketches = append(sketches, b)
		}
	}
	if d := cmp.Diff(in.Times, back.Times) + cmp.Diff(in.Summaries, back.Summaries); d != "" {
		t.Error(d)
	}
	if want := [][]byte{nil, nil, known(1.1, 2.2, 3.3).AppendBinary(nil), nil, nil}; cmp.Diff(want, sketches) != "" {
		t.Errorf("sketches are %v", sketches)
	}
}

func TestLongLinesAreCut(t *testing.T) {
	s := &tsdb.Series{Metric: "m"}
	for i := range 2*exchange.MaxPoints + 1 {
		s.Times, s.Summaries = append(s.Times, int64(i)), append(s.Summaries, tsdb.Single(1))
	}
	s.Summaries[7] = tsdb.Single(math.Inf(1))
	if n := bytes.Count(exchange.Append(nil, s), []byte("\n")); n != 3 {
		t.Errorf("%d lines, want 3: what has no text is left out, the rest is cut", n)
	}
}

func TestParseRefuses(t *testing.T) {
	for text, reason := range map[string]string{
		`{`:                                      "no line",
		`[]`:                                     "no line",
		`{"metric":"m","times":[1],"value":[1]}`: `unknown field "value"`,
		`{"metric":"m","values":[1]}`:            "times: is empty",
		`{"metric":"m","times":[1]}`:             "either values or summaries",
		`{"metric":"m","times":[1],"values":[1],"summaries":[[1,1,1,1,1,0]]}`:           "either values or summaries",
		`{"metric":"m","times":[1,2],"values":[1]}`:                                     "there are 2",
		`{"metric":"m","times":[1],"summaries":[[1,1]]}`:                                "number 1 is not count",
		`{"metric":"m","times":[1],"summaries":[[1,1,1,1,1,0]],"sketches":["",""]}`:     "as many as summaries",
		`{"metric":"m","times":[1],"summaries":[[1,1,1,1,1,0]],"sketches":["AAAA"]}`:    "sketches: number 1",
		`{"metric":"m","times":[1],"summaries":[[1,1,1,1,1,0]],"sketches":["no base"]}`: "no line",
	} {
		if _, err := exchange.Parse([]byte(text)); err == nil || !strings.Contains(err.Error(), reason) {
			t.Errorf("%s: %v, want something about %q", text, err, reason)
		}
	}
}

// FuzzParse: whatever a line holds is refused, or comes back as it was read.
func FuzzParse(f *testing.F) {
	f.Add([]byte(`{"metric":"a","tags":{"h":"x"},"times":[1,2],"values":[1,2.5]}`))
	f.Add([]byte(`{"metric":"a","times":[1],"summaries":[[3,6.6,1.1,3.3,2.2,2.42]]}`))
	f.Add(exchange.Append(nil, &tsdb.Series{
		Metric: "d", Times: []int64{60}, Summaries: []tsdb.Summary{{Count: 2, Sum: 3, Min: 1, Max: 2, Last: 2}}, Sketches: []*sketch.Sketch{known(1, 2)},
	}))
	f.Fuzz(func(t *testing.T, text []byte) {
		s, err := exchange.Parse(text)
		if err != nil {
			if tidemark.KindOf(err) != tidemark.Invalid {
				t.Errorf("%v", err)
			}
			return
		}
		out := exchange.Append(nil, s)
		var again []byte
		for line := range bytes.Lines(out) {
			back, err := exchange.Parse(line)
			if err != nil {
				t.Fatalf("%s is written as %s, which is refused: %v", text, line, err)
			}
			again = exchange.Append(again, back)
		}
		if !bytes.Equal(out, again) {
			t.Errorf("%s is written as %s, then as %s", text, out, again)
		}
	})
}
