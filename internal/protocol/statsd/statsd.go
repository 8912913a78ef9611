// Package statsd reads what StatsD clients send, in the dialects of StatsD,
// DogStatsD, Telegraf and Graphite, and sums it up between flushes.
package statsd

import (
	"strings"
	"sync"

	"github.com/cespare/xxhash/v2"
	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/protocol"
	"github.com/tidemark-metrics/tidemark/internal/sketch"
)

// Limits bound the memory of an aggregator.
type Limits struct {
	Series  int // that are kept between flushes
	Members int // of all sets, and buckets of all distributions
	Bytes   int // of the names and labels of all series
}

// DefaultLimits keep an aggregator below some 500 MB whatever is sent.
var DefaultLimits = Limits{Series: 100_000, Members: 1_000_000, Bytes: 32 << 20}

// maxLine is how long a line may be: what fits a datagram.
const maxLine = 1 << 16

// idleFlushes is after how many flushes without a sample a series is
// forgotten. A gauge that is then changed by a difference starts from 0.
const idleFlushes = 360

// Aggregator sums up samples between flushes. It may be used by several
// goroutines.
type Aggregator struct {
	limits Limits

	mu      sync.Mutex
	known   map[rawKey]*series // by what lines have
	series  map[string]*series // by type, name and labels
	members int
	bytes   int             // of the keys of series
	raw     int             // of those of known
	scratch *protocol.Batch // for names and labels, and what is left out
	direct  []protocol.Point
	out     *protocol.Batch
	line    int
}

// rawKey is what lines of one series have in common, as it was sent.
type rawKey struct{ head, typ, tags string }

// series is what is known of one stream since the last flush.
type series struct {
	kind    kind
	name    string
	labels  tidemark.Tags
	key     string
	touched bool
	idle    int
	gone    bool // known may still have it

	value  float64 // sum of a counter, value of a gauge
	dist   protocol.Dist
	sketch sketch.Sketch
	set    map[uint64]struct{}
}

type kind byte

const (
	counter kind = 'c'
	gauge   kind = 'g'
	timer   kind = 't'
	set     kind = 's'
)

// kinds are the types that lines have. Timers, histograms and distributions
// differ in what other servers compute of them; here each is a distribution.
var kinds = map[string]kind{"c": counter, "g": gauge, "ms": timer, "h": timer, "d": timer, "s": set}

// New returns an empty aggregator.
func New(l Limits) *Aggregator {
	return &Aggregator{
		limits: l, known: make(map[rawKey]*series), series: make(map[string]*series),
		scratch: protocol.NewBatch(protocol.Limits{}),
		out:     protocol.NewBatch(protocol.Limits{Points: 2 * l.Series}),
	}
}

// Add takes what is in a datagram: lines, which may have a line break at the
// end.
func (a *Aggregator) Add(packet []byte) {
	a.mu.Lock()
	defer a.mu.Unlock()
	for text, more := string(packet), true; more; {
		var line string
		line, text, more = strings.Cut(text, "\n")
		if line = strings.TrimRight(line, "\r \x00"); line != "" {
			a.line++
			a.add(line)
		}
	}
}

func (a *Aggregator) add(line string) {
	if strings.HasPrefix(line, "_e{") || strings.HasPrefix(line, "_sc|") {
		a.scratch.Skip(protocol.NotMetric, line)
		return
	}
	s, fault := parse(line)
	switch {
	case len(line) > maxLine:
		fault = "is too long"
	case fault == "" && kinds[s.typ] == 0:
		fault = "has a type that is none of c, g, ms, h, d and s"
	}
	if fault != "" {
		a.skip(fault, line)
		return
	}
	if r := a.find(&s); r != nil {
		a.addValues(r, &s, line)
	}
}

func (a *Aggregator) skip(fault, line string) {
	a.scratch.SkipLine(a.line, "%s: %.60q", fault, line)
}

// find returns the series of a sample, which is new where there is none; nil
// where it cannot be kept, which it counts.
func (a *Aggregator) find(s *sample) *series {
	raw := rawKey{s.head, s.typ, s.tags}
	if r := a.known[raw]; r != nil && !r.gone {
		return r
	}
	r := a.resolve(s)
	if r == nil {
		return nil
	}
	size := len(s.head) + len(s.tags)
	if len(a.known) >= 2*a.limits.Series || a.raw+size > a.limits.Bytes {
		clear(a.known) // the same tags in ever other orders
		a.raw = 0
	}
	a.raw += size
	a.known[rawKey{strings.Clone(s.head), strings.Clone(s.typ), strings.Clone(s.tags)}] = r
	return r
}

