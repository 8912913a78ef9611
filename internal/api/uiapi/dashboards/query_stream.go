package dashboards

import (
	"context"
	"slices"
	"time"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/api/shared"
	"github.com/tidemark-metrics/tidemark/internal/jsonout"
	"github.com/tidemark-metrics/tidemark/internal/query"
)

// answers are those to the queries of a page, a few ahead of what is written:
// no more are in memory at once, and they count against the memory of queries
// until they are written.
type answers struct {
	api    *API
	org    tidemark.OrgID
	q      *shared.ManyQueries
	ctx    context.Context
	cancel context.CancelFunc
	slots  chan struct{}
	made   []chan answered
	at     int
	bytes  int64 // of what was written, about
}

type answered struct {
	result shared.OneResult
	hold   *query.Holding
	err    error
}

func (s *API) startAnswers(ctx context.Context, org tidemark.OrgID, q *shared.ManyQueries) *answers {
	a := &answers{api: s, org: org, q: q, slots: make(chan struct{}, parallelQueries), made: make([]chan answered, len(q.Queries))}
	a.ctx, a.cancel = context.WithCancel(ctx)
	for i := range a.made {
		a.made[i] = make(chan answered, 1)
	}
	go a.run()
	return a
}

// run answers the queries in order, a few at a time.
func (a *answers) run() {
	for i := range a.made {
		select {
		case a.slots <- struct{}{}:
		case <-a.ctx.Done():
			return
		}
		go func() { a.made[i] <- a.answer(&a.q.Queries[i]) }()
	}
}

func (a *answers) answer(one *shared.OneQuery) answered {
	hold, err := a.api.Querier.Hold(a.ctx, a.org)
	if err != nil {
		return answered{err: err}
	}
	// Whatever becomes of the request, its memory is given back.
	context.AfterFunc(a.ctx, hold.Release)
	result, err := a.api.AnswerQuery(a.ctx, a.org, a.q, one, hold)
	return answered{result, hold, err}
}

// soon is how long an answer is waited for before those that are there are
// sent: a chart does not wait for one that takes longer.
const soon = 20 * time.Millisecond

// wait waits for the next answer, and calls late if that is not there soon.
func (a *answers) wait(late func()) (answered, error) {
	timer := time.NewTimer(soon)
	defer timer.Stop()
	for {
		select {
		case next := <-a.made[a.at]:
			return next, nil
		case <-timer.C:
			late()
		case <-a.ctx.Done():
			return answered{}, a.ctx.Err()
		}
	}
}

// next returns the next answer, or one with an ID of "" after the last. A
// refusal is the answer to its query alone. It calls late if it has to wait.
func (a *answers) next(late func()) (answered, error) {
	if a.at == len(a.made) {
		return answered{}, nil
	}
	next, err := a.wait(late)
	if err != nil {
		return next, err
	}
	if next.err != nil && tidemark.KindOf(next.err) != tidemark.Internal && a.ctx.Err() == nil {
		next.result = shared.OneResult{ID: a.q.Queries[a.at].ID, Series: []shared.OneSeries{}, Error: shared.FailedQuery(next.err)}
		next.err = nil
	}
	return next, next.err
}

// done gives back what the answer that was written held.
func (a *answers) done(one answered) {
	if one.hold != nil {
		one.hold.Release()
	}
	a.at++
	<-a.slots
}

func (a *answers) stop() { a.cancel() }

// write writes all answers, of which first is the first, a line each: a page
// draws the first charts while the others are still on their way.
func (a *answers) write(out *jsonout.Writer, first answered) error {
	out.Text(`{"resolution":`)
	out.Integer(a.q.Resolution)
	out.Text(`,"results":[` + "\n")
	for one := first; a.at < len(a.made); {
		if a.at > 0 {
			out.Text(",")
		}
		a.writeOne(out, a.bounded(one.result))
		out.Text("\n")
		if out.Err() != nil {
			return out.Err()
		}
		a.done(one)
		var err error
		if one, err = a.next(out.Push); err != nil {
			return err
		}
	}
	out.Text("]}\n")
	return nil
}

// What a point and a series take in JSON, about.
const (
	pointBytes  = 24
	seriesBytes = 200
)

// bounded is the result, or that it would make the answer too long.
func (a *answers) bounded(r shared.OneResult) shared.OneResult {
	for i := range r.Series {
		a.bytes += seriesBytes + pointBytes*int64(len(r.Series[i].Times))
	}
	if err := a.api.Limits.Check(a.org, tidemark.LimitQueryBytes, a.bytes); err != nil {
		return shared.OneResult{ID: r.ID, Series: []shared.OneSeries{}, Error: shared.FailedQuery(err)}
	}
	return r
}

// writeOne writes a result as encoding/json would, piece by piece.
func (a *answers) writeOne(out *jsonout.Writer, r shared.OneResult) {
	out.Text(`{"id":`)
	out.Quoted(r.ID)
	out.Text(`,"series":[`)
	for i := range r.Series {
		if i > 0 {
			out.Text(",")
		}
		// What is measured together has the same times. Repeated, they would be
		// more than a third of an answer of thousands of lines.
		again := i > 0 && slices.Equal(r.Series[i].Times, r.Series[i-1].Times)
		writeSeries(out, &r.Series[i], again)
	}
	out.Text(`],"streams":`)
	out.Integer(int64(r.Streams))
	if r.Period != 0 {
		out.Text(`,"period":`)
		out.Integer(r.Period)
	}
	if r.Error != nil {
		out.Text(`,"error":`)
		out.Value(r.Error)
	}
	out.Text("}")
}

// writeSeries writes a line, without its times where the one before has them.
func writeSeries(out *jsonout.Writer, s *shared.OneSeries, again bool) {
	out.Text("{")
	if s.Metric != "" {
		out.Text(`"metric":`)
		out.Quoted(s.Metric)
		out.Text(",")
	}
	out.Text(`"tags":`)
	out.Value(s.Tags)
	if !again {
		out.Text(`,"times":[`)
		for i, t := range s.Times {
			if i > 0 {
				out.Text(",")
			}
			out.Integer(t)
		}
		out.Text(`]`)
	}
	out.Text(`,"values":[`)
	for i, v := range s.Values {
		if i > 0 {
			out.Text(",")
		}
		out.Float(v)
	}
	out.Text("]")
	if s.Low != nil && s.High != nil {
		out.Text(`,"low":`)
		out.Float(*s.Low)
		out.Text(`,"high":`)
		out.Float(*s.High)
	}
	if s.Percentile != nil {
		out.Text(`,"percentile":`)
		out.Float(*s.Percentile)
	}
	if s.Summary != "" {
		out.Text(`,"summary":`)
		out.Quoted(s.Summary)
	}
	out.Text("}")
}
