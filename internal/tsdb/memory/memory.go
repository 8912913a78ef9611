// Package memory is a time-series engine that forgets everything on Close. It
// is the model that the other engines are tested against: slow, and obviously
// right. It resolves every record as it is written, keeps it for ever, and
// answers each question by looking at all of them.
package memory

import (
	"context"
	"reflect"
	"sync"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/sketch"
	"github.com/tidemark-metrics/tidemark/internal/tsdb"
)

// forever is a retention that no test outlives; it still fits a
// time.Duration, for those who compute with one.
const forever = 200 * 365 * 24 * 3600

// Options are the settings of an engine. The zero Options keep every record.
type Options struct {
	// Tiers are the resolutions to behave as if kept, finest first. The first
	// must have a Window of 1. None means that records are kept for ever.
	Tiers []tsdb.Tier
	// Now is the clock that retention is measured by, in seconds. It is
	// needed with Tiers only.
	Now func() int64
	// Overdue returns the time before which a record is overdue that comes
	// now: it is added to the summaries of its time and replaces nothing. If
	// it is not set those are that the first tier does not keep.
	Overdue func() int64
}

// Engine is a tsdb.Engine in memory.
type Engine struct {
	tiers   []tsdb.Tier
	now     func() int64
	overdue func() int64

	mu     sync.Mutex // guards everything below
	closed bool
	orgs   map[tidemark.OrgID]*org
}

// org is what one organization has.
type org struct {
	metrics map[string]*metric
	modes   map[string]tsdb.Mode
	samples int64 // ever written
}

// metric holds the streams of one metric by their keys.
type metric struct {
	name    string
	streams map[string]*stream
}

// stream is one stream with all its records.
type stream struct {
	tags    tidemark.Tags
	records map[int64]tsdb.Distribution // by second
	late    []late                      // those written when raw records of their age were gone, in order of arrival
}

// late is a record that came too late for the finer tiers: it is folded into
// the summaries of the coarser ones, whose parts are no longer known.
type late struct {
	time   int64
	tier   int // the finest that has it
	record tsdb.Distribution
}

var _ tsdb.Engine = (*Engine)(nil)

// New returns an empty engine.
func New(options ...Options) *Engine {
	e := &Engine{
		tiers: []tsdb.Tier{{Window: 1, Retention: forever}},
		now:   func() int64 { return 0 },
		orgs:  make(map[tidemark.OrgID]*org),
	}
	for _, o := range options {
		if len(o.Tiers) > 0 {
			e.tiers, e.now, e.overdue = o.Tiers, o.Now, o.Overdue
		}
	}
	return e
}

// Tiers returns the resolutions that are kept, finest first.
func (e *Engine) Tiers() []tsdb.Tier { return append([]tsdb.Tier(nil), e.tiers...) }

// Close forgets everything.
func (e *Engine) Close() error {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.closed = true
	e.orgs = make(map[tidemark.OrgID]*org)
	return nil
}

// begin locks e for one call, unless the call is to be refused.
func (e *Engine) begin(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	e.mu.Lock()
	if e.closed {
		e.mu.Unlock()
		return tidemark.Errorf(tidemark.Unavailable, "storage is shutting down")
	}
	return nil
}

// org returns what id has, for writing.
func (e *Engine) org(id tidemark.OrgID) *org {
	o := e.orgs[id]
	if o == nil {
		o = &org{metrics: make(map[string]*metric), modes: make(map[string]tsdb.Mode)}
		e.orgs[id] = o
	}
	return o
}

// Write stores the records of b.
func (e *Engine) Write(ctx context.Context, id tidemark.OrgID, b *tsdb.Batch) error {
	if err := validate(b); err != nil {
		return err
	}
	if err := e.begin(ctx); err != nil {
		return err
	}
	defer e.mu.Unlock()
	for _, limit := range e.fits(id, b) {
		if limit != "" {
			return tidemark.Errorf(tidemark.TooLarge, "there is no room for the streams")
		}
	}
	o := e.org(id)
	for i := range b.Records {
		name, tags, _ := tsdb.ParseKey(b.Key(i))
		e.put(o.stream(name, tags, b.Key(i)), o.modes[name], b.Records[i].Time, recordOf(b, i))
	}
	o.samples += int64(b.Len())
	return nil
}

