package tidemark

import (
	"slices"
	"strings"
)

// PlaceServer is the place of the server itself, in the tag place and among
// the places of a check.
const PlaceServer = "server"

// How the places of a check begin that are agents: one by its name, or all
// that have a tag.
const (
	placeAgent = "agent:"
	placeTag   = "tag:"
)

const (
	maxCheckPlaces = 20
	maxPlaceTags   = 50
	maxSaid        = 200
)

// Place is an agent that runs checks.
type Place struct {
	Name   string            `json:"name"`
	Tags   map[string]string `json:"tags"`
	SeenAt int64             `json:"seen_at"` // when it last asked
}

// Validate reports what is wrong with p, or nil.
func (p *Place) Validate() error {
	var wrong Problems
	wrong.Check(IsTagValue(p.Name), "name", "must be the name of an agent: what its tag host may be")
	wrong.Check(!strings.EqualFold(p.Name, PlaceServer), "name", "%s is the server itself; set host of the agent", PlaceServer)
	wrong.Check(len(p.Tags) <= maxPlaceTags, "tags", "has more than %d entries", maxPlaceTags)
	for name, value := range p.Tags {
		wrong.Check(IsTagName(name) && IsTagValue(value), "tags", "has a tag that measurements cannot have")
	}
	return wrong.Err()
}

// has reports whether p has a tag, written name=value.
func (p *Place) has(tag string) bool {
	name, value, _ := strings.Cut(tag, "=")
	for n, v := range p.Tags {
		if strings.EqualFold(n, name) && strings.EqualFold(v, value) {
			return true
		}
	}
	return false
}

// RunsAt reports whether c is to be run by the agent p.
func (c *Check) RunsAt(p *Place) bool {
	return c.Kind != CheckHeartbeat && slices.ContainsFunc(c.Places, func(at string) bool {
		if name, ok := strings.CutPrefix(at, placeAgent); ok {
			return strings.EqualFold(name, p.Name)
		}
		tag, ok := strings.CutPrefix(at, placeTag)
		return ok && p.has(tag)
	})
}

// RunsHere reports whether the server is to run c.
func (c *Check) RunsHere() bool {
	return c.Kind == CheckHeartbeat || slices.Contains(c.Places, PlaceServer)
}

// RunsElsewhere reports whether agents are to run c.
func (c *Check) RunsElsewhere() bool {
	return slices.ContainsFunc(c.Places, func(at string) bool { return at != PlaceServer })
}

// checkPlaces records what is wrong with the places of c.
func (c *Check) checkPlaces(p *Problems) {
	p.Check(len(c.Places) >= 1 && len(c.Places) <= maxCheckPlaces, "places", "must be 1 to %d", maxCheckPlaces)
	p.Check(c.Kind != CheckHeartbeat || !c.RunsElsewhere(), "places", "must be the server: heartbeats are called")
	seen := make(map[string]bool)
	for _, at := range c.Places {
		p.Check(isPlace(at), "places", "%q is none: write server, agent:NAME or tag:NAME=VALUE", at)
		p.Check(!seen[strings.ToLower(at)], "places", "has %q twice", at)
		seen[strings.ToLower(at)] = true
	}
}

func isPlace(at string) bool {
	if name, ok := strings.CutPrefix(at, placeAgent); ok {
		return IsTagValue(name)
	}
	if tag, ok := strings.CutPrefix(at, placeTag); ok {
		name, value, _ := strings.Cut(tag, "=")
		return IsTagName(name) && IsTagValue(value)
	}
	return at == PlaceServer
}

// CheckResult is what a place found.
type CheckResult struct {
	Place    string  `json:"place"`
	RanAt    int64   `json:"ran_at"`
	Up       bool    `json:"up"`
	Duration float64 `json:"duration"` // seconds
	Said     string  `json:"said"`     // what was wrong, or what was found
}

// Finding is what an agent tells of one run of a check.
type Finding struct {
	Check    int64    `json:"check"`
	Time     int64    `json:"time"`
	Up       bool     `json:"up"`
	Duration float64  `json:"duration"` // seconds
	Said     string   `json:"said"`
	Days     *float64 `json:"days"` // until the certificate ends; null where there is none
}

