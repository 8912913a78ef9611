package memory_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/tsdb"
	"github.com/tidemark-metrics/tidemark/internal/tsdb/memory"
)

// streams is a batch of records of streams given as keys, with / for the byte 0.
func streams(room tsdb.Room, keys ...string) *tsdb.Batch {
	b := &tsdb.Batch{Room: room}
	for _, key := range keys {
		key = strings.ReplaceAll(strings.ReplaceAll(key, "/", "\x00"), "=", "\x01")
		b.AddKey([]byte(key), 60, tsdb.Single(1))
	}
	return b
}

// TestRoom: streams that are known always fit; of new ones those that the
// limits leave room for, in their order, each counted once and what is refused
// not at all.
func TestRoom(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		room tsdb.Room
		keys string
		want string
	}{
		"no limit":                         {tsdb.Room{}, "a b c/x=1/y=2/z=3", ""},
		"known":                            {tsdb.Room{Streams: 1, Bytes: 1, TagNames: 1}, "m/x=1 n", ""},
		"one too many":                     {tsdb.Room{Streams: 3}, "o p q", "1 streams, 2 streams"},
		"the same again":                   {tsdb.Room{Streams: 3}, "o o m/x=1 o p", "4 streams"},
		"names of tags of each metric":     {tsdb.Room{TagNames: 2}, "m/y=1 m/z=1 m/x=2 n/a=1/b=1 n/a=1/c=1", "1 tag_names, 4 tag_names"},
		"refused names do not count":       {tsdb.Room{TagNames: 2}, "o/a=1/b=1/c=1 o/d=1/e=1", "0 tag_names"},
		"bytes":                            {tsdb.Room{Bytes: 10}, "long-name tiny o", "0 tag_bytes, 2 tag_bytes"},
		"a lower limit than there are":     {tsdb.Room{TagNames: 1}, "m m/x=3 m/y=1", "2 tag_names"},
		"streams are said before the rest": {tsdb.Room{Streams: 2, Bytes: 1, TagNames: 1}, "o/a=1/b=2", "0 streams"},
	} {
		e := memory.New()
		if err := e.Write(t.Context(), 1, streams(tsdb.Room{}, "m/x=1", "n")); err != nil {
			t.Fatal(err)
		}
		b := streams(tt.room, strings.Fields(tt.keys)...)
		var got []string
		for i, limit := range e.Fits(1, b) {
			if limit != "" {
				got = append(got, fmt.Sprint(i, " ", strings.TrimPrefix(string(limit), "metric_")))
			}
		}
		if all := strings.Join(got, ", "); all != tt.want {
			t.Errorf("%s: got %q, want %q", name, all, tt.want)
		}
		err := e.Write(t.Context(), 1, b)
		if (err == nil) != (tt.want == "") || err != nil && tidemark.KindOf(err) != tidemark.TooLarge {
			t.Errorf("%s: the write says %v", name, err)
		}
		st, err := e.Stats(t.Context())
		if tt.want != "" && (err != nil || st.Samples != 2 || st.Streams != 2) {
			t.Errorf("%s: a refused batch leaves %+v, %v", name, st, err)
		}
		if fits := e.Fits(2, streams(tsdb.Room{Streams: 1}, "m")); fits[0] != "" {
			t.Errorf("%s: another organization has its own room: %s", name, fits[0])
		}
	}
}

// TestLent: what a reader is given is valid until the next step only, and says
// so when it is used longer; a clone stays.
func TestLent(t *testing.T) {
	t.Parallel()
	e := memory.New()
	if err := e.Write(t.Context(), 1, streams(tsdb.Room{}, "a/x=1", "b/x=2")); err != nil {
		t.Fatal(err)
	}
	var lent, kept []*tsdb.Series
	for s, err := range e.Select(t.Context(), 1, &tsdb.Query{Metric: "*", End: 100, Step: 1}) {
		if err != nil {
			t.Fatal(err)
		}
		lent, kept = append(lent, s), append(kept, s.Clone())
	}
	if len(kept) != 2 || kept[0].Metric != "a" || kept[0].Tags.String() != "x=1" || kept[0].Values[0] != 1 || lent[0].Metric != "no longer valid" {
		t.Errorf("lent %+v, kept %+v", lent[0], kept[0])
	}
	for s, err := range e.Streams(t.Context(), 1, "*", tsdb.Filter{}) {
		if err != nil || s.LastSeen != 60 {
			t.Errorf("got %+v, %v", s, err)
		}
		if s.Metric == "a" {
			defer func() {
				if s.Metric != "no longer valid" {
					t.Errorf("a stream that was lent is still %+v", s)
				}
			}()
		}
	}
}

// TestOverdue: a record that is overdue adds to the summaries of its time and
// replaces nothing, where the engine is told from when.
func TestOverdue(t *testing.T) {
	t.Parallel()
	now, overdue := int64(10_000), int64(0)
	e := memory.New(memory.Options{
		Tiers: []tsdb.Tier{{Window: 1, Retention: 5000}, {Window: 60, Retention: 100_000}},
		Now:   func() int64 { return now }, Overdue: func() int64 { return overdue },
	})
	write := func(value float64) {
		t.Helper()
		var b tsdb.Batch
		b.Add("m", nil, 9000, value)
		if err := e.Write(t.Context(), 1, &b); err != nil {
			t.Fatal(err)
		}
	}
	sum := func(step int64, want float64) {
		t.Helper()
		for s, err := range e.Select(t.Context(), 1, &tsdb.Query{Metric: "m", End: 20_000, Step: step, Function: tsdb.Sum}) {
			if err != nil || len(s.Values) != 1 || s.Values[0] != want {
				t.Errorf("by %d: got %v, %v, want %v", step, s, err, want)
			}
		}
	}
	write(1)
	write(2) // replaces
	sum(60, 2)
	overdue = 9001
	write(5)
	sum(60, 7)
	sum(1, 2) // records as written do not have it
}
