package promapi

import (
	"context"
	"errors"
	"time"

	prom "github.com/prometheus/prometheus/promql"
	"github.com/prometheus/prometheus/util/stats"
)

// query evaluates an expression at one time.
func (h *handler) query(r *request) (*result, error) {
	at, err := r.time("time", r.now)
	if err != nil {
		return nil, err
	}
	return h.evaluate(r, func(ctx context.Context) (prom.Query, error) {
		o, err := r.options()
		if err != nil {
			return nil, err
		}
		q, err := h.Engine.Instant(ctx, r.org, r.Form.Get("query"), at, o)
		return q, queryError(err)
	})
}

// queryRange evaluates an expression at a range of times.
func (h *handler) queryRange(r *request) (*result, error) {
	start, err := r.time("start", time.Time{})
	if err != nil {
		return nil, err
	}
	end, err := r.time("end", time.Time{})
	if err != nil {
		return nil, err
	}
	step, err := r.duration("step")
	if err != nil {
		return nil, err
	}
	if err := checkRange(start, end, step); err != nil {
		return nil, err
	}
	return h.evaluate(r, func(ctx context.Context) (prom.Query, error) {
		o, err := r.options()
		if err != nil {
			return nil, err
		}
		q, err := h.Engine.Range(ctx, r.org, r.Form.Get("query"), start, end, step, o)
		return q, queryError(err)
	})
}

func checkRange(start, end time.Time, step time.Duration) error {
	switch {
	case end.Before(start):
		return invalidParameter("end", errors.New("end timestamp must not be before start time"))
	case step <= 0:
		return invalidParameter("step", errors.New("zero or negative query resolution step widths are not accepted. Try a positive integer"))
	case step < time.Millisecond:
		return invalidParameter("step", errors.New("must be a millisecond or more"))
	case end.Sub(start)/step > maxPoints:
		return badData("exceeded maximum resolution of 11,000 points per timeseries. Try decreasing the query resolution (?step=XX)")
	}
	return nil
}

// queryError says that an expression is at fault, unless there was no time to
// look at it.
func queryError(err error) error {
	if err == nil || contextFailure(err) != nil {
		return err
	}
	return invalidParameter("query", err)
}

// evaluate evaluates the query that begin returns.
func (h *handler) evaluate(r *request, begin func(context.Context) (prom.Query, error)) (*result, error) {
	limit, err := r.limit()
	if err != nil {
		return nil, err
	}
	ctx, cancel, err := r.deadline()
	if err != nil {
		return nil, err
	}
	defer cancel()
	q, err := begin(ctx)
	if err != nil {
		return nil, err
	}
	res := q.Exec(ctx)
	if res.Err != nil {
		q.Close()
		return nil, res.Err
	}
	out := &result{value: res.Value, warnings: res.Warnings, query: r.Form.Get("query"), done: q.Close}
	out.truncate(limit)
	if r.Form.Get("stats") != "" {
		out.stats = stats.NewQueryStats(q.Stats())
	}
	return out, nil
}

// format writes an expression prettily.
func (h *handler) format(r *request) (*result, error) {
	e, err := h.Engine.Parser().ParseExpr(r.Form.Get("query"))
	if err != nil {
		return nil, invalidParameter("query", err)
	}
	return data(e.Pretty(0)), nil
}

// exemplars finds none: they are not kept.
func (h *handler) exemplars(r *request) (*result, error) {
	if _, _, err := r.span(); err != nil {
		return nil, err
	}
	if _, err := h.Engine.Parser().ParseExpr(r.Form.Get("query")); err != nil {
		return nil, invalidParameter("query", err)
	}
	return data([]string{}), nil
}
