package catalog

import (
	"slices"
	"testing"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/tsdb"
)

// key returns the key of a stream; tags are names and values in turn.
func key(metric string, tags ...string) []byte {
	m := make(map[string]string)
	for i := 0; i < len(tags); i += 2 {
		m[tags[i]] = tags[i+1]
	}
	return tsdb.AppendKey(nil, metric, tidemark.MakeTags(m))
}

// defined defines a stream that has records.
func defined(c *Catalog, org tidemark.OrgID, key []byte) uint32 {
	e := c.Edit()
	id := e.Define(org, key)
	e.Close()
	c.Saw(id)
	return id
}

// look calls fn with a view of c.
func look(c *Catalog, fn func(v *View)) {
	v := c.View()
	defer v.Close()
	fn(v)
}

// change calls fn with an edit of c.
func change(c *Catalog, fn func(e Edit)) {
	e := c.Edit()
	defer e.Close()
	fn(e)
}

// picked returns the tags of the streams of a metric that f picks, as text.
func picked(v *View, org tidemark.OrgID, metric string, f tsdb.Filter) (list []string) {
	m := v.Metric(org, metric)
	if m == nil {
		return nil
	}
	for _, at := range v.Pick(m, &f, nil) {
		list = append(list, textOf(m.AppendTags(v, at, nil)))
	}
	return list
}

func textOf(tags tidemark.Tags) (text string) {
	for i, tag := range tags {
		if i > 0 {
			text += ","
		}
		text += tag.Name + "=" + tag.Value
	}
	return text
}

func wantList[T comparable](t *testing.T, what string, got []T, want ...T) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("%s: got %v, want %v", what, got, want)
	}
}
