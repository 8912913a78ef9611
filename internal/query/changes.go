package query

import (
	"cmp"
	"context"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/tsdb"
	"github.com/tidemark-metrics/tidemark/internal/turns"
)

// What a range is compared with.
const (
	AgainstBefore = "before" // the time before it: an hour, or as long as it is
	AgainstDay    = "day"    // the same time a day before
	AgainstWeek   = "week"
)

// ChangeRequest asks which streams changed most in a range of time.
type ChangeRequest struct {
	Metric     string // a name, or a glob
	Filter     tsdb.Filter
	Without    []string // names of metrics that are left out
	Start, End int64    // seconds; End exclusive
	Against    string
	Resolution int64 // seconds, of what is looked at: a coarser one where less is kept
	Now        int64
	Most       int           // how many are returned
	Time       time.Duration // after so long what is found by then is returned
}

// Change is a stream that was unlike itself in a range.
type Change struct {
	Metric string
	Tags   tidemark.Tags
	// Before and During are medians; NaN where there was nothing. LastWeek is
	// that of the same time a week before, where it is known.
	Before, During, LastWeek float64
	Rate                     bool    // they are what a counter rises by in a second
	Deviation                float64 // in spreads of its own past
	Begins                   int64   // seconds after the beginning of the range
	Fit                      int     // 0 to 100
}

// Changes are what changed, best fit first.
type Changes struct {
	Changes []Change
	Found   int   // how many changed, also those that were not returned
	Streams int   // that were compared
	Metrics int   // that they belong to
	Sparse  int   // streams that were left out, since they have too few points
	Step    int64 // seconds that a point stands for
	// Cut is why not all streams were looked at: "streams", "points" or "time";
	// "" if all were.
	Cut string
}

const (
	dayLength, weekLength = 24 * 3600, 7 * 24 * 3600
	leastPast             = 3600 // seconds that AgainstBefore looks back
	longestLead           = 1800 // seconds before the range that a change may begin
	fewestLead            = 5    // points of it
	mostSteps             = 720  // of a stream that are looked at
)

// changeSteps are the resolutions that changes are looked for in.
var changeSteps = []int64{1, 10, 60, 300, 900, 3600, 6 * 3600, dayLength}

// Changes ranks the streams of org by how unlike their own past they were in a
// range of time, and by how closely they begin with it. It reads one stream at
// a time, as a query of org.
func (q *Querier) Changes(ctx context.Context, org tidemark.OrgID, r ChangeRequest) (*Changes, error) {
	words, err := q.spellings.Of(ctx, org)
	if err != nil {
		return nil, err
	}
	c := comparison{Querier: q, org: org, ChangeRequest: r, work: turns.Of(ctx)}
	if err := c.prepare(); err != nil {
		return nil, err
	}
	own, err := q.budget.begin(ctx, org)
	if err != nil {
		return nil, err
	}
	defer own.giveBack()
	c.share = own
	if err := c.readPast(ctx); err != nil {
		return nil, err
	}
	if err := c.readRange(ctx); err != nil {
		return nil, err
	}
	c.found.Changes = c.best(c.Most)
	for i := range c.found.Changes {
		c.found.Changes[i].Tags = words.Tags(c.found.Changes[i].Tags)
	}
	return &c.found, nil
}

// comparison is a ChangeRequest that is being answered.
type comparison struct {
	*Querier
	ChangeRequest
	org     tidemark.OrgID
	work    *turns.Work
	share   *share
	until   time.Time
	step    int64
	lead    int64
	past    map[string]pastLevels
	pastCut bool
	points  int64
	scratch []float64
	key     []byte
	ranked  []Change
	found   Changes
}

// pastLevels are those of one stream at the same time of an earlier day.
type pastLevels struct{ value, rate level }

