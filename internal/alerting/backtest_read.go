package alerting

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/tidemark-metrics/tidemark"
)

// maxReadings is how many readings a backtest holds in memory, at 16 bytes each.
// Where there are more, those of whole minutes are read.
const maxReadings = 4_000_000

var errTooMany = errors.New("too many readings")

// read reads all that the conditions look at.
func (t *backtest) read(ctx context.Context) error {
	for i := range t.alert.Conditions {
		c := &t.alert.Conditions[i]
		s, err := t.reader.sourceOf(ctx, t.org, t.alert, c)
		if err != nil {
			return err
		}
		tc := &backtestCondition{rule: newRule(c), source: s}
		tc.rule.suspend(t.suspended, s.step)
		if err := t.readCondition(ctx, tc); err != nil {
			return fmt.Errorf("read %s: %w", c.MetricName, err)
		}
		t.conditions = append(t.conditions, tc)
	}
	return nil
}

func (t *backtest) readCondition(ctx context.Context, c *backtestCondition) error {
	for _, least := range []int64{1, minute, 3600} {
		err := t.readSteps(ctx, c, least)
		if !errors.Is(err, errTooMany) {
			return err
		}
	}
	return tidemark.Errorf(tidemark.TooLarge, "there are too many measurements in this time: choose a shorter one, or fewer streams")
}

// segment is a part of the past that is kept at one resolution.
type segment struct{ start, end, step int64 }

// segments cuts [start, end) into parts by the finest resolution that is kept
// of each, though none finer than least.
func (t *backtest) segments(start, end, least int64) []segment {
	var parts []segment
	tiers := t.reader.Engine.Tiers()
	for i := len(tiers) - 1; i >= 0; i-- {
		until := end
		if i > 0 {
			// A minute more than the finer tier promises to keep.
			until = min(end, t.now-tiers[i-1].Retention+minute)
			until -= until % tiers[i].Window
		}
		if from := start; from < until {
			parts = append(parts, segment{from, until, max(least, tiers[i].Window)})
			start = until
		}
	}
	return parts
}

// readSteps reads what c looks at: from a while before the start, so that
// what began before it is known.
func (t *backtest) readSteps(ctx context.Context, c *backtestCondition, least int64) error {
	c.streams, c.coarse, c.summary = nil, 0, 0
	byName := make(map[string]*streamHistory)
	lead := c.rule.duration + lookback
	readings := 0
	for _, part := range t.segments(t.start-lead, t.end, max(least, c.source.step)) {
		if part.step > c.source.step && part.end > t.start {
			c.coarse, c.summary = part.end, part.step
		}
		s := c.source
		s.step = part.step
		for series, err := range t.reader.readings(ctx, t.org, &s, &c.rule, part.start, part.end, part.step) {
			if err != nil {
				return err
			}
			if readings += len(series.Times); readings > maxReadings {
				return errTooMany
			}
			name := tidemark.StreamName(series.Tags)
			one, ok := byName[name]
			if !ok {
				one = &streamHistory{stream: name}
				byName[name] = one
				c.streams = append(c.streams, one)
			}
			one.times, one.values = slices.Grow(one.times, len(series.Times)), slices.Grow(one.values, len(series.Times))
			for i, at := range series.Times {
				if part.step > c.source.step && c.rule.kind != tidemark.Absent && t.suspended.meets(at, at+part.step) {
					continue // of a summary nobody knows what part of it counts
				}
				one.times, one.values = append(one.times, at), append(one.values, series.Values[i])
			}
		}
	}
	for _, one := range c.streams {
		one.measure(t.start)
	}
	return nil
}

// describe says of each condition when it held, by which streams.
func (t *backtest) describe(ctx context.Context, b *tidemark.Backtest) error {
	units := t.reader.Units(ctx, t.org, t.alert)
	for i, c := range t.conditions {
		cond := &t.alert.Conditions[i]
		words := cond.Sentence(units[tidemark.MetricKey(cond.MetricName)])
		d := tidemark.BacktestCondition{
			Sentence: words.String(), Words: words,
			Intervals: latest(c.verdicts.any), Looked: len(c.streams), Streams: []tidemark.BacktestStream{},
		}
		for _, j := range c.longest() {
			d.Violating++
			if len(d.Streams) < tidemark.MaxBacktestStreams {
				v := c.verdicts.streams[j]
				d.Streams = append(d.Streams, tidemark.BacktestStream{Stream: c.streams[j].stream, Intervals: latest(v), Peak: c.peak(j, v)})
			}
		}
		var err error
		if d.Expected, err = t.expected(ctx, c); err != nil {
			return fmt.Errorf("read what %s is compared with: %w", cond.MetricName, err)
		}
		b.Conditions = append(b.Conditions, d)
	}
	return nil
}

func latest(v intervals) []tidemark.Interval {
	return append([]tidemark.Interval{}, v[max(0, len(v)-tidemark.MaxBacktestIncidents):]...)
}

// longest returns the streams that violate, those that do so for longest first.
func (c *backtestCondition) longest() []int {
	var found []int
	totals := make(map[int]int64)
	for j, v := range c.verdicts.streams {
		if len(v) > 0 {
			found = append(found, j)
			totals[j], _ = v.total()
		}
	}
	slices.SortFunc(found, func(a, b int) int {
		if totals[a] != totals[b] {
			return int(totals[b] - totals[a])
		}
		return strings.Compare(c.streams[a].stream, c.streams[b].stream)
	})
	return found
}

// peak returns the worst value of a stream while it violates in v.
func (c *backtestCondition) peak(stream int, v intervals) *float64 {
	value, _ := c.peakAt(stream, v)
	return value
}

// peakAt returns the worst value of a stream while it violates in v, and when
// that was.
func (c *backtestCondition) peakAt(stream int, v intervals) (peak *float64, when int64) {
	if c.rule.kind == tidemark.Absent {
		return nil, 0
	}
	history := c.streams[stream]
	var worst float64
	found := false
	for _, i := range v {
		var s signal // for derivatives, which need the reading before
		at, _ := slices.BinarySearch(history.times, i[0])
		for k := max(0, at-1); k < len(history.times) && history.times[k] < max(i[1], i[0]+1); k++ {
			value, ok := s.valueOf(&c.rule, history.values[k], false)
			if k >= at && ok && (!found || c.rule.worse(value, worst)) {
				worst, when, found = value, history.times[k], true
			}
		}
	}
	if !found {
		return nil, 0
	}
	return &worst, when
}

// fill says which streams took part in an incident, and how bad it was.
func (t *backtest) fill(in *tidemark.BacktestIncident) {
	end := t.end
	if in.ClearedAt != nil {
		end = *in.ClearedAt
	}
	in.Streams = []string{}
	first := t.first()
	for _, c := range t.conditions {
		for j, v := range c.verdicts.streams {
			part := v.clip(in.TriggeredAt, end)
			if len(part) == 0 {
				continue
			}
			if name := c.streams[j].stream; len(in.Streams) < tidemark.MaxBacktestStreams && !slices.Contains(in.Streams, name) {
				in.Streams = append(in.Streams, name)
			}
			if c != first {
				continue
			}
			if p := c.peak(j, part); p != nil && (in.Peak == nil || c.rule.worse(*p, *in.Peak)) {
				in.Peak = p
			}
		}
	}
	slices.Sort(in.Streams)
}
