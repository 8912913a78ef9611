package chunk

import (
	"encoding/binary"
	"errors"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/tidemark-metrics/tidemark/internal/tsdb"
)

// forms are chunks of every layout.
func forms() map[string][]byte {
	var s Scratch
	times, values := walk(140) // more than a block
	gappy := slices.Concat(times[:40], times[47:90], times[91:])
	jitter := slices.Clone(times)
	for i := range jitter {
		jitter[i] += uint32(i*i) % 7
	}
	scattered := []uint32{times[0], times[0] + 20, times[0] + 30, times[0] + 60, times[0] + 80}
	wild := slices.Clone(values)
	for i := range wild {
		wild[i] = math.Sqrt(float64(i) + 0.3)
	}
	odd := slices.Clone(values)
	odd[7], odd[130] = math.Pi, math.Inf(1)
	sums := make([]tsdb.Summary, len(times))
	for i := range sums {
		sums[i], _ = sketched(values[i], values[i]+1, 3)
	}
	wide := new(Run)
	for i, at := range scattered {
		sum, encoded := sketched(1, float64(i), 1000)
		wide.take(record{t: at, sum: sum, sketch: encoded})
	}
	return map[string][]byte{
		"regular":       appendChunk(nil, times, values, 0, &s),
		"one record":    appendChunk(nil, times[:1], values[:1], 0, &s),
		"gaps as runs":  appendChunk(nil, gappy, values[:len(gappy)], 0, &s),
		"gaps as bits":  appendChunk(nil, scattered, values[:5], 0, &s),
		"jittered":      appendChunk(nil, jitter, values, 0, &s),
		"bits":          appendChunk(nil, times, wild, 0, &s),
		"with outliers": appendChunk(nil, times, odd, 0, &s),
		"summaries":     appendSummaries(nil, times, sums, 0, &s),
		"sketches":      AppendRun(nil, wide, 0, len(wide.T), &s),
	}
}

// TestCutShortIsRefused: no chunk that lost its end is taken for a whole one.
func TestCutShortIsRefused(t *testing.T) {
	t.Parallel()
	var s Scratch
	var c Decoded
	for name, v := range forms() {
		if err := c.Read(Pad(v), 1_700_000_000, &s, true); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		for n := range len(v) {
			if err := c.Read(Pad(v[:n]), 1_700_000_000, &s, true); !errors.Is(err, ErrDamaged) {
				t.Errorf("%s: %d of %d bytes are read with %v", name, n, len(v), err)
			}
		}
	}
}

// TestFlippedBits: a chunk with a bit that changed is refused, or gives
// records in order of time. What is made of it is in order and in bounds.
func TestFlippedBits(t *testing.T) {
	t.Parallel()
	const start, step = 1_700_000_000, 60
	sinks := []Points{&Sums{steps: steps{Step: step}}, &Lasts{steps: steps{Step: step}}, &Summaries{steps: steps{Step: step}}, &Distributions{steps: steps{Step: step}}}
	u := Rollup{Window: step}
	for name, v := range forms() {
		for bit := range min(8*len(v), 240) {
			b := slices.Clone(v)
			b[bit/8] ^= 1 << (bit % 8)
			h, err := HeaderOf(b)
			if err != nil {
				continue
			}
			p := &Piece{Data: Pad(b), Header: h, Start: start}
			for _, s := range sinks {
				s.Reset()
				s.Bounds(start+30, start+1000)
				err := s.Chunk(p)
				times, _ := s.Series(tsdb.Sum)
				if !inSteps(times, start, start+1000, step) {
					t.Fatalf("%s, bit %d: %T has points at %v (%v)", name, bit, s, times, err)
				}
			}
			u.Reset()
			u.Bounds(start+30, start+1000)
			_ = u.Chunk(p) // it may refuse
			for u.Flush(); !slices.IsSorted(u.T); {
				t.Fatalf("%s, bit %d: windows %v", name, bit, u.T)
			}
		}
	}
}

// inSteps reports whether times are ascending steps that begin in [lo, hi).
func inSteps(times []int64, lo, hi, step int64) bool {
	prev := lo - lo%step - 1
	for _, t := range times {
		if t <= prev || t >= hi || t%step != 0 {
			return false
		}
		prev = t
	}
	return true
}

// TestHeaderRefuses names what no chunk begins with.
func TestHeaderRefuses(t *testing.T) {
	t.Parallel()
	head := func(flags byte, parts ...uint64) []byte {
		b := []byte{flags}
		for _, x := range parts {
			b = binary.AppendUvarint(b, x)
		}
		return append(b, 0, 0, 0)
	}
	for name, b := range map[string][]byte{
		"nothing":                         nil,
		"two bytes":                       {0, 1},
		"no records":                      head(0, 0, 5),
		"more records than are ever read": head(0, maxRead+1, 5),
		"a count without an end":          {0, 0xff, 0xff, 0xff},
		"times beyond 32 bits":            head(0, 2, 1<<32),
		"regular and with gaps":           head(flagRegular|flagGaps, 2, 5, 3),
		"two records at one time":         head(flagRegular, 2, 0),
		"a regular end beyond 32 bits":    head(flagRegular, 3, 1<<31),
		"gaps of no length":               head(flagGaps, 2, 0, 3),
		"more slots than there are":       head(flagGaps, 2, 1, maxSlots),
		"fewer slots than records":        head(flagGaps, 5, 1, 3),
		"gaps that end beyond 32 bits":    head(flagGaps, 2, 1<<31, 2),
	} {
		if h, err := HeaderOf(b); !errors.Is(err, ErrDamaged) {
			t.Errorf("%s: header %+v, %v", name, h, err)
		}
	}
	if h, err := HeaderOf(head(flagRegular, 3, 1<<30)); err != nil || h.Span != 1<<31 || h.N != 3 {
		t.Errorf("the longest regular chunks: header %+v, %v", h, err)
	}
}

