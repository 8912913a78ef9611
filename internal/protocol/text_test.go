package protocol_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/protocol"
)

// TestMillis: a time in any unit becomes whole milliseconds, rounded down, and
// what nobody can mean is refused.
func TestMillis(t *testing.T) {
	t.Parallel()
	const refused = -1
	for _, c := range []struct {
		units, perUnit float64
		want           int64
	}{
		{0, 1000, 0}, {1754300400, 1000, 1754300400000}, {1754300400.9999, 1000, 1754300400999}, {1754300400123456789, 1e-6, 1754300400123},
		{-1, 1000, refused}, {-0.0001, 1000, refused}, {1 << 53, 1, refused}, {1<<53 - 1, 1, 1<<53 - 1}, {1e300, 1000, refused},
		{math.NaN(), 1000, refused}, {math.Inf(1), 1, refused}, {math.Inf(-1), 1, refused},
	} {
		got, ok := protocol.Millis(c.units, c.perUnit)
		if ok != (c.want != refused) || ok && got != c.want {
			t.Errorf("%v times %v is %d, %v; want %d", c.units, c.perUnit, got, ok, c.want)
		}
	}
}

// TestParseFloat: a number that is too large is infinite, so that it is left
// out for what it is and not as a text.
func TestParseFloat(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]float64{"1.5": 1.5, "-2e3": -2000, "1e999": math.Inf(1), "-1e999": math.Inf(-1), "inf": math.Inf(1), "1e-999": 0} {
		if got, ok := protocol.ParseFloat(text); !ok || got != want {
			t.Errorf("%q is %v, %v", text, got, ok)
		}
	}
	for _, text := range []string{"", " 1", "1 ", "1,5", "x", "--1", "1e", "١"} {
		if got, ok := protocol.ParseFloat(text); ok {
			t.Errorf("%q is %v", text, got)
		}
	}
}

// TestLinesNotUnderstood: only the first line that is not understood is told,
// all are counted, and a request of nothing else is refused.
func TestLinesNotUnderstood(t *testing.T) {
	t.Parallel()
	b := protocol.NewBatch(protocol.DefaultLimits)
	if err := b.Refused(); err != nil {
		t.Errorf("nothing at all: %v", err)
	}
	b.Skip(protocol.NotFinite, "a")
	if err := b.Refused(); err != nil {
		t.Errorf("what was understood and cannot be kept: %v", err)
	}
	b.SkipLine(3, "the value %q is no number", "x")
	b.SkipLine(4, "%s", "never told")
	b.SkipN(protocol.NotFinite, "b", 0)
	b.SkipN(protocol.NotFinite, "b", -5)
	err := b.Refused()
	if want := `nothing of 2 could be understood; the first: line 3: the value "x" is no number`; tidemark.KindOf(err) != tidemark.Invalid || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
	want := []protocol.Skip{{Reason: protocol.NotFinite, Count: 1, Example: "a"}, {Reason: protocol.NotUnderstood, Count: 2, Example: `line 3: the value "x" is no number`}}
	if d := cmp.Diff(want, b.Skipped); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
	if err := b.AddValue(protocol.Point{Name: "good", Value: 1}); err != nil {
		t.Fatal(err)
	}
	if err := b.Refused(); err != nil {
		t.Errorf("with a point: %v", err)
	}
}

// TestNumber: a number of JSON may be a text, and null is none.
func TestNumber(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]float64{"1.5": 1.5, `"1.5"`: 1.5, `"NaN"`: math.NaN(), `"Infinity"`: math.Inf(1), `"-Infinity"`: math.Inf(-1), "null": math.NaN(), "1e400": math.Inf(1)} {
		var n protocol.Number
		err := json.Unmarshal([]byte(text), &n)
		if got := float64(n); err != nil || got != want && !(math.IsNaN(got) && math.IsNaN(want)) {
			t.Errorf("%s is %v, %v; want %v", text, got, err, want)
		}
	}
	for _, text := range []string{`""`, `"x"`, "true", "{}", "[1]"} {
		var n protocol.Number
		if err := json.Unmarshal([]byte(text), &n); err == nil || err.Error() != text+" is no number" {
			t.Errorf("%s is %v, %v", text, n, err)
		}
	}
}

// TestEachJSON: elements come one after the other, and what is wrong with one
// is told with its place.
func TestEachJSON(t *testing.T) {
	t.Parallel()
	errStop := tidemark.Errorf(tidemark.TooLarge, "enough")
	for _, c := range []struct {
		array, got, err string
	}{
		{``, "", ""},
		{`null`, "", ""},
		{`[]`, "", ""},
		{` [{"A":1},{"A":2},{}]`, "1 2 0 ", ""},
		{`{"A":1}`, "", `the body is not a list of things: {"A":1} is no list`},
		{`7`, "", "the body is not a list of things: 7 is no list"},
		{`[{"A":1},{"A":"x"}]`, "1 ", "the body is not a list of things: element 1: A is a string"},
		{`[{"A":1},7]`, "1 ", "the body is not a list of things: element 1:  is a number"},
		{`[{"A":13},{"A":1}]`, "", "the body is not a list of things: element 0: thirteen"},
		{`[{"A":99}]`, "", "enough"},
	} {
		var one struct{ A int }
		var got strings.Builder
		err := protocol.EachJSON(json.RawMessage(c.array), func() any { one.A = 0; return &one }, func() error {
			switch one.A {
			case 13:
				return errors.New("thirteen")
			case 99:
				return errStop
			}
			fmt.Fprintf(&got, "%d ", one.A)
			return nil
		})
		err = protocol.NotJSON("a list of things", err)
		if text := fmt.Sprint(err); got.String() != c.got || text != c.err && !(c.err == "" && err == nil) {
			t.Errorf("%s: %q, %v; want %q, %s", c.array, got.String(), err, c.got, c.err)
		}
	}
	var into struct{ A int }
	for text, want := range map[string]string{
		`{"A":`:     "the body is not JSON, at byte 5: unexpected end of JSON input",
		`{"A":"x"`:  "the body is not JSON, at byte 8: unexpected end of JSON input",
		`{"A":"x"}`: "the body is not a thing, at byte 8: A is a string",
	} {
		if err := protocol.NotJSON("a thing", json.Unmarshal([]byte(text), &into)); tidemark.KindOf(err) != tidemark.Invalid || err.Error() != want {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
	if protocol.NotJSON("a thing", nil) != nil {
		t.Error("nothing is an error")
	}
}

// TestJoinedNames: names of two texts are those that the whole has, for as many
// as come, and two that differ in where the dot is are the same name.
func TestJoinedNames(t *testing.T) {
	t.Parallel()
	var n protocol.Names
	b := protocol.NewBatch(protocol.DefaultLimits)
	for i := range 10_050 { // more than are remembered
		first, second := fmt.Sprint("disk/", i%101), fmt.Sprint("used ", i)
		if got, want := n.Join(b, first, second), protocol.MetricName(first+"."+second); got != want {
			t.Fatalf("%q and %q are %q, want %q", first, second, got, want)
		}
	}
	if n.Join(b, "a.b", "c") != "a.b.c" || n.Join(b, "a", "b.c") != "a.b.c" || n.Join(b, "a.b", "c") != "a.b.c" {
		t.Error("names with dots")
	}
	key := []byte("abcd")
	first := n.Join(b, string(key[:2]), string(key[2:]))
	copy(key, "zzzz")
	if again := n.Join(b, "ab", "cd"); again != first || again != "ab.cd" {
		t.Errorf("%q became %q", first, again)
	}
}
