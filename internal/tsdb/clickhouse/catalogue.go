package clickhouse

import (
	"cmp"
	"context"
	"iter"
	"slices"
	"strconv"
	"strings"

	"github.com/ClickHouse/ch-go/proto"
	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/tsdb"
)

// found is a stream that a question picks.
type found struct {
	metric string
	tags   tidemark.Tags
	id     streamID
	hash   uint64 // of the metric's generation
	folded bool
}

// maxStreams is how many streams one question may pick.
const maxStreams = 500_000

// pick returns the streams that pattern and filter pick, in order.
func (e *Engine) pick(ctx context.Context, org tidemark.OrgID, pattern string, filter *tsdb.Filter) ([]found, error) {
	var metric, key proto.ColStr
	var gen proto.ColUInt32
	var id proto.ColFixedStr16
	st := &statement{sql: "SELECT metric, gen, id, key FROM streams WHERE " + streamsSQL(org, pattern, filter)}
	var all []found
	states := make(map[string]*namedMetric)
	err := e.client.each(ctx, st, proto.Results{column("metric", &metric), column("gen", &gen), column("id", &id), column("key", &key)}, func(rows int) error {
		for i := range rows {
			m := e.state(states, org, metric.RowBytes(i))
			if int64(gen.Row(i)) != m.gen || !tidemark.Glob(pattern, m.name) {
				continue
			}
			_, tags, ok := tsdb.ParseKey(key.RowBytes(i))
			if !ok || !filter.Match(tags) {
				continue
			}
			if len(all) == maxStreams {
				return tidemark.Errorf(tidemark.TooLarge, "the question is about more than %d streams", maxStreams)
			}
			all = append(all, found{metric: m.name, tags: tags, id: id.Row(i), hash: m.hash, folded: m.folded})
		}
		return nil
	})
	if err != nil {
		return nil, e.unavailable("measurements cannot be read at present", err)
	}
	slices.SortFunc(all, func(a, b found) int { return cmp.Or(strings.Compare(a.metric, b.metric), a.tags.Compare(b.tags)) })
	// Until ClickHouse merges them, a stream that two servers found at once is there twice.
	return slices.CompactFunc(all, func(a, b found) bool { return a.id == b.id }), nil
}

// namedMetric is a metric with its name and the hash of its generation.
type namedMetric struct {
	name string
	hash uint64
	metric
}

// state returns a metric, of which many rows in a row are.
func (e *Engine) state(seen map[string]*namedMetric, org tidemark.OrgID, name []byte) *namedMetric {
	if m := seen[string(name)]; m != nil {
		return m
	}
	e.mu.RLock()
	defer e.mu.RUnlock()
	key := metricKey{org, string(name)}
	m := &namedMetric{name: key.name, metric: e.metric(key)}
	m.hash = key.hash(m.gen)
	seen[m.name] = m
	return m
}

// Streams yields the streams that pattern and filter pick.
func (e *Engine) Streams(ctx context.Context, org tidemark.OrgID, pattern string, filter tsdb.Filter) iter.Seq2[*tsdb.Stream, error] {
	return func(yield func(*tsdb.Stream, error) bool) {
		picked, last, err := e.listStreams(ctx, org, pattern, &filter)
		if err != nil {
			yield(nil, err)
			return
		}
		for i := range picked {
			if err := ctx.Err(); err != nil {
				yield(nil, err)
				return
			}
			if !yield(&tsdb.Stream{Metric: picked[i].metric, Tags: picked[i].tags, LastSeen: last[i]}, nil) {
				return
			}
		}
	}
}

func (e *Engine) listStreams(ctx context.Context, org tidemark.OrgID, pattern string, filter *tsdb.Filter) ([]found, []int64, error) {
	if err := filter.Validate(); err != nil {
		return nil, nil, err
	}
	if err := e.begin(ctx); err != nil {
		return nil, nil, err
	}
	picked, err := e.pick(ctx, org, pattern, filter)
	if err != nil || len(picked) == 0 {
		return nil, nil, err
	}
	last, err := e.lastSeen(ctx, org, picked)
	return picked, last, e.unavailable("measurements cannot be read at present", err)
}

// recently is where most streams have been seen last.
const recently = 2 * hour

// lastSeen returns the times of the latest records of streams. Only for those
// that have none of late is everything looked through.
func (e *Engine) lastSeen(ctx context.Context, org tidemark.OrgID, picked []found) ([]int64, error) {
	last := make([]int64, len(picked))
	rawFrom, hourFrom := e.keptFrom()
	since := max(e.o.Now().Unix()-recently, rawFrom)
	if err := e.lastSince(ctx, org, picked, "records", since, last); err != nil {
		return nil, err
	}
	for _, look := range []struct {
		table string
		since int64
	}{{"records", rawFrom}, {"hours", hourFrom}} {
		var rest []found
		for i := range picked {
			if last[i] == 0 {
				rest = append(rest, picked[i])
			}
		}
		if len(rest) == 0 {
			break
		}
		if err := e.lastSince(ctx, org, picked, look.table, look.since, last); err != nil {
			return nil, err
		}
	}
	return last, nil
}

