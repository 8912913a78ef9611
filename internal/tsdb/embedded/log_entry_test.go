package embedded

import (
	"bytes"
	"encoding/binary"
	"errors"
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/sketch"
	"github.com/tidemark-metrics/tidemark/internal/tsdb"
	"github.com/tidemark-metrics/tidemark/internal/tsdb/embedded/catalog"
	"github.com/tidemark-metrics/tidemark/internal/tsdb/embedded/chunk"
)

// TestDistributionsInTheLog: each summary comes back with its own sketch, or
// none; an entry that was cut short gives whole records alone.
func TestDistributionsInTheLog(t *testing.T) {
	t.Parallel()
	var k sketch.Sketch
	k.Add(5, 2)
	encoded := k.AppendBinary(nil)
	sums := []tsdb.Summary{{Count: 2, Sum: 10}, {Count: 3, Sum: 9}, {Count: 4, Sum: 8}}
	recs := []record{
		{id: 9, t: 100, op: chunk.OpSummary, v: 0}, {id: 3, t: 90, v: 7.5}, {id: 3, t: 91, op: chunk.OpSummary | chunk.OpFold, v: 1},
		{id: 4, t: 91, op: chunk.OpSummary, v: 2},
	}
	sketches := [][]byte{nil, encoded} // the last has none
	b := appendRecords(nil, 7, recs, sums, sketches)
	read := func(b []byte) (n int, err error) {
		err = readRecords(b, func(org tidemark.OrgID, r *record, sum *tsdb.Summary, own []byte) {
			want := recs[n]
			if org != 7 || r.id != want.id || r.t != want.t || r.op != want.op {
				t.Fatalf("record %d is %+v, want %+v", n, r, want)
			}
			if r.op&chunk.OpSummary != 0 && (*sum != sums[int(want.v)] || !bytes.Equal(own, sketchAt(sketches, int(want.v)))) {
				t.Fatalf("record %d: %+v with the sketch %x", n, sum, own)
			}
			n++
		})
		return n, err
	}
	if n, err := read(b); n != len(recs) || err != nil {
		t.Fatalf("%d records, %v", n, err)
	}
	whole := 0
	for cut := 1; cut < len(b); cut++ {
		n, err := read(b[:cut])
		if err != nil && !errors.Is(err, errEntry) {
			t.Fatalf("%d of %d bytes: %v", cut, len(b), err)
		}
		if err == nil {
			whole++
		}
		if n >= len(recs) {
			t.Fatalf("%d of %d bytes give all records", cut, len(b))
		}
	}
	if whole != len(recs) { // where a record begins
		t.Errorf("%d lengths are taken for whole entries, want %d", whole, len(recs))
	}
}

// TestRecordsOutsideTheirRange: ids and times that do not fit are damage, not
// other ids and times.
func TestRecordsOutsideTheirRange(t *testing.T) {
	t.Parallel()
	entry := func(id, at int64) []byte {
		b := binary.AppendVarint([]byte{entryRecords}, 1)
		b = binary.AppendUvarint(b, zigzagID(id)<<3)
		return append(binary.AppendVarint(b, at), make([]byte, 8)...)
	}
	for _, c := range []struct {
		id, at int64
		ok     bool
	}{
		{0, 0, true}, {math.MaxUint32, math.MaxUint32, true}, {-1, 0, false}, {math.MaxUint32 + 1, 0, false},
		{0, -1, false}, {0, math.MaxUint32 + 1, false}, {0, math.MinInt64, false}, {0, math.MaxInt64, false},
	} {
		err := readRecords(entry(c.id, c.at), func(_ tidemark.OrgID, r *record, _ *tsdb.Summary, _ []byte) {
			if int64(r.id) != c.id || int64(r.t) != c.at {
				t.Errorf("stream %d at %d is read as %d at %d", c.id, c.at, r.id, r.t)
			}
		})
		if c.ok != (err == nil) {
			t.Errorf("stream %d at %d: %v", c.id, c.at, err)
		}
	}
	for x := range uint64(1000) {
		if zigzagID(unzigzagID(x)) != x {
			t.Fatalf("%d comes back as %d", x, zigzagID(unzigzagID(x)))
		}
	}
}