// TestTimesBeyondTheLastSecond: a chunk whose start does not belong to it is
// refused rather than read with times that wrapped around.
func TestTimesBeyondTheLastSecond(t *testing.T) {
	t.Parallel()
	var s Scratch
	var c Decoded
	for name, v := range forms() {
		h, err := HeaderOf(v)
		if err != nil {
			t.Fatal(err)
		}
		if err := c.Read(Pad(v), math.MaxUint32-h.Span, &s, true); err != nil {
			t.Errorf("%s: up to the last second: %v", name, err)
		}
		if h.Span == 0 {
			continue
		}
		if err := c.Read(Pad(v), math.MaxUint32-h.Span+1, &s, true); !errors.Is(err, ErrDamaged) {
			t.Errorf("%s: a second beyond: %v", name, err)
		}
	}
}

// TestFailedChunkLeavesNoPoints: points of a chunk that cannot be read to its
// end are not given.
func TestFailedChunkLeavesNoPoints(t *testing.T) {
	t.Parallel()
	var s Scratch
	times, values := walk(100)
	v := appendChunk(nil, times, values, 0, &s)
	h, err := HeaderOf(v)
	if err != nil {
		t.Fatal(err)
	}
	p := Sums{steps: steps{Step: 10}}
	p.Reset()
	p.Bounds(0, 1<<32)
	if err := p.Chunk(&Piece{Data: Pad(v[:len(v)-20]), Header: h, Start: times[0]}); !errors.Is(err, ErrDamaged) {
		t.Errorf("a chunk cut short gives %v", err)
	}
	if at, sums := p.Series(tsdb.Sum); len(at) != 0 || len(sums) != 0 {
		t.Errorf("%d points, %d sums", len(at), len(sums))
	}
	if err := p.Chunk(&Piece{Data: Pad(v), Header: h, Start: times[0]}); err != nil {
		t.Error(err)
	}
	if at, _ := p.Series(tsdb.Sum); len(at) != len(times) {
		t.Errorf("%d points of the sound chunk", len(at))
	}
}

// TestIntsByThemselves: a column comes back as it was, and one that is too
// short is refused.
func TestIntsByThemselves(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		in := rapid.SliceOfN(rapid.OneOf(rapid.Int64Range(-9, 9), rapid.Int64(),
			rapid.SampledFrom([]int64{math.MinInt64, math.MaxInt64, 0, -1})), 0, 300).Draw(t, "in")
		b := AppendInts(nil, in)
		out := make([]int64, len(in))
		if err := ReadInts(b, out); err != nil || !slices.Equal(in, out) {
			t.Fatalf("%v: got %v, want %v", err, out, in)
		}
		if len(in) == 0 {
			return
		}
		n := rapid.IntRange(0, len(b)-1).Draw(t, "short")
		if err := ReadInts(b[:n], out); !errors.Is(err, ErrDamaged) {
			t.Fatalf("%d of %d bytes: %v", n, len(b), err)
		}
	})
}

// TestExceptionsOutsideTheirColumn: an outlier at a position that the column
// does not have is damage, in columns of integers and of floats.
func TestExceptionsOutsideTheirColumn(t *testing.T) {
	t.Parallel()
	ints := []byte{0, 1 | exceptions, deltas, 0, 0, 1}
	for at, want := range map[byte]error{3: nil, 4: ErrDamaged, 200: ErrDamaged} {
		if err := ReadInts(append(slices.Clone(ints), at, 2), make([]int64, 5)); !errors.Is(err, want) {
			t.Errorf("integers, position %d: %v, want %v", at, err, want)
		}
	}
	column := AppendInts([]byte{modeExcept}, make([]int64, 3))
	for at, want := range map[byte]error{2: nil, 3: ErrDamaged} {
		b := append(append(slices.Clone(column), 1, at), make([]byte, 8)...)
		if _, err := readFloats(Pad(b).b, make([]float64, 3)); !errors.Is(err, want) {
			t.Errorf("floats, position %d: %v, want %v", at, err, want)
		}
	}
	for _, mode := range []byte{maxDecimals + 1, modeBits + 1, modeExcept | (maxDecimals + 1)} {
		column[0] = mode
		if _, err := readFloats(Pad(column).b, make([]float64, 3)); !errors.Is(err, ErrDamaged) {
			t.Errorf("the mode %#x is read with %v", mode, err)
		}
	}
}
