package catalog

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/tsdb"
)

func never(uint32) bool  { return false }
func always(uint32) bool { return true }

// saved is a catalogue as a start finds it: encoded metrics, and streams.
type saved struct {
	next    [2]uint32
	metrics map[uint32][]byte
	streams []Definition
}

// save returns what is not saved of the first n definitions, with the metrics
// as they are.
func save(v *View, n int) saved {
	s := saved{metrics: make(map[uint32][]byte)}
	list, next := v.Unsaved(n)
	s.next = next
	for _, d := range list {
		switch m := v.ByID(d.ID); {
		case d.Stream:
			s.streams = append(s.streams, d)
		case m != nil:
			s.metrics[d.ID] = m.Encode()
		}
	}
	return s
}

func (s *saved) load(t rapid.TB) *Catalog {
	t.Helper()
	c := New()
	change(c, func(e Edit) {
		e.Reserve(s.next)
		for id, v := range s.metrics {
			if err := e.LoadMetric(id, v); err != nil {
				t.Fatal(err)
			}
		}
		for _, d := range s.streams {
			if err := e.LoadStream(d.ID, d.Metric, d.Text); err != nil {
				t.Fatal(err)
			}
		}
	})
	return c
}

// TestSavedAndReplayed: a catalogue whose first definitions were saved and
// whose others are in the log is after a start what it was.
func TestSavedAndReplayed(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		c := New()
		for range rapid.IntRange(1, 30).Draw(t, "streams") {
			org := tidemark.OrgID(rapid.IntRange(1, 2).Draw(t, "org"))
			name := rapid.SampledFrom([]string{"cpu", "mem", "disk"}).Draw(t, "metric")
			defined(c, org, tsdb.AppendKey(nil, name, drawTags(t)))
		}
		v := c.View()
		defer v.Close()
		total := v.Definitions(0, nil)
		first := rapid.IntRange(0, total).Draw(t, "saved")
		s := save(v, first)
		again := s.load(t)
		change(again, func(e Edit) {
			from := rapid.IntRange(0, first).Draw(t, "logged from") // the log may begin before
			v.Definitions(from, func(d *Definition, org tidemark.OrgID) { e.Replay(d, org, always) })
		})
		look(again, func(w *View) {
			for _, org := range []tidemark.OrgID{1, 2} {
				for _, m := range v.Matching(org, "*") {
					compareMetric(t, v, w, org, m.Name)
				}
			}
			if w.Count() != v.Count() || w.nextIDs(len(w.defs)) != v.nextIDs(len(v.defs)) {
				t.Fatalf("%d streams, next %v; want %d, %v", w.Count(), w.nextIDs(len(w.defs)), v.Count(), v.nextIDs(len(v.defs)))
			}
		})
	})
}

func compareMetric(t *rapid.T, v, w *View, org tidemark.OrgID, name string) {
	got, want := picked(w, org, name, tsdb.Filter{}), picked(v, org, name, tsdb.Filter{})
	if strings.Join(got, ";") != strings.Join(want, ";") {
		t.Fatalf("%s of %d has %v, want %v", name, org, got, want)
	}
	m, n := v.Metric(org, name), w.Metric(org, name)
	if m.ID != n.ID {
		t.Fatalf("%s has the id %d, want %d", name, n.ID, m.ID)
	}
	for _, id := range m.AllStreams() {
		if w.Owner(id) != n {
			t.Fatalf("stream %d is not of %s", id, name)
		}
	}
}

func TestLoadRefusesDamage(t *testing.T) {
	t.Parallel()
	e := New().Edit()
	good := (&Metric{org: 7, Name: "cpu", Mode: tsdb.Mode{Fold: true, Period: 60}}).Encode()
	for name, v := range map[string][]byte{
		"nothing": nil, "half an organization": good[:5], "no mode": good[:8], "half a mode": good[:9],
		"no name": good[:10], "a period beyond time": append(append([]byte{}, good[:9]...), 0xff, 0xff, 0xff, 0xff, 0x7f, 'm'),
	} {
		if err := e.LoadMetric(3, v); err == nil || !strings.Contains(err.Error(), "metric 3") {
			t.Errorf("%s: %v", name, err)
		}
	}
	if e.ByID(3) != nil {
		t.Error("a damaged metric was added")
	}
	if err := e.LoadMetric(3, good); err != nil || e.ByID(3).Mode != (tsdb.Mode{Fold: true, Period: 60}) || e.Metric(7, "cpu") == nil {
		t.Errorf("a sound one: %v", err)
	}
	for _, tags := range []string{"host\x01a", "\x00host", "\x00b\x01x\x00a\x01x", "\x00a\x01x\x01y", "\x00"} {
		if err := e.LoadStream(5, 3, []byte(tags)); err == nil || !strings.Contains(err.Error(), "stream 5") {
			t.Errorf("the tags %q: %v", tags, err)
		}
	}
	if err := e.LoadStream(5, 2, []byte("\x00host\x01a")); err != nil || e.Owner(5) != nil {
		t.Errorf("a stream of a deleted metric: %v", err)
	}
}

