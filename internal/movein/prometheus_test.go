package movein_test

import (
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/prometheus/prometheus/model/histogram"
	"github.com/prometheus/prometheus/model/labels"
	"github.com/prometheus/prometheus/model/value"
	"github.com/prometheus/prometheus/storage"
	"github.com/prometheus/prometheus/tsdb/chunkenc"
	"github.com/prometheus/prometheus/tsdb/chunks"
	"github.com/prometheus/prometheus/tsdb/index"
	"github.com/prometheus/prometheus/tsdb/tombstones"
	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/movein"
)

// sample is a float, or a native histogram.
type sample struct {
	t int64 // milliseconds
	v float64
	h *histogram.Histogram
}

// writeBlock writes a block as Prometheus does: series by their labels.
func writeBlock(t *testing.T, dir string, from int64, series map[string][]sample) {
	t.Helper()
	data, err := chunks.NewWriter(filepath.Join(dir, "chunks"))
	ok(t, err)
	idx, err := index.NewWriter(t.Context(), filepath.Join(dir, "index"))
	ok(t, err)
	symbols := make(map[string]bool)
	all := make(map[string]labels.Labels)
	for text := range series {
		var pairs []string
		for pair := range strings.SplitSeq(text, ",") {
			name, v, _ := strings.Cut(pair, "=")
			pairs = append(pairs, name, v)
			symbols[name], symbols[v] = true, true
		}
		all[text] = labels.FromStrings(pairs...)
	}
	for _, s := range slices.Sorted(maps.Keys(symbols)) {
		ok(t, idx.AddSymbol(s))
	}
	texts := slices.SortedFunc(maps.Keys(series), func(a, b string) int { return labels.Compare(all[a], all[b]) })
	for i, text := range texts {
		metas := chunksOf(t, series[text])
		ok(t, data.WriteChunks(metas...))
		ok(t, idx.AddSeries(storage.SeriesRef(i+1), all[text], metas...))
	}
	ok(t, data.Close())
	ok(t, idx.Close())
	gone := tombstones.NewMemTombstones()
	refs := slices.Index(texts, "__name__=up,job=b") // its first sample was deleted
	gone.AddInterval(seriesRef(t, dir, refs), tombstones.Interval{Mint: from, Maxt: from + 1000})
	_, err = tombstones.WriteFile(slog.New(slog.DiscardHandler), dir, gone)
	ok(t, err)
	ok(t, os.WriteFile(filepath.Join(dir, "meta.json"), fmt.Appendf(nil, `{"ulid":"%s","minTime":%d,"maxTime":%d,"version":1}`, filepath.Base(dir), from, from+7200_000), 0o600))
}

// seriesRef returns what the nth series of a block is called in its index.
func seriesRef(t *testing.T, dir string, n int) storage.SeriesRef {
	t.Helper()
	r, err := index.NewFileReader(filepath.Join(dir, "index"), index.DecodePostingsRaw)
	ok(t, err)
	defer r.Close()
	name, value := index.AllPostingsKey()
	all, err := r.Postings(t.Context(), name, value)
	ok(t, err)
	for range n + 1 {
		all.Next()
	}
	return all.At()
}

// chunksOf makes chunks of up to 120 samples, as Prometheus does.
func chunksOf(t *testing.T, samples []sample) (metas []chunks.Meta) {
	t.Helper()
	for part := range slices.Chunk(samples, 120) {
		if part[0].h != nil {
			c := chunkenc.NewHistogramChunk()
			a, err := c.Appender()
			ok(t, err)
			for _, s := range part {
				_, _, _, err = a.AppendHistogram(nil, 0, s.t, s.h, false)
				ok(t, err)
			}
			metas = append(metas, chunks.Meta{Chunk: c, MinTime: part[0].t, MaxTime: part[len(part)-1].t})
			continue
		}
		c := chunkenc.NewXORChunk()
		a, err := c.Appender()
		ok(t, err)
		for _, s := range part {
			a.Append(0, s.t, s.v)
		}
		metas = append(metas, chunks.Meta{Chunk: c, MinTime: part[0].t, MaxTime: part[len(part)-1].t})
	}
	return metas
}