// Validate reports what is wrong with f, or nil.
func (f *Finding) Validate() error {
	var p Problems
	p.Check(f.Time > 0 && f.Time < maxTime, "time", "is not a time in seconds since 1970")
	p.Check(f.Duration >= 0 && f.Duration <= 3600, "duration", "must be 0 to 3600 seconds")
	return p.Err()
}

// PlaceCheck is a check as an agent gets it to run.
type PlaceCheck struct {
	ID      int64   `json:"id"`
	Kind    string  `json:"kind"`
	Target  string  `json:"target"`
	Every   Seconds `json:"every"`
	Timeout Seconds `json:"timeout"`
	Expect  string  `json:"expect"`
	Days    int64   `json:"days"`
}

// ForPlace is c as an agent gets it.
func (c *Check) ForPlace() PlaceCheck {
	return PlaceCheck{c.ID, c.Kind, c.Target, c.Every, c.Timeout, c.Expect, c.Days}
}

// Check is p as it is run.
func (p *PlaceCheck) Check() *Check {
	return &Check{ID: p.ID, Kind: p.Kind, Target: p.Target, Every: p.Every, Timeout: p.Timeout, Expect: p.Expect, Days: p.Days}
}

// ClipSaid keeps what is said of a check short enough for a list, and such
// that it can be stored.
func ClipSaid(s string) string {
	s = strings.ReplaceAll(strings.ToValidUTF8(s, "?"), "\x00", "?")
	if r := []rune(s); len(r) > maxSaid {
		return string(r[:maxSaid]) + "…"
	}
	return s
}

// worse reports whether r is worse than how c is: down before up, then slower.
func (c *Check) worse(r CheckResult) bool {
	if c.Up != r.Up {
		return c.Up
	}
	return r.Duration > c.Duration
}

// AddResults adds what agents found to c; c is as it is from the worst place.
func (c *Check) AddResults(found []CheckResult) {
	c.Results = []CheckResult{}
	if c.RunsHere() && c.RanAt > 0 && c.Kind != CheckHeartbeat {
		c.Results = append(c.Results, CheckResult{PlaceServer, c.RanAt, c.Up, c.Duration, c.Said})
	}
	for _, r := range found {
		if len(c.Results) == 0 || c.worse(r) {
			c.Up, c.Duration, c.Said = r.Up, r.Duration, r.Said
		}
		c.RanAt = max(c.RanAt, r.RanAt)
		c.Results = append(c.Results, r)
	}
}

// streams are the names of the streams that c records at its places.
func (c *Check) streams() []string {
	tags := map[string]string{"check": strings.ToLower(c.Name), "kind": c.Kind}
	if c.Kind == CheckHeartbeat || len(c.Results) == 0 {
		return []string{StreamName(MakeTags(tags))}
	}
	var names []string
	for _, r := range c.Results {
		tags["place"] = strings.ToLower(r.Place)
		names = append(names, StreamName(MakeTags(tags)))
	}
	return names
}

// Maintain notes the window, of those that have to do with the alert of c, that
// covers all its places at now.
func (c *Check) Maintain(windows []*Maintenance, now int64) {
	var all []Violation
	for _, name := range c.streams() {
		all = append(all, Violation{Stream: name})
	}
	c.Maintenance = nil
	if s := MaintenanceOf(windows, all, now); s.Window != nil {
		c.Maintenance = &CheckMaintenance{ID: s.Window.ID, Name: s.Window.Name, Until: s.Until}
	}
}

// The places in which a check has to be down for its alert.
const (
	DownInAny  = "any"
	DownInHalf = "half" // or more
	DownInAll  = "all"
)

// CheckAlert is what somebody wants of the alert of a check.
type CheckAlert struct {
	After    Seconds // how long it has to be down; 0 for at once
	DownIn   string  // in which of its places; any where ""
	Services []int64 // whom it notifies
}

// Validate reports what is wrong with w, or nil.
func (w *CheckAlert) Validate() error {
	var p Problems
	p.Check(slices.Contains([]string{"", DownInAny, DownInHalf, DownInAll}, w.DownIn), "down_in", "must be any, half or all")
	return p.Err()
}