// lastSince fills in the times of those streams that have none yet.
func (e *Engine) lastSince(ctx context.Context, org tidemark.OrgID, picked []found, table string, since int64, last []int64) error {
	var ids idTable
	for i := range picked {
		if last[i] == 0 {
			ids.add(&picked[i], i, i)
		}
	}
	if ids.empty() {
		return nil
	}
	sql := "SELECT g, x FROM (SELECT id, max(t) AS x FROM " + table + " WHERE " + e.where(org, &ids) + " AND t >= " + strconv.FormatInt(since, 10) +
		" GROUP BY id) AS r ALL INNER JOIN ids USING id"
	var g, x proto.ColUInt32
	return e.client.each(ctx, ids.statement(sql), proto.Results{column("g", &g), column("x", &x)}, func(rows int) error {
		for i := range rows {
			last[g.Row(i)] = int64(x.Row(i))
		}
		return nil
	})
}

// TagNames returns the names of tags that the streams of a metric have.
func (e *Engine) TagNames(ctx context.Context, org tidemark.OrgID, name string) ([]tsdb.TagCount, error) {
	return e.countTags(ctx, org, name, tsdb.TagCounts.AddNames)
}

// TagValues returns the values that a tag has among the streams of a metric.
func (e *Engine) TagValues(ctx context.Context, org tidemark.OrgID, name, tag string) ([]tsdb.TagCount, error) {
	return e.countTags(ctx, org, name, func(c tsdb.TagCounts, tags tidemark.Tags) { c.AddValue(tags, tag) })
}

func (e *Engine) countTags(ctx context.Context, org tidemark.OrgID, name string, add func(tsdb.TagCounts, tidemark.Tags)) ([]tsdb.TagCount, error) {
	if err := e.begin(ctx); err != nil {
		return nil, err
	}
	if tidemark.IsGlob(name) {
		return nil, nil // a name, not a glob
	}
	picked, err := e.pick(ctx, org, name, &tsdb.Filter{})
	if err != nil {
		return nil, err
	}
	counts := make(tsdb.TagCounts)
	for i := range picked {
		add(counts, picked[i].tags)
	}
	return counts.Sorted(), nil
}

// tagsAtOnce is how many tags ClickHouse is asked about at a time: it looks for no
// more texts at once.
const tagsAtOnce = 255

// TagsInUse tells which of tags a stream of org has. ClickHouse looks through
// the keys of the organization's streams, and answers which metrics have which.
func (e *Engine) TagsInUse(ctx context.Context, org tidemark.OrgID, tags []tidemark.Tag) ([]bool, error) {
	if err := e.begin(ctx); err != nil {
		return nil, err
	}
	used := make([]bool, len(tags))
	for from := 0; from < len(tags); from += tagsAtOnce {
		to := min(from+tagsAtOnce, len(tags))
		if err := e.findTags(ctx, org, tags[from:to], used[from:to]); err != nil {
			return nil, e.unavailable("measurements cannot be read at present", err)
		}
	}
	return used, nil
}

func (e *Engine) findTags(ctx context.Context, org tidemark.OrgID, tags []tidemark.Tag, used []bool) error {
	parts := make([]string, len(tags))
	for i, t := range tags {
		part := "\x00" + t.Name + "\x01"
		if t.Value != "" {
			part += t.Value + "\x00"
		}
		parts[i] = quote(part)
	}
	var metric proto.ColStr
	var gen, place proto.ColUInt32
	st := &statement{sql: "SELECT DISTINCT metric, gen, toUInt32(arrayJoin(arrayFilter((i, at) -> at > 0, arrayEnumerate(found), found))) AS place" +
		" FROM (SELECT metric, gen, " + e.shape.positions("concat(key, '\\0')", parts) + " AS found" +
		" FROM streams WHERE org = " + strconv.FormatInt(int64(org), 10) + ")"}
	states := make(map[string]*namedMetric)
	return e.client.each(ctx, st, proto.Results{column("metric", &metric), column("gen", &gen), column("place", &place)}, func(rows int) error {
		for i := range rows {
			if m := e.state(states, org, metric.RowBytes(i)); int64(gen.Row(i)) == m.gen {
				used[place.Row(i)-1] = true
			}
		}
		return nil
	})
}
