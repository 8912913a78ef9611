package alerting

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"
	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/query"
	"github.com/tidemark-metrics/tidemark/internal/sketch"
	"github.com/tidemark-metrics/tidemark/internal/tsdb"
	"github.com/tidemark-metrics/tidemark/internal/tsdb/memory"
	"pgregory.net/rapid"
)

// slot is how far apart things happen in these histories, in seconds.
const slot = 10

// history is what happens to an alert, drawn at random.
//
// What is not drawn together: a restart right after the clock was set back
// finds measurements that are ahead, and nothing says in which order they came.
// Nor is the clock set where maintenance suspends the alert: what the window is
// about moves then.
type history struct {
	alert     *tidemark.Alert
	metric    *tidemark.Metric // what the conditions watch
	step      int64
	composite bool
	ordered   bool // every measurement comes at its time, and none twice
	slots     [][]arrival
	restarts  map[int]bool
	jumps     map[int]int64 // by how much the clock is set before a slot
	outages   map[int]int64 // for how long no process runs before a slot, and nothing comes
	start     int64
	past      []arrival // stored before the alert was written
	windows   []*tidemark.Maintenance
	suspended []tidemark.Interval
}

// kinds are the families of alerts that are drawn; each gets as many draws.
var kinds = []string{"at once", "for a while", "absent", "derivative", "group", "composite", "several", "past", "change", "band", "budget"}

// TestOneMeaning draws alerts and histories, and expects the same incidents
// and notifications of the evaluator, under a clock that is set by the test,
// and of the oracle; and where measurements come in order, of a backtest. Use
// -rapid.checks for more draws, and -rapid.seed for the same ones again. What
// it has found is in TestFound.
func TestOneMeaning(t *testing.T) {
	t.Parallel()
	for _, kind := range kinds {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			rapid.Check(t, func(t *rapid.T) { drawHistory(t, kind).check(t) })
		})
	}
}

func drawHistory(t *rapid.T, kind string) *history {
	h := &history{alert: tidemark.NewAlert(), metric: &tidemark.Metric{Name: "cpu", Type: tidemark.Gauge}, restarts: map[int]bool{}}
	h.start = base - base%3600 + slot*rapid.Int64Range(0, 12).Draw(t, "start")
	h.ordered = rapid.Bool().Draw(t, "ordered")
	h.step = rapid.SampledFrom([]int64{10, 30, 60}).Draw(t, "period")
	h.metric.Period = &h.step
	h.alert.Name = "a"
	h.alert.RearmSeconds = tidemark.Seconds(60 * rapid.IntRange(0, 5).Draw(t, "rearm"))
	n := 1
	if kind == "several" {
		n = rapid.IntRange(2, 3).Draw(t, "conditions")
	}
	for range n {
		h.alert.Conditions = append(h.alert.Conditions, drawCondition(t, kind))
	}
	if kind == "composite" {
		h.composite = true
		h.metric.Name, h.metric.Type, h.metric.Composite = "total", tidemark.Composite, `sum(s("cpu","*"))`
	}
	hasAbsent := slices.ContainsFunc(h.alert.Conditions, func(c tidemark.Condition) bool { return c.Type == tidemark.Absent })
	h.alert.RearmPerSignal = !hasAbsent && rapid.Bool().Draw(t, "per signal")
	h.drawCompared(t)
	h.slots = make([][]arrival, rapid.IntRange(20, 120).Draw(t, "slots"))
	h.drawTroubles(t, kind)
	h.drawSuspended(t)
	h.drawSlots(t)
	h.drawPast(t)
	return h
}

