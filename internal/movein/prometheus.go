package movein

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/prometheus/common/model"
	"github.com/prometheus/prometheus/model/labels"
	"github.com/prometheus/prometheus/storage"
	"github.com/prometheus/prometheus/tsdb/chunkenc"
	"github.com/prometheus/prometheus/tsdb/chunks"
	"github.com/prometheus/prometheus/tsdb/index"
	"github.com/prometheus/prometheus/tsdb/tombstones"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/client"
	"github.com/tidemark-metrics/tidemark/internal/exchange"
	"github.com/tidemark-metrics/tidemark/internal/protocol"
	"github.com/tidemark-metrics/tidemark/internal/tsdb"
)

// Snapshot says which snapshot of Prometheus is imported and where to.
type Snapshot struct {
	Server   *client.Client
	Dir      string   // with blocks in it
	Metrics  []string // names, which may hold *; none for all
	Resume   bool
	Progress Progress
}

// snapshotCursor is how far an import of a snapshot is: all blocks before
// Block are imported, and so many of its series, and of the next one so many
// samples.
type snapshotCursor struct {
	Metrics []string
	Block   string
	Series  int64
	Samples int64
	Done    Imported
}

// snapshotting is an import of a snapshot under way.
type snapshotting struct {
	Snapshot
	cursor  snapshotCursor
	out     restoring // sends lines
	names   *protocol.Batch
	known   map[string]bool // metrics that are made
	totals  totals
	at      snapshotCursor // of what has gathered
	samples int64          // of the series that is read
}

// Run imports, and has the server tidy up.
func (x Snapshot) Run(ctx context.Context) (Imported, error) {
	x.Dir = filepath.Clean(x.Dir)
	run := &snapshotting{Snapshot: x, names: protocol.NewBatch(protocol.DefaultLimits), known: make(map[string]bool), totals: totals{of: make(map[string]protocol.Dist)}}
	run.cursor.Metrics = x.Metrics
	run.out = restoring{Restore: Restore{Server: x.Server}}
	err := run.all(ctx)
	if err == nil && run.cursor.Done.Recorded > 0 {
		x.Progress("Making summaries", 0, 1)
		err = x.Server.Settle(ctx)
	}
	if err == nil {
		err = cursorOf(x.Dir).remove()
	}
	return run.cursor.Done, err
}

func (x *snapshotting) all(ctx context.Context) error {
	blocks, err := blocksIn(x.Dir)
	if err != nil {
		return err
	}
	had := x.cursor
	if err := cursorOf(x.Dir).load(x.Resume, &had); err != nil {
		return err
	}
	if !slices.Equal(had.Metrics, x.Metrics) {
		return fmt.Errorf("the import that is resumed was of the metrics %s", cmp.Or(strings.Join(had.Metrics, " "), "*"))
	}
	x.cursor, x.out.cursor.Done = had, had.Done
	begun := x.cursor.Block == ""
	if !begun && !slices.Contains(blocks, x.cursor.Block) {
		return fmt.Errorf("block %s, where the import is to go on, is not in %s", x.cursor.Block, x.Dir)
	}
	for i, block := range blocks {
		x.Progress("Importing blocks", int64(i), int64(len(blocks)))
		if begun = begun || block == x.cursor.Block; !begun {
			continue
		}
		if block != x.cursor.Block {
			x.cursor.Block, x.cursor.Series, x.cursor.Samples = block, 0, 0
		}
		x.at = x.cursor
		if err := x.block(ctx, filepath.Join(x.Dir, block)); err != nil {
			return fmt.Errorf("block %s: %w", block, err)
		}
	}
	x.Progress("Importing blocks", 1, 1)
	return nil
}

// blocksIn returns the blocks of a snapshot, the oldest first.
func blocksIn(dir string) ([]string, error) {
	metas, err := filepath.Glob(filepath.Join(dir, "*", "meta.json"))
	if err != nil {
		return nil, err
	}
	begins := make(map[string]int64)
	var blocks []string
	for _, path := range metas {
		text, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		var meta struct{ MinTime, Version int64 }
		if err := json.Unmarshal(text, &meta); err != nil || meta.Version != 1 {
			return nil, fmt.Errorf("%s: is of no block that is understood", path)
		}
		name := filepath.Base(filepath.Dir(path))
		begins[name] = meta.MinTime
		blocks = append(blocks, name)
	}
	if len(blocks) == 0 {
		return nil, fmt.Errorf("there is no block in %s: give the directory of a snapshot", dir)
	}
	slices.SortFunc(blocks, func(a, b string) int { return cmp.Or(cmp.Compare(begins[a], begins[b]), strings.Compare(a, b)) })
	return blocks, nil
}

