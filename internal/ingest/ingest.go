// Package ingest records measurements: it reads what agents send, in the
// shapes of POST /v1/measurements, of the old POST /v1/metrics and of
// collectd, or as points of other protocols, checks it, creates the metrics it names
// and hands the rest to the engine. Recorder is the only writer of measurements.
//
// One bad measurement costs only itself, except on the old route, where it
// costs the whole request; that is how each of them always was.
package ingest

import (
	"context"
	"fmt"
	"iter"
	"time"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/protocol"
	"github.com/tidemark-metrics/tidemark/internal/spelling"
	"github.com/tidemark-metrics/tidemark/internal/tsdb"
)

// Metrics is what a Recorder needs of the control store.
type Metrics interface {
	// EnsureMetrics creates those of ms that org does not have, and returns
	// each of ms as it is stored, in the same order.
	EnsureMetrics(ctx context.Context, org tidemark.OrgID, ms []*tidemark.Metric) ([]*tidemark.Metric, error)
	// Metric returns one metric by its name, or NotFound.
	Metric(ctx context.Context, org tidemark.OrgID, name string) (*tidemark.Metric, error)
	// MetricsByName returns those of org's metrics that have one of names, by
	// their tidemark.MetricKey.
	MetricsByName(ctx context.Context, org tidemark.OrgID, names []string) (map[string]*tidemark.Metric, error)
	// MatchMetrics returns the names of org's metrics that are among names,
	// which may hold *, and not among exclude.
	MatchMetrics(ctx context.Context, org tidemark.OrgID, names, exclude []string) ([]string, error)
	// DeleteMetrics removes the metrics with these names. One that is not
	// there is fine.
	DeleteMetrics(ctx context.Context, org tidemark.OrgID, by tidemark.Actor, names []string) error
	// UpdateMetrics applies change to those of org's metrics that are among
	// names and not among exclude, and returns them.
	UpdateMetrics(ctx context.Context, org tidemark.OrgID, by tidemark.Actor, names, exclude []string, change func(*tidemark.Metric)) ([]*tidemark.Metric, error)
	// TagDrops returns the tags that are left out of what org records.
	TagDrops(ctx context.Context, org tidemark.OrgID) ([]*tidemark.TagDrop, error)
}

// Engine is what a Recorder writes to. It has a name here for those who choose
// one and give it to a Recorder, which alone writes to it.
type Engine = tsdb.Engine

// Options are what a Recorder works with.
type Options struct {
	Engine  Engine
	Metrics Metrics
	// Spellings keeps how tags are first written. It may be nil: then all are
	// shown in lower case.
	Spellings *spelling.Book
	Now       func() time.Time // time.Now where nil
	Limits    *tidemark.Limits // the defaults where nil
	// Refusing says why nothing can be recorded at present, or nil. It may be
	// nil itself.
	Refusing func() error
	// OnWrite is called after each write with the names (in lower case) of
	// the metrics that have new records; they are valid during the call only.
	OnWrite func(org tidemark.OrgID, metrics iter.Seq[string])
	// OnRecords is called after each write with what was written. The batch is
	// only lent, and its writer waits.
	OnRecords func(org tidemark.OrgID, b *tsdb.Batch)
}

// Recorder records measurements. It is safe for concurrent use.
type Recorder struct {
	Options
	reach   int64 // seconds: how far back measurements are taken
	started int64
	cache   metricCache
	known   *protocol.Known
	limiter limiter
	intakes intakes
}

// New returns a Recorder.
func New(o Options) *Recorder {
	if o.Now == nil {
		o.Now = time.Now
	}
	r := &Recorder{Options: o, started: o.Now().Unix(), known: protocol.NewKnown(tagKey), intakes: newIntakes()}
	for _, tier := range o.Engine.Tiers() {
		r.reach = max(r.reach, tier.Retention)
	}
	r.cache.orgs = make(map[tidemark.OrgID]*orgMetrics)
	r.limiter.orgs = make(map[tidemark.OrgID]*orgRate)
	return r
}

// Record records a request to POST /v1/measurements, or what collectd sends
// there. It returns after what it counts as accepted would survive a crash.
// The problems are those of the measurements that failed; where none was
// usable the error is a *Rejected. An error means that nothing was recorded.
func (r *Recorder) Record(ctx context.Context, org tidemark.OrgID, body []byte, userAgent string) (Summary, []Problem, error) {
	return r.RecordFrom(ctx, org, body, Origin{UserAgent: userAgent})
}

