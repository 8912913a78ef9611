package alerting

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"sync"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/tsdb"
)

const (
	// coarse is how finely readings are looked for that may be days old.
	coarse = 3600
	// olderAtOnce is how many streams are read with one query.
	olderAtOnce = 200
)

// heard is a stream, or a group of streams, and when its latest reading was.
type heard struct {
	name string
	tags tidemark.Tags
	last int64
}

// shared is what the alerts whose past is read at the same time share: the
// streams that were silent for long, and their latest readings.
type shared struct {
	mu      sync.Mutex
	metrics map[topicKey]*quietMetric
}

func newShared() *shared { return &shared{metrics: make(map[topicKey]*quietMetric)} }

// quietMetric is the streams of a metric that are read later than the others:
// they have no measurement of the last hour.
type quietMetric struct {
	mu      sync.Mutex
	isKnown bool
	streams []*quietStream
}

type quietStream struct {
	heard
	latest map[tsdb.Function]reading
}

type reading struct {
	t int64
	v float64
}

// metric returns the quiet streams of a metric, locked.
func (s *shared) metric(ctx context.Context, r *Reader, org tidemark.OrgID, metric string, now int64) (*quietMetric, error) {
	s.mu.Lock()
	m := s.metrics[topicKey{org, metric}]
	if m == nil {
		m = &quietMetric{}
		s.metrics[topicKey{org, metric}] = m
	}
	s.mu.Unlock()
	m.mu.Lock()
	if m.isKnown {
		return m, nil
	}
	m.streams = nil
	for one, err := range r.Engine.Streams(ctx, org, metric, tsdb.Filter{}) {
		if err != nil {
			m.mu.Unlock()
			return nil, err
		}
		if one.LastSeen > now-int64(tidemark.AutoClear) && one.LastSeen < now-seedBack {
			tags := slices.Clone(one.Tags)
			m.streams = append(m.streams, &quietStream{heard: heard{tidemark.StreamName(tags), tags, one.LastSeen}})
		}
	}
	m.isKnown = true
	return m, nil
}

// seedQuiet has c know the streams that were not measured since from. It
// returns those of which it must know more.
func (e *Evaluator) seedQuiet(ctx context.Context, c *condition, from int64, p past, with *shared) ([]heard, error) {
	m, err := with.metric(ctx, &e.Reader, c.watch.Org, c.source.metric, p.now)
	if err != nil {
		return nil, err
	}
	defer m.mu.Unlock()
	var quiet []*quietStream
	var unread []heard
	function := c.engineFunction()
	for _, s := range m.streams {
		if s.last < from && s.last >= p.changed && c.filter.Match(s.tags) {
			quiet = append(quiet, s)
			if _, read := s.latest[function]; !read || c.needsHistory() {
				unread = append(unread, s.heard)
			}
		}
	}
	found := make(map[string]reading)
	lacking, err := e.seedHeard(ctx, c, unread, p, func(s *tsdb.Series) {
		n := len(s.Times) - 1
		if name := tidemark.StreamName(s.Tags); s.Times[n] >= found[name].t {
			found[name] = reading{s.Times[n], s.Values[n]}
		}
	})
	if err != nil || c.needsHistory() {
		return lacking, err
	}
	for _, s := range quiet {
		if read, ok := found[s.name]; ok && read.t <= s.last {
			if s.latest == nil {
				s.latest = make(map[tsdb.Function]reading)
			}
			s.latest[function] = read
		} else if l, ok := s.latest[function]; ok {
			c.replay(&tsdb.Series{Tags: s.tags, Times: []int64{l.t}, Values: []float64{l.v}}, p)
		}
	}
	return nil, nil
}

// needsHistory reports whether the latest reading of a stream is not enough to
// tell whether it violates.
func (c *condition) needsHistory() bool { return c.isWindowed() || c.function == "derivative" }

// lacks reports whether readings before those that s knows may matter.
func (c *condition) lacks(s *signal) bool {
	switch {
	case !c.needsHistory():
		return false
	case c.function == "derivative" && !s.hasBase:
		return true
	case !c.isWindowed():
		return false
	}
	return len(s.recent) == 0 || s.recent[0].time() > s.last-c.duration
}

