package clickhouse

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/tsdb"
	"github.com/tidemark-metrics/tidemark/internal/turns"
)

// Write stores the records of b together with those of others that come at the
// same time.
func (e *Engine) Write(ctx context.Context, org tidemark.OrgID, b *tsdb.Batch) error {
	streams := e.known.streams(org, b)
	if err := validate(b, streams); err != nil {
		return err
	}
	if err := e.begin(ctx); err != nil || b.Len() == 0 {
		return err
	}
	if !e.allKnown(org, streams) {
		for _, limit := range e.Fits(org, b) {
			if limit != "" {
				return tidemark.Errorf(tidemark.TooLarge, "the organization has no room for the streams: the limit is %s", limit)
			}
		}
	}
	p := &pending{ctx: ctx, org: org, batch: b, streams: streams, rows: b.Len(), built: make(chan struct{}), done: make(chan error, 1)}
	if err := e.queue.add(p); err != nil {
		return err
	}
	// Others have their turn meanwhile: the more come together, the less each
	// costs ClickHouse.
	return turns.Of(ctx).Wait(ctx, func() error { return e.await(ctx, p) })
}

// allKnown reports whether all streams of a batch are in the catalogue, so that
// it takes no room.
func (e *Engine) allKnown(org tidemark.OrgID, streams []*stream) bool {
	e.mu.RLock()
	defer e.mu.RUnlock()
	var m metric
	for i, st := range streams {
		if st == nil {
			return false
		}
		if i == 0 || st.metric != streams[i-1].metric {
			m = e.metric(metricKey{org, st.metric})
		}
		if st.gen != m.gen { // the metric was deleted since
			return false
		}
	}
	return true
}

// await waits until a batch that is in the queue was stored.
func (e *Engine) await(ctx context.Context, p *pending) error {
	select {
	case err := <-p.done:
		return err
	case <-ctx.Done():
	}
	if !e.queue.remove(p) {
		<-p.built // the batch is the caller's again from here on
	}
	return ctx.Err()
}

// validate refuses a batch that has something wrong. Keys of streams that are
// known are right.
func validate(b *tsdb.Batch, streams []*stream) error {
	if b.Len() > maxBatch {
		return tidemark.Errorf(tidemark.TooLarge, "a batch has at most %d records", maxBatch)
	}
	for i := range b.Records {
		if err := b.Records[i].Validate(); err != nil {
			return err
		}
		if streams[i] != nil {
			continue
		}
		if _, _, ok := tsdb.ParseKey(b.Key(i)); !ok {
			return tidemark.Errorf(tidemark.Invalid, "record %d has a malformed key", i)
		}
	}
	return b.ValidateSketches()
}

// commit stores the batches of a group as one, and tells those who wait.
func (e *Engine) commit(group []*pending) error {
	ctx, cancel := context.WithTimeout(context.Background(), e.o.WriteWait)
	defer cancel()
	r := cmp.Or(e.spare.Get(), new(rows))
	err := e.number(ctx, r, &group)
	for _, p := range group {
		close(p.built)
	}
	if err == nil && r.n > 0 {
		err = e.store(ctx, r)
	}
	if err == nil {
		// A server that was frozen may have stored them so late that whoever
		// evaluates alerts or makes hours does not look for them any more.
		err = ctx.Err()
	}
	if err == nil {
		e.known.add(r.fresh)
		e.rosters.wrote(r.fresh)
		e.stats.wrote(group)
		if r.isKept() {
			e.spare.Put(r)
		}
	}
	e.stats.committed(err)
	e.tell(err)
	refusal := refusal(err)
	for _, p := range group {
		p.done <- refusal
	}
	return err
}

// refusal is the error that a refused write is answered with.
func refusal(err error) error {
	if err == nil {
		return nil
	}
	why := reason(err)
	if tidemark.KindOf(err) != tidemark.Internal { // the ledger's
		why = "the database is not available"
	}
	return &tidemark.Error{Kind: tidemark.Unavailable, Msg: "measurements cannot be stored at present: " + why, Err: err}
}

// number gives a group its number, and makes its rows as the metrics are kept
// at that number: changes that were made before it are known here. Batches
// whose caller has given up leave the group: it may have sent them and what
// replaces them to another server since, with smaller numbers.
func (e *Engine) number(ctx context.Context, r *rows, group *[]*pending) error {
	commit, change, err := e.o.Ledger.BeginCommit(ctx)
	if err != nil {
		return ledgerError(err)
	}
	e.mu.RLock()
	behind := change > e.change
	e.mu.RUnlock()
	if behind {
		if err := e.refresh(ctx); err != nil {
			return ledgerError(err)
		}
	}
	*group = slices.DeleteFunc(*group, func(p *pending) bool {
		if p.ctx.Err() == nil {
			return false
		}
		close(p.built)
		p.done <- p.ctx.Err()
		return true
	})
	e.build(r, commit, *group)
	return nil
}

// ledgerError is err as that of the control store.
func ledgerError(err error) error {
	if tidemark.KindOf(err) != tidemark.Internal {
		return err
	}
	return &tidemark.Error{Kind: tidemark.Unavailable, Msg: "the database is not available", Err: err}
}

// store inserts rows, streams first, so that no record is of an unknown one.
func (e *Engine) store(ctx context.Context, r *rows) error {
	if len(r.fresh) > 0 {
		if err := e.insert(ctx, "streams", r.streams(), len(r.fresh)); err != nil {
			return err
		}
	}
	return e.sendRecords(ctx, r)
}

// sendRecords inserts the records, and notes in r how often they were sent.
func (e *Engine) sendRecords(ctx context.Context, r *rows) error {
	columns := r.records()
	body, err := encode(r.body[:0], columns, r.n)
	if err != nil {
		return err
	}
	r.body = body
	st := e.insertion("records", columns, body)
	err = e.send(ctx, st)
	r.sent = st.sent
	return err
}

// insert inserts rows.
func (e *Engine) insert(ctx context.Context, table string, columns []inputColumn, rows int) error {
	body, err := encode(nil, columns, rows)
	if err != nil {
		return err
	}
	return e.send(ctx, e.insertion(table, columns, body))
}

// insertion is the statement that inserts rows, which are encoded.
func (e *Engine) insertion(table string, columns []inputColumn, body []byte) *statement {
	return &statement{sql: "INSERT INTO " + table + " " + names(columns) + " FORMAT Native", settings: e.shape.insertSettings(e.o.WriteWait), body: body}
}

// send tries until ctx is done. The same rows have the same effect however
// often they are sent, and wherever.
func (e *Engine) send(ctx context.Context, st *statement) error {
	for wait := 20 * time.Millisecond; ; wait = min(2*wait, time.Second) {
		err := e.client.exec(ctx, st)
		if err == nil || !isAgain(err) {
			return err
		}
		select {
		case <-ctx.Done():
			return err
		case <-time.After(wait):
		}
	}
}
