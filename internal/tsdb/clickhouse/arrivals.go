package clickhouse

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/ClickHouse/ch-go/proto"
	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/tsdb"
)

// overlap is how many commits before the first are looked at where nothing is
// known of who looked before: those that may have been under way then.
// maxOverlap is how many are at most.
const (
	overlap    = 1000
	maxOverlap = 100_000
)

// Arrivals fetches what any server writes, in the order of commits, for the
// one who evaluates alerts. It is not safe for concurrent use.
type Arrivals struct {
	e *Engine
	// from is the first commit of which rows may still come to light: commits
	// end in another order than that in which they are numbered.
	from  atomic.Int64
	marks []arrivalMark
	seen  map[uint64]bool // rows of commits from there on that were fetched
	keys  map[streamID]string
}

// arrivalMark is how far commits were at a time.
type arrivalMark struct {
	at     time.Time
	commit int64
}

// maxKeys is how many names of streams are remembered.
const maxKeys = 1_000_000

// Arrivals begins with what is written from now on, and with what may have
// been under way: all since mark, which is that of whoever looked before, or 0.
func (e *Engine) Arrivals(ctx context.Context, mark int64) (*Arrivals, error) {
	commit, _, err := e.o.Ledger.BeginCommit(ctx)
	if err != nil {
		return nil, err
	}
	if mark == 0 {
		mark = commit - overlap
	}
	a := &Arrivals{e: e, seen: make(map[uint64]bool), keys: make(map[streamID]string)}
	a.from.Store(max(0, min(mark, commit), commit-maxOverlap))
	return a, nil
}

// Mark is the first commit of which rows may still come to light.
func (a *Arrivals) Mark() int64 { return a.from.Load() }

// arrival is a row that was fetched.
type arrival struct {
	org     tidemark.OrgID
	id      streamID
	t       int64
	summary tsdb.Summary
}

// Fetch calls do with the records of metrics that came to light since the last
// time. Watched has names and globs of metrics by organization. After an error
// the same records are fetched again.
func (a *Arrivals) Fetch(ctx context.Context, watched map[tidemark.OrgID][]string, do func(org tidemark.OrgID, b *tsdb.Batch)) error {
	commit, _, err := a.e.o.Ledger.BeginCommit(ctx)
	if err != nil {
		return err
	}
	if len(watched) == 0 { // what comes meanwhile is never asked for
		a.advance(commit)
		return nil
	}
	fresh, seqs, err := a.read(ctx, watched)
	if err != nil {
		return err
	}
	if err := a.name(ctx, fresh, watched); err != nil {
		return err
	}
	a.give(fresh, do)
	for _, seq := range seqs {
		a.seen[seq] = true
	}
	a.advance(commit)
	return nil
}

// read returns the rows that were not seen before.
func (a *Arrivals) read(ctx context.Context, watched map[tidemark.OrgID][]string) (fresh []arrival, seqs []uint64, err error) {
	sql := fmt.Sprintf("SELECT org, id, t, seq, k, v, n, s, mi, ma, m2 FROM records WHERE seq >= %d AND (%s) ORDER BY seq", uint64(a.from.Load())<<seqBits, a.of(watched))
	var org, seq proto.ColUInt64
	var id proto.ColFixedStr16
	var c recordColumns
	err = a.e.client.each(ctx, &statement{sql: sql}, proto.Results{
		column("org", &org), column("id", &id), column("t", &c.t), column("seq", &seq), column("k", &c.k), column("v", &c.v), column("n", &c.n),
		column("s", &c.s), column("mi", &c.mi), column("ma", &c.ma), column("m2", &c.m2),
	}, func(rows int) error {
		for i := range rows {
			n := seq.Row(i)
			if a.seen[n] || len(seqs) > 0 && seqs[len(seqs)-1] == n { // one that was sent twice
				continue
			}
			d, err := c.record(i, false)
			if err != nil {
				return err
			}
			fresh = append(fresh, arrival{tidemark.OrgID(org.Row(i)), id.Row(i), int64(c.t.Row(i)), d.Summary})
			seqs = append(seqs, n)
		}
		return nil
	})
	return fresh, seqs, err
}

// of is the condition on the metrics that are watched.
func (a *Arrivals) of(watched map[tidemark.OrgID][]string) string {
	var parts []string
	a.e.mu.RLock()
	defer a.e.mu.RUnlock()
	for org, names := range watched {
		if slices.ContainsFunc(names, tidemark.IsGlob) {
			parts = append(parts, fmt.Sprintf("org = %d", org))
			continue
		}
		hashes := make([]string, len(names))
		for i, name := range names {
			key := metricKey{org, name}
			hashes[i] = fmt.Sprint(key.hash(a.e.metric(key).gen))
		}
		parts = append(parts, fmt.Sprintf("(org = %d AND metric IN (%s))", org, strings.Join(hashes, ", ")))
	}
	return strings.Join(parts, " OR ")
}

// name finds out the keys of streams that are new here.
func (a *Arrivals) name(ctx context.Context, fresh []arrival, watched map[tidemark.OrgID][]string) error {
	if len(a.keys) > maxKeys {
		clear(a.keys)
	}
	var ids idTable
	for i := range fresh {
		if _, ok := a.keys[fresh[i].id]; !ok {
			ids.add(&found{id: fresh[i].id}, 0, 0)
		}
	}
	if ids.empty() {
		return nil
	}
	var parts []string
	for org, names := range watched {
		part := fmt.Sprintf("org = %d", org)
		if !slices.ContainsFunc(names, tidemark.IsGlob) {
			quoted := make([]string, len(names))
			for i, name := range names {
				quoted[i] = quote(name)
			}
			part = "(" + part + " AND metric IN (" + strings.Join(quoted, ", ") + "))"
		}
		parts = append(parts, part)
	}
	sql := "SELECT id, key FROM streams WHERE (" + strings.Join(parts, " OR ") + ") AND id " + a.e.shape.in("IN") + " (SELECT id FROM ids)"
	var id proto.ColFixedStr16
	var key proto.ColStr
	return a.e.client.each(ctx, ids.statement(sql), proto.Results{column("id", &id), column("key", &key)}, func(rows int) error {
		for i := range rows {
			a.keys[id.Row(i)] = key.Row(i)
		}
		return nil
	})
}

// give hands over records, those of one organization together.
func (a *Arrivals) give(fresh []arrival, do func(org tidemark.OrgID, b *tsdb.Batch)) {
	batches := make(map[tidemark.OrgID]*tsdb.Batch)
	for i := range fresh {
		key, ok := a.keys[fresh[i].id]
		if !ok {
			continue // of a metric that was deleted meanwhile
		}
		b := batches[fresh[i].org]
		if b == nil {
			b = new(tsdb.Batch)
			batches[fresh[i].org] = b
		}
		b.AddKey([]byte(key), fresh[i].t, fresh[i].summary)
	}
	for org, b := range batches {
		do(org, b)
	}
}

// advance moves from up to the commits of so long ago that all before have
// ended.
func (a *Arrivals) advance(commit int64) {
	now := a.e.o.Now()
	a.marks = append(a.marks, arrivalMark{now, commit})
	for len(a.marks) > 0 && now.Sub(a.marks[0].at) > 2*a.e.o.WriteWait {
		a.from.Store(max(a.from.Load(), a.marks[0].commit))
		a.marks = a.marks[1:]
	}
	for seq := range a.seen {
		if int64(seq>>seqBits) < a.from.Load() {
			delete(a.seen, seq)
		}
	}
}