// prepare checks the request, and chooses at what resolution it is answered.
func (c *comparison) prepare() error {
	var p tidemark.Problems
	p.Check(c.Start > 0 && c.Start < c.End && c.End <= tsdb.MaxTime, "start", "must be before end")
	p.Check(c.Resolution >= 1 && c.Resolution <= tidemark.MaxResolution, "resolution", "must be 1 to %d seconds", tidemark.MaxResolution)
	p.Check(slices.Contains([]string{AgainstBefore, AgainstDay, AgainstWeek}, c.Against), "against", "must be before, day or week")
	if err := p.Err(); err != nil {
		return err
	}
	if c.Metric == "" {
		c.Metric = "*"
	}
	c.until = time.Now().Add(c.Time)
	c.past = make(map[string]pastLevels)
	from := c.Start - c.lookback()
	step, ok := c.stepOf(from, c.End)
	if !ok {
		return ErrResolution
	}
	c.step, c.found.Step = step, step
	if (c.End-c.Start)/step < leastDuring {
		return tidemark.InvalidField("end", "must be %d points or more after start: %d seconds", leastDuring, leastDuring*step)
	}
	c.lead = min(max(c.End-c.Start, fewestLead*step), max(longestLead, fewestLead*step))
	return nil
}

// lookback is how long before the range is looked at, besides an earlier day.
func (c *comparison) lookback() int64 { return max(leastPast, c.End-c.Start) }

// stepOf returns the finest step that [start, end) is kept in and not too long
// for, and whether there is one.
func (c *comparison) stepOf(start, end int64) (int64, bool) {
	for _, step := range changeSteps {
		if step < c.Resolution || (end-start)/step > mostSteps {
			continue
		}
		query := c.query(start, end, step)
		if fit(c.engine.Tiers(), c.Now, &query) == nil {
			return step, true
		}
	}
	return 0, false
}

func (c *comparison) query(start, end, step int64) tsdb.Query {
	return tsdb.Query{
		Metric: tidemark.MetricKey(c.Metric), Filter: c.Filter, Function: tsdb.Mean, Step: step,
		Start: max(0, floorTo(start, step)), End: floorTo(end+step-1, step),
	}
}

// readPast reads what the same time of an earlier day was like. Where that is
// not what the range is compared with, it tells what happens every week.
func (c *comparison) readPast(ctx context.Context) error {
	by := int64(weekLength)
	if c.Against == AgainstDay {
		by = dayLength
	}
	start, end := c.Start-by, c.End-by
	step, ok := c.stepOf(start, end)
	if end <= 0 || !ok {
		return nil
	}
	half := c.until.Add(-c.Time / 2) // the range itself has the other half
	cut, err := c.each(ctx, c.query(start, end, step), half, func(s *tsdb.Series, p points) error {
		levels := pastLevels{value: p.level(&c.scratch)}
		if p.isCounter() {
			levels.rate = p.rates().level(&c.scratch)
		}
		c.past[string(c.keyOf(s))] = levels
		return c.share.cover(c.ahead(step) + int64(len(c.past))*pastPoints)
	})
	c.pastCut = cut != ""
	return err
}

// pastPoints is how many points of memory the levels of one stream take, with
// its name.
const pastPoints = 16

// ahead is how many points an engine has in memory before they are asked for.
func (c *comparison) ahead(step int64) int64 {
	return min(streamsAhead*((c.End-c.Start+c.lookback())/step+1), pointsAhead)
}

// readRange reads the range with what comes before it, and ranks its streams.
func (c *comparison) readRange(ctx context.Context) error {
	metric := ""
	query := c.query(c.Start-c.lookback(), c.End, c.step)
	cut, err := c.each(ctx, query, c.until, func(s *tsdb.Series, p points) error {
		c.found.Streams++
		if s.Metric != metric {
			metric = s.Metric
			c.found.Metrics++
		}
		change, ok := c.compare(p, c.past[string(c.keyOf(s))])
		if !ok {
			return nil
		}
		c.found.Found++
		c.rank(s, change)
		return nil
	})
	c.found.Cut = cut
	if cut == "" && c.pastCut && c.Against != AgainstBefore {
		c.found.Cut = "time"
	}
	return err
}

// each calls do for each stream of query, until one of the limits is reached:
// then it says which.
func (c *comparison) each(ctx context.Context, query tsdb.Query, until time.Time, do func(*tsdb.Series, points) error) (cut string, err error) {
	if err := c.share.cover(c.ahead(query.Step) + int64(len(c.past))*pastPoints); err != nil {
		return "", err
	}
	streams := 0
	for s, err := range c.engine.Select(ctx, c.org, &query) {
		if err != nil {
			return "", err
		}
		if err := c.work.Yield(ctx); err != nil {
			return "", err
		}
		c.points += int64(len(s.Times))
		switch streams++; {
		case streams > c.limits.Series:
			return "streams", nil
		case c.points > int64(c.limits.Points):
			return "points", nil
		case time.Now().After(until):
			return "time", nil
		}
		if slices.Contains(c.Without, s.Metric) {
			continue
		}
		if err := do(s, numbersOf(s)); err != nil {
			return "", err
		}
	}
	return "", nil
}

