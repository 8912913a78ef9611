package graphite_test

import (
	"encoding/binary"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/protocol"
	"github.com/tidemark-metrics/tidemark/internal/protocol/graphite"
	. "github.com/tidemark-metrics/tidemark/internal/protocol/protocoltest"
	"pgregory.net/rapid"
)

// pickled is what a pickle becomes.
func pickled(t *testing.T, body string) string {
	t.Helper()
	b := protocol.NewBatch(protocol.DefaultLimits)
	if err := graphite.DecodePickle([]byte(body), b); err != nil {
		return err.Error()
	}
	Check(t, b)
	return Text(b)
}

// item is (path, (time, value)) in a list, of parts that are pickled already.
func item(path, time, value string) string { return "]((" + path + "(" + time + value + "tte." }

// TestPickledNumbers: a number is the same in every way to pickle it: short,
// long, negative, a float, a text, true and false.
func TestPickledNumbers(t *testing.T) {
	t.Parallel()
	const path, time = "U\x01a", "J\x0a\x00\x00\x00"
	double := func(v float64) string { return "G" + string(binary.BigEndian.AppendUint64(nil, math.Float64bits(v))) }
	for value, want := range map[string]string{
		"K\xff": "255", "M\xff\xff": "65535", "J\xff\xff\xff\xff": "-1", "J\x00\x00\x00\x80": "-2.147483648e+09",
		"\x8a\x00": "0", "\x8a\x01\xff": "-1", "\x8a\x02\x00\x80": "-32768", "\x8a\x08\xff\xff\xff\xff\xff\xff\xff\x7f": "9.223372036854776e+18",
		double(1.5): "1.5", double(-2e300): "-2e+300", "I12\n": "12", "L12L\n": "12", "F1.5\r\n": "1.5", "I01\n": "1", "\x88": "1", "\x89": "0",
		"S'7'\n": "7", "V7.5\n": "7.5", "U\x021e": "", "X\x01\x00\x00\x008": "8", "\x8c\x019": "9", "C\x015": "5", "B\x01\x00\x00\x006": "6", "T\x01\x00\x00\x004": "4",
		"\x8d\x01\x00\x00\x00\x00\x00\x00\x003": "3",
	} {
		want, body := "a{} gauge @10000 "+want+"\n", item(path, time, value)
		if value == "U\x021e" {
			want = "nothing of 1 could be understood; the first: line 1: the item is not (path, (time, value))"
		}
		if got := pickled(t, body); got != want {
			t.Errorf("%q: got %s want %s", value, got, want)
		}
	}
	for value, want := range map[string]string{double(math.NaN()): "- 1 the value is NaN or infinite: a\n", double(math.Inf(-1)): "- 1 the value is NaN or infinite: a\n"} {
		if got := pickled(t, item(path, time, value)); got != want {
			t.Errorf("%q: got %s want %s", value, got, want)
		}
	}
	for time, want := range map[string]string{"J\xff\xff\xff\xff": "a{} gauge @0 1\n", "K\x00": "- 1 the time is out of range: a\n", "J\xfe\xff\xff\xff": "- 1 the time is out of range: a\n", double(10.5): "a{} gauge @10500 1\n"} {
		if got := pickled(t, item(path, time, "K\x01")); got != want {
			t.Errorf("time %q: got %s want %s", time, got, want)
		}
	}
}

