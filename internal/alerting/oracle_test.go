package alerting

import (
	"math"
	"slices"
	"strings"

	"github.com/tidemark-metrics/tidemark"
)

// oracle says what an alert means, as plainly as can be: it keeps everything
// that ever came and looks at all of it again each time. It shares no code
// with the evaluator.
type oracle struct {
	alert      *tidemark.Alert
	conditions []*oracleCondition
	incidents  []tidemark.Interval // the end is 0 while one is open
	notified   []int64             // when services were notified, of the end too
	lastTold   int64
	notifiedOf map[string]int64
	suspended  []tidemark.Interval // when it is not evaluated
	isHeld     bool                // an incident was open in such a time, just now
}

// arrival is a measurement and when it came.
type arrival struct {
	at     int64
	time   int64
	host   string
	values []float64
	metric string // cpu if ""
}

func (a arrival) stream() string {
	if a.host == "" {
		return tidemark.UnassignedName
	}
	return "dc=" + a.dc() + ",host=" + a.host
}

func (a arrival) dc() string {
	dc, _, _ := strings.Cut(a.host, "-")
	return dc
}

type oracleCondition struct {
	cond      tidemark.Condition
	step      int64 // 0: every measurement is a reading
	composite bool
	arrivals  []arrival
	bySteps   map[stepKey][]arrival // the same, as far as they were looked at
	looked    int                   // at how many
	counts    map[int64]int         // by step, since the start of the process
	from      int64
	evaluated int64 // up to where steps were ever evaluated
	waits     bool  // steps are evaluated one by one, by the test
	suspended []tidemark.Interval
	streams   map[string]*oracleStream
	windows   []*tidemark.Maintenance
}

// stepKey is a step of a metric.
type stepKey struct {
	metric string
	step   int64
}

type oracleStream struct {
	name      string
	last      int64
	seen      int64
	raw       float64
	base      *float64 // of derivatives: the reading before the latest
	hasRaw    bool
	bad       map[int64]bool // of windows: each reading that counts, whether it violates
	violating bool
	isSilent  bool // silence goes on without measurements
	latest    int64
}

func newOracle(a *tidemark.Alert, step int64, composite bool, start int64) *oracle {
	o := &oracle{alert: a, notifiedOf: map[string]int64{}}
	for _, c := range a.Conditions {
		oc := &oracleCondition{cond: c, composite: composite, counts: map[int64]int{}, streams: map[string]*oracleStream{}}
		if composite || c.Against != nil || slices.ContainsFunc(c.Tags, func(f tidemark.TagFilter) bool { return f.IsGrouped() }) {
			oc.step, oc.from = step, start-start%step
		}
		o.conditions = append(o.conditions, oc)
	}
	return o
}

// restart forgets what only a running process knows: while none ran, nobody
// listened, so that silence is counted from now on; but what was saved as
// silent is so until it is heard of again.
func (o *oracle) restart(now int64, saved []tidemark.Violation) {
	for i, c := range o.conditions {
		clear(c.counts)
		for name, s := range c.streams {
			if c.cond.Type != tidemark.Absent || c.step != 0 {
				continue
			}
			s.seen, s.violating = now, slices.ContainsFunc(saved, func(v tidemark.Violation) bool {
				return v.Stream == name && v.Condition == o.alert.Conditions[i].ID && s.latest <= v.RecordedAt
			})
		}
	}
}

// setClock follows the clock, which was set to now: nothing has come later
// than now, and that it was set forward is no silence.
func (o *oracle) setClock(now, by int64) {
	o.lastTold = min(o.lastTold, now)
	for name, at := range o.notifiedOf {
		o.notifiedOf[name] = min(at, now)
	}
	for _, c := range o.conditions {
		for _, s := range c.streams {
			s.setClock(&c.cond, now, by)
		}
		if c.step != 0 && by < 0 {
			c.from = min(c.from, now-now%c.step-c.step)
			c.evaluated = min(c.evaluated, c.from)
			clear(c.counts)
		}
	}
}

func (s *oracleStream) setClock(c *tidemark.Condition, now, by int64) {
	window := int64(0)
	if c.Duration != nil {
		window = int64(*c.Duration)
	}
	if by > 0 {
		if c.Type == tidemark.Absent && !s.violating {
			s.seen = now
		}
		return
	}
	s.seen = min(s.seen, now)
	if s.last <= now {
		return
	}
	// All of it counts as one reading of now: the latest. What has violated for
	// long enough goes on.
	latest, there := s.bad[s.last]
	goesOn := there && s.hasViolatedFor(window)
	if clear(s.bad); there {
		s.bad[now] = latest
	}
	if goesOn {
		s.bad[now-window] = true
	}
	s.last = now
}

