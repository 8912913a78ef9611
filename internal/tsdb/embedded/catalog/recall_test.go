package catalog

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/streamref"
)

// TestRecall: a stream that a Ref remembers is the one that is found by its key,
// whatever became of it meanwhile, and whoever else has the same key and Ref.
func TestRecall(t *testing.T) {
	t.Parallel()
	keys := []string{string(key("cpu")), string(key("cpu", "host", "a")), string(key("cpu", "host", "b")), string(key("disk", "host", "a"))}
	rapid.Check(t, func(t *rapid.T) {
		c := New()
		refs := make(map[string]*streamref.Ref)
		for _, k := range keys {
			refs[k] = new(streamref.Ref)
		}
		anyOrg, anyKey := rapid.SampledFrom([]tidemark.OrgID{1, 2}), rapid.SampledFrom(keys)
		found := func(e Edit) []uint32 {
			if id, ok := e.Find(anyOrg.Draw(t, "org"), []byte(anyKey.Draw(t, "key"))); ok {
				return []uint32{id}
			}
			return nil
		}
		t.Repeat(map[string]func(*rapid.T){
			"define": func(t *rapid.T) { defined(c, anyOrg.Draw(t, "org"), []byte(anyKey.Draw(t, "key"))) },
			"drop": func(t *rapid.T) {
				change(c, func(e Edit) {
					if m := e.Metric(anyOrg.Draw(t, "org"), "cpu"); m != nil {
						e.Drop(m)
					}
				})
			},
			"retire":   func(*rapid.T) { change(c, func(e Edit) { e.Retire(found(e)) }) },
			"unretire": func(*rapid.T) { change(c, func(e Edit) { e.Unretire(e.Retired()) }) },
			"remove":   func(*rapid.T) { change(c, func(e Edit) { e.Remove(e.Retired()) }) },
			"recall": func(t *rapid.T) {
				look(c, func(v *View) {
					org, k := anyOrg.Draw(t, "org"), anyKey.Draw(t, "key")
					want, there := v.Find(org, []byte(k))
					for range 2 {
						if id, ok := v.Recall(org, []byte(k), refs[k]); ok != there || ok && id != want {
							t.Fatalf("%q of %d is %d, %v, want %d, %v", k, org, id, ok, want, there)
						}
					}
					if id, ok := refs[k].Get(); there && (!ok || id != want) {
						t.Fatalf("%d, %v is remembered, want %d", id, ok, want)
					}
				})
			},
		})
	})
}
