package ingest

import (
	"context"
	"errors"
	"math"
	"slices"
	"strings"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/protocol"
	"github.com/tidemark-metrics/tidemark/internal/tsdb"
)

// Origin says where points come from.
type Origin struct {
	UserAgent string
	Period    int64 // seconds between the points of a stream; 0 where it is not known
	// Refused is called for each point that was refused, by its place in the
	// batch. It may be nil.
	Refused func(i int)

	scope *tidemark.TokenScope // nil for everything
	token string               // whose scope it is
	sent  bool                 // by somebody, rather than made by the server
}

// From is the origin of what who sends.
func From(who tidemark.Identity, userAgent string) Origin {
	o := Origin{UserAgent: userAgent}
	o.Scoped(who)
	return o
}

// Scoped narrows what is taken to what who may send: not what the server alone
// records, and what is in the scope of their token.
func (o *Origin) Scoped(who tidemark.Identity) { o.scope, o.token, o.sent = who.Scope, who.Name, true }

// NewBatch returns an empty batch for RecordPoints with the given limits. What
// streams are called is remembered from one to the next.
func (r *Recorder) NewBatch(l protocol.Limits) *protocol.Batch { return r.known.NewBatch(l) }

// RecordPoints records what came through another protocol. It does with the
// points what Record does with measurements: the same limits, the same checks
// of times, the same way metrics are made. Points that say nothing by
// themselves, as the first of a cumulative histogram, count as filtered. The
// batch is only lent.
//
// As many points as a request of measurements may have are recorded at a time,
// since a batch can have many times more. So an error means that not all of it
// was recorded; recording it again does no harm.
func (r *Recorder) RecordPoints(ctx context.Context, org tidemark.OrgID, b *protocol.Batch, from Origin) (Summary, []Problem, error) {
	var all Rejected
	for at := 0; at < len(b.Points); at += tidemark.MaxBatch {
		part := b.Points[at:min(at+tidemark.MaxBatch, len(b.Points))]
		s, problems, err := r.recordPart(ctx, org, part, b.Metadata, from, at)
		if rejected, ok := errors.AsType[*Rejected](err); ok {
			s, problems, all.Err = rejected.Summary, rejected.Problems, rejected.Err
		} else if err != nil {
			return Summary{}, nil, err
		}
		all.add(s, problems, at)
	}
	if all.Summary.Failed > 0 && all.Summary.Accepted+all.Summary.Filtered == 0 {
		return Summary{}, nil, &all
	}
	return all.Summary, all.Problems, r.describeKnown(ctx, org, b.Metadata, &from)
}

// add counts the outcome of a part that begins at a place of the whole.
func (r *Rejected) add(s Summary, problems []Problem, at int) {
	r.Summary.Total += s.Total
	r.Summary.Accepted += s.Accepted
	r.Summary.Failed += s.Failed
	r.Summary.Filtered += s.Filtered
	for _, p := range problems[:min(len(problems), MaxProblems-len(r.Problems))] {
		p.Index += at
		r.Problems = append(r.Problems, p)
	}
}

// recordPart records some of the points of a batch, from the one at a place.
func (r *Recorder) recordPart(ctx context.Context, org tidemark.OrgID, points []protocol.Point, about []protocol.Metadata, from Origin, at int) (Summary, []Problem, error) {
	d := r.intake(nil, from)
	defer r.done(d)
	d.points, d.metadata, d.sendPeriod, d.sender = points, about, from.Period, org
	defer d.dropPoints()
	totals := &r.cache.of(org).totals
	if slices.ContainsFunc(points, func(p protocol.Point) bool { return p.Kind == protocol.CumulativeDistribution }) {
		totals.mu.Lock() // until the points are stored, or another request would take the same difference
		defer totals.mu.Unlock()
	}
	if err := r.write(ctx, org, d); err != nil {
		return Summary{}, nil, err
	}
	totals.commit(d)
	d.tellRefused(from.Refused, at)
	return d.summary, d.problems, d.verdict()
}

func (d *intake) tellRefused(tell func(int), at int) {
	if tell == nil || d.summary.Failed == 0 {
		return
	}
	for i := range d.items {
		if d.items[i].flaw > flawEmpty {
			tell(at + i)
		}
	}
}

// dropPoints forgets what is the caller's memory.
func (d *intake) dropPoints() {
	d.points, d.metadata = nil, nil
	clear(d.described)
}

// readPoints makes an item of every point.
func (d *intake) readPoints(started int64) {
	var labels tidemark.Tags // of the point before: fields of one line share theirs
	var tags span
	upper := false // letters in the labels
	enough := true // room for the tags that the token adds
	for i := range d.points {
		p := &d.points[i]
		it := item{extra: int32(i)}
		if !sameSlice(labels, p.Labels) || i == 0 {
			labels, tags, upper = p.Labels, d.pointTags(p), d.pointUpper(p)
			enough = true
			if d.scope != nil && len(d.scope.Add) > 0 {
				tags, enough = d.withAdded(tags.of(d.arena))
				upper = upper || addsUpper(d.scope)
			}
		}
		it.tags, it.upper = tags, upper
		if !tags.empty() {
			it.hasTags = present
		}
		if p.Time != 0 {
			it.time, it.hasTime = p.Time/1000, present
		}
		off := uint32(len(d.arena))
		d.arena = append(d.arena, p.Name...)
		it.name = span{off, uint32(len(d.arena))}
		if !tidemark.IsMetricName(p.Name) {
			it.flaw = badName
		} else if !enough {
			it.flaw = tooManyTags
		} else if d.scope != nil && !d.inScope([]byte(tidemark.MetricKey(p.Name)), tags.of(d.arena)) {
			it.flaw = outOfScope // before its totals are remembered
		} else {
			d.pointValue(&it, p, started)
		}
		d.items = append(d.items, it)
	}
}