// drawTroubles draws what happens to the process: it is started again, or its
// clock is set. A restart finds what came late where it would have been had it
// not; of alerts that look at more than the latest reading that is another
// past.
func (h *history) drawTroubles(t *rapid.T, kind string) {
	n := len(h.slots)
	h.jumps, h.outages = map[int]int64{}, map[int]int64{}
	switch {
	case rapid.IntRange(0, 3).Draw(t, "clock") == 0:
		for range rapid.IntRange(1, 2).Draw(t, "jumps") {
			by := rapid.Int64Range(clockTolerance+1, 600).Draw(t, "seconds")
			if rapid.Bool().Draw(t, "back") {
				by = -by
			}
			h.jumps[rapid.IntRange(1, n-1).Draw(t, "jump")] = by
		}
	case h.ordered || kind == "at once" || kind == "absent":
		for range rapid.IntRange(0, 2).Draw(t, "restarts") {
			h.restarts[rapid.IntRange(1, n-1).Draw(t, "restart")] = true
		}
		for range rapid.IntRange(0, 1).Draw(t, "outages") {
			h.outages[rapid.IntRange(1, n-1).Draw(t, "outage")] = slot * rapid.SampledFrom([]int64{1, 12, 60, 800, 3000}).Draw(t, "slots of it")
		}
	}
}

// drawSuspended draws when maintenance suspends the alert. A backtest knows to the
// second what the evaluator finds out when it looks.
func (h *history) drawSuspended(t *rapid.T) {
	if len(h.jumps) > 0 {
		return
	}
	unit := int64(1)
	if h.ordered {
		unit = h.step
	}
	span := int64(len(h.slots)) * slot / unit
	for range rapid.IntRange(0, 2).Draw(t, "windows") {
		from := h.start - h.start%unit + unit*rapid.Int64Range(1, span+1).Draw(t, "from")
		h.suspended = append(h.suspended, tidemark.Interval{from, from + unit*rapid.Int64Range(1, span/2+1).Draw(t, "length")})
	}
}

// allWindows are the maintenance windows of the history, which budgets may leave
// out.
func (h *history) allWindows() []*tidemark.Maintenance { return append(h.suspending(), h.windows...) }

// suspending are those that suspend the alert.
func (h *history) suspending() (all []*tidemark.Maintenance) {
	for i, w := range h.suspended {
		all = append(all, &tidemark.Maintenance{
			ID: int64(i + 1), Name: "w", StartsAt: w[0], EndsAt: &w[1], Suspends: true, Covers: tidemark.Covers{All: true},
		})
	}
	return all
}

// now is what the clock shows in a slot.
func (h *history) now(i int) int64 {
	now := h.start + int64(i+1)*slot
	for _, all := range []map[int]int64{h.jumps, h.outages} {
		for at, by := range all {
			if at <= i {
				now += by
			}
		}
	}
	return now
}

// String writes a history down, a line for each slot in which something came.
func (h *history) String() string {
	var b strings.Builder
	for _, w := range h.suspended {
		fmt.Fprintf(&b, "suspended from %d to %d\n", w[0], w[1])
	}
	for i, came := range h.slots {
		now := h.now(i)
		if by := h.jumps[i]; by != 0 {
			fmt.Fprintf(&b, "%d the clock was set by %d\n", now, by)
		}
		if lasts := h.outages[i]; lasts != 0 {
			fmt.Fprintf(&b, "%d it was down for %d\n", now, lasts)
		}
		for _, a := range came {
			fmt.Fprintf(&b, "%d %s %+d %v\n", now, a.host, a.time-now, a.values)
		}
		if h.restarts[i] {
			fmt.Fprintf(&b, "%d restart\n", now)
		}
	}
	return b.String()
}

