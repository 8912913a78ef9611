package memory

import (
	"bytes"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/tsdb"
)

// Fits tells which streams of b there is no room for; see tsdb.Engine.
func (e *Engine) Fits(id tidemark.OrgID, b *tsdb.Batch) []tidemark.LimitName {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.fits(id, b)
}

func (e *Engine) fits(id tidemark.OrgID, b *tsdb.Batch) []tidemark.LimitName {
	limits := make([]tidemark.LimitName, b.Len())
	if b.Room == (tsdb.Room{}) {
		return limits
	}
	known, size := make(map[string]bool), int64(0)
	tags := make(map[string]map[string]bool) // names by metric
	note := func(key []byte) {
		name, _, _ := bytes.Cut(key, []byte{0})
		if tags[string(name)] == nil {
			tags[string(name)] = make(map[string]bool)
		}
		_, list, _ := tsdb.ParseKey(key)
		for _, t := range list {
			tags[string(name)][t.Name] = true
		}
		known[string(key)] = true
		size += int64(len(key))
	}
	if o := e.orgs[id]; o != nil {
		for _, m := range o.metrics {
			for key := range m.streams {
				note([]byte(key))
			}
		}
	}
	for i := range b.Records {
		key := b.Key(i)
		if known[string(key)] {
			continue
		}
		name, list, _ := tsdb.ParseKey(key)
		added := int64(0)
		for _, t := range list {
			if !tags[name][t.Name] {
				added++
			}
		}
		switch r := b.Room; {
		case r.Streams > 0 && int64(len(known)) >= r.Streams:
			limits[i] = tidemark.LimitStreams
		case r.TagNames > 0 && added > 0 && int64(len(tags[name]))+added > r.TagNames:
			limits[i] = tidemark.LimitTagNames
		case r.Bytes > 0 && size+int64(len(key)) > r.Bytes:
			limits[i] = tidemark.LimitTagBytes
		default:
			note(key)
		}
	}
	return limits
}