// latencies is a native histogram since a start, of n values of about 0.75 and as
// many of about 6.
func latencies(n int) *histogram.Histogram {
	return &histogram.Histogram{
		Count: uint64(2 * n), Sum: 6.75 * float64(n), Schema: 0, ZeroThreshold: 0.001,
		PositiveSpans: []histogram.Span{{Length: 1}, {Offset: 2, Length: 1}}, PositiveBuckets: []int64{int64(n), 0},
	}
}

// snapshot writes two blocks of two hours.
func snapshot(t *testing.T) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "20261116T000000Z-1")
	for b, hours := range []int64{4, 2} {
		from := ago(hours*3600) * 1000
		var up, total, marked []sample
		for i := range int64(480) {
			at := from + i*15_000 + 250
			up, total = append(up, sample{t: at, v: 1}), append(total, sample{t: at, v: float64(i)})
		}
		marked = []sample{{t: from, v: 5}, {t: from + 1000, v: math.Float64frombits(value.StaleNaN)}, {t: from + 2000, v: math.Inf(1)}}
		writeBlock(t, filepath.Join(dir, fmt.Sprintf("01JD%022d", 9-b)), from, map[string][]sample{
			"__name__=up,job=a":                        up,
			"__name__=up,job=b":                        up[:3],
			"__name__=http_requests_total,route=/{id}": total,
			"__name__=marked,job=a":                    marked,
			"__name__=latency,job=a":                   {{t: from, h: latencies(2*b + 1)}, {t: from + 60_000, h: latencies(2*b + 2)}},
		})
	}
	return dir
}

// TestSnapshot: blocks of Prometheus are imported as remote write would have
// brought them, also where the import is interrupted again and again.
func TestSnapshot(t *testing.T) {
	s, dir := start(t), snapshot(t)
	x := movein.Snapshot{Server: s.Client, Dir: dir + "/", Progress: silent}
	cuts := 0
	var done movein.Imported
	for ; ; cuts++ {
		s.failAfter(1, "/admin/measurements")
		var err error
		if done, err = x.Run(t.Context()); err == nil {
			break
		}
		if !errors.Is(err, errCut) || cuts > 10 {
			t.Fatal(err)
		}
		x.Resume = true
	}
	s.before = nil
	want := int64(2*(480+2+480+1) + 2) // of each block the second histogram, at least
	if done.Recorded < want || done.Recorded > want+1 || done.Refused != 0 || cuts == 0 || s.settled != 1 {
		t.Errorf("%+v after %d interruptions, want %d points", done, cuts, want)
	}
	m, err := s.Metric(t.Context(), "http_requests_total")
	ok(t, err)
	if m.Type != tidemark.Counter {
		t.Errorf("http_requests_total is a %s", m.Type)
	}
	lines := export(t, s)
	for _, part := range []string{`{"metric":"http_requests_total","tags":{"route":"/_x7b_id_x7d_"},"times":[`, `{"metric":"up","tags":{"job":"b"}`, fmt.Sprintf(`{"metric":"marked","tags":{"job":"a"},"times":[%d,%d],"values":[5,5]}`, ago(4*3600), ago(2*3600))} {
		if !strings.Contains(lines, part) {
			t.Errorf("there is no %s in\n%.3000s", part, lines)
		}
	}
	if left, _ := filepath.Glob(dir + ".*"); len(left) > 0 {
		t.Errorf("left: %v", left)
	}
	again, err := movein.Snapshot{Server: s.Client, Dir: dir, Metrics: []string{"u*"}, Progress: silent}.Run(t.Context())
	ok(t, err)
	if d := cmp.Diff(lines, export(t, s)); d != "" || again.Recorded != 2*482 {
		t.Errorf("%+v, another import changed (-before +after):\n%.3000s", again, d)
	}
	// Native histograms are what was added since the one before, also since the last of the block before.
	whole, err := movein.Snapshot{Server: s.Client, Dir: dir, Metrics: []string{"latency"}, Progress: silent}.Run(t.Context())
	ok(t, err)
	first, second := ago(4*3600), ago(2*3600)
	part := fmt.Sprintf(`{"metric":"latency","tags":{"job":"a"},"times":[%d,%d,%d],"summaries":[[2,6.75,0.5,8,3.375,`, first+60, second, second+60)
	if lines := export(t, s); whole.Recorded != 3 || strings.Count(lines, "[2,6.75,0.5,8,3.375,") != 3 || !strings.Contains(lines, part) {
		t.Errorf("%+v, there is no %s in\n%.3000s", whole, part, lines)
	}
}

