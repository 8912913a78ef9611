package clickhouse

import (
	"context"
	"fmt"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/store"
	"github.com/tidemark-metrics/tidemark/internal/tsdb"
)

// An engine may be filled with what another has: records by Write, and what is
// older than records are kept by WriteHours, straight into the table of hours.

// Empty reports whether nothing was ever written.
func (e *Engine) Empty(ctx context.Context) (bool, error) {
	for _, table := range []string{"streams", "records", "hours"} {
		found, err := e.client.texts(ctx, "SELECT toString(count()) AS x FROM (SELECT 1 FROM "+e.client.database+"."+table+" LIMIT 1)")
		if err != nil {
			return false, e.unavailable("the tables of ClickHouse cannot be read", err)
		}
		if found[0] != "0" {
			return false, nil
		}
	}
	return true, nil
}

// BeginFill says that an empty engine is going to be filled: before rawFrom,
// the start of a day, by WriteHours. It may be called again.
func (e *Engine) BeginFill(ctx context.Context, rawFrom int64) error {
	if rawFrom%day != 0 {
		return fmt.Errorf("clickhouse: %d is not the start of a day", rawFrom)
	}
	lease, held, err := e.o.Ledger.TakeLease(ctx, store.Lease{Name: upkeepLease, Holder: e.o.Node}, leaseFor)
	if err != nil {
		return err
	}
	if !held {
		return tidemark.Errorf(tidemark.Conflict, "the server %s is running on this ClickHouse", lease.Holder)
	}
	for _, mark := range []string{untilMark, rawMark} {
		if err := e.o.Ledger.SetEngineMark(ctx, lease, mark, rawFrom); err != nil {
			return err
		}
	}
	if err := e.o.Ledger.ReleaseLease(ctx, lease); err != nil {
		return err
	}
	return e.refresh(ctx)
}

// WriteHours stores summaries of hours, which replace those that are there. Their
// times are starts of hours before that of BeginFill.
func (e *Engine) WriteHours(ctx context.Context, org tidemark.OrgID, b *tsdb.Batch) error {
	streams := e.known.streams(org, b)
	if err := validate(b, streams); err != nil {
		return err
	}
	if err := e.begin(ctx); err != nil || b.Len() == 0 {
		return err
	}
	e.mu.RLock()
	rawFrom := e.marks.rawFrom
	e.mu.RUnlock()
	for i := range b.Records {
		if t := b.Records[i].Time; t%hour != 0 || t >= rawFrom {
			return tidemark.Errorf(tidemark.Invalid, "time %d is not the start of an hour before %d", t, rawFrom)
		}
	}
	ctx, cancel := context.WithTimeout(ctx, e.o.WriteWait)
	defer cancel()
	// It waits for nobody else, and gives up with ctx itself.
	group := []*pending{{ctx: context.WithoutCancel(ctx), org: org, batch: b, streams: streams, rows: b.Len()}}
	r := new(rows)
	err := e.number(ctx, r, &group)
	if err == nil && len(r.fresh) > 0 {
		err = e.insert(ctx, "streams", r.streams(), len(r.fresh))
	}
	if err == nil {
		err = e.insert(ctx, "hours", r.hours(b), r.n)
	}
	if err != nil {
		return refusal(err)
	}
	e.known.add(r.fresh)
	e.stats.wrote(group)
	return nil
}

// hours are the columns of the table of that name, which has no kinds of rows.
func (r *rows) hours(b *tsdb.Batch) []inputColumn {
	out := &hourRows{}
	for i := range b.Records {
		s := &b.Records[i].Summary
		out.v.Append(s.Last)
		out.count.Append(s.Count)
		out.sum.Append(s.Sum)
		out.low.Append(s.Min)
		out.hi.Append(s.Max)
		out.m2.Append(s.M2)
		out.slots.Append(0)
		out.sketch.AppendBytes(b.Sketch(i))
	}
	out.org, out.metric, out.id, out.t, out.seq = r.org, r.metric, r.id, r.t, r.seq
	return out.columns()
}

// EndFill ends what BeginFill began. A server that starts looks at the last
// commits for what was recorded just now: none of them may be of the fill.
func (e *Engine) EndFill(ctx context.Context) error {
	for range overlap + 1 {
		if _, _, err := e.o.Ledger.BeginCommit(ctx); err != nil {
			return ledgerError(err)
		}
	}
	return nil
}