// TestDefinitionsRoundTrip: what is defined comes back in order; cut short, it
// is damage or fewer of them, never others.
func TestDefinitionsRoundTrip(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		var want []catalog.Definition
		var b []byte
		for range rapid.IntRange(1, 10).Draw(t, "n") {
			d := catalog.Definition{Stream: rapid.Bool().Draw(t, "stream"), ID: rapid.Uint32Range(0, math.MaxUint32-1).Draw(t, "id")}
			if d.Stream {
				d.Metric = rapid.Uint32Range(0, math.MaxUint32-1).Draw(t, "metric")
			}
			d.Text = rapid.SliceOfN(rapid.Byte(), 0, 20).Draw(t, "text")
			want = append(want, d)
			b = appendDefinition(b, &d, 5)
		}
		cut := rapid.IntRange(0, len(b)).Draw(t, "cut")
		n := 0
		err := readDefinitions(b[:cut], func(d *catalog.Definition, org tidemark.OrgID) {
			w := want[n]
			if d.Stream != w.Stream || d.ID != w.ID || d.Metric != w.Metric || !bytes.Equal(d.Text, w.Text) || !d.Stream && org != 5 {
				t.Fatalf("definition %d is %+v of %d, want %+v", n, d, org, w)
			}
			n++
		})
		if cut == len(b) && (err != nil || n != len(want)) || err != nil && !errors.Is(err, errEntry) {
			t.Fatalf("%d of %d definitions from %d of %d bytes: %v", n, len(want), cut, len(b), err)
		}
	})
	if err := readDefinitions([]byte{7, 0, 0}, nil); !errors.Is(err, errEntry) {
		t.Errorf("an unknown kind: %v", err)
	}
}

// TestCheckpoints: formats of other versions are refused with what to do, and
// the first one, which said none, is read.
func TestCheckpoints(t *testing.T) {
	t.Parallel()
	v := encodeCheckpoint(1<<40, [2]uint32{7, math.MaxUint32})
	for name, b := range map[string][]byte{"now": v, "without a format": v[:16], "with sketches": markSketches(bytes.Clone(v), true)} {
		gen, next, err := decodeCheckpoint(b)
		if gen != 1<<40 || next != [2]uint32{7, math.MaxUint32} || err != nil {
			t.Errorf("%s: %d, %v, %v", name, gen, next, err)
		}
		if hasSketches(b) != (name == "with sketches") {
			t.Errorf("%s: sketches %v", name, hasSketches(b))
		}
	}
	later := bytes.Clone(v)
	later[16] = formatSketches + 1
	if _, _, err := decodeCheckpoint(later); err == nil || !strings.Contains(err.Error(), "format 3") || !strings.Contains(err.Error(), "use the version that wrote it") {
		t.Errorf("of a later version: %v", err)
	}
	for _, n := range []int{0, 15, 18} {
		if _, _, err := decodeCheckpoint(make([]byte, n)); err == nil {
			t.Errorf("%d bytes are taken for a checkpoint", n)
		}
	}
}

// TestBucketStates come back as they were, and damaged ones are refused.
func TestBucketStates(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		n := func() uint64 { return rapid.Uint64().Draw(t, "n") }
		want := bucketState{freshGens: n(), freshRecords: n(), layers: n(), layerRecords: n(), records: n(), chunks: n(), high: n(), overlaps: n(), settled: rapid.Bool().Draw(t, "settled")}
		b := want.encode()
		if got, err := decodeBucket(b); err != nil || *got != want {
			t.Fatalf("got %+v, %v, want %+v", got, err, want)
		}
		if cut := rapid.IntRange(0, len(b)-2).Draw(t, "cut"); cut < len(b)-1 {
			if got, err := decodeBucket(b[:cut]); err == nil {
				t.Fatalf("%d of %d bytes are read as %+v", cut, len(b), got)
			}
		}
	})
}

// TestLifetimeWaits: closing waits for calls that are there, refuses new ones
// and happens once.
func TestLifetimeWaits(t *testing.T) {
	t.Parallel()
	l := &lifetime{ending: make(chan struct{})}
	if err := errors.Join(l.enter(), l.enter()); err != nil {
		t.Fatal(err)
	}
	closed := make(chan bool)
	go func() { closed <- l.close() }()
	<-l.ending
	if err := l.enter(); !errors.Is(err, errClosed) || tidemark.KindOf(err) != tidemark.Unavailable {
		t.Errorf("a call after the end: %v", err)
	}
	l.leave()
	select {
	case <-closed:
		t.Error("it is closed while a call goes on")
	default:
	}
	l.leave()
	if !<-closed || l.close() {
		t.Error("it was closed before, or twice")
	}
}