func TestSnapshotRefuses(t *testing.T) {
	s, dir := start(t), t.TempDir()
	_, err := movein.Snapshot{Server: s.Client, Dir: dir, Progress: silent}.Run(t.Context())
	wantError(t, err, "there is no block")
	ok(t, os.Mkdir(filepath.Join(dir, "01JD"), 0o700))
	meta := filepath.Join(dir, "01JD", "meta.json")
	ok(t, os.WriteFile(meta, []byte(`{"version":9}`), 0o600))
	_, err = movein.Snapshot{Server: s.Client, Dir: dir, Progress: silent}.Run(t.Context())
	wantError(t, err, "no block that is understood")
	ok(t, os.WriteFile(meta, []byte(`{"version":1}`), 0o600))
	_, err = movein.Snapshot{Server: s.Client, Dir: dir, Progress: silent}.Run(t.Context())
	wantError(t, err, "block 01JD")
}

// TestSnapshotResumes: an import that was interrupted goes on only where it
// was, of the metrics that it was of.
func TestSnapshotResumes(t *testing.T) {
	t.Parallel()
	s, dir := start(t), snapshot(t)
	x := movein.Snapshot{Server: s.Client, Dir: dir, Progress: silent, Resume: true}
	_, err := x.Run(t.Context())
	wantError(t, err, "there is nothing to resume")
	x.Resume = false
	s.failAfter(1, "/admin/measurements")
	_, err = x.Run(t.Context())
	wantError(t, err, "cut off")
	s.before = nil
	_, err = x.Run(t.Context())
	wantError(t, err, "continue with --resume")
	x.Resume, x.Metrics = true, []string{"up"}
	_, err = x.Run(t.Context())
	wantError(t, err, "the import that is resumed was of the metrics *")
	x.Metrics = nil
	blocks, err := filepath.Glob(filepath.Join(dir, "01JD*"))
	ok(t, err)
	for _, block := range blocks {
		ok(t, os.Rename(block, filepath.Join(dir, "renamed"+filepath.Base(block))))
	}
	_, err = x.Run(t.Context())
	wantError(t, err, ", where the import is to go on, is not in "+dir)
	if _, err := os.Stat(dir + ".cursor"); err != nil {
		t.Errorf("how far the import is was forgotten: %v", err)
	}
}

// TestDamagedBlocks: a block that lacks a part is an error that names it.
func TestDamagedBlocks(t *testing.T) {
	t.Parallel()
	s, dir := start(t), snapshot(t)
	blocks, err := filepath.Glob(filepath.Join(dir, "01JD*"))
	ok(t, err)
	for _, part := range []string{"chunks/000001", "tombstones", "index"} {
		for _, block := range blocks {
			ok(t, os.WriteFile(filepath.Join(block, part), []byte("nonsense of some length, but no more"), 0o600))
		}
		_, err := movein.Snapshot{Server: s.Client, Dir: dir, Progress: silent}.Run(t.Context())
		wantError(t, err, "block 01JD")
	}
}