// block imports one block.
func (x *snapshotting) block(ctx context.Context, dir string) (err error) {
	idx, err := index.NewFileReader(filepath.Join(dir, "index"), index.DecodePostingsRaw)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, idx.Close()) }()
	data, err := chunks.NewDirReader(filepath.Join(dir, "chunks"), nil)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, data.Close()) }()
	gone, _, err := tombstones.ReadTombstones(dir)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, gone.Close()) }()
	key, value := index.AllPostingsKey()
	all, err := idx.Postings(ctx, key, value)
	if err != nil {
		return err
	}
	b := &blockReader{idx: idx, data: data, gone: gone}
	for n := int64(0); all.Next(); n++ {
		if n < x.cursor.Series {
			continue
		}
		if err := x.series(ctx, b, all.At()); err != nil {
			return err
		}
		x.at.Series, x.at.Samples = n+1, 0
	}
	return errors.Join(all.Err(), x.flush(ctx))
}

// blockReader reads the parts of a block.
type blockReader struct {
	idx    *index.Reader
	data   *chunks.Reader
	gone   tombstones.Reader
	labels labels.ScratchBuilder
	metas  []chunks.Meta
}

// series imports one series.
func (x *snapshotting) series(ctx context.Context, b *blockReader, ref storage.SeriesRef) error {
	b.labels.Reset()
	if err := b.idx.Series(ref, &b.labels, &b.metas); err != nil {
		return err
	}
	s, wanted := x.stream(b.labels.Labels())
	if !wanted {
		return nil
	}
	if err := x.define(ctx, s.Metric); err != nil {
		return err
	}
	gone, err := b.gone.Get(ref)
	if err != nil {
		return err
	}
	x.samples = 0
	for _, meta := range b.metas {
		c, _, err := b.data.ChunkOrIterable(meta)
		if err != nil {
			return err
		}
		if err := x.chunk(ctx, s, c.Iterator(nil), gone); err != nil {
			return err
		}
	}
	return nil
}

// stream is the stream of a series, with names as remote write gives them.
func (x *snapshotting) stream(l labels.Labels) (*tsdb.Series, bool) {
	name := l.Get(model.MetricNameLabel)
	if name == "" || len(x.Metrics) > 0 && !slices.ContainsFunc(x.Metrics, func(p string) bool { return matches(p, name) }) {
		return nil, false
	}
	s := &tsdb.Series{Metric: x.names.MetricName(name)}
	tags := make(map[string]string)
	l.Range(func(one labels.Label) {
		if one.Name != model.MetricNameLabel {
			tags[x.names.LabelName(one.Name)] = x.names.LabelValue(one.Value)
		}
	})
	s.Tags = tidemark.MakeTags(tags)
	x.names.Forget()
	return s, true
}

// define makes a metric what remote write would make of it by its name.
func (x *snapshotting) define(ctx context.Context, metric string) error {
	if x.known[metric] {
		return nil
	}
	x.known[metric] = true
	if !strings.HasSuffix(metric, "_total") && !strings.HasSuffix(metric, "_bucket") {
		return nil
	}
	return x.out.define(ctx, &tidemark.Metric{Name: metric, Type: tidemark.Counter, Attributes: map[string]any{}})
}

// chunk takes the samples of a chunk.
func (x *snapshotting) chunk(ctx context.Context, s *tsdb.Series, it chunkenc.Iterator, gone tombstones.Intervals) error {
	s.Times, s.Summaries, s.Sketches = s.Times[:0], s.Summaries[:0], s.Sketches[:0]
	for kind := it.Next(); kind != chunkenc.ValNone; kind = it.Next() {
		x.samples++
		t := it.AtT()
		deleted := slices.ContainsFunc(gone, func(i tombstones.Interval) bool { return t >= i.Mint && t <= i.Maxt })
		sent := x.samples <= x.at.Samples
		switch {
		case deleted:
		case kind != chunkenc.ValFloat:
			_, h := it.AtFloatHistogram(nil)
			x.native(s, t/1000, h, sent)
		case !sent:
			if _, v := it.At(); !math.IsNaN(v) && !math.IsInf(v, 0) { // a marker of staleness is a NaN
				s.Times, s.Summaries = append(s.Times, t/1000), append(s.Summaries, tsdb.Single(v))
			}
		}
	}
	if err := it.Err(); err != nil {
		return err
	}
	x.out.pending = exchange.Append(x.out.pending, s)
	if len(x.out.pending) < restoreBytes {
		return nil
	}
	x.at.Samples = x.samples
	return x.flush(ctx)
}

// flush sends what has gathered, and then notes where the import is.
func (x *snapshotting) flush(ctx context.Context) error {
	left := x.cursor.Done // what was left out here
	x.out.cursor.Done = left
	if err := x.out.flush(ctx); err != nil {
		return err
	}
	done := x.out.cursor.Done
	x.cursor = x.at
	x.cursor.Done = done
	return cursorOf(x.Dir).save(x.cursor)
}

// refuse counts a point that is left out, and says why.
func (i *Imported) refuse(why string) {
	i.Refused++
	if len(i.Problems) < maxProblems && !slices.Contains(i.Problems, why) {
		i.Problems = append(i.Problems, why)
	}
}
