package ingest

import (
	"bytes"
	"context"
	"fmt"
	"slices"

	"github.com/tidemark-metrics/tidemark"
)

// TagDropsChanged tells the recorder that tags are dropped from now on, or no
// more. It must be called after the change is stored.
func (r *Recorder) TagDropsChanged(org tidemark.OrgID) {
	o := r.cache.of(org)
	o.mu.Lock()
	defer o.mu.Unlock()
	o.changes++
	o.drops = nil
}

// dropsOf returns the tags that an organization drops. The control store is
// asked where that is not known.
func (r *Recorder) dropsOf(ctx context.Context, org tidemark.OrgID) ([]*tidemark.TagDrop, error) {
	o := r.cache.of(org)
	o.mu.RLock()
	drops, seen := o.drops, o.changes
	o.mu.RUnlock()
	if drops != nil {
		return *drops, nil
	}
	list, err := r.Metrics.TagDrops(ctx, org)
	if err != nil {
		return nil, fmt.Errorf("read dropped tags: %w", err)
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.changes == seen {
		o.drops = &list
	}
	return list, nil
}

// dropped are the tags that a request of many measurements drops, and the
// records that it made of what lacks them.
type dropped struct {
	drops  []*tidemark.TagDrop
	metric string   // that names is about
	names  []string // of the tags of it that are dropped
	places map[second]int
}

// second is one stream at one time.
type second struct {
	stream string
	time   int64
}

// of returns the tags that are dropped of a metric, its name in lower case.
func (d *dropped) of(metric []byte) []string {
	if len(d.drops) == 0 {
		return nil
	}
	if d.metric != string(metric) {
		d.metric = string(metric)
		d.names = nil
		if !tidemark.IsOwnMetric(d.metric) {
			d.names = tidemark.DroppedTags(d.drops, d.metric)
		}
	}
	return d.names
}

// begin forgets the records of an earlier try.
func (d *dropped) begin() { clear(d.places) }

// appendKept appends tags, as they are in the end of a stream's key, but for
// those with one of names.
func appendKept(dst, tags []byte, names []string) []byte {
	if len(names) == 0 {
		return append(dst, tags...)
	}
	for one := range bytes.SplitSeq(tags, []byte{0}) {
		name, _, ok := bytes.Cut(one, []byte{1})
		if ok && !slices.Contains(names, string(name)) {
			dst = append(append(dst, 0), one...)
		}
	}
	return dst
}

// put adds it to the batch. Where tags of its metric are dropped, all that a
// request has of one stream and second becomes one record: without that the last
// would remain.
func (d *intake) put(it *item, time int64, dropping bool) {
	it.record = int32(d.batch.Len())
	if dropping {
		at := second{string(d.stream), time}
		if i, has := d.dropped.places[at]; has {
			if d.batch.Fold(i, it.summary, it.dist.of(d.sketches)) != nil {
				it.flaw = badSketch
			}
			it.record = int32(i)
			return
		}
		if d.dropped.places == nil {
			d.dropped.places = make(map[second]int)
		}
		d.dropped.places[at] = d.batch.Len()
	}
	d.batch.AddDistribution(d.stream, time, it.summary, it.dist.of(d.sketches))
}
