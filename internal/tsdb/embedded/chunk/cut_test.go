package chunk

import (
	"bytes"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/tidemark-metrics/tidemark/internal/tsdb"
)

// piecesOf encodes a resolved run as a seal does.
func piecesOf(t rapid.TB, r *Run, bucket, inOrder, gen uint32) (pieces []Piece) {
	t.Helper()
	var s Scratch
	for i := 0; i < len(r.T); {
		j, op := r.Cut(i, bucket, inOrder)
		v := AppendRun(nil, r, i, j, &s)
		h, err := HeaderOf(v)
		if err != nil || h.N != j-i {
			t.Fatalf("a chunk of %d records says %d, %v", j-i, h.N, err)
		}
		pieces = append(pieces, Piece{Data: Pad(v), Header: h, Start: r.T[i], Gen: gen, Op: op})
		i = j
	}
	return pieces
}

// TestCutEncodeDecode: cutting a run, encoding the pieces and reading them
// back gives the same run, and no piece crosses the border of a bucket.
func TestCutEncodeDecode(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		list := drawKind(t).arrivals(t, 80, 60)
		want := make(resolved)
		want.apply(list)
		r := runOf(list)
		r.Resolve(new(Run))
		const bucket = 300
		inOrder := rapid.Uint32Range(0, 2000).Draw(t, "in order")
		var back Run
		var c Decoded
		var s Scratch
		for _, p := range piecesOf(t, r, bucket, inOrder, 1) {
			if err := c.Read(p.Data, p.Start, &s, true); err != nil {
				t.Fatal(err)
			}
			first, last := c.T[0], c.T[len(c.T)-1]
			if first/bucket != last/bucket || first < inOrder && last >= inOrder {
				t.Fatalf("a chunk from %d to %d crosses a border", first, last)
			}
			back.PushChunk(&c, p.Op)
		}
		want.compare(t, &back)
	})
}

// regular returns a run of plain values, one every step seconds.
func regular(from, step uint32, n int) *Run {
	r := new(Run)
	for i := range n {
		r.take(record{t: from + uint32(i)*step, sum: tsdb.Single(float64(i))})
	}
	return r
}

func TestCutAtTheMostRecords(t *testing.T) {
	t.Parallel()
	r := regular(0, 1, 2*maxRecords+1)
	var ends []int
	for i := 0; i < len(r.T); {
		i, _ = r.Cut(i, 1<<30, 0)
		ends = append(ends, i)
	}
	if !slices.Equal(ends, []int{maxRecords, 2 * maxRecords, 2*maxRecords + 1}) {
		t.Errorf("cut at %v", ends)
	}
}

// TestCutAtALeap: what came long before the rest is a chunk of its own, unless
// the rest is as sparse, or all of it came late.
func TestCutAtALeap(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name    string
		times   []uint32
		inOrder uint32
		end     int
	}{
		{"a long gap before dense records", []uint32{0, 10, 2000, 2010, 2020}, 0, 2},
		{"a gap of just the length that counts", []uint32{0, 10, 10 + minLeap, 20 + minLeap}, 0, 4},
		{"one second more", []uint32{0, 10, 11 + minLeap, 21 + minLeap}, 0, 2},
		{"records that are always sparse", []uint32{0, 2000, 4000, 6000}, 0, 4},
		{"a gap before the last record", []uint32{0, 10, 2000}, 0, 3},
		{"all of it late", []uint32{0, 10, 2000, 2010, 2020}, 5000, 5},
		{"the first of it late", []uint32{0, 10, 20, 30, 40}, 20, 2},
	} {
		r := &Run{T: c.times, V: make([]float64, len(c.times)), Op: make([]uint8, len(c.times))}
		if end, op := r.Cut(0, 1<<20, c.inOrder); end != c.end || op != 0 {
			t.Errorf("%s: cut at %d (operation %d), want %d", c.name, end, op, c.end)
		}
	}
}

// TestCutWhereTheKindChanges: records of one chunk replace or fold, and are
// values or summaries, alike.
func TestCutWhereTheKindChanges(t *testing.T) {
	t.Parallel()
	pair, encoded := sketched(1, 3)
	one, encodedOne := sketched(5)
	r := runOf([]record{
		{t: 1, sum: tsdb.Single(1)}, {t: 2, sum: tsdb.Single(2)},
		{t: 3, sum: pair}, {t: 4, sum: pair, sketch: encoded}, {t: 5, sum: one, sketch: encodedOne},
		{t: 6, sum: pair, fold: true}, {t: 7, sum: tsdb.Single(4), fold: true},
	})
	type piece struct {
		end int
		op  uint8
	}
	var got []piece
	for i := 0; i < len(r.T); {
		end, op := r.Cut(i, 1<<20, 0)
		got = append(got, piece{end, op})
		i = end
	}
	want := []piece{{2, 0}, {5, OpSummary}, {6, OpSummary | OpFold}, {7, OpFold}}
	if !slices.Equal(got, want) {
		t.Errorf("cut %v, want %v", got, want)
	}
}

// TestSketchesOfSomeRecords: those that have one get it back, the others none.
func TestSketchesOfSomeRecords(t *testing.T) {
	t.Parallel()
	pair, encoded := sketched(1, 3)
	r := runOf([]record{{t: 3, sum: pair}, {t: 4, sum: pair, sketch: encoded}, {t: 5, sum: pair}})
	p := piecesOf(t, r, 1<<20, 0, 1)
	if len(p) != 1 {
		t.Fatalf("%d chunks", len(p))
	}
	var c Decoded
	var s Scratch
	if err := c.Read(p[0].Data, 3, &s, true); err != nil {
		t.Fatal(err)
	}
	for i, want := range [][]byte{nil, encoded, nil} {
		if got := c.sketches.at(i); !bytes.Equal(got, want) || got == nil != (want == nil) {
			t.Errorf("record %d has the sketch %x, want %x", i, got, want)
		}
	}
	if err := c.Read(Pad(AppendRun(nil, regular(0, 1, 3), 0, 3, &s)), 0, &s, true); err != nil || c.sketches.at(1) != nil {
		t.Errorf("a chunk without sketches read after one with: %x, %v", c.sketches.at(1), err)
	}
}