// RecordFrom is Record for what may be narrowed to the scope of a token: what
// is outside it is refused, and what it adds is added.
func (r *Recorder) RecordFrom(ctx context.Context, org tidemark.OrgID, body []byte, from Origin) (Summary, []Problem, error) {
	if len(body) > tidemark.MaxBatchBytes {
		return Summary{}, nil, tidemark.Errorf(tidemark.TooLarge, "the body is longer than %d bytes", tidemark.MaxBatchBytes)
	}
	d := r.intake(body, from)
	defer r.done(d)
	d.sender = org
	if err := d.read(); err != nil {
		return Summary{}, nil, err
	}
	d.addTags()
	if err := r.write(ctx, org, d); err != nil {
		return Summary{}, nil, err
	}
	return d.summary, d.problems, d.verdict()
}

func (r *Recorder) intake(body []byte, from Origin) *intake {
	d := r.intakes.get()
	d.reset(body)
	d.agent, d.scope, d.token, d.sent = from.UserAgent, from.scope, from.token, from.sent
	d.now = r.Now().Unix()
	d.oldest, d.newest = max(0, d.now-r.reach), d.now+tidemark.MaxTimeAhead
	return d
}

// done keeps the memory of d for those that come.
func (r *Recorder) done(d *intake) { r.intakes.put(d) }

// read takes the body apart.
func (d *decoder) read() error {
	switch d.peek() {
	case '[':
		return d.readCollectd()
	case '{':
		d.body()
	default:
		d.skip(1)
		d.shape = "the body must be an object with measurements"
	}
	d.end()
	switch {
	case d.shape == tooMany:
		return tooManyError()
	case d.fault != "":
		return d.notJSON()
	case d.shape != "":
		return invalid(nil, "%s", d.shape)
	case d.huge:
		return invalid(nil, "a number has an exponent over %d", tidemark.MaxExponent)
	case len(d.items) == 0:
		return emptyError()
	}
	return nil
}

func (d *decoder) notJSON() error {
	return invalid(ErrNotJSON, "Unable to process JSON: %s at byte %d", d.fault, d.i)
}

func tooManyError() error {
	return tidemark.Errorf(tidemark.TooLarge, "a request may have at most %d measurements", tidemark.MaxBatch)
}

func emptyError() error { return invalid(ErrEmpty, "Payload must include at least 1 measurement") }

func errorText(format string, args ...any) string { return fmt.Sprintf(format, args...) }

// verdict is the error of a request of which nothing was usable.
func (d *intake) verdict() error {
	if d.summary.Failed == 0 || d.summary.Accepted+d.summary.Filtered > 0 {
		return nil
	}
	return &Rejected{Err: d.refusal(), Summary: d.summary, Problems: d.problems}
}

func (d *intake) refusal() error {
	if err := d.limited(); err != nil {
		return err
	}
	if err := d.outside(); err != nil {
		return err
	}
	return tidemark.Errorf(tidemark.Invalid, "no measurement could be recorded")
}

// write classifies the items, creates the metrics that are new and writes the
// records.
func (r *Recorder) write(ctx context.Context, org tidemark.OrgID, d *intake) error {
	if r.Refusing != nil {
		if err := r.Refusing(); err != nil {
			return err
		}
	}
	if err := r.limitRate(org, max(len(d.items), len(d.points))); err != nil {
		return err
	}
	d.limits, d.orgID, d.longest = r.Limits, org, int(r.Limits.Of(org, tidemark.LimitStreamBytes))
	d.batch.Room, d.batch.Merged = r.room(org), false
	var err error
	if d.dropped.drops, err = r.dropsOf(ctx, org); err != nil {
		return err
	}
	d.dropped.metric = ""
	d.org = r.cache.of(org)
	// Forgetting a metric waits for the writes to it that are under way,
	// or they would bring its data back.
	d.org.gate.RLock()
	defer d.org.gate.RUnlock()
	if err := r.placeAndStore(ctx, org, d); err != nil || d.batch.Len() == 0 {
		return err
	}
	if r.OnWrite != nil {
		r.OnWrite(org, d.names())
	}
	if r.OnRecords != nil {
		r.OnRecords(org, &d.batch)
	}
	return nil
}

// placeAndStore makes a batch of what came, and writes it: of points as they
// are if that can be, and otherwise of items, each of which may be refused.
func (r *Recorder) placeAndStore(ctx context.Context, org tidemark.OrgID, d *intake) error {
	if d.direct() {
		if err := r.store(ctx, org, d); tidemark.KindOf(err) != tidemark.TooLarge {
			return err
		}
	}
	clear(d.touched)
	d.readPoints(r.started)
	if err := r.prepare(ctx, org, d); err != nil {
		return err
	}
	err := r.store(ctx, org, d)
	for range maxFits {
		if tidemark.KindOf(err) != tidemark.TooLarge {
			break
		}
		// There is no room for some of the streams. What is of the others is
		// still welcome.
		d.refuseUnfit(r.Engine.Fits(org, &d.batch))
		err = r.store(ctx, org, d)
	}
	if tidemark.KindOf(err) == tidemark.TooLarge {
		return d.limitError(tidemark.LimitStreams)
	}
	return err
}

