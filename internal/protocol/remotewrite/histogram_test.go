package remotewrite_test

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/tidemark-metrics/tidemark/internal/protocol"
	. "github.com/tidemark-metrics/tidemark/internal/protocol/protocoltest"
	"github.com/tidemark-metrics/tidemark/internal/protocol/remotewrite"
	"pgregory.net/rapid"
)

// deltas are the counts of buckets as integers are sent: each as the
// difference to the one before.
func deltas(counts ...int) (packed []byte) {
	before := 0
	for _, n := range counts {
		packed = binary.AppendUvarint(packed, uint64(Zigzag(n-before)))
		before = n
	}
	return packed
}

// doubles are numbers of 8 bytes each, packed.
func doubles(values ...float64) (packed []byte) {
	for _, v := range values {
		packed = binary.LittleEndian.AppendUint64(packed, math.Float64bits(v))
	}
	return packed
}

func span(offset, length int) []byte { return Message(1, Zigzag(offset), 2, length) }

// decoded is what a series with a native histogram becomes.
func decoded(t rapid.TB, fields ...any) (string, remotewrite.Stats) {
	t.Helper()
	b := protocol.NewBatch(protocol.DefaultLimits)
	series := Message(1, label("__name__", "h"), 4, Message(append(fields, 15, 5000)...))
	stats, err := new(remotewrite.Decoder).Decode(remotewrite.V1, Message(1, series), b)
	if err != nil {
		t.Fatal(err)
	}
	return Text(b), stats
}