func sameSlice(a, b tidemark.Tags) bool {
	return len(a) == len(b) && (len(a) == 0 || &a[0] == &b[0])
}

// pointTags puts labels into the arena as the end of a stream's key. They are
// in order of names, but for those that differ in case.
func (d *intake) pointTags(p *protocol.Point) span {
	if p.Key == "" {
		return d.labelTags(p.Labels)
	}
	begin := uint32(len(d.arena))
	d.arena = append(d.arena, p.Key...)
	return span{begin, uint32(len(d.arena))}
}

// tagKey returns labels as pointTags has them.
func tagKey(labels tidemark.Tags) string {
	var d intake
	return string(d.labelTags(labels).of(d.arena))
}

func (d *intake) labelTags(labels tidemark.Tags) span {
	begin := uint32(len(d.arena))
	d.entries = d.entries[:0]
	ordered := true
	for i, l := range labels {
		e := d.addEntry(l.Name, l.Value)
		if i > 0 && string(d.entries[i-1].key(d.arena)) >= string(e.key(d.arena)) {
			ordered = false
		}
	}
	if !ordered {
		return d.sortTags()
	}
	return span{begin, uint32(len(d.arena))}
}

func appendLowerText(dst []byte, text string) []byte {
	off := len(dst)
	dst = append(dst, text...)
	for i, c := range dst[off:] {
		if c >= 'A' && c <= 'Z' {
			dst[off+i] = c + 'a' - 'A'
		}
	}
	return dst
}

// pointValue sets what is recorded of a point.
func (d *intake) pointValue(it *item, p *protocol.Point, started int64) {
	switch p.Kind {
	case protocol.Distribution:
		d.distribution(it, p.Dist)
	case protocol.CumulativeDistribution:
		more, ok := d.org.totals.since(d, it, p, started)
		if !ok || more.Count <= 0 {
			it.flaw = flawEmpty
			return
		}
		more = more.Seal(&d.sketch)
		d.distribution(it, &more)
	default:
		if !(math.Abs(p.Value) < tooLarge) {
			it.flaw = hugeNumber
			return
		}
		it.summary = tsdb.Single(notTooSmall(p.Value))
	}
}

// distribution sets the summary and the sketch of a distribution.
func (d *decoder) distribution(it *item, dist *protocol.Dist) {
	s := tsdb.Summary{Count: dist.Count, Sum: dist.Sum, Min: dist.Min, Max: dist.Max}
	d.sketch.Reset()
	if err := d.sketch.MergeEncoded(dist.Sketch); err != nil {
		it.flaw = badSketch
		return
	}
	it.summary = s
	it.settleCount(d.sketch.Count())
	if s.Count = it.summary.Count; !(s.Count >= 1) {
		it.flaw, it.field = countSmall, fieldCount
		return
	}
	for _, v := range []float64{s.Count, s.Sum, s.Min, s.Max} {
		if !(math.Abs(v) < tooLarge) {
			it.flaw = hugeNumber
			return
		}
	}
	s.Complete(&d.sketch)
	off := uint32(len(d.sketches))
	d.sketches = append(d.sketches, dist.Sketch...)
	it.summary, it.dist = s, span{off, uint32(len(d.sketches))}
}

// sketchRounding is the part of a count by which a sketch may be off.
const sketchRounding = 1 << 16

// describePoint makes the metric that a point would create. A total is a
// counter, of which the last value counts; what was added in between is summed
// up.
func (d *intake) describePoint(p *protocol.Point) *tidemark.Metric {
	m := &tidemark.Metric{Name: strings.Clone(p.Name), Type: tidemark.Gauge, Attributes: make(map[string]any)}
	switch p.Kind {
	case protocol.Counter:
		m.Type = tidemark.Counter
		m.Attributes["summarize_function"] = "last"
	case protocol.Delta:
		m.Attributes["summarize_function"] = "sum"
	}
	if p.Kind == protocol.Distribution || p.Kind == protocol.CumulativeDistribution {
		m.Attributes["distribution"] = true
	}
	about := d.metadataOf(m.Name)
	if p.Kind == protocol.Gauge && isTotal(about, m.Name) {
		m.Type = tidemark.Counter
		m.Attributes["summarize_function"] = "last"
	}
	m.Description = validText(m, strings.Clone(about.Help), func(m *tidemark.Metric) **string { return &m.Description })
	if unit := unitOf(about.Unit); unit != "" {
		takeAttributes(m, map[string]any{"display_units_short": strings.Clone(unit)})
	}
	if d.sendPeriod > 0 {
		takePeriod(m, d.sendPeriod)
	}
	if d.agent != "" {
		takeAttributes(m, map[string]any{"created_by_ua": cut(d.agent, maxAgent)})
	}
	return m
}

// unitOf is a unit as people write it. OpenTelemetry has 1 for none, and puts
// what is counted in braces.
func unitOf(unit string) string {
	if unit == "1" {
		return ""
	}
	return strings.TrimSuffix(strings.TrimPrefix(unit, "{"), "}")
}

// metadataOf returns what the request says of a metric, or an earlier one did.
func (d *intake) metadataOf(name string) protocol.Metadata {
	if len(d.described) == 0 && len(d.metadata) > 0 {
		for _, m := range d.metadata {
			d.described[m.Name] = m
		}
	}
	m := aboutOf(name, func(name string) (protocol.Metadata, bool) { m, ok := d.described[name]; return m, ok })
	if m.Name == "" {
		return d.org.about.of(name)
	}
	return m
}