// TestPickledItems: an item of another shape costs only itself, and objects
// may be used again by their number.
func TestPickledItems(t *testing.T) {
	t.Parallel()
	const good = "(U\x01a(K\x0aK\x01tt"
	const skipped = "a{} gauge @10000 1\n- 1 is not understood: line 2: the item is not (path, (time, value))\n"
	for name, c := range map[string]struct{ body, want string }{
		"none":               {"].", ""},
		"tuples of two":      {"]U\x01aK\x0aK\x01\x86\x86a.", "a{} gauge @10000 1\n"},
		"a tuple of items":   {"(" + good + "t.", "a{} gauge @10000 1\n"},
		"again by number":    {"](U\x01aq\x00(K\x0aK\x01tq\x01tah\x00h\x01\x86a.", "a{} gauge @10000 1\na{} gauge @10000 1\n"},
		"again by text":      {"](Va\np7\n(K\x0aK\x01ttag7\n(K\x0bK\x02t\x86a.", "a{} gauge @10000 1\na{} gauge @11000 2\n"},
		"memoized":           {"\x80\x04\x95\x00\x00\x00\x00\x00\x00\x00\x00]\x94(\x8c\x01a\x94K\x0aK\x01\x86\x94\x86\x94e.", "a{} gauge @10000 1\n"},
		"a number":           {"](" + good + "K\x05e.", skipped},
		"nothing":            {"](" + good + "Ne.", skipped},
		"an empty path":      {"](" + good + "(U\x00(K\x0aK\x01tte.", skipped},
		"a path of 5":        {"](" + good + "(K\x05(K\x0aK\x01tte.", skipped},
		"three in a pair":    {"](" + good + "(U\x01a(K\x0aK\x01K\x01tte.", skipped},
		"a value of None":    {"](" + good + "(U\x01a(K\x0aNtte.", skipped},
		"a single":           {"](" + good + "U\x01a\x85e.", skipped},
		"three":              {"](" + good + "U\x01aK\x0aK\x01\x87e.", skipped},
		"itself":             {"]q\x00(" + good + "h\x00e.", "a{} gauge @10000 1\n- 1 is not understood: line 2: the item is not (path, (time, value))\n"},
		"tags":               {"]((U\x05a;b=c(K\x0aK\x01tte.", "a{b=c} gauge @10000 1\n"},
		"a tag without =":    {"](" + good + "(U\x03a;b(K\x0aK\x01tte.", "a{} gauge @10000 1\n- 1 is not understood: a;b: a tag is not name=value\n"},
		"a text with \\":     {"](S'a\\n'\n(K\x0aK\x01tte.", `the pickle, at byte 9: has a text that is not in quotes, or has a \`},
		"a text in \" and '": {"](S'a\"\n(K\x0aK\x01tte.", `the pickle, at byte 7: has a text that is not in quotes, or has a \`},
		"a reference of x":   {"(lpx\n.", "the pickle, at byte 5: has a reference that is no number"},
		"a line of 5 KB":     {"](S'" + strings.Repeat("a", 5000) + "'\n", "the pickle, at byte 3: ends too early"},
	} {
		if got := pickled(t, c.body); got != c.want {
			t.Errorf("%s: got %s want %s", name, got, c.want)
		}
	}
}

// TestPickleLimits: what a pickle may have of bytes, objects and points is
// bounded, and each refusal says by what.
func TestPickleLimits(t *testing.T) {
	t.Parallel()
	body := "](" + strings.Repeat("(U\x01a(K\x0aK\x01tt", 1000) + "e."
	b := protocol.NewBatch(protocol.Limits{Points: 999})
	if err := graphite.DecodePickle([]byte(body), b); tidemark.KindOf(err) != tidemark.TooLarge || err.Error() != "more than 999 points in one request" {
		t.Errorf("points: %v", err)
	}
	for n, want := range map[int]string{graphite.MaxPickle: "has more than 300000 objects", graphite.MaxPickle + 1: "a pickle must have 1 to 1048576 bytes, not 1048577"} {
		text := "U\x01a" + strings.Repeat("\x80\x02", (n-3)/2+1)
		if err := graphite.DecodePickle([]byte(text[:n]), b); err == nil || !strings.HasSuffix(err.Error(), want) {
			t.Errorf("%d bytes: %v", n, err)
		}
	}
}

// TestLinesAndPicklesAgree: a measurement is the same as a line and as a
// pickle.
func TestLinesAndPicklesAgree(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		var lines, pickle strings.Builder
		pickle.WriteString("](")
		for range rapid.IntRange(1, 5).Draw(rt, "points") {
			path := rapid.StringMatching(`[a-z.]{1,8}(;[a-z]{1,3}=[a-z/é]{0,4}){0,3}`).Draw(rt, "path")
			value, at := rapid.Float64Range(-1e9, 1e9).Draw(rt, "value"), rapid.IntRange(-2, 1<<30).Draw(rt, "time")
			fmt.Fprintf(&lines, "%s %v %d\n", path, value, at)
			fmt.Fprintf(&pickle, "(V%s\n(I%d\nF%v\ntt", path, at, value)
		}
		pickle.WriteString("e.")
		first, second := protocol.NewBatch(protocol.DefaultLimits), protocol.NewBatch(protocol.DefaultLimits)
		err1, err2 := graphite.Decode([]byte(lines.String()), first), graphite.DecodePickle([]byte(pickle.String()), second)
		if err1 != nil || err2 != nil || Text(first) != Text(second) {
			rt.Fatalf("%q: %v %s\n%q: %v %s", lines.String(), err1, Text(first), pickle.String(), err2, Text(second))
		}
		Check(t, first)
	})
}