// look evaluates the alert at a time, after some measurements came.
func (o *oracle) look(now int64, came []arrival) {
	met := len(o.conditions) > 0
	var violations []*oracleStream
	for _, c := range o.conditions {
		c.take(now, came)
		found := c.violating()
		met = met && len(found) > 0
		violations = append(violations, found...)
	}
	open := len(o.incidents) > 0 && o.incidents[len(o.incidents)-1][1] == 0
	if meetsAny(o.suspended, now, now+1) {
		o.isHeld = open
		return
	}
	defer func() { o.isHeld = false }()
	switch {
	case met && !open:
		o.incidents = append(o.incidents, tidemark.Interval{now, 0})
		o.notify(now, violations, true)
	case met:
		o.notify(now, violations, false)
	case open:
		o.incidents[len(o.incidents)-1][1] = now
		o.notified = append(o.notified, now)
		clear(o.notifiedOf)
	}
}

// notify notes when services are notified of what violates.
func (o *oracle) notify(now int64, violations []*oracleStream, first bool) {
	rearm := int64(max(o.alert.RearmSeconds, 60))
	if !o.alert.RearmPerSignal {
		fresh := slices.ContainsFunc(violations, func(s *oracleStream) bool { return s.isSilent || s.seen > o.lastTold })
		if first || o.isHeld || now-o.lastTold >= rearm && fresh {
			o.lastTold = now
			o.notified = append(o.notified, now)
		}
		return
	}
	tell := false
	for _, s := range violations {
		if at, known := o.notifiedOf[s.name]; !known || o.isHeld || now-at >= rearm && s.seen > at {
			o.notifiedOf[s.name] = now
			tell = true
		}
	}
	for name, at := range o.notifiedOf {
		if now-at >= rearm && !slices.ContainsFunc(violations, func(s *oracleStream) bool { return s.name == name }) {
			delete(o.notifiedOf, name)
		}
	}
	if tell {
		o.notified = append(o.notified, now)
	}
}

// take has the condition hear of measurements and of the time.
func (c *oracleCondition) take(now int64, came []arrival) {
	for _, a := range came {
		if !c.picks(a) {
			continue
		}
		c.arrivals = append(c.arrivals, a)
		if c.step == 0 {
			c.read(a.stream(), min(a.time, laterOf(a.time, now)), now, ofValues(c.cond.Function(), a.values))
			continue
		}
		step := a.time - a.time%c.step
		c.counts[step]++
		c.from = min(c.from, step)
	}
	for c.step != 0 && !c.waits && c.isReady(now) {
		c.evaluateStep(now)
	}
	if c.cond.Type == tidemark.Absent {
		until := now
		if c.step != 0 {
			// What comes late has steps evaluated again; that brings nobody
			// back who is known to be silent since.
			c.evaluated = max(c.evaluated, c.from)
			until = c.evaluated
		}
		for _, s := range c.streams {
			s.violating = s.violating || c.isSilent(s.seen, until)
			s.isSilent = true
		}
	}
}

// laterOf is the time of a measurement whose clock is ahead by more than a
// minute.
func laterOf(t, now int64) int64 {
	if t > now+60 {
		return now
	}
	return t
}

func (c *oracleCondition) picks(a arrival) bool {
	if a.metric != "" && (c.cond.Against == nil || a.metric != c.cond.Against.Good) {
		return false
	}
	for _, f := range c.cond.Tags {
		if f.Name == "host" && len(f.Values) > 0 && !slices.Contains(f.Values, a.host) {
			return false
		}
	}
	return true
}

func (c *oracleCondition) stream(name string) *oracleStream {
	if c.streams[name] == nil {
		c.streams[name] = &oracleStream{name: name, bad: map[int64]bool{}}
	}
	return c.streams[name]
}

func (c *oracleCondition) isReady(now int64) bool {
	end := c.from + c.step
	n := c.counts[c.from]
	return now >= end+graceful || now >= end && n > 0 && n >= c.counts[c.from-c.step]
}

// evaluateStep makes one reading of each group from everything that came for
// the step.
func (c *oracleCondition) evaluateStep(now int64) {
	for group, v := range c.compared(c.from) {
		c.read(group, c.from, min(now, c.from+c.step), v)
	}
	c.from += c.step
}

// readings makes one reading of each group from everything that came for a
// step of a metric.
func (c *oracleCondition) readings(metric string, step int64) map[string]float64 {
	came := c.ofStep(stepKey{metric, step})
	if len(came) == 0 {
		return nil
	}
	byGroup := map[string]map[string][]arrival{}
	for _, a := range came {
		group := c.groupOf(a)
		if byGroup[group] == nil {
			byGroup[group] = map[string][]arrival{}
		}
		// Of two at one time the later remains.
		of := slices.DeleteFunc(byGroup[group][a.host], func(o arrival) bool { return o.time == a.time })
		byGroup[group][a.host] = append(of, a)
	}
	all := map[string]float64{}
	for group, streams := range byGroup {
		all[group] = c.readingOf(streams)
	}
	return all
}