func drawCondition(t *rapid.T, kind string) tidemark.Condition {
	c := tidemark.Condition{MetricName: "cpu", Tags: []tidemark.TagFilter{}, Threshold: new(float64(rapid.IntRange(0, 8).Draw(t, "threshold")) + 0.5)}
	c.Type = rapid.SampledFrom([]string{tidemark.Above, tidemark.Below}).Draw(t, "type")
	duration := tidemark.Seconds(60 * rapid.IntRange(1, 5).Draw(t, "minutes"))
	if kind == "several" {
		kind = rapid.SampledFrom(kinds[:4]).Draw(t, "kind")
	}
	functions := []string{"average", "min", "max", "sum", "count", "last", "stddev", "absolute_value", "derivative"}
	switch kind {
	case "at once", "for a while":
		c.SummaryFunction = new(rapid.SampledFrom(functions[:8]).Draw(t, "function"))
	case "absent":
		c.Type, c.Threshold = tidemark.Absent, nil
	case "derivative":
		c.SummaryFunction, c.DetectReset = new("derivative"), new(rapid.Bool().Draw(t, "reset"))
	case "group":
		c.SummaryFunction = new(rapid.SampledFrom(functions).Draw(t, "function"))
		c.Tags = append(c.Tags, tidemark.TagFilter{Name: "dc", Grouped: new(true)})
		if rapid.IntRange(0, 3).Draw(t, "group absent") == 0 {
			c.Type, c.Threshold, c.SummaryFunction = tidemark.Absent, nil, nil
		}
	case "composite":
		c.MetricName = "total"
	case tidemark.AgainstPast, tidemark.AgainstChange, tidemark.AgainstBand, tidemark.AgainstBudget:
		drawAgainst(t, kind, &c)
	}
	if kind == "for a while" || c.Type == tidemark.Absent || kind != "at once" && rapid.Bool().Draw(t, "windowed") {
		c.Duration = &duration
	}
	if kind != "composite" && rapid.IntRange(0, 3).Draw(t, "filtered") == 0 {
		c.Tags = append(c.Tags, tidemark.TagFilter{Name: "host", Values: []string{"eu-1", "us-1"}})
	}
	return c
}

// drawSlots draws what three hosts send.
func (h *history) drawSlots(t *rapid.T) {
	n := len(h.slots)
	for _, host := range []string{"eu-1", "eu-2", "us-1"} {
		every := rapid.SampledFrom([]int{1, 3, 6}).Draw(t, "every")
		value := rapid.IntRange(-3, 12)
		last := int64(0)
		for i := 0; i < n; i += every {
			now := h.now(i)
			a := arrival{at: now, time: now, host: host}
			what := rapid.IntRange(0, 19).Draw(t, "what")
			for range 1 + what%2 {
				a.values = append(a.values, float64(value.Draw(t, "value")))
			}
			switch {
			case what >= 16: // a gap
				i += every * rapid.IntRange(0, 12).Draw(t, "gap")
				continue
			case what >= 14 && !h.ordered: // late
				a.time = max(min(h.start, now), now-slot*rapid.Int64Range(1, 40).Draw(t, "late"))
			case what == 13 && !h.ordered && last != 0: // again
				a.time = last
			case what == 12 && !h.ordered: // a burst
				for k := range rapid.Int64Range(1, 8).Draw(t, "burst") {
					b := a
					b.time = now - 9 + k
					h.slots[i] = append(h.slots[i], b)
				}
			case what == 11 && !h.ordered: // ahead
				a.time += rapid.Int64Range(1, 60).Draw(t, "ahead")
			}
			last = a.time
			h.slots[i] = append(h.slots[i], a)
		}
	}
}

// recorded is a store that remembers when services were notified.
type recorded struct {
	*model
	notified []int64
}

func (r *recorded) SaveStates(ctx context.Context, changes []*tidemark.StateChange) error {
	err := r.model.SaveStates(ctx, changes)
	for _, c := range changes {
		if err == nil && c.Saved && c.Transition.Notify {
			r.notified = append(r.notified, c.Now)
		}
	}
	return err
}

// tester is a *testing.T or a *rapid.T.
type tester interface {
	Context() context.Context
	Fatal(args ...any)
	Fatalf(format string, args ...any)
}

