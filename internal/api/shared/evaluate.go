package shared

import (
	"errors"
	"math"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/api/rest"
	"github.com/tidemark-metrics/tidemark/internal/compose"
	"github.com/tidemark-metrics/tidemark/internal/ingest"
	"github.com/tidemark-metrics/tidemark/internal/jsonout"
	"github.com/tidemark-metrics/tidemark/internal/query"
)

// Evaluated answers with the series of the expression in the query of r: a
// list under key, of which write writes each.
func (s *Base) Evaluated(r *http.Request, who tidemark.Identity, key string, write func(*jsonout.Writer, *query.Series)) (rest.Reply, error) {
	e, err := s.evaluate(r, who)
	if err != nil {
		return rest.Reply{}, err
	}
	return s.Streamed(func(out *jsonout.Writer) error {
		defer e.release()
		out.Text(`{"compose":`)
		out.Quoted(e.text)
		out.Text(`,"resolution":`)
		out.Integer(e.resolution)
		out.Text(",")
		out.Quoted(key)
		out.Text(":[")
		for i, one := range e.Series {
			if i > 0 {
				out.Text(",")
			}
			write(out, one)
			if out.Err() != nil {
				return out.Err()
			}
		}
		out.Text("]}")
		return nil
	}), nil
}

// expression is one that was evaluated; what it holds is to be released.
type expression struct {
	*query.Result
	text       string
	resolution int64
	release    func()
}

// evaluate evaluates the expression in the query of r.
func (s *Base) evaluate(r *http.Request, who tidemark.Identity) (*expression, error) {
	q := r.URL.Query()
	text := q.Get("compose")
	var p tidemark.Problems
	p.Check(text != "", "compose", "is not present")
	start, end, resolution := s.ReadWindow(&p, q)
	if err := p.Err(); err != nil {
		return nil, err
	}
	e, err := query.Parse(text)
	if err != nil {
		return nil, compose.InField(err, "compose")
	}
	w := query.Window{Start: start, End: end + 1, Step: resolution, Now: s.Now().Unix()}
	result, release, err := s.Querier.EvalHeld(r.Context(), who.Org, e, w, nil)
	if err != nil {
		return nil, ResolutionError(compose.InField(err, "compose"))
	}
	return &expression{result, text, resolution, release}, nil
}

// ReadWindow reads start_time, end_time and duration, and the resolution.
func (s *Base) ReadWindow(p *tidemark.Problems, q url.Values) (start, end, resolution int64) {
	has := func(name string) bool { return q.Get(name) != "" }
	p.Check(has("resolution"), "resolution", "is not present")
	resolution = rest.IntOf(p, q, "resolution", 1)
	p.Check(resolution >= 1 && resolution <= tidemark.MaxResolution, "resolution", "must be 1 to %d seconds", tidemark.MaxResolution)
	p.Check(has("start_time") || has("duration"), "start_time", "is required unless duration is given")
	p.Check(!has("start_time") || !has("end_time") || !has("duration"), "duration", "cannot be given with both start_time and end_time")
	now := s.Now().Unix()
	end = rest.IntOf(p, q, "end_time", now)
	duration := rest.IntOf(p, q, "duration", 0)
	p.Check(duration >= 0, "duration", "must not be negative")
	start = rest.IntOf(p, q, "start_time", end-duration)
	if has("start_time") && has("duration") {
		end = start + duration
	}
	p.Check(start <= end, "start_time", "is after end_time")
	return max(0, start), max(0, end), max(1, resolution)
}

// TextsOf returns the texts of a parameter that was given once or more.
func TextsOf(v any) []string {
	switch v := v.(type) {
	case string:
		return []string{v}
	case []any:
		var all []string
		for _, one := range v {
			all = append(all, TextsOf(one)...)
		}
		return all
	}
	return nil
}

// ResolutionError gives the one error of this route that has a text where the
// others have lists its shape.
func ResolutionError(err error) error {
	if errors.Is(err, query.ErrResolution) {
		e, _ := errors.AsType[*tidemark.Error](err)
		return &rest.WireError{Status: http.StatusBadRequest, Body: map[string]any{"errors": map[string]any{"request": e.Msg}}, Says: e.Msg}
	}
	return err
}

// NamedMetric returns the metric that the path names.
func (s *Base) NamedMetric(r *http.Request, who tidemark.Identity) (*tidemark.Metric, error) {
	name, err := rest.ByName(r)
	if err != nil {
		return nil, err
	}
	return s.Readable(s.Recorder.Metric)(r.Context(), who.Org, name)
}

// LimitError is the refusal of somebody who records too much.
func LimitError(now time.Time, limit *ingest.LimitError) error {
	wait := max(1, int(math.Ceil(limit.RetryAfter.Seconds())))
	return &rest.WireError{
		Status: http.StatusTooManyRequests,
		Header: map[string]string{"Retry-After": strconv.Itoa(wait)},
		Body:   map[string]any{"error": limit.Error(), "request_time": now.Unix()},
		Says:   limit.Error(),
	}
}