// TestModeRoundTrip: periods come back up to the last second there is.
func TestModeRoundTrip(t *testing.T) {
	t.Parallel()
	for _, m := range []tsdb.Mode{{}, {Fold: true}, {Period: 60}, {Fold: true, Period: tsdb.MaxTime - 1}} {
		got, rest, ok := ReadMode(append(AppendMode(nil, m), "cpu"...))
		if !ok || got != m || string(rest) != "cpu" {
			t.Errorf("%+v comes back as %+v, %v, rest %q", m, got, ok, rest)
		}
	}
	if got, _, ok := ReadMode(AppendMode(nil, tsdb.Mode{Period: tsdb.MaxTime + 5})); !ok || got.Period != tsdb.MaxTime-1 {
		t.Errorf("a period beyond time comes back as %+v, %v", got, ok)
	}
}

// TestReplayKnowsWhatItHas: definitions that are there already, or of metrics
// that are gone, add nothing; ids are never used twice.
func TestReplayKnowsWhatItHas(t *testing.T) {
	t.Parallel()
	c := New()
	metric := Definition{ID: 0, Text: []byte("cpu")}
	stream := Definition{Stream: true, ID: 4, Metric: 0, Text: []byte("\x00host\x01a")}
	orphan := Definition{Stream: true, ID: 6, Metric: 9}
	damaged := Definition{Stream: true, ID: 7, Metric: 0, Text: []byte("host")}
	change(c, func(e Edit) {
		for range 2 {
			for _, d := range []*Definition{&metric, &stream, &orphan, &damaged} {
				e.Replay(d, 1, never)
			}
		}
		if e.Count() != 1 || e.Definitions(0, nil) != 2 {
			t.Errorf("%d streams of %d definitions", e.Count(), e.Definitions(0, nil))
		}
		if len(e.Visible()) != 1 || e.Visible()[1] != 0 {
			t.Errorf("visible %v: no record of the stream was seen", e.Visible())
		}
		if id := e.Define(1, key("cpu", "host", "b")); id <= 7 {
			t.Errorf("a new stream has the id %d, which the log gave to another", id)
		}
	})
	c.Saw(4)
	look(c, func(v *View) { wantList(t, "picked", picked(v, 1, "cpu", tsdb.Filter{}), "host=a") })
}

// TestHideUnseen hides streams that a start finds without records.
func TestHideUnseen(t *testing.T) {
	t.Parallel()
	c := New()
	a := defined(c, 1, key("cpu", "host", "a"))
	defined(c, 1, key("cpu", "host", "b"))
	defined(c, 1, key("gone"))
	change(c, func(e Edit) {
		e.Drop(e.Metric(1, "gone"))
		e.HideUnseen(func(id uint32) bool { return id == a })
	})
	look(c, func(v *View) {
		wantList(t, "picked", picked(v, 1, "cpu", tsdb.Filter{}), "host=a")
		if v.Visible()[1] != 1 || v.CountOf(1) != 2 {
			t.Errorf("%d visible of %d", v.Visible()[1], v.CountOf(1))
		}
	})
}

// TestSavedForgets: what was saved is not offered again, and ids go on.
func TestSavedForgets(t *testing.T) {
	t.Parallel()
	c := New()
	defined(c, 1, key("cpu", "host", "a")) // two definitions
	defined(c, 1, key("cpu", "host", "b"))
	change(c, func(e Edit) {
		list, next := e.Unsaved(2)
		if len(list) != 2 || list[0].Stream || !list[1].Stream || next != [2]uint32{1, 1} {
			t.Errorf("of the first two: %v, then %v", list, next)
		}
		e.Saved(2)
		if list, next = e.Unsaved(2); len(list) != 0 || next != [2]uint32{1, 1} {
			t.Errorf("after they were saved: %v, then %v", list, next)
		}
		if list, next = e.Unsaved(99); len(list) != 1 || list[0].ID != 1 || next != [2]uint32{2, 1} {
			t.Errorf("all: %v, then %v", list, next)
		}
		if n := e.Definitions(3, func(d *Definition, _ tidemark.OrgID) { t.Errorf("%+v is offered", d) }); n != 3 {
			t.Errorf("%d definitions were ever made, want 3", n)
		}
	})
}

// TestModes: a mode is of a metric, and gone with it.
func TestModes(t *testing.T) {
	t.Parallel()
	c := New()
	id, other := defined(c, 1, key("cpu")), defined(c, 1, key("mem"))
	fold := tsdb.Mode{Fold: true, Period: 60}
	change(c, func(e Edit) {
		if e.ModeOf(id) != (tsdb.Mode{}) {
			t.Error("a metric without a mode has one")
		}
		e.SetMode(e.Metric(1, "cpu"), fold)
		if e.ModeOf(id) != fold || e.ModeOf(other) != (tsdb.Mode{}) || e.ModeOf(99) != (tsdb.Mode{}) {
			t.Error("the mode is not that of the metric, or not of it alone")
		}
		e.Drop(e.Metric(1, "cpu"))
		if e.ModeOf(id) != (tsdb.Mode{}) {
			t.Error("a stream of a deleted metric has a mode")
		}
	})
}
