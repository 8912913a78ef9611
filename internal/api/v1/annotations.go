package v1

import (
	"context"
	"net/http"
	"strconv"
	"strings"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/api/rest"
	"github.com/tidemark-metrics/tidemark/internal/api/shared"
)

func (s *API) newEvent() *tidemark.AnnotationEvent {
	return &tidemark.AnnotationEvent{StartTime: s.Now().Unix(), Links: []tidemark.Link{}}
}

// createEvent adds an annotation. Annotations are data, as measurements are:
// who sent one is not noted.
func (s *API) createEvent(ctx context.Context, org tidemark.OrgID, _ tidemark.Actor, stream string, v *tidemark.AnnotationEvent) error {
	return s.Store.CreateEvent(ctx, org, stream, v)
}

var errAlertStream = tidemark.Errorf(tidemark.Forbidden, "%s is the history of alerts, which only the server writes", tidemark.AlertStream)

// unreserved does nothing to the stream in which alerts leave their history.
func unreserved(do rest.Endpoint) rest.Endpoint {
	return func(r *http.Request, who tidemark.Identity) (rest.Reply, error) {
		if strings.EqualFold(r.PathValue("name"), tidemark.AlertStream) {
			return rest.Reply{}, errAlertStream
		}
		return do(r, who)
	}
}

// whileRoom does something that takes room on the disk, unless that is scarce.
func (s *API) whileRoom(do rest.Endpoint) rest.Endpoint {
	return func(r *http.Request, who tidemark.Identity) (rest.Reply, error) {
		if s.Refusing != nil {
			if err := s.Refusing(); err != nil {
				return rest.Reply{}, err
			}
		}
		return do(r, who)
	}
}

// LinkBody is the body of POST /v1/annotations/:name/:id/links.
type LinkBody struct {
	Rel   string  `json:"rel"`
	Label *string `json:"label"`
	Href  string  `json:"href"`
}

// Apply makes l the link that was asked for.
func (n LinkBody) Apply(l *tidemark.Link) {
	*l = tidemark.Link{Rel: n.Rel, Label: n.Label, Href: n.Href}
}

// annotationStream answers GET /v1/annotations/:name: the stream and, where a
// count or a time is asked for, its events by source.
func (s *API) annotationStream(r *http.Request, who tidemark.Identity) (rest.Reply, error) {
	name, err := rest.ByName(r)
	if err != nil {
		return rest.Reply{}, err
	}
	q, err := readEventQuery(r)
	if err != nil {
		return rest.Reply{}, err
	}
	stream, err := s.Store.AnnotationStream(r.Context(), who.Org, name)
	if err != nil {
		return rest.Reply{}, err
	}
	body := map[string]any{"name": stream.Name, "display_name": stream.DisplayName}
	if q == nil {
		return rest.OK(body), nil
	}
	var next int64
	q.Next = &next
	events, err := s.Store.Events(r.Context(), who.Org, name, *q)
	if err != nil {
		return rest.Reply{}, err
	}
	if err := s.HoldEvents(r.Context(), who.Org, events); err != nil {
		return rest.Reply{}, err
	}
	if next != 0 {
		values := r.URL.Query()
		values.Del("count")
		values.Set("end_time", strconv.FormatInt(next, 10))
		if values.Get("start_time") == "" {
			values.Set("start_time", "0")
		}
		body["links"] = []map[string]string{{"rel": "next", "href": s.SelfURL(r) + "?" + values.Encode()}}
	}
	body["events"] = bySource(r, events)
	return rest.OK(body), nil
}

// bySource groups events as the original did: an object keyed by source. The
// official Go client was written after documents that show a list with one
// such object, and can read nothing else.
func bySource(r *http.Request, events []*tidemark.AnnotationEvent) any {
	grouped := make(map[string][]*tidemark.AnnotationEvent)
	for _, e := range events {
		source := tidemark.UnassignedName
		if e.Source != nil && *e.Source != "" {
			source = *e.Source
		}
		grouped[source] = append(grouped[source], e)
	}
	if strings.Contains(r.UserAgent(), "appoptics-api-go") {
		return []any{grouped}
	}
	return grouped
}

// readEventQuery reads which events are wanted; nil if none are asked for.
func readEventQuery(r *http.Request) (*tidemark.AnnotationEventQuery, error) {
	params, err := rest.ParseForm(r.URL.RawQuery)
	if err != nil {
		return nil, err
	}
	var q struct {
		Count       *int64   `json:"count"`
		StartTime   *int64   `json:"start_time"`
		EndTime     *int64   `json:"end_time"`
		Sources     []string `json:"sources"`
		Overlapping bool     `json:"overlapping"`
	}
	if one, ok := params["sources"].(string); ok {
		params["sources"] = []any{one}
	}
	if err := rest.Decode(params, &q); err != nil {
		return nil, err
	}
	var p tidemark.Problems
	query := tidemark.AnnotationEventQuery{Count: shared.MaxEvents, End: rest.MaxSeconds, Sources: q.Sources, Overlapping: q.Overlapping}
	switch {
	case q.Count != nil:
		p.Check(*q.Count > 0, "count", "must be a number from 1")
		query.Count = int(min(*q.Count, shared.MaxEvents))
	case q.StartTime == nil && q.EndTime == nil:
		return nil, nil
	}
	if q.StartTime != nil {
		p.Check(*q.StartTime >= 0, "start_time", "is not a time in seconds since 1970")
		query.Start = *q.StartTime
	}
	if q.EndTime != nil {
		p.Check(*q.EndTime >= query.Start, "end_time", "is before start_time")
		query.End = *q.EndTime
	}
	return &query, p.Err()
}