// seedHeard reads the latest readings of streams, and as much before them as
// the condition looks at. It returns the streams that have more before.
func (e *Evaluator) seedHeard(ctx context.Context, c *condition, streams []heard, p past, each func(*tsdb.Series)) (lacking []heard, err error) {
	slices.SortFunc(streams, func(a, b heard) int { return cmp.Compare(a.last, b.last) })
	for len(streams) > 0 {
		n := 1
		for n < min(len(streams), olderAtOnce) && streams[n].last-streams[0].last < coarse {
			n++
		}
		start := streams[0].last - streams[0].last%coarse // the time that the coarsest tier has for it
		if c.needsHistory() {
			start -= c.duration + seedBack
		}
		end := streams[n-1].last + c.step
		if c.composite != "" {
			end += roundUp(coarse, c.step) // of which it is not known when in the hour it was
		}
		err := e.readOf(ctx, c, streams[:n], max(start, p.changed), end, c.step, func(s *tsdb.Series) {
			if c.replay(s, p); c.lacks(c.signal(tidemark.StreamName(s.Tags))) {
				lacking = append(lacking, heard{tidemark.StreamName(s.Tags), slices.Clone(s.Tags), s.Times[0]})
			}
			each(s)
		})
		if err != nil {
			return nil, err
		}
		streams = streams[n:]
	}
	return lacking, nil
}

// readOf reads what some streams have in [start, end).
func (e *Evaluator) readOf(ctx context.Context, c *condition, streams []heard, start, end, step int64, each func(*tsdb.Series)) error {
	of, wanted := c.source, make(map[string]bool, len(streams))
	for i := range streams {
		wanted[streams[i].name] = true
	}
	of.filter = tsdb.AllOf(of.filter, near(streams))
	if of.step > 1 {
		of.step = step
	}
	start -= start % step
	for s, err := range e.Reader.readings(ctx, c.watch.Org, &of, &c.rule, start, end, step) {
		if err != nil {
			return err
		}
		if wanted[tidemark.StreamName(s.Tags)] && len(s.Times) > 0 {
			each(s)
		}
	}
	return nil
}

// near picks streams, and as few others as what they have in common allows:
// those with the values that they have of the tags that all of them have.
func near(streams []heard) tsdb.Filter {
	var all []tsdb.Filter
	for _, tag := range streams[0].tags {
		values := make(map[string]bool)
		for i := range streams {
			value, ok := streams[i].tags.Get(tag.Name)
			if !ok {
				values = nil
				break
			}
			values[value] = true
		}
		if values != nil {
			all = append(all, tsdb.TagIs(tag.Name, slices.Sorted(maps.Keys(values))...))
		}
	}
	return tsdb.AllOf(all...)
}

