package tidemark

import (
	"net/url"
	"strconv"
)

// AlertStream is the annotation stream in which alerts leave their history.
const AlertStream = "tidemark.alerts"

const (
	maxLinks = 20
	maxHref  = 2000 // characters; browsers cut longer ones
)

// AnnotationStream is a named sequence of events.
type AnnotationStream struct {
	Name        string  `json:"name"`
	DisplayName *string `json:"display_name"`
}

// ResourceID is the last segment of the stream's URL.
func (s *AnnotationStream) ResourceID() string { return url.PathEscape(s.Name) }

// Validate reports what is wrong with s, or nil.
func (s *AnnotationStream) Validate() error {
	var p Problems
	p.Check(IsMetricName(s.Name), "name", "must be 1 to %d letters, digits and . : - _", MaxName)
	optionalText(&p, "display_name", s.DisplayName, maxTitle)
	return p.Err()
}

// AnnotationStreamUpdate is a change to an annotation stream.
type AnnotationStreamUpdate struct {
	DisplayName Opt[string] `json:"display_name"`
}

// Apply makes the change to s.
func (u AnnotationStreamUpdate) Apply(s *AnnotationStream) { u.DisplayName.ToPtr(&s.DisplayName) }

// AnnotationEvent is something that happened, in an annotation stream.
type AnnotationEvent struct {
	ID          int64   `json:"id"`
	Title       string  `json:"title"`
	Description *string `json:"description"`
	Source      *string `json:"source"`
	StartTime   int64   `json:"start_time"`
	EndTime     *int64  `json:"end_time"`
	Links       []Link  `json:"links"` // never nil
}

// ResourceID is the last segment of the event's URL.
func (e *AnnotationEvent) ResourceID() string { return strconv.FormatInt(e.ID, 10) }

// maxTime keeps times within what every client can read as a date.
const maxTime = 1 << 40

// Validate reports what is wrong with e, or nil.
func (e *AnnotationEvent) Validate() error {
	var p Problems
	p.Text("title", e.Title, 1, maxTitle)
	optionalText(&p, "description", e.Description, maxText)
	optionalText(&p, "source", e.Source, maxTitle)
	p.Check(e.StartTime >= 0 && e.StartTime < maxTime, "start_time", "is not a time in seconds since 1970")
	if e.EndTime != nil {
		p.Check(*e.EndTime >= 0 && *e.EndTime < maxTime, "end_time", "is not a time in seconds since 1970")
		p.Check(*e.EndTime >= e.StartTime, "end_time", "is before start_time")
	}
	p.Check(len(e.Links) <= maxLinks, "links", "has more than %d entries", maxLinks)
	seen := make(map[string]bool)
	for i := range e.Links {
		p.Add("links.", e.Links[i].Validate())
		p.Check(!seen[e.Links[i].Rel], "links.rel", "%q is given twice", e.Links[i].Rel)
		seen[e.Links[i].Rel] = true
	}
	return p.Err()
}

// Bytes is how much the texts of e take.
func (e *AnnotationEvent) Bytes() int64 {
	n := len(e.Title)
	for _, text := range []*string{e.Description, e.Source} {
		if text != nil {
			n += len(*text)
		}
	}
	for _, l := range e.Links {
		n += len(l.Rel) + len(l.Href)
		if l.Label != nil {
			n += len(*l.Label)
		}
	}
	return int64(n)
}

// AnnotationEventUpdate is a change to an event; links, if given, replace those there are.
type AnnotationEventUpdate struct {
	Title       Opt[string] `json:"title"`
	Description Opt[string] `json:"description"`
	Source      Opt[string] `json:"source"`
	StartTime   Opt[int64]  `json:"start_time"`
	EndTime     Opt[int64]  `json:"end_time"`
	Links       Opt[[]Link] `json:"links"`
}

// Apply makes the change to e.
func (u AnnotationEventUpdate) Apply(e *AnnotationEvent) {
	u.Title.To(&e.Title)
	u.Description.ToPtr(&e.Description)
	u.Source.ToPtr(&e.Source)
	u.StartTime.To(&e.StartTime)
	u.EndTime.ToPtr(&e.EndTime)
	u.Links.To(&e.Links)
	if e.Links == nil {
		e.Links = []Link{}
	}
}

// EventKey names one event of one stream.
type EventKey struct {
	Stream string
	ID     int64
}

// Link points from an event to a page about it. Rel is unique within an event.
type Link struct {
	Rel   string  `json:"rel"`
	Label *string `json:"label"`
	Href  string  `json:"href"`
}

// ResourceID is the last segment of the link's URL.
func (l *Link) ResourceID() string { return url.PathEscape(l.Rel) }

// Validate reports what is wrong with l, or nil.
func (l *Link) Validate() error {
	var p Problems
	p.Text("rel", l.Rel, 1, maxTitle)
	optionalText(&p, "label", l.Label, maxTitle)
	p.Text("href", l.Href, 1, maxHref)
	if u, err := url.Parse(l.Href); l.Href != "" {
		// A link is shown to people: only what a browser may open safely.
		p.Check(err == nil && (u.Scheme == "http" || u.Scheme == "https" || u.Scheme == ""), "href", "is not a web address")
	}
	return p.Err()
}

// LinkKey names one link of one event.
type LinkKey struct {
	Event EventKey
	Rel   string
}

// AnnotationEventQuery selects events of a stream: the last Count of them, or those
// that start in [Start, End].
type AnnotationEventQuery struct {
	Count      int // 0 means no limit by number
	Start, End int64
	Sources    []string // patterns with *; none means all
	// Overlapping asks for those too that began before Start and were not over by then.
	Overlapping bool
	// Next, where set, is called with the End of the page before this one: an answer
	// holds a bounded number of bytes. It is 0 if there is no such page.
	Next *int64
}
