package clickhouse

import (
	"context"
	"errors"
	"iter"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/tsdb"
)

// errStop ends the reading of an answer whose rest is not needed.
var errStop = errors.New("stop")

// Select yields the series that q asks for. They come one by one from
// ClickHouse, in order.
func (e *Engine) Select(ctx context.Context, org tidemark.OrgID, q *tsdb.Query) iter.Seq2[*tsdb.Series, error] {
	return func(yield func(*tsdb.Series, error) bool) {
		emit := func(s *tsdb.Series) error {
			if len(s.Times) == 0 {
				return nil
			}
			if err := ctx.Err(); err != nil {
				return err
			}
			if !yield(s, nil) {
				return errStop
			}
			return nil
		}
		// ClickHouse cancels a query whose connection is closed.
		reading, cancel := context.WithCancel(ctx)
		defer cancel()
		err := e.selectAll(reading, org, q, emit)
		if err == nil || errors.Is(err, errStop) {
			return
		}
		yield(nil, e.unavailable("measurements cannot be read at present", ended(ctx, err)))
	}
}

func (e *Engine) selectAll(ctx context.Context, org tidemark.OrgID, q *tsdb.Query, emit func(*tsdb.Series) error) error {
	if err := q.Validate(); err != nil {
		return err
	}
	if err := e.begin(ctx); err != nil {
		return err
	}
	picked, err := e.pick(ctx, org, q.Metric, &q.Filter)
	if err != nil || len(picked) == 0 || q.Start >= q.End {
		return err
	}
	r := &reading{e: e, org: org, q: q, picked: picked, emit: emit}
	r.makeGroups()
	if r.places.empty() {
		return nil
	}
	if r.window = e.window(q); r.window.start >= r.window.end {
		return nil
	}
	if r.window.hours() != "" {
		return r.asIfClean(ctx)
	}
	return r.read(ctx)
}

// errDirty ends an answer that takes dirty hours for clean ones.
var errDirty = errors.New("some hours have newer records")

// asIfClean answers as if no hour was dirty while it asks whether one is, which
// is rare: then it answers again. One question after the other would take nearly
// twice as long. Nothing is yielded before it is known.
func (r *reading) asIfClean(ctx context.Context) error {
	attempt, cancel := context.WithCancel(ctx)
	defer cancel()
	var dirty []int64
	var failed error
	asked := make(chan struct{})
	go func() {
		defer close(asked)
		dirty, failed = r.e.findDirty(attempt, r.org, &r.window, &r.places)
	}()
	check := func() error {
		<-asked
		if failed == nil && len(dirty) > 0 {
			return errDirty
		}
		return failed
	}
	emit := r.emit
	r.emit = func(s *tsdb.Series) error {
		if err := check(); err != nil {
			return err
		}
		return emit(s)
	}
	err := r.read(attempt)
	if err == nil { // there may have been nothing to yield
		err = check()
	}
	cancel()
	<-asked
	if !errors.Is(err, errDirty) {
		return err
	}
	r.emit, r.window.dirty = emit, dirty
	return r.read(ctx)
}

func (r *reading) read(ctx context.Context) error {
	if r.q.Step == 1 || r.q.NeedsSketches() {
		return r.byRecords(ctx)
	}
	return r.bySteps(ctx)
}

// reading is the answering of one question.
type reading struct {
	e      *Engine
	org    tidemark.OrgID
	q      *tsdb.Query
	picked []found
	groups []groupOf // of picked, in order; none if q does not group
	member []int     // the group of each that was picked; -1 if it has none
	window window
	places idTable // those of picked that count
	emit   func(*tsdb.Series) error
}

// groupOf is what becomes one series.
type groupOf struct {
	metric string
	tags   tidemark.Tags
}

// inSQL reports whether ClickHouse makes the groups as well. It does not know
// of sketches, nor of the point before.
func (r *reading) inSQL() bool {
	return r.q.Group && r.q.Step > 1 && !r.q.NeedsSketches() && r.q.Function != tsdb.Derivative
}

// series returns one without points for what has a number in the answer.
func (r *reading) series(number int) *tsdb.Series {
	if r.inSQL() {
		return &tsdb.Series{Metric: r.groups[number].metric, Tags: r.groups[number].tags}
	}
	return &tsdb.Series{Metric: r.picked[number].metric, Tags: r.picked[number].tags}
}