// TestNativeHistograms: spans and counts of either kind give the buckets that
// were counted in, in order, and what makes no sense is left out and counted.
func TestNativeHistograms(t *testing.T) {
	t.Parallel()
	const bad = "- 1 is a histogram whose buckets are inconsistent: h\n"
	const good = "h{} cumulative distribution @5000 "
	for name, c := range map[string]struct {
		fields []any
		want   string
	}{
		"neighbours":        {[]any{1, 6, 3, 9.0, 11, span(1, 3), 12, deltas(1, 2, 3)}, good + "count 6 sum 9 min NaN max NaN (1,2]=1 (2,4]=2 (4,8]=3\n"},
		"a gap":             {[]any{1, 3, 3, 9.0, 11, span(0, 1), 11, span(2, 1), 12, deltas(1, 2)}, good + "count 3 sum 9 min NaN max NaN (0.5,1]=1 (4,8]=2\n"},
		"both sides":        {[]any{1, 6, 3, 0.0, 5, 0.001, 6, 2, 8, span(0, 2), 9, deltas(1, 1), 11, span(0, 2), 12, deltas(1, 1)}, good + "count 6 sum 0 min NaN max NaN (-2,-1]=1 (-1,-0.5]=1 (-0.001,0.001]=2 (0.5,1]=1 (1,2]=1\n"},
		"floats":            {[]any{2, 2.5, 3, 1.0, 11, span(1, 2), 13, doubles(1, 1.5)}, good + "count 2.5 sum 1 min NaN max NaN (1,2]=1 (2,4]=1.5\n"},
		"a finer schema":    {[]any{1, 1, 3, 1.0, 4, Zigzag(1), 11, span(2, 1), 12, deltas(1)}, good + "count 1 sum 1 min NaN max NaN (1.414,2]=1\n"},
		"of now":            {[]any{1, 2, 3, 3.0, 11, span(1, 1), 12, deltas(2), 14, 3}, "h{} distribution @5000 count 2 sum 3 min 1 max 2 median 1.26\n"},
		"its own limits":    {[]any{1, 6, 3, 9.0, 4, Zigzag(-53), 11, span(0, 3), 12, deltas(1, 2, 3), 16, doubles(0.5, 10)}, good + "count 6 sum 9 min NaN max NaN (-Inf,0.5]=1 (0.5,10]=2 (10,+Inf]=3\n"},
		"wide zero":         {[]any{1, 3, 3, 9.0, 5, 1.5, 6, 1, 11, span(1, 1), 12, deltas(2)}, good + "count 3 sum 9 min NaN max NaN (-1.5,1.5]=1 (1.5,2]=2\n"},
		"nothing yet":       {[]any{1, 0, 3, 0.0}, good + "count 0 sum 0 min NaN max NaN\n"},
		"since":             {[]any{1, 1, 3, 1.0, 11, span(1, 1), 12, deltas(1), 17, 1000}, "h{} cumulative distribution @5000 from 1000 count 1 sum 1 min NaN max NaN (1,2]=1\n"},
		"fewer counts":      {[]any{1, 3, 3, 9.0, 11, span(0, 2), 12, deltas(3)}, bad},
		"more counts":       {[]any{1, 3, 3, 9.0, 11, span(0, 1), 12, deltas(1, 2)}, bad},
		"negative":          {[]any{1, 1, 3, 9.0, 11, span(0, 2), 12, deltas(2, -1)}, bad},
		"another total":     {[]any{1, 7, 3, 9.0, 11, span(0, 1), 12, deltas(1)}, bad},
		"too fine":          {[]any{1, 1, 3, 9.0, 4, Zigzag(9), 11, span(0, 1), 12, deltas(1)}, bad},
		"too coarse":        {[]any{1, 1, 3, 9.0, 4, Zigzag(-5), 11, span(0, 1), 12, deltas(1)}, bad},
		"back in spans":     {[]any{1, 2, 3, 9.0, 11, span(3, 1), 11, span(-3, 1), 12, deltas(1, 1)}, bad},
		"zero below zero":   {[]any{1, 1, 3, 9.0, 5, -1.0, 6, 1}, bad},
		"own limits, minus": {[]any{1, 1, 3, 9.0, 4, Zigzag(-53), 8, span(0, 1), 9, deltas(1), 16, doubles(1)}, bad},
		"own limits fall":   {[]any{1, 2, 3, 9.0, 4, Zigzag(-53), 11, span(0, 2), 12, deltas(1, 1), 16, doubles(5, 1)}, bad},
		"stale":             {[]any{1, 1, 3, math.Float64frombits(0x7ff0000000000002)}, "- 1 a stale marker: the sender lost sight of the series: h\n"},
	} {
		got, stats := decoded(t, c.fields...)
		if got != c.want {
			t.Errorf("%s: got %s want %s", name, got, c.want)
		}
		if want := strings.Count(c.want, "distribution"); stats.Histograms != want || stats.Samples != 0 {
			t.Errorf("%s: %+v", name, stats)
		}
	}
}

// TestIntegersAndFloatsAgree: a histogram says the same whether its counts are
// integers, sent as differences, or floats.
func TestIntegersAndFloatsAgree(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		counts := rapid.SliceOfN(rapid.IntRange(0, 100), 1, 10).Draw(rt, "counts")
		schema, at := rapid.IntRange(-4, 8).Draw(rt, "schema"), 0
		var spans []any
		total, floats := 0, []float64{}
		for _, n := range counts {
			total, floats = total+n, append(floats, float64(n))
		}
		for left := len(counts); left > 0; {
			n := rapid.IntRange(1, left).Draw(rt, "length")
			gap := rapid.IntRange(0, 4).Draw(rt, "gap")
			spans, left, at = append(spans, 11, span(gap, n)), left-n, at+n+gap
		}
		common := append([]any{3, 7.5, 4, Zigzag(schema)}, spans...)
		ints, _ := decoded(rt, slices.Concat(common, []any{1, total, 12, deltas(counts...)})...)
		reals, _ := decoded(rt, slices.Concat(common, []any{2, float64(total), 13, doubles(floats...)})...)
		if ints != reals || !strings.HasPrefix(ints, "h{} cumulative distribution @5000 count "+fmt.Sprint(total)) {
			rt.Fatalf("integers %s\nfloats   %s", ints, reals)
		}
	})
}
