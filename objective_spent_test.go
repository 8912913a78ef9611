package tidemark

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"
)

// TestSpendings: of 100 an hour 10 may fail. Hours that spend more are one time
// where they follow each other, the dearest first; one that spends less than
// its share counts only where that is much more than usual.
func TestSpendings(t *testing.T) {
	t.Parallel()
	o := &Objective{Target: 90}
	var hours Tallies
	for i, bad := range []float64{1, 30, 20, 1, 11, 1, 1, 4, 1, 90, 1, 1, 1} {
		hours = append(hours, Tally{At: int64(i) * 3600, Total: 100, Good: 100 - bad})
	}
	got := o.Spendings(hours, 3600, 12*3600, 3600, 3)
	want := []Spending{
		{Start: 9 * 3600, End: 10 * 3600, Total: 100, Bad: 90, Spent: 90 / 1.1},
		{Start: 3600, End: 3 * 3600, Total: 200, Bad: 50, Spent: 50 / 1.1},
		{Start: 4 * 3600, End: 5 * 3600, Total: 100, Bad: 11, Spent: 10},
	}
	if diff := cmp.Diff(want, got, cmpopts.EquateApprox(1e-9, 0)); diff != "" {
		t.Error(diff)
	}
	if more := o.Spendings(hours, 3600, 12*3600, 3600, 9); len(more) != 4 || more[3].Start != 7*3600 {
		t.Errorf("with what is unusual: %+v", more)
	}
	if none := o.Spendings(nil, 0, 3600, 3600, 9); none == nil || len(none) != 0 {
		t.Errorf("of nothing: %v", none)
	}
	var fine Tallies // all of the errors in ten minutes
	for at := int64(7 * 3600); at < 8*3600; at += 60 {
		bad := 0.0
		if at >= 7*3600+600 && at < 7*3600+1200 {
			bad = 0.4
		}
		fine = append(fine, Tally{At: at, Total: 100. / 60, Good: 100./60 - bad})
	}
	one, spends := o.Narrow(Spending{Start: 7 * 3600, End: 8 * 3600, Total: 100, Bad: 4, Spent: 8}, fine, 60)
	if !spends || one.Start != 7*3600+600 || one.End != 7*3600+1200 || !near(one.Bad, 4) || !near(one.Spent, 8) {
		t.Errorf("narrowed to %+v, %v", one, spends)
	}
	if _, spends := o.Narrow(Spending{Start: 0, End: 60, Total: 100, Bad: 4, Spent: 8}, nil, 60); spends {
		t.Error("less than its share in every minute spends more than its share")
	}
}

// TestTogether: what failed of one value is not made good by another that has
// more that was good than there was.
func TestTogether(t *testing.T) {
	t.Parallel()
	got := Together([]Tallies{{{0, 120, 100}, {60, 5, 10}}, {{60, 20, 10}, {120, 1, 2}}})
	if diff := cmp.Diff(Tallies{{0, 100, 100}, {60, 15, 20}, {120, 1, 2}}, got); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(Tallies{{0, 220, 110}, {120, 1, 2}}, Tallies{{0, 120, 10}, {60, 100, 100}, {120, 1, 2}}.Folded(120)); diff != "" {
		t.Error(diff)
	}
}

// TestLeftOutIsTheModel: a minute is left out if one of the windows that cover
// the streams has a moment in it.
func TestLeftOutIsTheModel(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		var windows []*Maintenance
		for range rapid.IntRange(0, 5).Draw(t, "windows") {
			from := rapid.Int64Range(1000, 9000).Draw(t, "from")
			to := from + rapid.Int64Range(1, 900).Draw(t, "lasts")
			covers := rapid.SampledFrom([]Covers{{All: true}, {Tags: map[string]string{"dc": "EU"}}, {Tags: map[string]string{"dc": "us"}}}).Draw(t, "covers")
			windows = append(windows, &Maintenance{StartsAt: from, EndsAt: &to, Covers: covers})
		}
		tags := rapid.SampledFrom([]Tags{nil, {{"dc", "eu"}}, {{"dc", "eu"}, {"host", "a"}}}).Draw(t, "tags")
		out := LeftOut(windows, tags, 0, 20_000)
		for at := int64(0); at < 12_000; at += 60 {
			want := slices.ContainsFunc(windows, func(w *Maintenance) bool {
				covered := w.Covers.All || len(tags) > 0 && w.Covers.Tags["dc"] == "EU"
				return covered && w.StartsAt < at+60 && *w.EndsAt > at
			})
			if IsLeftOut(out, at, at+60) != want {
				t.Fatalf("at %d: %v, want %v", at, !want, want)
			}
		}
	})
}

// TestCoversObjective: a window has to do with an objective as with an alert,
// unless it names alerts.
func TestCoversObjective(t *testing.T) {
	t.Parallel()
	o := &Objective{Labels: map[string]string{"team": "shop", "tier": "1"}}
	for _, tt := range []struct {
		covers Covers
		want   bool
	}{
		{Covers{All: true}, true}, {Covers{Alerts: []int64{1}}, false}, {Covers{Alerts: []int64{1}, Tags: map[string]string{"a": "b"}}, false},
		{Covers{Labels: map[string]string{"team": "shop"}}, true}, {Covers{Labels: map[string]string{"team": "db"}}, false},
		{Covers{Tags: map[string]string{"a": "b"}}, true},
	} {
		if got := tt.covers.ConcernsObjective(o); got != tt.want {
			t.Errorf("%+v: %v", tt.covers, got)
		}
	}
	fixed := FixedTags([]TagFilter{{Name: "DC", Values: []string{"EU"}}, {Name: "host", Values: []string{"a", "b"}}, {Name: "x", Values: []string{"!y"}}, {Name: "z", Values: []string{"a*"}}})
	if diff := cmp.Diff(Tags{{"dc", "eu"}}, fixed); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(Tags{{"dc", "us"}, {"host", "a"}}, fixed.With(Tags{{"host", "a"}, {"dc", "us"}})); diff != "" {
		t.Error(diff)
	}
}