// maxFits is how often a write is tried with what there is room for: others
// may take the room in between.
const maxFits = 3

// store writes the batch, if there is something in it.
func (r *Recorder) store(ctx context.Context, org tidemark.OrgID, d *intake) error {
	if d.legacy && d.summary.Failed > 0 {
		return d.strict()
	}
	if d.batch.Len() == 0 {
		return nil
	}
	if err := r.noteSpellings(ctx, org, d); err != nil {
		return err
	}
	if err := r.Engine.Write(ctx, org, &d.batch); err != nil {
		return fmt.Errorf("write measurements: %w", err)
	}
	return nil
}

// maxMissing is how often metrics may be missing: those that were known the
// last time may be forgotten by now, since others change some.
const maxMissing = 10

// prepare classifies the items and creates the metrics that are missing.
func (r *Recorder) prepare(ctx context.Context, org tidemark.OrgID, d *intake) error {
	for range maxMissing {
		if !d.classify() || d.legacy && d.summary.Failed > 0 { // then nothing will be written
			return nil
		}
		if r.limitMissing(org, d); len(d.missing) == 0 || d.legacy && d.summary.Failed > 0 {
			return nil
		}
		if err := r.create(ctx, org, d); tidemark.KindOf(err) == tidemark.TooMany {
			return r.refuseNew(ctx, org, d)
		} else if err != nil {
			return err
		}
	}
	return fmt.Errorf("%d metrics are still missing after they were created", len(d.missing))
}

// classify puts every usable item into the batch, with the tags and the time it
// has or that are said for all. It reports whether metrics are missing; then
// it has to be done again.
func (d *intake) classify() bool {
	d.batch.Reset()
	d.spelled = false
	d.dropped.begin()
	clear(d.missing)
	d.summary, d.problems = Summary{Total: len(d.items)}, nil
	var latest *known
	for i := range d.items {
		it := &d.items[i]
		if it.flaw == flawNone {
			latest = d.place(it, latest)
		}
		switch it.flaw {
		case flawNone:
			d.summary.Accepted++
		case flawEmpty:
			d.summary.Filtered++
		default:
			d.refuse(i)
		}
	}
	return len(d.missing) > 0
}

// place adds it to the batch, or finds a flaw. It returns the metric of it;
// latest is that of the item before, which is often the same.
func (d *intake) place(it *item, latest *known) *known {
	tags, at := &d.top, &d.top
	if it.hasTags != absent {
		tags = &it.shared
	}
	if it.hasTime != absent {
		at = &it.shared
	}
	time := d.now
	switch {
	case tags.hasTags == wrong:
		it.flaw, it.raw = tags.tagsFlaw, tags.tagsRaw
		return latest
	case at.hasTime == wrong:
		it.flaw, it.raw = timeNotNumber, at.timeRaw
		return latest
	case at.hasTime == present:
		time = at.time
	}
	if time < d.oldest || time > d.newest {
		it.flaw, it.raw = tooOld, at.timeRaw
		if time > d.newest {
			it.flaw = tooNew
		}
		return latest
	}
	d.stream, _ = appendLower(d.stream[:0], &metricBytes, it.name.of(d.arena))
	if d.longest > 0 && len(d.stream)+tags.tagBytes() > d.longest {
		it.flaw = overStreamBytes
		return latest
	}
	if d.scope != nil && !d.inScope(d.stream, tags.bytes(d.arena)) {
		it.flaw = outOfScope
		return latest
	}
	if d.sent && tidemark.IsOwnMetric(string(d.stream)) {
		it.flaw = serverOwned
		return latest
	}
	if latest == nil || latest.name != string(d.stream) {
		if latest = d.org.find(d.stream); latest == nil {
			latest = d.found[string(d.stream)]
		}
	}
	switch {
	case latest == nil && d.unmade:
		it.flaw = overMetrics
		return nil
	case latest == nil:
		d.miss(it)
		if !d.ahead {
			return nil
		}
	case latest.metric.Type == tidemark.Composite:
		it.flaw = isComposite
		return latest
	}
	names := d.dropped.of(d.stream)
	d.stream = appendKept(d.stream, tags.bytes(d.arena), names)
	d.spelled = d.spelled || tags.upper
	d.put(it, time, len(names) > 0)
	if latest != nil {
		d.touched[latest] = struct{}{}
	}
	return latest
}
