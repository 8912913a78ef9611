package org

import (
	"context"
	"net/http"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/api/rest"
	"github.com/tidemark-metrics/tidemark/internal/api/shared"
)

// limitList is the answer to GET /ui/api/limits.
type limitList struct {
	Limits   []tidemark.LimitUse      `json:"limits"`
	Requests []*tidemark.LimitRequest `json:"requests"` // to the operator, one of each limit at most
	Past     []limitPast              `json:"past"`     // of those whose use is kept by day
}

// limitPast is what was used of a limit in the last 30 days, and when it is
// reached at this pace.
type limitPast struct {
	Name      tidemark.LimitName  `json:"name"`
	Days      []tidemark.LimitDay `json:"days"`       // the most of each day, the oldest first; today's is still growing
	ReachesAt *int64              `json:"reaches_at"` // the day; null where the days do not say that it is
}

// limitRequestBody is what somebody asks the operator for.
type limitRequestBody struct {
	Name   string `json:"name"` // of the limit
	Wanted int64  `json:"wanted"`
	Note   string `json:"note,omitempty"`
}

// limits answers GET /ui/api/limits: what the organization uses beside what
// it may.
func (s *API) limits(r *http.Request, who tidemark.Identity) (rest.Reply, error) {
	list, err := s.LimitsOf(r.Context(), who.Org)
	if err != nil {
		return rest.Reply{}, err
	}
	requests, err := s.Store.LimitRequests(r.Context(), who.Org)
	if err != nil {
		return rest.Reply{}, err
	}
	today := s.Now().Unix() / shared.DaySeconds * shared.DaySeconds
	days, err := s.Store.LimitDays(r.Context(), who.Org, today-(tidemark.LimitDays-1)*shared.DaySeconds)
	return rest.OK(limitList{list, requests, pastOf(list, days, today)}), err
}

// pastOf is what was used of each limit, as far as it is known.
func pastOf(list []tidemark.LimitUse, days map[tidemark.LimitName][]tidemark.LimitDay, today int64) []limitPast {
	all := []limitPast{}
	for _, l := range list {
		if len(days[l.Name]) == 0 {
			continue
		}
		past := limitPast{Name: l.Name, Days: days[l.Name]}
		reached := l.Use != nil && *l.Use >= l.Limit
		if n, ok := tidemark.ForecastLimit(past.Days, l.Limit, today); ok && !reached {
			past.ReachesAt = new(today + n*shared.DaySeconds)
		}
		all = append(all, past)
	}
	return all
}

// askForLimit answers POST /ui/api/limits/requests. The numbers are the
// server's own, whatever the page showed.
func (s *API) askForLimit(r *http.Request, who tidemark.Identity) (rest.Reply, error) {
	var body limitRequestBody
	if err := rest.ReadInto(r, &body); err != nil {
		return rest.Reply{}, err
	}
	v := &tidemark.LimitRequest{Name: tidemark.LimitName(body.Name), Wanted: body.Wanted, Note: body.Note}
	list, err := s.LimitsOf(r.Context(), who.Org)
	if err != nil {
		return rest.Reply{}, err
	}
	for _, l := range list {
		if l.Name == v.Name {
			v.Allowed, v.Use = l.Limit, l.Use
		}
	}
	if err := s.Store.CreateLimitRequest(r.Context(), who.Org, who.Actor(), v); err != nil {
		return rest.Reply{}, err
	}
	if s.SendsMail() {
		s.After(r.Context(), "mail operators about a request for a limit", func(ctx context.Context) error {
			return s.mailOperators(ctx, who, v)
		})
	}
	return rest.NoContent, nil
}
