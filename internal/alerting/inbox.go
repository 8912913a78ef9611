package alerting

import (
	"bytes"
	"math"
	"sync"
	"sync/atomic"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/tsdb"
)

// maxInbox is how many measurements wait to be evaluated at most, about 16 MB.
// What does not fit is read back from the engine.
const maxInbox = 200_000

// ownInbox is how many of them each organization may have waiting whatever the
// others have, as long as all have no more than twice maxInbox.
const ownInbox = 10_000

// inbox holds the measurements that were written since the last pass.
type inbox struct {
	mu    sync.Mutex
	now   queuedRecords
	spare queuedRecords // the last pass's, emptied
	full  []*topic      // that have measurements which did not fit
	// all counts the measurements in the inboxes of all organizations; nil
	// where there is one inbox for all.
	all *atomic.Int64
}

type queuedRecords struct {
	records []queuedRecord
	keys    []byte
}

// queuedRecord is one measurement of a watched metric.
type queuedRecord struct {
	topic   *topic
	off, n  uint32
	time    int64
	summary tsdb.Summary
}

func (l *queuedRecords) key(i int) []byte {
	r := &l.records[i]
	return l.keys[r.off : r.off+r.n]
}

// index finds who watches a metric, if anybody does.
type index map[tidemark.OrgID]*subscriptions

// subscriptions is the topics of one organization.
type subscriptions struct {
	byName map[string]*topic
	globs  []*topic
}

func (a *subscriptions) add(t *topic) {
	if tidemark.IsGlob(t.metric) {
		a.globs = append(a.globs, t)
		return
	}
	a.byName[t.metric] = t
}

// of appends the topics that a metric belongs to.
func (a *subscriptions) of(metric []byte, dst []*topic) []*topic {
	if t := a.byName[string(metric)]; t != nil {
		dst = append(dst, t)
	}
	if len(a.globs) == 0 {
		return dst
	}
	name := string(metric)
	for _, t := range a.globs {
		if tidemark.Glob(t.metric, name) {
			dst = append(dst, t)
		}
	}
	return dst
}

// Wrote takes note of measurements that were written. It is called by
// the writer, and is quick: those that no alert watches cost a look
// into a map. It does not keep b.
func (e *Evaluator) Wrote(org tidemark.OrgID, b *tsdb.Batch) {
	watched := (*e.index.Load())[org]
	if watched == nil {
		return
	}
	var metric []byte
	var few [8]*topic
	topics := few[:0]
	locked := false
	for i := range b.Records {
		key := b.Key(i)
		if name := metricOf(key); !bytes.Equal(name, metric) || metric == nil {
			metric = name
			topics = watched.of(name, topics[:0])
		}
		if len(topics) > 0 && !locked {
			e.inbox.mu.Lock()
			locked = true
		}
		for _, t := range topics {
			e.inbox.put(t, key, &b.Records[i])
		}
	}
	if locked {
		e.inbox.mu.Unlock()
	}
}

func metricOf(key []byte) []byte {
	if before, _, ok := bytes.Cut(key, []byte{0}); ok {
		return before
	}
	return key
}

func (in *inbox) put(t *topic, key []byte, r *tsdb.Record) {
	if in.isFull() || len(in.now.keys)+len(key) > math.MaxInt32 {
		in.miss(t, r.Time)
		return
	}
	if in.all != nil {
		in.all.Add(1)
	}
	off := uint32(len(in.now.keys))
	if last := len(in.now.records) - 1; last >= 0 && bytes.Equal(in.now.key(last), key) {
		off = in.now.records[last].off
	} else {
		in.now.keys = append(in.now.keys, key...)
	}
	in.now.records = append(in.now.records, queuedRecord{topic: t, off: off, n: uint32(len(key)), time: r.Time, summary: r.Summary})
}

// isFull reports whether one more measurement must be read back later. One who
// sends a lot does not take the place of those who send little.
func (in *inbox) isFull() bool {
	own := len(in.now.records)
	if in.all == nil {
		return own >= maxInbox
	}
	all := in.all.Load()
	return own >= maxInbox || all >= maxInbox && own >= ownInbox || all >= 2*maxInbox
}

// take empties the inbox. What it returns is valid until the next take.
func (in *inbox) take() queuedRecords {
	in.mu.Lock()
	defer in.mu.Unlock()
	full := in.now
	if in.all != nil {
		in.all.Add(-int64(len(full.records)))
	}
	if cap(in.spare.records) > max(ownInbox, 4*len(full.records)) {
		in.spare = queuedRecords{} // a flood is over
	}
	in.now = queuedRecords{records: in.spare.records[:0], keys: in.spare.keys[:0]}
	in.spare = full
	return full
}

// miss takes note of a measurement that does not fit.
func (in *inbox) miss(t *topic, time int64) {
	if t.missedSince == 0 {
		in.full = append(in.full, t)
		t.missedSince = time
	}
	t.missedSince = min(t.missedSince, time)
}

// gap is where measurements of a topic were missed.
type gap struct {
	topic *topic
	since int64
}

// missed returns what did not fit, and forgets it.
func (in *inbox) missed() []gap {
	in.mu.Lock()
	defer in.mu.Unlock()
	var gaps []gap
	for _, t := range in.full {
		gaps = append(gaps, gap{t, t.missedSince})
		t.missedSince = 0
	}
	in.full = nil
	return gaps
}

// topic is a metric that alerts watch, or a glob of them.
type topic struct {
	org         tidemark.OrgID
	metric      string
	direct      []*condition
	polled      []*condition
	streams     map[string]*stream // by key; found again when conditions come or go
	missedSince int64              // guarded by inbox.mu
}

// stream is where the measurements of one stream go.
type stream struct {
	to     []route
	polled []*condition // that wait for it to be complete
}

type route struct {
	condition *condition
	signal    *signal
}

// stream finds out which conditions look at the stream with that key.
func (t *topic) stream(key []byte) *stream {
	if s, ok := t.streams[string(key)]; ok {
		return s
	}
	s := &stream{}
	if _, tags, ok := tsdb.ParseKey(key); ok {
		name := tidemark.StreamName(tags)
		for _, c := range t.direct {
			if c.filter.Match(tags) {
				s.to = append(s.to, route{c, c.signal(name)})
			}
		}
		for _, c := range t.polled {
			if c.composite != "" || c.filter.Match(tags) {
				s.polled = append(s.polled, c)
			}
		}
	}
	t.streams[string(key)] = s
	return s
}

// evaluateInbox evaluates what came since the last pass.
func (e *Evaluator) evaluateInbox(now int64) {
	mail := e.inbox.take()
	for i := range mail.records {
		r := &mail.records[i]
		s := r.topic.stream(mail.key(i))
		for _, c := range s.polled {
			c.count(r.time, now)
		}
		for _, to := range s.to {
			reading := r.summary.Value(to.condition.engineFunction())
			if to.condition.watch.isSeeding() {
				to.keepForLater(r.time, now, reading)
				continue
			}
			to.condition.feed(to.signal, r.time, now, reading)
		}
	}
}