// ofStep returns what came for a step, in order.
func (c *oracleCondition) ofStep(key stepKey) []arrival {
	if c.bySteps == nil {
		c.bySteps = map[stepKey][]arrival{}
	}
	for ; c.looked < len(c.arrivals); c.looked++ {
		a := c.arrivals[c.looked]
		of := stepKey{a.metric, a.time - a.time%c.step}
		c.bySteps[of] = append(c.bySteps[of], a)
	}
	return c.bySteps[key]
}

func (c *oracleCondition) groupOf(a arrival) string {
	switch g := c.cond.Against; {
	case c.composite || g != nil && g.Kind == tidemark.AgainstBudget && !c.isGrouped():
		return tidemark.UnassignedName
	case g != nil && !c.isGrouped():
		return a.stream()
	}
	return "dc=" + a.dc()
}

func (c *oracleCondition) isGrouped() bool {
	return slices.ContainsFunc(c.cond.Tags, func(f tidemark.TagFilter) bool { return f.IsGrouped() })
}

func (c *oracleCondition) readingOf(streams map[string][]arrival) float64 {
	var each []float64
	for _, all := range streams {
		slices.SortFunc(all, func(a, b arrival) int { return int(a.time - b.time) })
		var values []float64
		for _, a := range all {
			values = append(values, a.values...)
		}
		f := c.function()
		if c.composite {
			f = "average"
		}
		each = append(each, ofValues(f, values))
	}
	if c.composite {
		return sumOf(each) // as its text says
	}
	switch c.function() {
	case "min":
		return slices.Min(each)
	case "max":
		return slices.Max(each)
	case "sum", "count", "derivative":
		return sumOf(each)
	}
	return sumOf(each) / float64(len(each))
}

func sumOf(values []float64) (sum float64) {
	for _, v := range values {
		sum += v
	}
	return sum
}

// ofValues makes one reading of the values of a measurement, or of several.
func ofValues(function string, values []float64) float64 {
	n := float64(len(values))
	switch function {
	case "min":
		return slices.Min(values)
	case "max":
		return slices.Max(values)
	case "sum":
		return sumOf(values)
	case "count":
		return n
	case "last", "derivative":
		return values[len(values)-1]
	case "stddev":
		mean, squares := sumOf(values)/n, 0.0
		for _, v := range values {
			squares += (v - mean) * (v - mean)
		}
		return math.Sqrt(squares / n)
	}
	return sumOf(values) / n
}

// read takes a reading into account.
func (s *oracleStream) read(c *tidemark.Condition, t, now int64, v float64) {
	s.seen = max(s.seen, now)
	window := int64(0)
	if c.Duration != nil && c.Type != tidemark.Absent {
		window = int64(*c.Duration)
	}
	derives := c.Function() == "derivative"
	late := t < s.last
	if c.Type == tidemark.Absent {
		s.violating = false // but for what follows from the time
	}
	if c.Type == tidemark.Absent || late && (window == 0 || derives || t < s.last-window-60) {
		return
	}
	if derives {
		if t > s.last && s.hasRaw {
			base := s.raw
			s.base = &base
		}
		s.raw, s.hasRaw = v, true
		s.last = t
		if s.base == nil {
			return
		}
		if v -= *s.base; v < 0 && c.DetectsReset() {
			v = 0
		}
	}
	if c.Function() == "absolute_value" {
		v = math.Abs(v)
	}
	s.last = max(s.last, t)
	bad := v > *c.Threshold
	if c.Type == tidemark.Below && (c.Against == nil || !c.Against.IsDistance()) {
		bad = v < *c.Threshold
	}
	s.bad[t] = bad
	s.violating = bad
	if window != 0 {
		s.violating = s.hasViolatedFor(window)
	}
}

// hasViolatedFor reports whether all readings up to the latest violate since
// at least that long before it.
func (s *oracleStream) hasViolatedFor(window int64) bool {
	for t, bad := range s.bad {
		if !bad || t > s.last-window {
			continue
		}
		unbroken := true
		for other, bad := range s.bad {
			unbroken = unbroken && (other < t || bad)
		}
		if unbroken {
			return true
		}
	}
	return false
}

// violating lists the streams that violate, by name.
func (c *oracleCondition) violating() (found []*oracleStream) {
	for _, s := range c.streams {
		if s.violating {
			found = append(found, s)
		}
	}
	slices.SortFunc(found, func(a, b *oracleStream) int { return strings.Compare(a.name, b.name) })
	return found
}