// deepen finds, for streams that have readings since last, the ones before: for
// a derivative and for a duration the one before, however old. All that comes
// after it is then read again, until end.
func (e *Evaluator) deepen(ctx context.Context, c *condition, lacking []heard, end int64, p past) error {
	oldest := max(p.changed, p.now-int64(tidemark.AutoClear))
	lacking = slices.DeleteFunc(lacking, func(h heard) bool { return h.last <= oldest })
	for some := range slices.Chunk(lacking, olderAtOnce) {
		before, err := e.before(ctx, c, some, oldest)
		if err != nil {
			return err
		}
		some = slices.DeleteFunc(slices.Clone(some), func(h heard) bool { return before[h.name] == nil })
		if len(some) == 0 {
			continue
		}
		first := end
		since := make(map[string]int64, len(some))
		for _, h := range some {
			s := c.signal(h.name)
			delete(c.bad, s)
			*s = signal{stream: h.name}
			since[h.name] = h.last
			if found := before[h.name]; c.isWindowed() && c.suspended.between(found.Times[0], h.last) {
				since[h.name] = max(oldest, found.Times[0]-c.duration-seedBack) // whether it violated before that counts
			} else {
				c.replay(found, p)
			}
			first = min(first, since[h.name])
		}
		err = e.readOf(ctx, c, some, first, end, c.step, func(s *tsdb.Series) {
			c.replay(cutBefore(s, since[tidemark.StreamName(s.Tags)]), p)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// before returns the readings before those that are known of streams, as many
// as matter: an hour that has some is found first, then read.
func (e *Evaluator) before(ctx context.Context, c *condition, streams []heard, oldest int64) (map[string]*tsdb.Series, error) {
	wanted := 1
	if c.isWindowed() && c.function == "derivative" {
		wanted = 2
	}
	first := make(map[string]int64, len(streams))
	end := int64(0)
	for _, h := range streams {
		first[h.name] = h.last
		end = max(end, h.last)
	}
	step := roundUp(coarse, c.step)
	hours := make(map[int64]bool)
	err := e.readOf(ctx, c, streams, oldest, end, step, func(s *tsdb.Series) {
		i, _ := slices.BinarySearch(s.Times, first[tidemark.StreamName(s.Tags)])
		for _, hour := range s.Times[max(0, i-wanted-1):i] {
			hours[hour] = true // of the last one, all may be known
		}
	})
	if err != nil {
		return nil, err
	}
	found := make(map[string]*tsdb.Series)
	for _, hour := range slices.Sorted(maps.Keys(hours)) {
		err := e.readOf(ctx, c, streams, max(hour, oldest), hour+step, c.step, func(s *tsdb.Series) {
			name := tidemark.StreamName(s.Tags)
			if n, _ := slices.BinarySearch(s.Times, first[name]); n > 0 {
				if found[name] == nil {
					found[name] = &tsdb.Series{Tags: slices.Clone(s.Tags)}
				}
				all := found[name]
				all.Times, all.Values = append(all.Times, s.Times[:n]...), append(all.Values, s.Values[:n]...)
				all.Times, all.Values = all.Times[max(0, len(all.Times)-wanted):], all.Values[max(0, len(all.Values)-wanted):]
			}
		})
		if err != nil {
			return nil, err
		}
	}
	return found, nil
}

// roundUp returns the least multiple of step that is at least n.
func roundUp(n, step int64) int64 { return (n + step - 1) / step * step }

// heard returns the streams of c, or its groups, that were alive since a time.
func (e *Evaluator) heard(ctx context.Context, c *condition, since, now int64, with *shared) (map[string]heard, error) {
	since = max(since, now-int64(tidemark.AutoClear)+1)
	if c.composite != "" {
		return e.heardOfComposite(ctx, c, since, now, with)
	}
	found := make(map[string]heard)
	for s, err := range e.Reader.Engine.Streams(ctx, c.watch.Org, c.source.metric, c.filter) {
		if err != nil {
			return nil, err
		}
		tags, ok := c.groupOf(s.Tags)
		if !ok || s.LastSeen == 0 || s.LastSeen < since {
			continue
		}
		if name := tidemark.StreamName(tags); s.LastSeen > found[name].last {
			found[name] = heard{name, slices.Clone(tags), s.LastSeen}
		}
	}
	return found, nil
}

// heardOfComposite evaluates a composite, which has streams of its own: what is
// recent step by step, and all before that by the hour, if a stream that it
// reads has been silent since.
func (e *Evaluator) heardOfComposite(ctx context.Context, c *condition, since, now int64, with *shared) (map[string]heard, error) {
	found := make(map[string]heard)
	recent := max(since, now-max(c.duration+lookback, seedBack))
	quiet, err := e.readsQuiet(ctx, c, recent, now, with)
	if err == nil && quiet {
		err = e.addHeard(ctx, c, since, recent, roundUp(coarse, c.step), found)
	}
	if err == nil {
		err = e.addHeard(ctx, c, recent, now, c.step, found)
	}
	return found, err
}

func (e *Evaluator) addHeard(ctx context.Context, c *condition, start, end, step int64, found map[string]heard) error {
	of := c.source.plain()
	of.step = step
	for s, err := range e.Reader.readings(ctx, c.watch.Org, of, &c.rule, start, end, step) {
		if err != nil {
			return err
		}
		if len(s.Times) > 0 {
			name := tidemark.StreamName(s.Tags)
			found[name] = heard{name, slices.Clone(s.Tags), s.Times[len(s.Times)-1]}
		}
	}
	return nil
}

// readsQuiet reports whether a stream that c's composite may read was last
// measured before a time.
func (e *Evaluator) readsQuiet(ctx context.Context, c *condition, before, now int64, with *shared) (bool, error) {
	for _, metric := range c.leaves {
		m, err := with.metric(ctx, &e.Reader, c.watch.Org, metric, now)
		if err != nil {
			return false, err
		}
		quiet := slices.ContainsFunc(m.streams, func(s *quietStream) bool { return s.last < before })
		if m.mu.Unlock(); quiet {
			return true, nil
		}
	}
	return false, nil
}

// groupOf returns the tags of the group that a stream belongs to, if it belongs
// to one; without groups those of the stream itself.
func (s *source) groupOf(tags tidemark.Tags) (tidemark.Tags, bool) {
	if s.merged {
		return nil, true
	}
	if len(s.groups) == 0 {
		return tags, true
	}
	of := make(tidemark.Tags, 0, len(s.groups))
	for _, name := range s.groups {
		value, ok := tags.Get(name)
		if !ok {
			return nil, false
		}
		of = append(of, tidemark.Tag{Name: name, Value: value})
	}
	return of, true
}
