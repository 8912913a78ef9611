package protocol

import (
	"slices"
	"strings"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/sketch"
)

// Limits bound what one request may hold.
type Limits struct {
	Bytes  int // of its body, decompressed
	Points int
}

// DefaultLimits are generous: senders of these protocols choose their batches
// themselves.
var DefaultLimits = Limits{Bytes: 32 << 20, Points: 100_000}

// Batch is what a request holds. It keeps its memory over Reset, so that
// decoding into it again allocates next to nothing.
//
// Texts of points may point into the body that was decoded: they are valid as
// long as it is left alone.
type Batch struct {
	Limits   Limits
	Points   []Point
	Metadata []Metadata
	Skipped  []Skip

	labels  tidemark.Tags // of all points
	from    int           // where the labels that are being collected start
	sorted  bool
	lossy   bool // some of them were left out
	known   *Known
	hash    uint64  // of the text that was not known just now
	last    *Labels // what was known just now
	escaped map[escapeKey]string
	dists   []Dist
	buckets []Bucket // of cumulative distributions
	sketch  sketch.Sketch
	bytes   []byte // of sketches
}

// NewBatch returns an empty batch with the given limits.
func NewBatch(l Limits) *Batch { return &Batch{Limits: l} }

// NewBatch returns an empty batch with the given limits that has a memory of
// how streams are named.
func (k *Known) NewBatch(l Limits) *Batch { return &Batch{Limits: l, known: k} }

// Reset empties b.
func (b *Batch) Reset() {
	b.Points, b.Metadata, b.Skipped = b.Points[:0], b.Metadata[:0], b.Skipped[:0]
	b.labels, b.dists, b.buckets, b.bytes = b.labels[:0], b.dists[:0], b.buckets[:0], b.bytes[:0]
	clear(b.escaped)
	b.hash, b.last = 0, nil
}

// Add appends a point. It fails where there are more than the limit.
func (b *Batch) Add(p Point) error {
	if len(b.Points) >= b.Limits.Points {
		return tidemark.Errorf(tidemark.TooLarge, "more than %d points in one request", b.Limits.Points)
	}
	b.Points = append(b.Points, p)
	return nil
}

// AddValue appends a point with a value, unless that is NaN or infinite.
func (b *Batch) AddValue(p Point) error {
	if p.Value-p.Value != 0 {
		b.Skip(NotFinite, p.Name)
		return nil
	}
	return b.Add(p)
}

// Skip counts something that is left out.
func (b *Batch) Skip(why Reason, where string) { b.SkipN(why, where, 1) }

// SkipN counts n of them.
func (b *Batch) SkipN(why Reason, where string, n int) {
	if n <= 0 {
		return
	}
	for i := range b.Skipped {
		if b.Skipped[i].Reason == why {
			b.Skipped[i].Count += n
			return
		}
	}
	const most = 80
	if len(where) > most {
		where = strings.ToValidUTF8(where[:most], "") + "…"
	}
	b.Skipped = append(b.Skipped, Skip{why, n, strings.Clone(where)})
}

// StartLabels begins to collect labels.
func (b *Batch) StartLabels() { b.from, b.sorted, b.lossy = len(b.labels), true, false }

// AddLabel collects a label. One with an empty value is the same as none.
func (b *Batch) AddLabel(name, value string) {
	if value == "" || name == "" {
		return
	}
	b.AddMapped(tidemark.Tag{Name: b.LabelName(name), Value: b.LabelValue(value)})
}

// AddMapped collects a label that is in the API's alphabet already.
func (b *Batch) AddMapped(t tidemark.Tag) {
	if n := len(b.labels); n > b.from && b.labels[n-1].Name >= t.Name {
		b.sorted = false
	}
	b.labels = append(b.labels, t)
}

// Collected reports whether a label with that name was collected already.
func (b *Batch) Collected(name string) bool {
	for _, t := range b.labels[b.from:] {
		if t.Name == name {
			return true
		}
	}
	return false
}

// FinishLabels returns what was collected, in order of names. It reports
// false, having counted the point of the given name as left out, where there
// are too many.
func (b *Batch) FinishLabels(name string) (tidemark.Tags, bool) {
	labels := b.labels[b.from:]
	if !b.sorted {
		slices.SortStableFunc(labels, func(x, y tidemark.Tag) int { return strings.Compare(x.Name, y.Name) })
		labels = b.withoutDuplicates(labels, name)
		b.labels = b.labels[:b.from+len(labels)]
	}
	if len(labels) > tidemark.MaxTags {
		b.DropLabels()
		b.Skip(TooManyLabels, name)
		return nil, false
	}
	return labels[:len(labels):len(labels)], true
}

// DropLabels forgets what was collected, so that its memory can be used again.
func (b *Batch) DropLabels() { b.labels = b.labels[:b.from] }

func (b *Batch) withoutDuplicates(labels tidemark.Tags, name string) tidemark.Tags {
	kept := labels[:0]
	for _, t := range labels {
		if n := len(kept); n > 0 && kept[n-1].Name == t.Name {
			if kept[n-1].Value != t.Value {
				b.lossy = true
				b.Skip(DuplicateLabel, name+": "+t.Name)
			}
			kept = kept[:n-1]
		}
		kept = append(kept, t)
	}
	return kept
}

// Forget drops what was remembered of texts that are not in the API's
// alphabet. It is for those who keep a batch over many requests.
func (b *Batch) Forget() { clear(b.escaped) }