// live plays a history against the evaluator.
type live struct {
	t      tester
	h      *history
	engine *memory.Engine
	store  *recorded
	eval   *Evaluator
	now    int64
	even   int64 // seconds that went by, whatever the clock shows
}

func (l *live) Metric(_ context.Context, _ tidemark.OrgID, name string) (*tidemark.Metric, error) {
	if tidemark.MetricKey(name) == l.h.metric.Name {
		return l.h.metric, nil
	}
	return &tidemark.Metric{Name: name, Type: tidemark.Gauge, Period: l.h.metric.Period}, nil
}

func (l *live) MetricsByName(context.Context, tidemark.OrgID, []string) (map[string]*tidemark.Metric, error) {
	return nil, nil
}

func (l *live) WindowsIn(context.Context, tidemark.OrgID, int64) ([]*tidemark.Maintenance, error) {
	return l.h.allWindows(), nil
}

func (l *live) restart() {
	reader := Reader{Engine: l.engine, Metrics: l, Composites: query.New(query.Options{Engine: l.engine}), Windows: l}
	l.eval = NewEvaluator(Options{Store: l.store, Reader: reader, Logger: slog.New(slog.DiscardHandler)})
	// However slow the machine is, the steps of a round are evaluated in it.
	l.eval.patience, l.eval.fast.pool.deadline, l.eval.seeds.pool.deadline = time.Minute, time.Minute, time.Minute
	l.eval.clock.elapsed = func() time.Duration { return time.Duration(l.even) * time.Second }
}

// rounds evaluates twice: what was new in the first is evaluated in the second.
func (l *live) rounds() {
	for range 2 {
		l.eval.round(l.t.Context(), time.Unix(l.now, 0))
	}
}

func (l *live) write(came []arrival) {
	var b tsdb.Batch
	for _, a := range came {
		tags := tidemark.Tags{{Name: "dc", Value: a.dc()}, {Name: "host", Value: a.host}}
		s := tsdb.Single(a.values[0])
		var known sketch.Sketch
		known.Add(a.values[0], 1)
		for _, v := range a.values[1:] {
			more := tsdb.Single(v)
			s.Merge(&more)
			known.Add(v, 1)
		}
		if g := l.h.alert.Conditions[0].Against; g != nil && g.Below != nil {
			b.AddDistribution(tsdb.AppendKey(nil, "cpu", tags), a.time, s, known.AppendBinary(nil))
			continue
		}
		b.AddKey(tsdb.AppendKey(nil, cmp.Or(a.metric, "cpu"), tags), a.time, s)
	}
	if err := l.engine.Write(l.t.Context(), 1, &b); err != nil {
		l.t.Fatal(err)
	}
	l.eval.Wrote(1, &b)
}

// incidents returns those that were saved; the end is 0 while one is open.
func (l *live) incidents() []tidemark.Interval {
	var ids []int64
	for id := range l.store.incidents {
		ids = append(ids, id)
	}
	slices.Sort(ids)
	var all []tidemark.Interval
	for _, id := range ids {
		in := l.store.incidents[id]
		end := int64(0)
		if in.ClearedAt != nil {
			end = *in.ClearedAt
		}
		all = append(all, tidemark.Interval{in.TriggeredAt, end})
	}
	return all
}

// checkRestart expects that a restart by itself begins and ends nothing.
func (l *live) checkRestart() {
	l.rounds()
	before := l.incidents()
	l.restart()
	l.rounds()
	if diff := gocmp.Diff(before, l.incidents()); diff != "" {
		l.t.Fatalf("%s\n%s\nincidents before and after a restart:\n%s", l.h.alert.Sentence(nil), l.h, diff)
	}
}

