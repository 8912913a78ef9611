package catalog

import (
	"slices"
	"sync"
	"testing"

	"pgregory.net/rapid"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/tsdb"
)

// TestRetiredKeyIsFree: a record of a retired stream makes a new one, and the
// old one can still be seen until it is removed.
func TestRetiredKeyIsFree(t *testing.T) {
	t.Parallel()
	c := New()
	a, b := key("cpu", "host", "a"), key("cpu", "host", "b")
	old, other := defined(c, 1, a), defined(c, 1, b)
	change(c, func(e Edit) { e.Retire([]uint32{old}) })
	look(c, func(v *View) {
		if _, ok := v.Find(1, a); ok {
			t.Error("a retired stream is found to be written")
		}
		wantList(t, "retired", v.Retired(), old)
		wantList(t, "streams that get records", v.AllStreams(), other)
		wantList(t, "picked", picked(v, 1, "cpu", tsdb.Filter{}), "host=a", "host=b")
	})
	again := defined(c, 1, a)
	if again == old {
		t.Fatal("a new stream has the id of the retired one")
	}
	change(c, func(e Edit) { e.Remove(e.Retired()) })
	look(c, func(v *View) {
		if id, ok := v.Find(1, a); !ok || id != again {
			t.Errorf("found %d, %v; want %d", id, ok, again)
		}
		if v.Owner(old) != nil || !v.Known(old) || v.Known(again+1) {
			t.Error("the removed stream has a metric, or is not known to have been")
		}
		wantList(t, "retired", v.Retired())
		wantList(t, "picked", picked(v, 1, "cpu", tsdb.Filter{}), "host=a", "host=b")
		if v.Count() != 2 || v.CountOf(1) != 2 {
			t.Errorf("%d streams, %d of the organization", v.Count(), v.CountOf(1))
		}
	})
}

// TestUnretire: a stream that got a record after all stays what it was.
func TestUnretire(t *testing.T) {
	t.Parallel()
	c := New()
	k := key("cpu", "host", "a")
	id := defined(c, 1, k)
	change(c, func(e Edit) {
		e.Retire([]uint32{id})
		e.Unretire([]uint32{id})
	})
	look(c, func(v *View) {
		if got, ok := v.Find(1, k); !ok || got != id {
			t.Errorf("found %d, %v; want %d", got, ok, id)
		}
	})
}

// TestRemoveKeepsTheRest removes drawn streams: the others keep their ids and
// tags, and those who hold the metric from before see all of it.
func TestRemoveKeepsTheRest(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		c := New()
		known := make(map[uint32]tidemark.Tags)
		for range rapid.IntRange(1, 30).Draw(t, "streams") {
			tags := drawTags(t)
			known[defined(c, 1, tsdb.AppendKey(nil, "cpu", tags))] = tags
		}
		var before *Metric
		var gone []uint32
		total := len(known)
		look(c, func(v *View) { before = v.Metric(1, "cpu") })
		for id := range known {
			if rapid.Bool().Draw(t, "gone") {
				gone = append(gone, id)
			}
		}
		change(c, func(e Edit) { e.Remove(gone) })
		for _, id := range gone {
			delete(known, id)
		}
		look(c, func(v *View) {
			if n := len(before.AllStreams()); n != total {
				t.Fatalf("the metric found before has %d streams, want %d", n, total)
			}
			m := v.Metric(1, "cpu")
			for at, id := range m.AllStreams() {
				if got := m.AppendTags(v, uint32(at), nil); got.Compare(known[id]) != 0 || m.Stream(uint32(at)) != id {
					t.Fatalf("stream %d is %v, want %v", id, got, known[id])
				}
			}
			if len(m.AllStreams()) != len(known) || v.Count() != len(known) || len(v.AllStreams()) != len(known) {
				t.Fatalf("%d streams are left, want %d", v.Count(), len(known))
			}
		})
	})
}

// TestRemoveTwice: streams that are gone, or never were, are nobody's.
func TestRemoveTwice(t *testing.T) {
	t.Parallel()
	c := New()
	id := defined(c, 1, key("cpu"))
	change(c, func(e Edit) {
		e.Remove([]uint32{id})
		e.Remove([]uint32{id, 99})
	})
	look(c, func(v *View) {
		if v.Count() != 0 || v.CountOf(1) != 0 || v.Owner(99) != nil {
			t.Errorf("%d streams", v.Count())
		}
	})
}

