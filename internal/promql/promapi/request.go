package promapi

import (
	"context"
	"errors"
	"fmt"
	"math"
	"net/http"
	"strconv"
	"time"

	"github.com/prometheus/common/model"
	"github.com/prometheus/prometheus/model/labels"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/promql"
)

// request is a request of an organization, its form parsed.
type request struct {
	*http.Request
	org tidemark.OrgID
	now time.Time
}

// The times that are asked about where a request does not say.
var (
	minTime = time.UnixMilli(math.MinInt64 / 2)
	maxTime = time.UnixMilli(math.MaxInt64 / 2)
)

// time returns a parameter that is a time: seconds, or RFC 3339.
func (r *request) time(name string, otherwise time.Time) (time.Time, error) {
	text := r.Form.Get(name)
	if text == "" && !otherwise.IsZero() {
		return otherwise, nil
	}
	if s, err := strconv.ParseFloat(text, 64); err == nil && math.Abs(s) < 1e15 {
		whole, fraction := math.Modf(s)
		return time.Unix(int64(whole), int64(math.Round(fraction*1000))*int64(time.Millisecond)), nil
	}
	if t, err := time.Parse(time.RFC3339Nano, text); err == nil {
		return t, nil
	}
	return time.Time{}, invalidParameter(name, fmt.Errorf("cannot parse %q to a valid timestamp", text))
}

// span returns start and end, all of time where they are left out.
func (r *request) span() (start, end time.Time, err error) {
	if start, err = r.time("start", minTime); err == nil {
		end, err = r.time("end", maxTime)
	}
	if err == nil && end.Before(start) {
		err = invalidParameter("end", errors.New("end timestamp must not be before start time"))
	}
	return start, end, err
}

// duration returns a parameter that is a duration: seconds, or such as 1h30m.
func (r *request) duration(name string) (time.Duration, error) {
	text := r.Form.Get(name)
	if s, err := strconv.ParseFloat(text, 64); err == nil {
		if math.IsNaN(s) || math.Abs(s) > math.MaxInt64/1e9 {
			return 0, invalidParameter(name, fmt.Errorf("cannot parse %q to a valid duration. It overflows int64", text))
		}
		return time.Duration(s * 1e9), nil
	}
	if d, err := model.ParseDuration(text); err == nil {
		return time.Duration(d), nil
	}
	return 0, invalidParameter(name, fmt.Errorf("cannot parse %q to a valid duration", text))
}

// limit returns how many results are wanted at most; 0 means all.
func (r *request) limit() (int, error) {
	text := r.Form.Get("limit")
	if text == "" {
		return 0, nil
	}
	n, err := strconv.Atoi(text)
	if err != nil {
		return 0, invalidParameter("limit", fmt.Errorf("%q is not a number", text))
	}
	if n < 0 {
		return 0, invalidParameter("limit", errors.New("limit must be non-negative"))
	}
	return n, nil
}

// deadline returns the context of the request, with the timeout it asks for.
func (r *request) deadline() (context.Context, context.CancelFunc, error) {
	if r.Form.Get("timeout") == "" {
		ctx, cancel := context.WithCancel(r.Context())
		return ctx, cancel, nil
	}
	d, err := r.duration("timeout")
	if err != nil {
		return nil, nil, err
	}
	ctx, cancel := context.WithTimeout(r.Context(), d)
	return ctx, cancel, nil
}

// options returns what a query says about itself.
func (r *request) options() (o promql.QueryOptions, err error) {
	if r.Form.Get("lookback_delta") != "" {
		o.LookBack, err = r.duration("lookback_delta")
	}
	return o, err
}

// matchers returns the selectors of match[].
func (h *handler) matchers(r *request) ([][]*labels.Matcher, error) {
	sets, err := h.Engine.Parser().ParseMetricSelectors(r.Form["match[]"])
	if err != nil {
		return nil, invalidParameter("match[]", err)
	}
	for _, set := range sets {
		if !selective(set) {
			return nil, badData("match[] must contain at least one non-empty matcher")
		}
	}
	return sets, nil
}

func selective(matchers []*labels.Matcher) bool {
	for _, m := range matchers {
		if !m.Matches("") {
			return true
		}
	}
	return false
}
