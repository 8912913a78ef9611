package clickhouse

import (
	"context"
	"sync"

	"github.com/ClickHouse/ch-go/proto"
	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/tsdb"
)

// stats counts what this server wrote and has not added to the ledger yet.
type stats struct {
	mu       sync.Mutex
	samples  map[tidemark.OrgID]int64
	refusing string // why the last commit failed, or ""
}

func (s *stats) wrote(group []*pending) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.samples == nil {
		s.samples = make(map[tidemark.OrgID]int64)
	}
	for _, p := range group {
		s.samples[p.org] += int64(p.rows)
	}
}

func (s *stats) committed(err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.refusing = ""
	if err != nil {
		s.refusing = reason(err)
	}
}

// saveSamples tells the ledger what was written.
func (e *Engine) saveSamples(ctx context.Context) error {
	e.stats.mu.Lock()
	samples := e.stats.samples
	e.stats.samples = nil
	e.stats.mu.Unlock()
	if len(samples) == 0 {
		return nil
	}
	err := e.o.Ledger.AddSamples(ctx, samples)
	if err != nil {
		e.stats.mu.Lock()
		defer e.stats.mu.Unlock()
		if e.stats.samples == nil {
			e.stats.samples = samples
			return err
		}
		for org, n := range samples {
			e.stats.samples[org] += n
		}
	}
	return err
}

// Stats returns the state of the engine. Bytes are those of the server that
// answers.
func (e *Engine) Stats(ctx context.Context) (tsdb.Stats, error) {
	all := tsdb.Stats{Orgs: make(map[tidemark.OrgID]tsdb.OrgStats)}
	if err := e.begin(ctx); err != nil {
		return all, err
	}
	if err := e.saveSamples(ctx); err != nil {
		return all, e.unavailable("statistics are not available", err)
	}
	samples, err := e.o.Ledger.Samples(ctx)
	if err != nil {
		return all, e.unavailable("statistics are not available", err)
	}
	for org, n := range samples {
		all.Samples += n
		all.Orgs[org] = tsdb.OrgStats{Samples: n}
	}
	if err := e.countStreams(ctx, &all); err != nil {
		return all, e.unavailable("statistics are not available", err)
	}
	if err := e.countBytes(ctx, &all); err != nil {
		return all, e.unavailable("statistics are not available", err)
	}
	e.stats.mu.Lock()
	all.Refusing = e.stats.refusing
	e.stats.mu.Unlock()
	return all, nil
}

// countStreams counts the streams of generations that were not deleted.
func (e *Engine) countStreams(ctx context.Context, all *tsdb.Stats) error {
	table := e.generations()
	where := ""
	st := &statement{}
	if table != "" {
		st.table, st.structure = table, "org UInt64, metric String, gen UInt32"
		where = " WHERE (gen = 0 AND (org, metric) " + e.shape.in("NOT IN") + " (SELECT org, metric FROM ids)) OR (org, metric, gen) " + e.shape.in("IN") + " (SELECT org, metric, gen FROM ids)"
	}
	st.sql = "SELECT org, toUInt64(uniqExact(id)) AS x FROM streams" + where + " GROUP BY org"
	var org, x proto.ColUInt64
	return e.client.each(ctx, st, proto.Results{column("org", &org), column("x", &x)}, func(rows int) error {
		for i := range rows {
			id, n := tidemark.OrgID(org.Row(i)), int64(x.Row(i))
			s := all.Orgs[id]
			s.Streams = n
			all.Orgs[id] = s
			all.Streams += n
		}
		return nil
	})
}

// generations are the metrics that were deleted at least once, with their
// generation now, as rows of a table.
func (e *Engine) generations() string {
	e.mu.RLock()
	defer e.mu.RUnlock()
	var b proto.Buffer
	for key, m := range e.metrics {
		if m.gen > 0 {
			b.PutUInt64(uint64(key.org))
			b.PutString(key.name)
			b.PutUInt32(uint32(m.gen))
		}
	}
	return string(b.Buf)
}

// countBytes estimates each organization's part of the disk by its samples.
func (e *Engine) countBytes(ctx context.Context, all *tsdb.Stats) error {
	var x proto.ColUInt64
	st := &statement{sql: "SELECT toUInt64(sum(bytes_on_disk)) AS x FROM system.parts WHERE active AND database = " + quote(e.client.database)}
	err := e.client.each(ctx, st, proto.Results{column("x", &x)}, func(int) error {
		all.Bytes = int64(x.Row(0))
		return nil
	})
	for org, s := range all.Orgs {
		if all.Samples > 0 {
			s.Bytes = int64(float64(all.Bytes) * float64(s.Samples) / float64(all.Samples))
			all.Orgs[org] = s
		}
	}
	return err
}