// TestMemoryComesBack: names and tags of what was dropped or removed are given
// back once nobody can look at them any longer, to the last byte.
func TestMemoryComesBack(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		c := New()
		e := c.Edit()
		defer e.Close()
		for range rapid.IntRange(1, 60).Draw(t, "changes") {
			org := tidemark.OrgID(rapid.IntRange(1, 2).Draw(t, "org"))
			name := rapid.SampledFrom([]string{"cpu", "mem"}).Draw(t, "metric")
			m := e.Metric(org, name)
			switch rapid.IntRange(0, 5).Draw(t, "change") {
			case 0:
				if m != nil {
					e.Drop(m)
				}
			case 1:
				if m != nil && len(m.ids) > 0 {
					e.Remove([]uint32{rapid.SampledFrom(m.ids).Draw(t, "stream")})
				}
			case 2:
				e.Collect()
			default:
				e.Define(org, tsdb.AppendKey(nil, name, drawTags(t)))
			}
		}
		for _, org := range []tidemark.OrgID{1, 2} {
			for _, m := range e.Matching(org, "*") {
				e.Drop(m)
			}
		}
		e.Collect()
		e.Collect()
		if e.Texts() != 0 || e.BytesOf(1) != 0 || e.BytesOf(2) != 0 || e.Count() != 0 || len(e.orgs) != 0 {
			t.Fatalf("%d texts, %d and %d bytes, %d streams, %d organizations are left",
				e.Texts(), e.BytesOf(1), e.BytesOf(2), e.Count(), len(e.orgs))
		}
	})
}

// TestTagsStayForQueries: who found a metric before it was dropped reads its
// tags until memory was given back twice.
func TestTagsStayForQueries(t *testing.T) {
	t.Parallel()
	c := New()
	defined(c, 1, key("cpu", "host", "a"))
	var m *Metric
	look(c, func(v *View) { m = v.Metric(1, "cpu") })
	for i, want := range []string{"host=a", "host=a", ""} {
		switch i {
		case 0:
			change(c, func(e Edit) { e.Drop(m) })
		default:
			change(c, func(e Edit) { e.Collect() })
		}
		look(c, func(v *View) {
			if got := textOf(m.AppendTags(v, 0, nil)); got != want {
				t.Errorf("step %d: tags %q, want %q", i, got, want)
			}
		})
	}
}

// TestSymbolsShrink: after many texts went, those that are left are still
// found by filters.
func TestSymbolsShrink(t *testing.T) {
	t.Parallel()
	c := New()
	change(c, func(e Edit) {
		for i := range 2 * minShrink {
			e.Define(1, key("many", "n", string(rune(0x1000+i))))
		}
	})
	defined(c, 1, key("cpu", "host", "a"))
	change(c, func(e Edit) {
		e.Drop(e.Metric(1, "many"))
		e.Collect()
		e.Collect()
		if e.symbols.peak != 2 || e.Texts() != 2 {
			t.Errorf("%d texts, a map for %d", e.Texts(), e.symbols.peak)
		}
	})
	look(c, func(v *View) { wantList(t, "picked", picked(v, 1, "cpu", tsdb.TagIs("host", "a")), "host=a") })
}

// TestViewsAndEditsAtOnce: readers, who also sort, and writers do not disturb
// each other.
func TestViewsAndEditsAtOnce(t *testing.T) {
	t.Parallel()
	c := New()
	defined(c, 1, key("cpu", "host", "first"))
	var wg sync.WaitGroup
	for n := range 4 {
		wg.Go(func() {
			for i := range 200 {
				if n%2 == 0 {
					defined(c, 1, key("cpu", "host", string(rune(0x100+i)), "n", string(rune('a'+n))))
					continue
				}
				look(c, func(v *View) {
					if list := picked(v, 1, "cpu", tsdb.TagPresent("host")); !slices.Contains(list, "host=first") {
						t.Errorf("the first stream is missing among %d", len(list))
					}
				})
			}
		})
	}
	wg.Wait()
	look(c, func(v *View) {
		if n := v.Visible()[1]; n != 401 {
			t.Errorf("%d streams, want 401", n)
		}
	})
}
