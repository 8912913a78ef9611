package catalog

import (
	"cmp"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/tsdb"
)

// TestGroupAgreesWithTags groups drawn streams by drawn tags and compares with
// grouping their tags one by one.
func TestGroupAgreesWithTags(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		c := New()
		for range rapid.IntRange(1, 40).Draw(t, "streams") {
			defined(c, 1, tsdb.AppendKey(nil, "cpu", drawTags(t)))
		}
		by := rapid.SliceOfNDistinct(rapid.SampledFrom([]string{"a", "ab", "b", "host"}), 1, 3, rapid.ID[string]).Draw(t, "by")
		look(c, func(v *View) {
			m := v.Metric(1, "cpu")
			list := v.Pick(m, &tsdb.Filter{}, nil)
			compareGroups(t, v, m, list, by)
		})
	})
}

func compareGroups(t *rapid.T, v *View, m *Metric, list []uint32, by []string) {
	values := make(map[uint32][]string) // of the streams that have all of the tags
	var groups [][]string
	for _, at := range list {
		if group := valuesOf(m.AppendTags(v, at, nil), by); group != nil {
			values[at] = group
			groups = append(groups, group)
		}
	}
	slices.SortFunc(groups, slices.Compare[[]string])
	groups = slices.CompactFunc(groups, slices.Equal[[]string])
	got := v.Group(m, list, by)
	if len(got) != len(values) {
		t.Fatalf("%d members, want %d", len(got), len(values))
	}
	if !slices.IsSortedFunc(got, func(a, b Member) int { return cmp.Compare(a.Group, b.Group) }) {
		t.Fatalf("members %v are not in order of their groups", got)
	}
	for _, member := range got {
		if want := groups[member.Group]; !slices.Equal(values[member.At], want) {
			t.Fatalf("a stream of %v is in the group of %v", values[member.At], want)
		}
	}
}

// valuesOf returns the values of the named tags, nil if one is missing.
func valuesOf(tags tidemark.Tags, names []string) (values []string) {
	for _, name := range names {
		i := slices.IndexFunc(tags, func(tag tidemark.Tag) bool { return tag.Name == name })
		if i < 0 {
			return nil
		}
		values = append(values, tags[i].Value)
	}
	return values
}

// TestGroupByUnknownTags: no stream has them, so there are no groups.
func TestGroupByUnknownTags(t *testing.T) {
	t.Parallel()
	c := New()
	defined(c, 1, key("cpu", "host", "a"))
	defined(c, 1, key("mem", "zone", "z"))
	look(c, func(v *View) {
		for _, by := range [][]string{{"nowhere"}, {"host", "nowhere"}, {"zone"}} {
			if got := v.Group(v.Metric(1, "cpu"), []uint32{0}, by); got != nil {
				t.Errorf("by %v: %v", by, got)
			}
		}
	})
}

// TestTagCountsAreOfVisibleStreams: names and values of tags come in order,
// with the number of streams that have them and have records.
func TestTagCountsAreOfVisibleStreams(t *testing.T) {
	t.Parallel()
	c := New()
	for _, k := range [][]byte{
		key("cpu", "host", "b", "zone", "1"), key("cpu", "host", "a"), key("cpu", "host", "b"), key("cpu"),
		key("mem", "disk", "sda"),
	} {
		defined(c, 1, k)
	}
	change(c, func(e Edit) { e.Define(1, key("cpu", "host", "hidden", "color", "red")) }) // no records yet
	look(c, func(v *View) {
		m := v.Metric(1, "cpu")
		wantList(t, "names", v.TagNames(m), tsdb.TagCount{Name: "host", Streams: 3}, tsdb.TagCount{Name: "zone", Streams: 1})
		wantList(t, "values of host", v.TagValues(m, "host"), tsdb.TagCount{Name: "a", Streams: 1}, tsdb.TagCount{Name: "b", Streams: 2})
		wantList(t, "values of a tag whose streams are hidden", v.TagValues(m, "color"))
		wantList(t, "values of another metric's tag", v.TagValues(m, "disk"))
		wantList(t, "values of no tag", v.TagValues(m, "nowhere"))
	})
}

// TestMatchingByGlob returns metrics of one organization in order of names.
func TestMatchingByGlob(t *testing.T) {
	t.Parallel()
	c := New()
	for _, name := range []string{"web.requests", "web.errors", "db.queries", "web"} {
		defined(c, 1, key(name))
	}
	defined(c, 2, key("web.other"))
	look(c, func(v *View) {
		for pattern, want := range map[string][]string{
			"web.*": {"web.errors", "web.requests"}, "*": {"db.queries", "web", "web.errors", "web.requests"},
			"web": {"web"}, "we": nil, "*s": {"db.queries", "web.errors", "web.requests"}, "x*": nil,
		} {
			var got []string
			for _, m := range v.Matching(1, pattern) {
				got = append(got, m.Name)
			}
			wantList(t, pattern, got, want...)
		}
		if got := v.Matching(3, "*"); got != nil {
			t.Errorf("an organization without metrics has %v", got)
		}
	})
}

// TestGlobsOverManyStreams: conditions give the same above and below the
// number of streams from which on they remember.
func TestGlobsOverManyStreams(t *testing.T) {
	t.Parallel()
	c := New()
	change(c, func(e Edit) {
		for i := range memoFrom + 10 {
			e.Define(1, key("cpu", "host", string(rune('a'+i%26)), "n", string(rune(0x100+i))))
		}
		clear(e.unseen)
	})
	f := tsdb.AnyOf(tsdb.TagIs("host", "a*", "c"), tsdb.AllOf(tsdb.TagIs("host", "*"), tsdb.TagIsNot("host", "*")))
	look(c, func(v *View) {
		m := v.Metric(1, "cpu")
		want := 0
		for at := range uint32(memoFrom + 10) {
			if f.Match(m.AppendTags(v, at, nil)) {
				want++
			}
		}
		if got := len(v.Pick(m, &f, nil)); got != want || want == 0 {
			t.Errorf("picked %d streams, want %d", got, want)
		}
	})
}
