package sketch_test

import (
	"bytes"
	"encoding/hex"
	"math"
	"strings"
	"testing"

	"github.com/tidemark-metrics/tidemark/internal/sketch"
)

// TestForm pins the encoded form, which is kept on disk.
func TestForm(t *testing.T) {
	for _, c := range []struct {
		hex  string
		adds [][2]float64
	}{
		{"", nil},
		{"20" + "00" + "00", [][2]float64{{1, 1}}},
		{"20" + "02" + "04", [][2]float64{{1.021, 5}}},                    // the next bucket
		{"20" + "d003" + "00", [][2]float64{{100, 1}}},                    // 232 on
		{"20" + "00" + "00" + "7e", [][2]float64{{1, 1}, {1.021, 127}}},   // neighbours
		{"20" + "00" + "00" + "7f00", [][2]float64{{1, 1}, {1.021, 128}}}, // a count that does not fit
		{"20" + "00" + "00" + "81", [][2]float64{{1, 1}, {1.045, 2}}},     // one left out
		{"20" + "00" + "00" + "fc02", [][2]float64{{1, 1}, {2, 1}}},       // a gap that does not fit
		{"20" + "00" + "00" + "ff0204", [][2]float64{{1, 1}, {2, 8}}},     // neither fits
		{"20" + "ebdd08" + "00" + "fc9a9702", [][2]float64{{-1, 1}, {0, 1}}},
		{"30" + "00" + "ffff01", [][2]float64{{1, 0.25}, {1, 0.25}}}, // fractions
	} {
		var s sketch.Sketch
		for _, add := range c.adds {
			s.Add(add[0], add[1])
		}
		if got := hex.EncodeToString(s.AppendBinary(nil)); got != c.hex {
			t.Errorf("%v is %s, want %s", c.adds, got, c.hex)
		}
	}
}

func TestDecodeRefuses(t *testing.T) {
	for name, c := range map[string]struct{ hex, reason string }{
		"no version":         {"000000", "version"},
		"another version":    {"400000", "version"},
		"a level too high":   {"280000", "version"},
		"header alone":       {"20", "ends"},
		"no count":           {"2000", "ends"},
		"a cut varint":       {"200080", "ends"},
		"a cut gap":          {"200000fc", "ends"},
		"a cut count":        {"200000ff00", "ends"},
		"a cut dense count":  {"2000007f", "ends"},
		"a long zero":        {"20008000", "ends"},
		"a varint over 64":   {"2000ffffffffffffffffffff01", "ends"},
		"a count too large":  {"2000ffffffffffffffff7f", "count"},
		"key too low":        {"20eb8d0d00", "bucket"},
		"key too high":       {"20deb104000001" + strings.Repeat("fcffff03", 3), "bucket"},
		"a gap too far":      {"200000fcffffffffffffffff7f", "bucket"},
		"fractions of whole": {"3000ffff03", "fractions"},
		"too many buckets":   {"200000" + strings.Repeat("00", sketch.MaxBuckets), "long"},
		"too long":           {"200000" + strings.Repeat("00", sketch.MaxEncoded), "long"},
	} {
		b, err := hex.DecodeString(c.hex)
		if err != nil {
			t.Fatal(name, err)
		}
		var s sketch.Sketch
		s.Add(7, 3)
		before := s.AppendBinary(nil)
		if err := s.MergeEncoded(b); err == nil || !strings.Contains(err.Error(), c.reason) {
			t.Errorf("%s: %v, want something about %q", name, err, c.reason)
		}
		if !bytes.Equal(s.AppendBinary(nil), before) {
			t.Errorf("%s: a refused sketch changed the one it was merged into", name)
		}
	}
}

// FuzzDecode holds that what is taken is the one form of what it says, and
// that merging such sketches does not depend on the order.
func FuzzDecode(f *testing.F) {
	r := source(1)
	for _, draw := range shapes {
		var s, o sketch.Sketch
		for range 30 {
			s.Add(draw(r), 1)
			o.Add(draw(r), 1/0.3)
		}
		f.Add(s.AppendBinary(nil), o.AppendBinary(nil))
	}
	f.Fuzz(func(t *testing.T, a, b []byte) {
		x, err := sketch.Decode(a)
		if err != nil {
			return
		}
		checkForm(t, x, a)
		y, err := sketch.Decode(b)
		if err != nil {
			return
		}
		xy, yx := x.Clone(), y.Clone()
		xy.Merge(y)
		if err := yx.MergeEncoded(a); err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(xy.AppendBinary(nil), yx.AppendBinary(nil)) {
			t.Errorf("%x and %x merge to %x or %x", a, b, xy.AppendBinary(nil), yx.AppendBinary(nil))
		}
		checkForm(t, xy, xy.AppendBinary(nil))
	})
}

func checkForm(t *testing.T, s *sketch.Sketch, b []byte) {
	t.Helper()
	if back := s.AppendBinary(nil); !bytes.Equal(back, b) {
		t.Fatalf("%x comes back as %x", b, back)
	}
	if n := s.Count(); len(b) > 0 && !(n > 0 && n < 1e18) {
		t.Fatalf("%x counts %v", b, n)
	}
	before := math.Inf(-1)
	for bucket := range s.Buckets() {
		if !(bucket.Lower >= before && bucket.Lower <= bucket.Upper && bucket.Count > 0) || math.IsInf(bucket.Upper, 0) {
			t.Fatalf("%x has the bucket %+v after %v", b, bucket, before)
		}
		before = bucket.Upper
	}
	for _, q := range quantiles {
		if v := s.Quantile(q); len(b) > 0 && (math.IsNaN(v) || math.IsInf(v, 0)) {
			t.Fatalf("%x has %v as quantile %v", b, v, q)
		}
	}
}
