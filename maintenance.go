package tidemark

import (
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Maintenance is a time in which nobody is notified of some alerts, though
// they are evaluated and their incidents are kept, unless it suspends them:
// once, or again and again on days of the week.
type Maintenance struct {
	ID   int64  `json:"id"`
	Name string `json:"name"`
	Note string `json:"note"`
	// StartsAt and EndsAt are the window. Of one that repeats they are between
	// which times it does; without an end it goes on.
	StartsAt int64   `json:"starts_at"`
	EndsAt   *int64  `json:"ends_at"`
	Repeat   *Repeat `json:"repeat"` // nil of one that does not
	Covers   Covers  `json:"covers"`
	// Suspends says that alerts are not evaluated in the window: they neither
	// fire nor clear.
	Suspends bool `json:"suspends"`

	CreatedAt int64  `json:"created_at"`
	UpdatedAt int64  `json:"updated_at"`
	CreatedBy string `json:"created_by"`
}

// Repeat is when a maintenance window repeats, by the clocks of a time zone.
type Repeat struct {
	Days []string `json:"days"`           // mon, tue, wed, thu, fri, sat, sun: those it starts on
	From string   `json:"start_time"`     // 02:00
	To   string   `json:"end_time"`       // 03:30; not after the start, it is on the next day
	Zone string   `json:"zone"`           // Europe/Berlin
	Skip []string `json:"skip,omitempty"` // days on which it does not start, such as 2026-12-24
	// Weeks is that it repeats only every so many weeks, counted from the one
	// in which the window begins; weeks begin on Monday. 0 is every week.
	Weeks int `json:"weeks,omitempty"`

	loaded *time.Location
}

// Covers says which alerts a maintenance window is about. An alert is covered
// that is named, or that has all of the labels. With tags, it is covered as
// long as every stream that violates has all of them; tags alone are about all
// alerts.
type Covers struct {
	All    bool              `json:"all"`
	Alerts []int64           `json:"alerts"`
	Labels map[string]string `json:"labels"`
	Tags   map[string]string `json:"tags"`
}

const (
	maxCovered     = 1000 // alerts that a window names
	maxMaintenance = 366 * 24 * 3600
	maxSkipped     = 366 // days that a window leaves out
	maxEveryWeeks  = 52
)

// Days are the names of the days of the week, as time.Weekday counts them.
var Days = []string{"sun", "mon", "tue", "wed", "thu", "fri", "sat"}

// NewMaintenance returns a window with the defaults of those that say nothing.
func NewMaintenance() *Maintenance { return &Maintenance{} }

// ResourceID is the last segment of the window's URL.
func (m *Maintenance) ResourceID() string { return strconv.FormatInt(m.ID, 10) }

// Normalize gives empty values one form.
func (m *Maintenance) Normalize() {
	if m.Covers.Alerts == nil {
		m.Covers.Alerts = []int64{}
	}
	if m.Covers.Labels == nil {
		m.Covers.Labels = map[string]string{}
	}
	if m.Covers.Tags == nil {
		m.Covers.Tags = map[string]string{}
	}
}

// Validate reports what is wrong with m, or nil.
func (m *Maintenance) Validate() error {
	var p Problems
	p.Text("name", m.Name, 1, maxTitle)
	p.Text("note", m.Note, 0, maxText)
	p.Check(m.StartsAt > 0 && m.StartsAt < maxTime, "starts_at", "is not a time in seconds since 1970")
	if m.EndsAt != nil {
		p.Check(*m.EndsAt > m.StartsAt, "ends_at", "must be after starts_at")
		p.Check(*m.EndsAt < maxTime, "ends_at", "is not a time in seconds since 1970")
		p.Check(m.Repeat != nil || *m.EndsAt-m.StartsAt <= maxMaintenance, "ends_at", "is more than a year after starts_at")
	}
	p.Check(m.EndsAt != nil || m.Repeat != nil, "ends_at", "is not present")
	if m.Repeat != nil {
		p.Add("repeat.", m.Repeat.Validate())
	}
	m.Covers.validate(&p)
	// What is evaluated are alerts; of one stream among others nothing can be
	// left out.
	p.Check(!m.Suspends || len(m.Covers.Tags) == 0, "covers.tags", "cannot be used where alerts are not evaluated")
	return p.Err()
}

// Validate reports what is wrong with r, or nil.
func (r *Repeat) Validate() error {
	var p Problems
	p.Check(len(r.Days) > 0, "days", "is not present")
	for _, d := range r.Days {
		p.Check(slices.Contains(Days, d), "days", "must be mon, tue, wed, thu, fri, sat or sun")
	}
	p.Check(r.Weeks >= 0 && r.Weeks <= maxEveryWeeks, "weeks", "must be between 1 and %d", maxEveryWeeks)
	for field, text := range map[string]string{"start_time": r.From, "end_time": r.To} {
		checkClock(&p, field, text)
	}
	p.Check(len(r.Skip) <= maxSkipped, "skip", "has more than %d entries", maxSkipped)
	for _, d := range r.Skip {
		_, err := time.Parse(time.DateOnly, d)
		p.Check(err == nil, "skip", "must be days, such as 2026-12-24")
	}
	checkZone(&p, "zone", r.Zone)
	return p.Err()
}

func (c *Covers) validate(p *Problems) {
	p.Check(c.All || len(c.Alerts)+len(c.Labels)+len(c.Tags) > 0, "covers", "must name all, alerts, labels or tags")
	p.Check(len(c.Alerts) <= maxCovered, "covers.alerts", "has more than %d entries", maxCovered)
	checkLabels(p, "covers.labels", c.Labels)
	p.Check(len(c.Tags) <= maxTagFilters, "covers.tags", "has more than %d entries", maxTagFilters)
	for _, name := range slices.Sorted(maps.Keys(c.Tags)) {
		p.Text("covers.tags", name, 1, MaxTagName)
		p.Text("covers.tags", c.Tags[name], 1, MaxTagValue)
	}
}

// Concerns reports whether the window can have to do with an alert, whatever
// violates.
func (c *Covers) Concerns(a *Alert) bool {
	switch {
	case c.All, slices.Contains(c.Alerts, a.ID):
		return true
	case len(c.Labels) > 0:
		return isPart(c.Labels, a.Labels)
	}
	return len(c.Alerts) == 0 && len(c.Tags) > 0
}

// CoversStream reports whether the window covers a stream of an alert that it
// has to do with. Streams have their tags in lower case, however people write
// them.
func (c *Covers) CoversStream(stream string) bool {
	if len(c.Tags) == 0 {
		return true
	}
	has := make(map[string]string)
	for pair := range strings.SplitSeq(stream, ",") {
		name, value, _ := strings.Cut(pair, "=")
		has[name] = value
	}
	for name, v := range c.Tags {
		if has[strings.ToLower(name)] != strings.ToLower(v) {
			return false
		}
	}
	return true
}

// isPart reports whether all of part is in whole.
func isPart(part, whole map[string]string) bool {
	for name, v := range part {
		if whole[name] != v {
			return false
		}
	}
	return true
}

// MaintenanceUpdate is a change to a maintenance window. What is left out
// stays; a repeat of null makes it a window that does not repeat.
type MaintenanceUpdate struct {
	Name     Opt[string] `json:"name"`
	Note     Opt[string] `json:"note"`
	StartsAt Opt[int64]  `json:"starts_at"`
	EndsAt   Opt[int64]  `json:"ends_at"`
	Repeat   Opt[Repeat] `json:"repeat"`
	Covers   Opt[Covers] `json:"covers"`
	Suspends Opt[bool]   `json:"suspends"`
}

// Apply makes the change to m.
func (u MaintenanceUpdate) Apply(m *Maintenance) {
	u.Name.To(&m.Name)
	u.Note.To(&m.Note)
	u.StartsAt.To(&m.StartsAt)
	u.EndsAt.ToPtr(&m.EndsAt)
	u.Repeat.ToPtr(&m.Repeat)
	u.Covers.To(&m.Covers)
	u.Suspends.To(&m.Suspends)
}
