package org

import (
	"cmp"
	"context"
	"encoding/json"
	"net/http"
	"slices"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/api/rest"
	"github.com/tidemark-metrics/tidemark/internal/api/shared"
	"github.com/tidemark-metrics/tidemark/internal/store"
	"github.com/tidemark-metrics/tidemark/internal/tsdb"
	"github.com/tidemark-metrics/tidemark/internal/usage"
)

// arrivals answers GET /ui/api/arrivals: what came in the last hour, by whom,
// and what was refused.
func (s *API) arrivals(r *http.Request, who tidemark.Identity) (rest.Reply, error) {
	unowned, err := s.seesUnowned(r.Context(), who)
	if err != nil {
		return rest.Reply{}, err
	}
	hour, refused := s.Usage.Arrivals(who.Org, unowned)
	return rest.OK(arrivalList{Hour: hour, Problems: refused}), nil
}

// watchArrivals answers GET /ui/api/arrivals/watch.
func (s *API) watchArrivals(r *http.Request, who tidemark.Identity) (rest.Reply, error) {
	unowned, err := s.seesUnowned(r.Context(), who)
	if err != nil {
		return rest.Reply{}, err
	}
	return s.events(r, who, usage.Filter{Org: who.Org, Unowned: unowned})
}

// watchToken answers GET /ui/api/tokens/:id/watch.
func (s *API) watchToken(r *http.Request, who tidemark.Identity) (rest.Reply, error) {
	id, err := rest.ByID(r)
	if err != nil {
		return rest.Reply{}, err
	}
	if _, err := s.Store.Token(r.Context(), who.Org, id); err != nil {
		return rest.Reply{}, err
	}
	return s.events(r, who, usage.Filter{Org: who.Org, Token: id})
}

// seesUnowned reports whether who may see requests with unknown
// tokens. They may be of any organization, so only those who belong to all may.
func (s *API) seesUnowned(ctx context.Context, who tidemark.Identity) (bool, error) {
	orgs, err := s.Store.Orgs(ctx)
	if err != nil {
		return false, err
	}
	own, err := s.Store.MembershipsOf(ctx, who.User)
	return len(own) >= len(orgs), err
}

const (
	senderDays = 30
	maxAgents  = 20 // of one token, for people to search
)

// senders answers GET /ui/api/tokens/:id/senders: who used a token in the last
// thirty days.
func (s *API) senders(r *http.Request, who tidemark.Identity) (rest.Reply, error) {
	id, err := rest.ByID(r)
	if err != nil {
		return rest.Reply{}, err
	}
	t, err := s.Store.Token(r.Context(), who.Org, id)
	if err != nil {
		return rest.Reply{}, err
	}
	if err := s.Usage.Save(r.Context()); err != nil {
		return rest.Reply{}, err
	}
	today := s.Now().Unix() / shared.DaySeconds * shared.DaySeconds
	first := today - (senderDays-1)*shared.DaySeconds
	rows, err := s.Store.Senders(r.Context(), who.Org, id, first)
	if err != nil {
		return rest.Reply{}, err
	}
	uses, err := s.Store.TokenUses(r.Context(), who.Org, id, first)
	if err != nil {
		return rest.Reply{}, err
	}
	list := sumSenders(rows, first)
	var old *oldValue
	if t.OldUntil > s.Now().Unix() {
		old = &oldValue{Until: t.OldUntil}
		for _, v := range list {
			if v.Old {
				old.Senders++
			}
		}
	}
	return rest.OK(senderList{OldValue: old, Senders: list, Uses: viewUses(uses)}), nil
}

// tokensOverview answers GET /ui/api/tokens: all tokens, with who uses each.
func (s *API) tokensOverview(r *http.Request, who tidemark.Identity) (rest.Reply, error) {
	if err := s.Usage.Save(r.Context()); err != nil {
		return rest.Reply{}, err
	}
	rows, err := s.Store.AgentUses(r.Context(), who.Org, s.Now().Unix()/shared.DaySeconds*shared.DaySeconds-(senderDays-1)*shared.DaySeconds)
	if err != nil {
		return rest.Reply{}, err
	}
	users := make(map[int64][]*store.AgentUse)
	for _, row := range rows {
		users[row.Token] = append(users[row.Token], row)
	}
	found, err := rest.Every(r.Context(), who.Org, s.Store.Tokens)
	if err != nil {
		return rest.Reply{}, err
	}
	list := []tokenSummary{}
	for _, t := range found {
		list = append(list, s.tokenOverview(t, users[t.ID]))
	}
	return rest.OK(tokenList{Tokens: list}), nil
}

