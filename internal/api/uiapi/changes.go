package uiapi

import (
	"context"
	"math"
	"net/http"
	"time"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/api/rest"
	"github.com/tidemark-metrics/tidemark/internal/query"
)

const (
	// changesTime is how long one answer compares streams.
	changesTime = 5 * time.Second
	maxChanges  = 30
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
	Changes    []changedStream `json:"changes"`
	Found      int             `json:"found"` // how many streams changed
	Streams    int             `json:"streams"`
	Metrics    int             `json:"metrics"`
	Sparse     int             `json:"sparse"` // streams with too few points to compare
	Cut        string          `json:"cut" wire:"|streams|points|time"`
	Resolution int64           `json:"resolution"`
	Around     []aroundThen    `json:"around"`
}

// changedStream is a stream that was unlike itself.
type changedStream struct {
	Metric   string            `json:"metric"`
	Tags     map[string]string `json:"tags"`
	Before   *float64          `json:"before"` // null if it was not there
	During   *float64          `json:"during"` // null if it stopped
	LastWeek *float64          `json:"last_week,omitempty"`
	Rate     bool              `json:"rate"` // these are what a counter rises by in a second
	Unit     string            `json:"unit"`
	Begins   int64             `json:"begins"` // seconds after start
	Fit      int               `json:"fit"`    // 0 to 100
	Spreads  float64           `json:"spreads"`
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
		Against: body.Against, Resolution: body.Resolution, Now: s.Now().Unix(), Most: maxChanges, Time: changesTime,
	})
	if err != nil {
		return rest.Reply{}, err
	}
	a := changesAnswer{
		Found: found.Found, Streams: found.Streams, Metrics: found.Metrics, Sparse: found.Sparse, Cut: found.Cut, Resolution: found.Step,
	}
	if a.Changes, err = s.changedStreams(r.Context(), who.Org, found.Changes); err != nil {
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

// changedStreams shows changes, with the units of their metrics.
func (s *API) changedStreams(ctx context.Context, org tidemark.OrgID, changes []query.Change) ([]changedStream, error) {
	names := make([]string, len(changes))
	for i := range changes {
		names[i] = changes[i].Metric
	}
	metrics, err := s.Store.MetricsByName(ctx, org, names)
	if err != nil {
		return nil, err
	}
	shown := make([]changedStream, len(changes))
	for i := range changes {
		c := &changes[i]
		shown[i] = changedStream{
			Metric: c.Metric, Tags: c.Tags.Map(), Before: number(c.Before), During: number(c.During), LastWeek: number(c.LastWeek),
			Rate: c.Rate, Begins: c.Begins, Fit: c.Fit, Spreads: c.Deviation,
		}
		if m := metrics[c.Metric]; m != nil {
			shown[i].Metric, shown[i].Unit = m.Name, m.Unit()
		}
	}
	return shown, nil
}

// number is v, or nil for none.
func number(v float64) *float64 {
	if math.IsNaN(v) {
		return nil
	}
	return &v
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