// check plays the history all ways.
func (h *history) check(t tester) {
	l := &live{t: t, h: h, engine: memory.New(), store: &recorded{model: newModel()}, now: h.start}
	l.restart()
	l.write(h.past)
	l.store.add(h.alert, h.start)
	l.store.windows = h.suspending()
	o := newOracle(h.alert, h.step, h.composite, h.start)
	o.conditions[0].windows = h.allWindows()
	o.suspend(h.suspended)
	o.remember(h.past)
	l.rounds()
	for i, came := range h.slots {
		l.now, l.even = h.now(i), l.even+slot+h.outages[i]
		if h.outages[i] != 0 {
			l.restart()
			o.restart(l.now, l.store.alerts[h.alert.ID].State.Violations)
			l.rounds()
			o.look(l.now, nil)
		}
		if by := h.jumps[i]; by != 0 {
			o.setClock(l.now, by)
		}
		if h.restarts[i] {
			l.rounds()
			o.look(l.now, nil)
			l.checkRestart()
			o.restart(l.now, l.store.alerts[h.alert.ID].State.Violations)
			o.look(l.now, nil)
		}
		if len(came) > 0 {
			l.write(came)
		}
		l.rounds()
		o.look(l.now, came)
	}
	sentence := h.alert.Sentence(nil).String() + "\n" + h.String()
	if o.conditions[0].step != 0 && h.isStarted() {
		return // steps are evaluated later after a restart, several at once
	}
	if diff := gocmp.Diff(o.incidents, l.incidents()); diff != "" {
		t.Fatalf("%s\nincidents, oracle and evaluator:\n%s", sentence, diff)
	}
	// Of what is stored nobody knows when it came.
	if diff := gocmp.Diff(o.notified, l.store.notified); diff != "" && (h.ordered || !h.isStarted()) {
		t.Fatalf("%s\nnotifications, oracle and evaluator:\n%s", sentence, diff)
	}
	if h.ordered && len(h.jumps) == 0 && !h.countsSilenceAgain() {
		h.checkBacktest(t, l, o)
	}
}

// checkBacktest compares a backtest with the oracle; of steps, with one that
// knows all measurements before it looks, and takes a step for what it is at
// its start.
func (h *history) checkBacktest(t tester, l *live, o *oracle) {
	got, err := l.eval.Reader.Backtest(t.Context(), 1, h.alert, h.start, l.now+1, l.now)
	if err != nil {
		t.Fatal(err)
	}
	var tried []tidemark.Interval
	for _, in := range got.Incidents {
		end := int64(0)
		if in.ClearedAt != nil {
			end = *in.ClearedAt
		}
		tried = append(tried, tidemark.Interval{in.TriggeredAt, end})
	}
	want := o.incidents
	if o.conditions[0].step != 0 {
		want = h.inHindsight(l.now)
	}
	if diff := gocmp.Diff(want, tried); diff != "" {
		t.Fatalf("%s\n%s\nincidents, oracle and backtest:\n%s", h.alert.Sentence(nil), h, diff)
	}
}

// inHindsight is what the oracle says of an alert on steps when nothing is
// late.
func (h *history) inHindsight(end int64) []tidemark.Interval {
	o := newOracle(h.alert, h.step, h.composite, h.start)
	o.conditions[0].windows = h.allWindows()
	o.suspend(h.suspended)
	o.remember(h.past)
	c := o.conditions[0]
	for _, came := range h.slots {
		for _, a := range came {
			if c.picks(a) {
				c.arrivals = append(c.arrivals, a)
			}
		}
	}
	c.waits = true
	first := h.start - h.start%h.step
	for at := first - h.before(); at <= end; at += h.step {
		c.from = at
		c.evaluateStep(at + h.step)
		if at >= first {
			o.look(max(at, h.start), nil)
		}
	}
	return o.incidents
}

// before is from how long before its start a backtest looks at what is stored:
// what violates at the start may have done so for long enough.
func (h *history) before() int64 {
	if len(h.past) == 0 {
		return 0
	}
	before := int64(15 * 60)
	if d := h.alert.Conditions[0].Duration; d != nil {
		before += int64(*d)
	}
	return before
}