func (s *API) tokenOverview(t *tidemark.Token, users []*store.AgentUse) tokenSummary {
	var latest store.AgentUse
	senders, agents := 0, []string{}
	for i, u := range users {
		if i == 0 {
			latest = *u
		}
		senders += u.Senders
		if len(agents) < maxAgents {
			agents = append(agents, u.UserAgent)
		}
	}
	return tokenSummary{
		ID: t.ID, Name: t.Name, Role: t.Role, Active: t.Active, Last4: t.Last4, CreatedAt: t.CreatedAt,
		LastUsedAt: s.Auth.LastUsed(t.ID, t.LastUsedAt), ExpiresAt: t.ExpiresAt, IdleDays: t.IdleDays, OldUntil: t.OldUntil,
		Scope: scopeOf(t.Scope), Networks: append([]string{}, t.Networks...),
		CreatedBy: t.CreatedBy, Agent: latest.UserAgent, Agents: agents, Hosts: latest.Senders, Senders: senders,
	}
}

func sumSenders(rows []*tidemark.TokenClient, first int64) []*senderView {
	type key struct{ agent, sender string }
	found := make(map[key]*senderView)
	list := []*senderView{}
	for _, row := range rows { // latest first
		k := key{row.UserAgent, row.Sender}
		v := found[k]
		if v == nil {
			v = &senderView{UserAgent: row.UserAgent, Sender: row.Sender, LastAt: row.LastAt, Old: row.Old}
			_ = json.Unmarshal(row.Sends, &v.Sends) // our own: a list of names, or nothing
			found[k] = v
			list = append(list, v)
		}
		v.Requests += row.Requests
		if day := (row.Day - first) / shared.DaySeconds; day >= 0 && day < senderDays {
			v.Days[day] += row.Requests
		}
	}
	return list
}

const (
	usageDays = 30
	topMetric = 20
)

// nameSizes calls metrics what they were first called.
func (s *API) nameSizes(ctx context.Context, org tidemark.OrgID, sizes []metricSize) error {
	keys := make([]string, len(sizes))
	for i := range sizes {
		keys[i] = sizes[i].Name
	}
	metrics, err := s.Recorder.MetricsByName(ctx, org, keys)
	for i := range sizes {
		if m := metrics[sizes[i].Name]; m != nil {
			sizes[i].Name = m.Name
		}
	}
	return err
}

// usage answers GET /ui/api/usage.
func (s *API) usage(r *http.Request, who tidemark.Identity) (rest.Reply, error) {
	st, err := s.Engine.Stats(r.Context())
	if err != nil {
		return rest.Reply{}, err
	}
	days, err := s.Store.Usage(r.Context(), who.Org, s.Now().Unix()-usageDays*shared.DaySeconds)
	if err != nil {
		return rest.Reply{}, err
	}
	top := []metricSize{}
	for st, err := range s.Engine.Streams(r.Context(), who.Org, "*", tsdb.Filter{}) {
		if err != nil {
			return rest.Reply{}, err
		}
		if n := len(top); n == 0 || top[n-1].Name != st.Metric { // they come ordered by metric
			top = append(top, metricSize{Name: st.Metric})
		}
		top[len(top)-1].Streams++
	}
	count := len(top)
	slices.SortStableFunc(top, func(a, b metricSize) int { return cmp.Compare(b.Streams, a.Streams) })
	top = top[:min(len(top), topMetric)]
	if err := s.nameSizes(r.Context(), who.Org, top); err != nil {
		return rest.Reply{}, err
	}
	mine := st.Orgs[who.Org]
	return rest.OK(orgUsage{
		Bytes: mine.Bytes, Days: days, Metrics: count, Samples: mine.Samples, Streams: mine.Streams, Top: top,
	}), nil
}