// NewAlert returns the alert of c: it fires when c is down.
func (c *Check) NewAlert(want CheckAlert) *Alert {
	a := NewAlert()
	yes, below, function := true, 1.0, "last"
	tags := []TagFilter{{Name: "check", Values: []string{strings.ToLower(c.Name)}, Grouped: &yes}}
	if c.RunsElsewhere() {
		switch want.DownIn {
		case DownInAll:
			function = "max"
		case DownInHalf:
			function, below = "average", 0.501
		default:
			tags = append(tags, TagFilter{Name: "place", Grouped: &yes})
		}
	}
	a.Name, a.ServiceIDs = "Check: "+c.Name, want.Services
	cond := Condition{Type: Below, MetricName: MetricCheckUp, Threshold: &below, SummaryFunction: &function, Tags: tags}
	if want.After > 0 {
		cond.Duration = &want.After
	}
	a.Conditions = []Condition{cond}
	return a
}

// Moved returns which of places ran was and are not to run c, and the other way
// round.
func (c *Check) Moved(was *Check, places []*Place) (gone, back []string) {
	for _, p := range places {
		switch before, now := was.RunsAt(p), c.RunsAt(p); {
		case before && !now:
			gone = append(gone, p.Name)
		case now && !before:
			back = append(back, p.Name)
		}
	}
	return gone, back
}

// maxLeftOut is how many places that are gone an alert leaves out: the last. Of
// those before nothing has come for long.
const maxLeftOut = 500

// LeaveOutPlaces has the conditions of a about silence of checks take no notice
// of the places that are gone, and notice again of those that are back.
func (a *Alert) LeaveOutPlaces(gone, back []string) {
	for i := range a.Conditions {
		if c := &a.Conditions[i]; c.isSilenceOfPlaces() {
			c.Tags = leaveOut(c.Tags, gone, back)
		}
	}
}

// isSilenceOfPlaces reports whether c is about places that run checks no more.
func (c *Condition) isSilenceOfPlaces() bool {
	return c.Type == Absent && MetricKey(c.MetricName) == MetricKey(MetricCheckUp)
}

// LeavesOut reports whether a stream is one of a place that c leaves out.
func (c *Condition) LeavesOut(stream string) bool {
	if !c.isSilenceOfPlaces() {
		return false
	}
	_, out := leftOut(c.Tags)
	return len(out) > 0 && slices.ContainsFunc(strings.Split(stream, ","), func(pair string) bool {
		name, value, _ := strings.Cut(pair, "=")
		return name == "place" && slices.Contains(out, "!"+strings.ToLower(value))
	})
}

// leftOut returns tags without what rules out places, and the values that do.
func leftOut(tags []TagFilter) (left []TagFilter, out []string) {
	left, out = []TagFilter{}, []string{}
	for _, f := range tags {
		if f.Name == "place" && len(f.Values) > 0 && strings.HasPrefix(f.Values[0], "!") {
			out = append(out, f.Values...)
			continue
		}
		left = append(left, f)
	}
	return left, out
}

// leaveOut returns tags with one more, or a longer one, that rules out places.
func leaveOut(tags []TagFilter, gone, back []string) []TagFilter {
	left, out := leftOut(tags)
	for _, name := range gone {
		out = append(out, "!"+strings.ToLower(name))
	}
	out = slices.DeleteFunc(out, func(v string) bool {
		return slices.ContainsFunc(back, func(b string) bool { return strings.EqualFold("!"+b, v) })
	})
	if len(out) == 0 {
		return left
	}
	return append(left, TagFilter{Name: "place", Values: out[max(0, len(out)-maxLeftOut):]})
}

// SilentAfter is how long a place may find nothing before it counts as silent:
// two rounds, and time to send it.
func (c *Check) SilentAfter() Seconds { return max(2*c.Every+60, 180) }

// NewSilenceAlert returns the alert that fires when an agent that has run c
// runs it no more, or nil where alerts cannot wait that long.
func (c *Check) NewSilenceAlert(services []int64) *Alert {
	after := c.SilentAfter()
	if !c.RunsElsewhere() || after > maxDuration {
		return nil
	}
	a := NewAlert()
	a.Name, a.ServiceIDs = "Check: "+c.Name+" is silent", services
	a.Conditions = []Condition{{Type: Absent, MetricName: MetricCheckUp, Duration: &after,
		Tags: []TagFilter{{Name: "check", Values: []string{strings.ToLower(c.Name)}}, {Name: "place"}}}}
	return a
}
