package embedded

import (
	"bytes"
	"testing"

	"pgregory.net/rapid"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/tsdb"
	"github.com/tidemark-metrics/tidemark/internal/tsdb/embedded/catalog"
	"github.com/tidemark-metrics/tidemark/internal/tsdb/embedded/chunk"
)

func drawChunkKey(t *rapid.T) chunkKey {
	k := chunkKey{
		tier: byte(rapid.IntRange(0, tierCount-1).Draw(t, "tier")), level: byte(rapid.IntRange(merged, fresh).Draw(t, "level")),
		metric: rapid.Uint32().Draw(t, "metric"), stream: rapid.Uint32().Draw(t, "stream"),
		start: rapid.Uint32().Draw(t, "start"), gen: rapid.Uint32().Draw(t, "gen"), op: rapid.Byte().Draw(t, "op"),
	}
	k.bucket = k.start / bucketLen[k.tier]
	return k
}

func TestChunkKeyRoundTrip(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		want := drawChunkKey(t)
		b := want.append(nil)
		if got, ok := parseChunkKey(b); !ok || got != want {
			t.Fatalf("got %+v, %v, want %+v", got, ok, want)
		}
		if !bytes.HasPrefix(b, appendPrefix(nil, want.tier, want.bucket, want.level, want.metric, want.stream)) || len(b) != chunkKeyLen {
			t.Fatalf("%x does not start with its prefix", b)
		}
	})
}

// TestKeyOrder checks that keys of later data sort behind keys of earlier data.
func TestKeyOrder(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		a, b := drawChunkKey(t), drawChunkKey(t)
		b.tier, b.level, b.metric, b.stream = a.tier, a.level, a.metric, a.stream
		b.bucket = b.start / bucketLen[b.tier]
		if a.start < b.start && bytes.Compare(a.append(nil), b.append(nil)) >= 0 {
			t.Fatalf("%+v does not come before %+v", a, b)
		}
	})
}

// FuzzKeys feeds the decoders of keys arbitrary bytes: what they accept they
// must write the same way.
func FuzzKeys(f *testing.F) {
	k := chunkKey{tier: raw, bucket: 20000, start: 20000 * 86400, metric: 1, stream: 2, gen: 3}
	f.Add(k.append(nil))
	d := dirtyMark{hours, 7, 9}
	f.Add(d.key())
	f.Add([]byte{keyChunk})
	f.Add([]byte{})
	f.Fuzz(func(t *testing.T, b []byte) {
		if k, ok := parseChunkKey(b); ok && !bytes.Equal(k.append(nil), b) {
			t.Fatalf("%x is read as %+v", b, k)
		}
		if d, ok := parseDirtyKey(b); ok && !bytes.Equal(d.key(), b) {
			t.Fatalf("%x is read as %+v", b, d)
		}
		number(b)
		following(append([]byte{keyChunk}, b...))
		if _, err := decodeBucket(b); err == nil && len(b) < 8 {
			t.Fatalf("%x is taken for the state of a bucket", b)
		}
		_, _, _ = decodeCheckpoint(b)
		_, _ = chunk.ReadOverdue(b, 86400, 86400, nil)
		_ = catalog.New().Edit().LoadMetric(0, b)
	})
}

// FuzzEntry feeds the decoders of log entries arbitrary payloads.
func FuzzEntry(f *testing.F) {
	sums := []tsdb.Summary{{Count: 2, Sum: 3, Min: 1, Max: 2, Last: 2, M2: .5}}
	recs := []record{{id: 1, t: 100, v: 2}, {id: 7, t: 90, op: chunk.OpSummary | chunk.OpFold}, {id: 3, t: 5, op: opOverdue, v: -1}}
	f.Add(appendRecords(nil, 1, recs, sums, nil))
	defs := appendDefinition([]byte{entryDefinitions}, &catalog.Definition{ID: 3, Text: []byte("cpu")}, 2)
	f.Add(appendDefinition(defs, &catalog.Definition{Stream: true, ID: 4, Metric: 3, Text: []byte("\x00host\x01a")}, 0))
	f.Add(appendMode(nil, 3, tsdb.Mode{Fold: true, Period: 60}))
	f.Add(appendDeletion(nil, 3))
	f.Fuzz(func(t *testing.T, b []byte) {
		if len(b) > 0 {
			_ = checkEntry(b)
		}
	})
}

func TestEntryRoundTrip(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		var recs []record
		var sums []tsdb.Summary
		for range rapid.IntRange(0, 50).Draw(t, "n") {
			r := record{id: rapid.Uint32().Draw(t, "id"), t: rapid.Uint32().Draw(t, "t"), op: uint8(rapid.IntRange(0, 7).Draw(t, "op")), v: rapid.Float64().Draw(t, "v")}
			if r.op&chunk.OpSummary != 0 {
				r.v = float64(len(sums))
				sums = append(sums, tsdb.Summary{Count: float64(len(sums) + 1), Sum: rapid.Float64().Draw(t, "sum")})
			}
			recs = append(recs, r)
		}
		i, k := 0, 0
		err := readRecords(appendRecords(nil, -5, recs, sums, nil), func(org tidemark.OrgID, r *record, sum *tsdb.Summary, _ []byte) {
			want := recs[i]
			if org != -5 || r.id != want.id || r.t != want.t || r.op != want.op {
				t.Fatalf("record %d: got %+v of %d, want %+v", i, r, org, want)
			}
			if r.op&chunk.OpSummary == 0 && r.v != want.v {
				t.Fatalf("record %d: got %v, want %v", i, r.v, want.v)
			}
			if r.op&chunk.OpSummary != 0 {
				if sum.Count != sums[k].Count || sum.Sum != sums[k].Sum {
					t.Fatalf("record %d: got %+v, want %+v", i, sum, sums[k])
				}
				k++
			}
			i++
		})
		if err != nil || i != len(recs) {
			t.Fatalf("%d of %d records, %v", i, len(recs), err)
		}
	})
}