func validate(b *tsdb.Batch) error {
	for i := range b.Records {
		if err := b.Records[i].Validate(); err != nil {
			return err
		}
		if _, _, ok := tsdb.ParseKey(b.Key(i)); !ok {
			return tidemark.Errorf(tidemark.Invalid, "record %d has a malformed key", i)
		}
	}
	return b.ValidateSketches()
}

// recordOf returns record i of b, whose sketches are valid.
func recordOf(b *tsdb.Batch, i int) tsdb.Distribution {
	d := tsdb.Distribution{Summary: b.Records[i].Summary}
	if encoded := b.Sketch(i); encoded != nil {
		d.Sketch, _ = sketch.Decode(encoded)
	}
	return d
}

// stream returns the stream with the given key, new if need be.
func (o *org) stream(name string, tags tidemark.Tags, key []byte) *stream {
	m := o.metrics[name]
	if m == nil {
		m = &metric{name: name, streams: make(map[string]*stream)}
		o.metrics[name] = m
	}
	s := m.streams[string(key)]
	if s == nil {
		s = &stream{tags: tags, records: make(map[int64]tsdb.Distribution)}
		m.streams[string(key)] = s
	}
	return s
}

// put stores one record of s.
func (e *Engine) put(s *stream, mode tsdb.Mode, time int64, d tsdb.Distribution) {
	if mode.Fold {
		time = floor(time, mode.Period)
	}
	now := e.now()
	for i := range e.tiers {
		if !e.takes(i, time, now) {
			continue
		}
		if i > 0 {
			s.late = append(s.late, late{time, i, d})
			return
		}
		if mode.Fold {
			old := s.records[time]
			old.Merge(&d)
			d = old
		}
		s.records[time] = d
		return
	}
}

// takes reports whether a record of that time that comes now still goes into a
// tier.
func (e *Engine) takes(tier int, time, now int64) bool {
	if tier == 0 && e.overdue != nil {
		return time >= e.overdue()
	}
	return e.kept(tier, time, now)
}

// kept reports whether the summary of a tier that covers time is inside the
// tier's retention.
func (e *Engine) kept(tier int, time, now int64) bool {
	t := e.tiers[tier]
	return floor(time, t.Window) >= now-t.Retention
}

// SetMode says how records of name are kept from now on.
func (e *Engine) SetMode(ctx context.Context, id tidemark.OrgID, name string, m tsdb.Mode) error {
	if err := m.Validate(); err != nil {
		return err
	}
	if err := e.begin(ctx); err != nil {
		return err
	}
	defer e.mu.Unlock()
	e.org(id).modes[name] = m
	return nil
}

// Delete forgets name.
func (e *Engine) Delete(ctx context.Context, id tidemark.OrgID, name string) error {
	if err := e.begin(ctx); err != nil {
		return err
	}
	defer e.mu.Unlock()
	if o := e.orgs[id]; o != nil {
		delete(o.metrics, name)
		delete(o.modes, name)
	}
	return nil
}

// recordSize is what a record takes in memory.
var recordSize = int64(reflect.TypeFor[tsdb.Record]().Size())

// Stats returns the state of e. Nothing is on disk; Bytes is 0.
func (e *Engine) Stats(ctx context.Context) (tsdb.Stats, error) {
	if err := e.begin(ctx); err != nil {
		return tsdb.Stats{}, err
	}
	defer e.mu.Unlock()
	all := tsdb.Stats{Orgs: make(map[tidemark.OrgID]tsdb.OrgStats)}
	for id, o := range e.orgs {
		s := tsdb.OrgStats{Samples: o.samples}
		for _, m := range o.metrics {
			s.Streams += int64(len(m.streams))
			for _, st := range m.streams {
				all.Memory += int64(len(st.records)+len(st.late)) * recordSize
			}
		}
		all.Streams += s.Streams
		all.Samples += s.Samples
		all.Orgs[id] = s
	}
	return all, nil
}

// floor returns the multiple of n at or before t.
func floor(t, n int64) int64 {
	if t < 0 {
		return -ceil(-t, n)
	}
	return t - t%n
}

// ceil returns the multiple of n at or after t, which is not negative.
func ceil(t, n int64) int64 { return (t + n - 1) / n * n }