func (a *Aggregator) resolve(s *sample) *series {
	b := a.scratch
	defer func() { b.DropLabels(); b.Forget() }()
	sent := s.addLabels(b)
	name := b.MetricName(sent)
	if name == "" {
		b.Skip(protocol.NoName, s.head)
		return nil
	}
	labels, ok := b.FinishLabels(name)
	if !ok {
		return nil
	}
	k := kinds[s.typ]
	key := string(k) + name + "\x00" + labels.String()
	if r := a.series[key]; r != nil {
		return r
	}
	if len(a.series) >= a.limits.Series || a.bytes+len(key) > a.limits.Bytes {
		b.Skip(protocol.TooManySeries, name)
		return nil
	}
	r := &series{kind: k, name: strings.Clone(name), labels: cloneLabels(labels), key: key}
	a.series[key] = r
	a.bytes += len(key)
	return r
}

func cloneLabels(labels tidemark.Tags) tidemark.Tags {
	out := make(tidemark.Tags, len(labels))
	for i, l := range labels {
		out[i] = tidemark.Tag{Name: strings.Clone(l.Name), Value: strings.Clone(l.Value)}
	}
	return out
}

// addValues counts the values of a sample.
func (a *Aggregator) addValues(r *series, s *sample, line string) {
	for values, more := s.values, true; more; {
		var one string
		one, values, more = strings.Cut(values, ":")
		if r.kind == set {
			a.addMember(r, one)
			continue
		}
		v, ok := protocol.ParseFloat(one)
		switch {
		case !ok:
			a.skip("has a value that is no number", line)
		case v-v != 0:
			a.scratch.Skip(protocol.NotFinite, r.name)
		case s.time != 0 && r.kind != timer:
			a.addDirect(r, s, v)
		default:
			a.addValue(r, one, v, s.rate)
		}
	}
}

// addDirect keeps a value that has its time: the client summed it up.
func (a *Aggregator) addDirect(r *series, s *sample, v float64) {
	if len(a.direct) >= a.limits.Series {
		a.scratch.Skip(protocol.TooManySeries, r.name)
		return
	}
	p := protocol.Point{Name: r.name, Labels: r.labels, Time: s.time, Kind: protocol.Gauge, Value: v}
	if r.idle = 0; r.kind == counter {
		p.Kind, p.Value = protocol.Delta, v/s.rate
	}
	a.direct = append(a.direct, p)
}

func (a *Aggregator) addValue(r *series, sent string, v, rate float64) {
	switch r.kind {
	case counter:
		r.value += v / rate
	case gauge:
		if sent[0] == '+' || sent[0] == '-' { // a difference
			v += r.value
		}
		r.value = v
	case timer:
		if !a.addTimer(r, v, 1/rate) {
			return
		}
	}
	r.touched = true
}

func (a *Aggregator) addTimer(r *series, v, n float64) bool {
	if a.members >= a.limits.Members {
		a.scratch.Skip(protocol.TooManyMembers, r.name)
		return false
	}
	before := r.sketch.Len()
	r.sketch.Add(v, n)
	a.members += r.sketch.Len() - before
	d := &r.dist
	if d.Count == 0 {
		d.Min, d.Max = v, v
	}
	d.Count, d.Sum, d.Min, d.Max = d.Count+n, d.Sum+v*n, min(d.Min, v), max(d.Max, v)
	return true
}

// addMember keeps a hash of a member of a set; how many there are is all that
// is asked.
func (a *Aggregator) addMember(r *series, member string) {
	hash := xxhash.Sum64String(member)
	r.touched = true
	if _, ok := r.set[hash]; ok {
		return
	}
	if a.members >= a.limits.Members {
		a.scratch.Skip(protocol.TooManyMembers, r.name)
		return
	}
	if r.set == nil {
		r.set = make(map[uint64]struct{})
	}
	r.set[hash] = struct{}{}
	a.members++
}
