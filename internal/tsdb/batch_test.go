package tsdb_test

import (
	"bytes"
	"cmp"
	"slices"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/streamref"
	"github.com/tidemark-metrics/tidemark/internal/tsdb"
	"pgregory.net/rapid"
)

func TestBatch(t *testing.T) {
	var b tsdb.Batch
	tags := tidemark.Tags{{Name: "host", Value: "a"}}
	fill := func() {
		b.Add("cpu", tags, 1, 10)
		b.Add("cpu", tags, 2, 20) // shares the key
		b.Add("cpu", nil, 3, 30)
		b.Add("cpu", tags, 4, 40)
	}
	for range 2 {
		fill()
		if b.Len() != 4 {
			t.Fatalf("Len is %d, want 4", b.Len())
		}
		for i, want := range []string{"cpu\x00host\x01a", "cpu\x00host\x01a", "cpu", "cpu\x00host\x01a"} {
			r := b.Records[i]
			if string(b.Key(i)) != want || r.Time != int64(i+1) || r.Summary != tsdb.Single(float64(10*(i+1))) {
				t.Errorf("record %d is %q %+v, want %q", i, b.Key(i), r, want)
			}
		}
		b.Reset()
		if b.Len() != 0 {
			t.Errorf("Len after Reset is %d", b.Len())
		}
	}
	if n := testing.AllocsPerRun(100, func() { b.Reset(); b.AddKey([]byte("cpu"), 1, tsdb.Single(1)) }); n > 0 {
		t.Errorf("filling a batch again allocates %v times", n)
	}
}

// TestRepeats: records of one stream in a row repeat it; those of another do
// not, even if its name has as many letters.
func TestRepeats(t *testing.T) {
	t.Parallel()
	var b tsdb.Batch
	for i, key := range []string{"cpu", "cpu", "mem", "memory", "memory", "cpu"} {
		b.AddKey([]byte(key), int64(i), tsdb.Single(1))
	}
	for i, want := range []bool{false, true, false, false, true, false} {
		if got := i > 0 && b.Repeats(i); got != want {
			t.Errorf("record %d: %v", i, got)
		}
	}
}

// TestRefs: a record has the Ref it was added with, also among others without,
// and none is left behind.
func TestRefs(t *testing.T) {
	t.Parallel()
	var b tsdb.Batch
	first, second := new(streamref.Ref), new(streamref.Ref)
	for range 2 {
		want := []*streamref.Ref{nil, first, nil, second, nil}
		for _, ref := range want {
			b.AddRef([]byte("cpu"), ref, 1, tsdb.Single(1))
		}
		for i, ref := range want {
			if b.Ref(i) != ref {
				t.Errorf("record %d has %p, want %p", i, b.Ref(i), ref)
			}
		}
		b.Reset()
		b.AddKey([]byte("cpu"), 1, tsdb.Single(1))
		if b.Ref(0) != nil {
			t.Error("a Ref was left behind")
		}
		b.Reset()
	}
}

func TestParseKeyRefuses(t *testing.T) {
	for _, key := range []string{
		"", "\x00a\x01b", "cpu\x00", "cpu\x00host", "cpu\x01", "cp\x01u\x00a\x01b", "cpu\x00a\x01b\x01c",
		"cpu\x00b\x01x\x00a\x01y", "cpu\x00a\x01x\x00a\x01y", "cpu\x00a\x01b\x00",
	} {
		if metric, tags, ok := tsdb.ParseKey([]byte(key)); ok {
			t.Errorf("%q is taken for %q %v", key, metric, tags)
		}
	}
}

// texts are what names and values are drawn from: short and alike, so that
// streams differ in as little as possible.
func texts() *rapid.Generator[string] {
	return rapid.StringOfN(rapid.RuneFrom([]rune("ab. ~")), 0, 3, -1)
}

func streams() *rapid.Generator[string] {
	return rapid.Custom(func(t *rapid.T) string {
		tags := tidemark.MakeTags(rapid.MapOfN(texts(), texts(), 0, 3).Draw(t, "tags"))
		return string(tsdb.AppendKey(nil, "m"+texts().Draw(t, "metric"), tags))
	})
}

// TestKeys holds that keys tell streams apart, come back from ParseKey, and
// sort as metric and tags do: engines list streams in order of their keys.
func TestKeys(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := streams().Draw(t, "a"), streams().Draw(t, "b")
		metricA, tagsA, okA := tsdb.ParseKey([]byte(a))
		metricB, tagsB, okB := tsdb.ParseKey([]byte(b))
		if !okA || !okB {
			t.Fatalf("%q or %q is no key", a, b)
		}
		if back := tsdb.AppendKey(nil, metricA, tagsA); string(back) != a {
			t.Fatalf("%q comes back as %q", a, back)
		}
		if want := cmp.Or(strings.Compare(metricA, metricB), tagsA.Compare(tagsB)); strings.Compare(a, b) != want {
			t.Fatalf("keys %q and %q compare as %d, streams as %d", a, b, strings.Compare(a, b), want)
		}
	})
}

func FuzzParseKey(f *testing.F) {
	f.Add([]byte("cpu"))
	f.Add([]byte("cpu\x00host\x01a\x00rack\x011"))
	f.Add([]byte("cpu\x00\x01\x00"))
	f.Fuzz(func(t *testing.T, key []byte) {
		metric, tags, ok := tsdb.ParseKey(key)
		if !ok {
			return
		}
		if !bytes.Equal(tsdb.AppendKey(nil, metric, tags), key) {
			t.Errorf("%q is taken for %q %v", key, metric, tags)
		}
		if !slices.IsSortedFunc(tags, func(a, b tidemark.Tag) int { return strings.Compare(a.Name, b.Name) }) {
			t.Errorf("%q has tags out of order: %v", key, tags)
		}
	})
}

func TestClone(t *testing.T) {
	s := &tsdb.Series{
		Metric: "cpu", Tags: tidemark.Tags{{Name: "a", Value: "b"}}, Times: []int64{1, 2},
		Values: []float64{1, 2}, Summaries: []tsdb.Summary{tsdb.Single(1), tsdb.Single(2)},
	}
	c := s.Clone()
	if diff := gocmp.Diff(s, c); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	s.Tags[0].Value, s.Times[0], s.Values[0], s.Summaries[0].Sum = "x", 9, 9, 9
	want := &tsdb.Series{
		Metric: "cpu", Tags: tidemark.Tags{{Name: "a", Value: "b"}}, Times: []int64{1, 2},
		Values: []float64{1, 2}, Summaries: []tsdb.Summary{tsdb.Single(1), tsdb.Single(2)},
	}
	if diff := gocmp.Diff(want, c); diff != "" {
		t.Errorf("the copy shares memory (-want +got):\n%s", diff)
	}
	empty := (&tsdb.Series{Metric: "m"}).Clone()
	if empty.Values != nil || empty.Summaries != nil {
		t.Errorf("copy of a series without values has some: %+v", empty)
	}
	if diff := gocmp.Diff(&tsdb.Series{Metric: "m"}, empty, cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
