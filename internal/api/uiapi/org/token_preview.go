package org

import (
	"context"
	"net/http"
	"strings"
	"time"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/api/rest"
	"github.com/tidemark-metrics/tidemark/internal/api/shared"
	"github.com/tidemark-metrics/tidemark/internal/tsdb"
	"github.com/tidemark-metrics/tidemark/internal/turns"
	"github.com/tidemark-metrics/tidemark/internal/usage"
)

const (
	// previewTime is how long one answer looks at what arrived.
	previewTime = 4 * time.Second
	// maxPreviewStreams is how many streams it looks at.
	maxPreviewStreams = 50_000
	// maxPreviewGroups and maxPreviewNames are how many groups of senders it
	// has, and how many names of each.
	maxPreviewGroups = 50
	maxPreviewNames  = 100
	maxReasons       = 5
)

// tokenPreview is what a token would do to those who send now.
type tokenPreview struct {
	Address  string        `json:"address"`  // of who asks, as the server sees it
	Inside   bool          `json:"inside"`   // whether the token could be used from there
	Metrics  int           `json:"metrics"`  // that its scope names now
	Senders  []senderGroup `json:"senders"`  // those of whom all is accepted first; none for a token that sends nothing
	More     int           `json:"more"`     // groups of senders that are left out
	Streams  int           `json:"streams"`  // that were looked at
	Complete bool          `json:"complete"` // false where there were more streams than one answer looks at
}

// senderGroup is senders to which the same would happen. Who sends a stream
// its tags host, source, host.name or instance say.
type senderGroup struct {
	Names   []string       `json:"names"`   // in order, at most 100; an empty one is that no tag tells
	Count   int            `json:"count"`   // of senders
	Values  int64          `json:"values"`  // they sent in the last day
	Refused int64          `json:"refused"` // of these
	Reasons []senderReason `json:"reasons"` // at most five, the one with most values first
}

// senderReason is why some of what a sender sends would be refused, or why
// that is not known.
type senderReason struct {
	Kind   string `json:"kind" wire:"metric|tag|network|some_network|unknown_network"`
	What   string `json:"what"`   // names of metrics such as queue.*, a tag, or an address
	Values int64  `json:"values"` // that would be refused; 0 where it is not known how many
}

// previewToken answers POST /ui/api/tokens/preview: what a token with this
// role, scope and networks would do to those who sent within a day.
func (s *API) previewToken(r *http.Request, who tidemark.Identity) (rest.Reply, error) {
	var u tidemark.TokenUpdate
	if err := rest.ReadInto(r, &u); err != nil {
		return rest.Reply{}, err
	}
	t := &tidemark.Token{Role: tidemark.RecordOnly}
	u.Apply(t)
	t.Name = "preview"
	if err := t.Validate(); err != nil {
		return rest.Reply{}, err
	}
	holding, err := s.Querier.Hold(r.Context(), who.Org) // it is a query like others
	if err != nil {
		return rest.Reply{}, err
	}
	defer holding.Release()
	deadline, cancel := context.WithTimeout(r.Context(), s.PreviewTime)
	defer cancel()
	v, err := s.tokenPreviewOf(r.Context(), deadline, who, t)
	return rest.OK(v), err
}

// tokenPreviewOf looks at streams until the deadline; the rest is little.
func (s *API) tokenPreviewOf(ctx, deadline context.Context, who tidemark.Identity, t *tidemark.Token) (*tokenPreview, error) {
	networks := tidemark.ParseNetworks(t.Networks)
	v := &tokenPreview{Address: who.Address, Inside: networks.Admit(who.Address)}
	var err error
	if v.Metrics, err = s.matchScope(ctx, who.Org, &t.Scope); err != nil {
		return nil, err
	}
	if !t.Role.Allows(tidemark.Record) {
		v.Senders, v.Complete = []senderGroup{}, true
		return v, nil
	}
	if err := s.Usage.Save(ctx); err != nil {
		return nil, err
	}
	since := s.Now().Unix() - shared.DaySeconds
	addresses, err := s.Store.SenderAddresses(ctx, who.Org, since)
	if err != nil {
		return nil, err
	}
	found := newPreviewed(t)
	if v.Streams, v.Complete, err = s.previewStreams(deadline, who.Org, since, found); err != nil {
		return nil, err
	}
	found.checkNetworks(networks, addresses)
	v.Senders, v.More = found.groups()
	return v, nil
}

// matchScope counts the metrics that a scope names.
func (s *API) matchScope(ctx context.Context, org tidemark.OrgID, scope *tidemark.TokenScope) (n int, err error) {
	if len(scope.Metrics) == 0 {
		return 0, nil
	}
	for name, err := range s.Store.MetricNames(ctx, org) {
		if err != nil {
			return 0, err
		}
		if scope.AllowsMetric(tidemark.MetricKey(name)) {
			n++
		}
	}
	return n, nil
}

// previewStreams counts what each stream got since a time. Where there are too
// many streams, or too little time, it is not complete.
func (s *API) previewStreams(ctx context.Context, org tidemark.OrgID, since int64, found *previewed) (n int, complete bool, err error) {
	now, work := s.Now().Unix(), turns.Of(ctx)
	q := &tsdb.Query{Metric: "*", Start: since - since%shared.HourSeconds, End: now + 1, Step: shared.HourSeconds, Function: tsdb.Count}
	for series, err := range s.Stored.Select(ctx, org, q) {
		if err == nil {
			err = work.Yield(ctx)
		}
		switch {
		case err != nil && ctx.Err() == context.DeadlineExceeded:
			return n, false, nil
		case err != nil:
			return n, false, err
		case n == maxPreviewStreams:
			return n, false, nil
		case tidemark.IsOwnMetric(series.Metric):
			continue
		}
		n++
		var values float64
		for _, v := range series.Values {
			values += v
		}
		found.add(series.Metric, series.Tags, int64(values))
	}
	return n, true, nil
}

// previewed is what a token would do to each sender.
type previewed struct {
	token   *tidemark.Token
	senders map[string]*previewedSender
}

type previewedSender struct {
	name            string
	values, refused int64
	reasons         map[senderReason]int64 // values by reason, whose own are 0
}

func newPreviewed(t *tidemark.Token) *previewed {
	return &previewed{token: t, senders: make(map[string]*previewedSender)}
}

// add counts what a stream got.
func (p *previewed) add(metric string, tags tidemark.Tags, values int64) {
	name := usage.SenderOf(tags)
	one := p.senders[name]
	if one == nil {
		name = strings.Clone(name) // what is yielded is valid until the next step
		one = &previewedSender{name: name, reasons: make(map[senderReason]int64)}
		p.senders[name] = one
	}
	one.values += values
	if reason, refused := p.refusal(metric, tags); refused {
		one.refused += values
		one.reasons[reason] += values
	}
}

// refusal tells why a measurement would be refused, wherever it comes from.
func (p *previewed) refusal(metric string, tags tidemark.Tags) (r senderReason, refused bool) {
	switch byName, other := p.token.Scope.Outside(metric, tags.Get); {
	case byName:
		return senderReason{Kind: "metric", What: strings.Clone(usage.Family(metric))}, true
	case other != nil:
		return senderReason{Kind: "tag", What: other.Name}, true
	}
	return senderReason{}, false
}
