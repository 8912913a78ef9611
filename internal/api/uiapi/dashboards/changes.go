package dashboards

import (
	"context"
	"math"
	"net/http"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/api/rest"
	"github.com/tidemark-metrics/tidemark/internal/api/shared"
	"github.com/tidemark-metrics/tidemark/internal/query"
)

const (
	maxChanges = 30
	// maxAround is how many annotations, and incidents, are shown with them.
	maxAround = 10
	// maxWithout is how many metrics may be left out.
	maxWithout = 100
)

// changesBody asks what changed in a range of time.
type changesBody struct {
	Start      int64                `json:"start"`
	End        int64                `json:"end"` // exclusive
	Resolution int64                `json:"resolution"`
	Against    string               `json:"against" wire:"before|day|week"` // the time before, the same time a day or a week before
	Metric     string               `json:"metric,omitempty"`               // a name or a glob; all without
	Tags       []tidemark.TagFilter `json:"tags,omitempty"`
	Without    []string             `json:"without,omitempty"` // names of metrics
}

// changesAnswer is what changed, best fit first, and what else happened then.
type changesAnswer struct {
	Changes    []shared.ChangedStream `json:"changes"`
	Found      int                    `json:"found"` // how many streams changed
	Streams    int                    `json:"streams"`
	Metrics    int                    `json:"metrics"`
	Sparse     int                    `json:"sparse"` // streams with too few points to compare
	Cut        string                 `json:"cut" wire:"|streams|points|time"`
	Resolution int64                  `json:"resolution"`
	Around     []aroundThen           `json:"around"`
}

// aroundThen is an annotation or an incident of about that time.
type aroundThen struct {
	Kind   string `json:"kind" wire:"annotation|incident"`
	ID     int64  `json:"id"`
	Title  string `json:"title"`
	Stream string `json:"stream,omitempty"`   // of an annotation
	Alert  int64  `json:"alert_id,omitempty"` // of an incident
	Begins int64  `json:"begins"`             // seconds after start
	Fit    int    `json:"fit"`
}

// changes answers POST /ui/api/changes.
func (s *API) changes(r *http.Request, who tidemark.Identity) (rest.Reply, error) {
	var body changesBody
	if err := rest.ReadInto(r, &body); err != nil {
		return rest.Reply{}, err
	}
	var p tidemark.Problems
	p.TagFilters("tags", body.Tags)
	p.Text("metric", body.Metric, 0, tidemark.MaxName)
	p.Check(len(body.Without) <= maxWithout, "without", "has more than %d entries", maxWithout)
	if err := p.Err(); err != nil {
		return rest.Reply{}, err
	}
	found, err := s.Querier.Changes(r.Context(), who.Org, query.ChangeRequest{
		Metric: body.Metric, Filter: query.FilterOf(body.Tags, nil), Without: body.keys(), Start: body.Start, End: body.End,
		Against: body.Against, Resolution: body.Resolution, Now: s.Now().Unix(), Most: maxChanges, Time: shared.ChangesTime,
	})
	if err != nil {
		return rest.Reply{}, err
	}
	a := changesAnswer{
		Found: found.Found, Streams: found.Streams, Metrics: found.Metrics, Sparse: found.Sparse, Cut: found.Cut, Resolution: found.Step,
	}
	if a.Changes, err = s.ChangedStreams(r.Context(), who.Org, found.Changes); err != nil {
		return rest.Reply{}, err
	}
	if a.Around, err = s.around(r.Context(), who.Org, body.Start, body.End); err != nil {
		return rest.Reply{}, err
	}
	return rest.OK(a), nil
}

// keys are the metrics that are left out, as engines know them.
func (b *changesBody) keys() []string {
	keys := make([]string, len(b.Without))
	for i, name := range b.Without {
		keys[i] = tidemark.MetricKey(name)
	}
	return keys
}

// around returns what people noted, and which alerts fired, about a range.
func (s *API) around(ctx context.Context, org tidemark.OrgID, start, end int64) ([]aroundThen, error) {
	found := []aroundThen{}
	length := end - start
	fit := func(begins int64) int { return int(math.Round(100 * query.Nearness(begins, length))) }
	events, err := s.Store.EventsBetween(ctx, org, start-length, end, maxAround)
	if err != nil {
		return nil, err
	}
	for _, e := range events {
		found = append(found, aroundThen{Kind: "annotation", ID: e.ID, Title: e.Title, Stream: e.Stream, Begins: e.StartTime - start, Fit: fit(e.StartTime - start)})
	}
	incidents, err := s.Store.IncidentsBetween(ctx, org, start-length, end, maxAround)
	if err != nil {
		return nil, err
	}
	for _, i := range incidents {
		found = append(found, aroundThen{Kind: "incident", ID: i.ID, Title: i.AlertName, Alert: i.Alert, Begins: i.TriggeredAt - start, Fit: fit(i.TriggeredAt - start)})
	}
	return found, nil
}