// numbersOf returns the points of s that are numbers.
func numbersOf(s *tsdb.Series) points {
	p := points{s.Times, s.Values}
	if !slices.ContainsFunc(s.Values, isNoNumber) {
		return p
	}
	p = points{}
	for i, v := range s.Values {
		if !isNoNumber(v) {
			p.times, p.values = append(p.times, s.Times[i]), append(p.values, v)
		}
	}
	return p
}

func isNoNumber(v float64) bool { return math.IsNaN(v) || math.IsInf(v, 0) }

// compare tells how a stream changed, and whether it did.
func (c *comparison) compare(p points, past pastLevels) (Change, bool) {
	change := Change{LastWeek: math.NaN(), Before: math.NaN(), During: math.NaN()}
	usual := past.value
	if p.between(c.Start-c.lookback(), c.Start).isCounter() {
		change.Rate, usual = true, past.rate
		p = p.rates()
	}
	before, during := p.between(c.Start-c.lookback(), c.Start).level(&c.scratch), p.between(c.Start, c.End).level(&c.scratch)
	reference := before
	if c.Against != AgainstBefore {
		reference = usual
	}
	if c.Against != AgainstDay && usual.n >= leastBefore {
		change.LastWeek = usual.median
	}
	switch {
	case reference.n >= leastBefore && during.n >= leastDuring:
		change.Before, change.During = reference.median, during.median
		change.Deviation = reference.deviation(during.median)
	case reference.n == 0 && during.n >= leastDuring && !(c.pastCut && c.Against != AgainstBefore):
		change.During, change.Deviation = during.median, mostDeviation
	case reference.n >= leastBefore && during.n == 0 && c.expected(before) >= leastDuring:
		change.Before, change.Deviation = reference.median, mostDeviation
	default:
		c.found.Sparse++
		return change, false
	}
	if c.Against == AgainstBefore && usual.n >= leastBefore && during.n > 0 {
		// What happens every week at this time is not news.
		change.Deviation = min(change.Deviation, usual.deviation(during.median))
	}
	var ok bool
	change.Begins, ok = c.begins(p, &change)
	change.Fit = fit100(change.Deviation, change.Begins, c.End-c.Start)
	return change, ok && change.Deviation >= leastDeviation
}

// expected is how many points a stream would have in the range if it went on as
// before.
func (c *comparison) expected(before level) int64 {
	return int64(before.n) * (c.End - c.Start) / c.lookback()
}

// begins returns when a change begins, from the beginning of the range, and
// whether it does near it.
func (c *comparison) begins(p points, change *Change) (int64, bool) {
	near := p.between(c.Start-c.lead, c.End)
	switch {
	case len(near.times) == 0:
		return 0, false
	case math.IsNaN(change.During):
		return near.times[len(near.times)-1] + c.step - c.Start, true
	case math.IsNaN(change.Before):
		return near.times[0] - c.Start, true
	}
	at, ok := near.beginning(change.Before, change.During)
	return at - c.Start, ok
}

// rank keeps change, of s, if it is among the best.
func (c *comparison) rank(s *tsdb.Series, change Change) {
	change.Metric, change.Tags = s.Metric, slices.Clone(s.Tags)
	if c.ranked = append(c.ranked, change); len(c.ranked) >= 2*c.Most+16 {
		c.ranked = c.best(c.Most)
	}
}

// best returns the first of the ranked ones in order.
func (c *comparison) best(most int) []Change {
	slices.SortFunc(c.ranked, func(a, b Change) int {
		return cmp.Or(cmp.Compare(b.Fit, a.Fit), cmp.Compare(b.Deviation, a.Deviation), strings.Compare(a.Metric, b.Metric),
			a.Tags.Compare(b.Tags))
	})
	return c.ranked[:min(most, len(c.ranked))]
}

// keyOf returns what a stream is known by, until the next call.
func (c *comparison) keyOf(s *tsdb.Series) []byte {
	c.key = append(c.key[:0], s.Metric...)
	for _, t := range s.Tags {
		c.key = append(append(append(append(c.key, 0), t.Name...), 1), t.Value...)
	}
	return c.key
}
