package alerting

import (
	"context"
	"math"
	"slices"
	"sort"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/tsdb"
)

const (
	hour = 3600
	// Of a season by the week, at least two of the weeks must have
	// measurements; else the hour of the day counts, of which there must be
	// three days.
	fewestWeeks = 2
	fewestDays  = 3
	// learnedDays is of how many days the hour of the day is learned.
	learnedDays = 14
	// madToSpread makes of the median absolute deviation what the standard
	// deviation is where values are spread normally.
	madToSpread = 1.4826
	// beyondAll is the score of a value that differs where none ever did.
	beyondAll = 1e9
)

// band is what is usual in one hour: the median of what was measured then, and
// how far values usually are from it. Both take no notice of a few that are far
// off, such as those of incidents.
type band struct{ usual, spread float64 }

// learn returns the band of values, which it sorts.
func learn(values []float64) band {
	usual := median(values)
	for i, v := range values {
		values[i] = math.Abs(v - usual)
	}
	return band{usual, madToSpread * median(values)}
}

func median(values []float64) float64 {
	slices.Sort(values)
	n := len(values)
	if n%2 == 1 {
		return values[n/2]
	}
	return (values[n/2-1] + values[n/2]) / 2
}

// score is how many usual spreads a value is on the wrong side; 0 or less if
// it is not, or not by as much as it must be at least.
func (b band) score(g *tidemark.Against, v float64, below bool) float64 {
	distance := v - b.usual
	switch {
	case g.Both:
		distance = math.Abs(distance)
	case below:
		distance = -distance
	}
	switch {
	case distance <= 0 || g.Least != nil && distance <= *g.Least:
		return 0
	case b.spread == 0:
		return beyondAll
	}
	return min(distance/b.spread, beyondAll)
}

// width is how far from the usual value the band reaches.
func (b band) width(g *tidemark.Against, spreads float64) float64 {
	width := spreads * b.spread
	if g.Least != nil {
		width = max(width, *g.Least)
	}
	return width
}

// scores are the readings in usual spreads from what is usual.
func (c *comparison) scores(ctx context.Context) ([]*tsdb.Series, error) {
	now, err := c.read(ctx, c.plain, c.start, c.end)
	if err != nil {
		return nil, err
	}
	l, err := c.learner(ctx, now)
	if err != nil {
		return nil, err
	}
	return c.each(now, func(stream string, t int64, v float64) (float64, bool) {
		b, ok := l.bandAt(stream, t)
		return b.score(c.source.against, v, c.source.below), ok
	}), nil
}

// learner knows the bands of streams.
type learner struct {
	against *tidemark.Against
	past    streams
	bands   map[bandKey]*band // nil where there is too little to learn from
	// leftOut is when the alert was not evaluated, and the days that are
	// unusual: nothing is learned of a step that has a part in it.
	leftOut intervals
	step    int64
}

type bandKey struct {
	stream string
	hour   int64
}

// learner reads what the bands of the steps are learned from: only what was
// before them.
func (c *comparison) learner(ctx context.Context, now streams) (*learner, error) {
	l := &learner{against: c.source.against, past: make(streams), bands: make(map[bandKey]*band), step: c.step}
	first, last := c.start-c.start%hour, c.end-1
	since := first - max(int64(l.against.LearnedWeeks())*7, learnedDays)*24*hour
	suspended, err := c.reader.suspended(ctx, c.org, c.source.alert, since, c.end)
	if err != nil {
		return nil, err
	}
	l.leftOut = union([]intervals{suspended, l.against.UnusualTimes()})
	if c.end-c.start > 3*hour {
		return l, c.readInto(ctx, l.past, c.plain, since, last-24*hour+hour)
	}
	windows := make(map[int64]bool)
	for h := first; h <= last; h += hour {
		for _, w := range l.windows(h, l.against.Season()) {
			windows[w] = true
		}
	}
	if err := c.readHours(ctx, l.past, windows); err != nil || l.knows(now, first, last) {
		return l, err
	}
	for h := first; h <= last; h += hour {
		for _, w := range l.windows(h, tidemark.HourOfDay) {
			windows[w] = true
		}
	}
	l.past, l.bands = make(streams), make(map[bandKey]*band)
	return l, c.readHours(ctx, l.past, windows)
}

// readHours reads whole hours, in order.
func (c *comparison) readHours(ctx context.Context, into streams, hours map[int64]bool) error {
	starts := make([]int64, 0, len(hours))
	for h := range hours {
		starts = append(starts, h)
	}
	slices.Sort(starts)
	for _, h := range starts {
		if err := c.readInto(ctx, into, c.plain, h, h+hour); err != nil {
			return err
		}
	}
	return nil
}

// knows reports whether every stream can be compared by its season.
func (l *learner) knows(now streams, first, last int64) bool {
	for name := range now {
		for h := first; h <= last; h += hour {
			if _, ok := l.learn(name, h, l.against.Season()); !ok {
				return false
			}
		}
	}
	return true
}

// windows are the hours before that an hour is learned from.
func (l *learner) windows(h int64, season string) []int64 {
	back, n := int64(7*24*hour), l.against.LearnedWeeks()
	if season == tidemark.HourOfDay {
		back, n = 24*hour, learnedDays
	}
	var all []int64
	for k := n; k >= 1; k-- {
		all = append(all, h-int64(k)*back)
	}
	return all
}

// bandAt is the band of the hour of t.
func (l *learner) bandAt(stream string, t int64) (band, bool) {
	k := bandKey{stream, t - t%hour}
	known, ok := l.bands[k]
	if !ok {
		b, enough := l.learn(stream, k.hour, l.against.Season())
		if !enough {
			b, enough = l.learn(stream, k.hour, tidemark.HourOfDay)
		}
		if enough {
			known = &b
		}
		l.bands[k] = known
	}
	if known == nil {
		return band{}, false
	}
	return *known, true
}

func (l *learner) learn(stream string, h int64, season string) (band, bool) {
	s := l.past[stream]
	if s == nil {
		return band{}, false
	}
	var values []float64
	measured := 0
	for _, w := range l.windows(h, season) {
		before := len(values)
		if values = l.appendHour(values, s, w); len(values) > before {
			measured++
		}
	}
	enough := fewestWeeks
	if season == tidemark.HourOfDay {
		enough = fewestDays
	}
	if measured < enough {
		return band{}, false
	}
	return learn(values), true
}

// appendHour appends what counts of the values of an hour.
func (l *learner) appendHour(values []float64, s *tsdb.Series, start int64) []float64 {
	i := sort.Search(len(s.Times), func(i int) bool { return s.Times[i] >= start })
	for ; i < len(s.Times) && s.Times[i] < start+hour; i++ {
		if !l.leftOut.meets(s.Times[i], s.Times[i]+l.step) {
			values = append(values, s.Values[i])
		}
	}
	return values
}
