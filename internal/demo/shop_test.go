package demo

import (
	"encoding/json"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/query"
	"pgregory.net/rapid"
)

// decoded is what JSON makes of an object of the demo.
func decoded[T any](t *testing.T, o any) *T {
	t.Helper()
	text, err := json.Marshal(o)
	if err != nil {
		t.Fatal(err)
	}
	v := new(T)
	if err := json.Unmarshal(text, v); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return v
}

// known are the names of all metrics that the shop has.
func known() map[string]bool {
	names := make(map[string]bool)
	for _, m := range metrics {
		names[m.name] = true
	}
	for _, c := range composites {
		names[c.name] = true
	}
	return names
}

// TestStreamsAreOfMetrics: every stream is of a metric with a title, and every
// metric has streams; no two streams are the same.
func TestStreamsAreOfMetrics(t *testing.T) {
	t.Parallel()
	tr := troubles{made: made}
	names, seen, used := known(), make(map[string]bool), make(map[string]bool)
	for _, s := range tr.streams() {
		key := s.metric + "{" + tidemark.MakeTags(s.tags).String() + "}"
		if !names[s.metric] || seen[key] {
			t.Errorf("%s is there twice, or of no metric", key)
		}
		for name, v := range s.tags {
			if !tidemark.IsTagName(name) || !tidemark.IsTagValue(v) {
				t.Errorf("%s has a tag that nobody takes", key)
			}
		}
		seen[key], used[s.metric] = true, true
	}
	for _, m := range metrics {
		if !used[m.name] {
			t.Errorf("%s is never measured", m.name)
		}
		if err := decoded[tidemark.Metric](t, with(m.properties(), object{"name": m.name})).Validate(); err != nil {
			t.Errorf("%s: %v", m.name, err)
		}
	}
	for _, c := range composites {
		if _, err := query.Parse(c.text); err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}

// TestAlertsAreValid: a server takes each alert as it is, of metrics that there
// are, and notifies services that there are; the last one, which tells when the
// demo was made, stays off.
func TestAlertsAreValid(t *testing.T) {
	t.Parallel()
	names := known()
	for _, a := range alertList {
		plain := with(object{}, a)
		delete(plain, "services")
		alert := decoded[tidemark.Alert](t, with(with(object{"version": 2}, plain), object{"attributes": a["attributes"]}))
		if err := alert.Validate(); err != nil || alert.Severity == "" || alert.Description == nil {
			t.Errorf("%s: %v", a["name"], err)
		}
		for _, c := range alert.Conditions {
			if !names[c.MetricName] {
				t.Errorf("%s is on %s, which nobody measures", alert.Name, c.MetricName)
			}
		}
		for _, i := range a["services"].([]int) {
			if i >= len(serviceList) {
				t.Errorf("%s notifies service %d", alert.Name, i)
			}
		}
	}
	if last := alertList[len(alertList)-1]; last["active"] != false {
		t.Errorf("%s is on", last["name"])
	}
	for _, s := range serviceList {
		service := &tidemark.Service{Type: s.kind, Title: s.title, Settings: tidemark.Settings{"url": address(s.path)}}
		if err := service.Validate(); err != nil {
			t.Errorf("%s: %v", s.title, err)
		}
	}
}

// TestSpacesAreValid: charts show what there is, each on a place of its own.
func TestSpacesAreValid(t *testing.T) {
	t.Parallel()
	names := known()
	for _, sp := range spaceList {
		layout, taken := sp.layout, make(map[[2]int]bool)
		for i, c := range sp.charts {
			chart := decoded[tidemark.Chart](t, c.chart)
			if err := chart.Validate(); err != nil || len(chart.Streams) == 0 {
				t.Errorf("%s, %s: %v", sp.name, chart.Name, err)
			}
			for _, s := range chart.Streams {
				if _, err := query.Parse(s.Composite); s.Metric != "" && !names[s.Metric] || s.Composite != "" && err != nil {
					t.Errorf("%s, %s shows %q, %v", sp.name, chart.Name, s.Metric, err)
				}
			}
			c.GridPosition.Chart = int64(i + 1)
			layout.Places = append(layout.Places, c.GridPosition)
			for col := c.Col; col < c.Col+c.Width; col++ {
				for row := c.Row; row < c.Row+c.Height; row++ {
					if taken[[2]int{col, row}] {
						t.Errorf("%s, %s lies on another chart", sp.name, chart.Name)
					}
					taken[[2]int{col, row}] = true
				}
			}
		}
		if err := layout.Validate(); err != nil {
			t.Errorf("%s: %v", sp.name, err)
		}
	}
}

// TestHolders: tokens have names and roles of their own, each metric has one
// holder who sends it at most, and who reads does so now and then.
func TestHolders(t *testing.T) {
	t.Parallel()
	var names, sends []string
	for _, h := range holders() {
		token := &tidemark.Token{Name: h.name, Role: h.role, Active: !h.inactive}
		if err := token.Validate(); err != nil || h.age <= 0 {
			t.Errorf("%s: %v, %d days old", h.name, err, h.age)
		}
		names, sends = append(names, h.name), append(sends, h.sends...)
		if (h.reads != "") != (h.every > 0) || h.inactive && (h.sends != nil || h.reads != "") || h.sends != nil && h.role != tidemark.RecordOnly {
			t.Errorf("%s sends %v, reads %q every %d s", h.name, h.sends, h.reads, h.every)
		}
		for _, tr := range h.past {
			if tr.from < tr.to || tr.to < 0 || tr.from > h.age {
				t.Errorf("%s was seen from %d to %d days ago, and is %d days old", h.name, tr.from, tr.to, h.age)
			}
		}
	}
	for _, list := range [][]string{names, sends} {
		slices.Sort(list)
		if len(slices.Compact(slices.Clone(list))) != len(list) {
			t.Errorf("%v has something twice", list)
		}
	}
	tr := troubles{made: made}
	for _, s := range tr.streams() {
		first, _, _ := strings.Cut(s.metric, ".")
		if !slices.Contains(sends, first+".") {
			t.Errorf("nobody sends %s", s.metric)
		}
	}
}

// TestTroubleStaysInItsTime: trouble of later is over before that of the next
// stretch begins, rises from nothing and falls back to it.
func TestTroubleStaysInItsTime(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		tr := troubles{made: rapid.Int64Range(1_600_000_000, 2_000_000_000).Draw(t, "made") / step * step}
		n := rapid.Int64Range(1, 100_000).Draw(t, "stretch")
		one, ok := tr.later(n)
		if !ok || one.start < n*again || one.start+one.length > (n+1)*again || one.failover != (n%2 == 0) {
			t.Fatalf("%+v in stretch %d", one, n)
		}
		if before, after := tr.size(tr.made+one.start-1), tr.size(tr.made+one.start+one.length); before != 0 || after != 0 {
			t.Fatalf("%v before and %v after %+v", before, after, one)
		}
		at := tr.made + one.start + rapid.Int64Range(0, one.length-1).Draw(t, "at")
		if size := tr.size(at); size < 0 || size > one.size || one.failover && tr.failover(at) != size || !one.failover && tr.failover(at) != 0 {
			t.Fatalf("%v of %+v at %d", size, one, at)
		}
	})
	if _, ok := (&troubles{made: made}).later(0); ok {
		t.Error("there is trouble of later before the demo was made")
	}
}

// TestNoise: it stays within its bounds, has no jumps, and is another one for
// another name.
func TestNoise(t *testing.T) {
	t.Parallel()
	differs := 0
	for at := int64(made); at < made+86400; at += 7 {
		a, next := noise(at, "a"), noise(at+1, "a")
		if math.Abs(a) > 1 || math.Abs(next-a) > 0.1 {
			t.Fatalf("%v, and a second later %v", a, next)
		}
		if math.Abs(a-noise(at, "b")) > 0.05 {
			differs++
		}
		if x := traffic(at, 13, "a"); x < 0.5 || x > 1.2 {
			t.Fatalf("traffic is %v", x)
		}
	}
	if differs < 86400/7/2 {
		t.Errorf("two names have the same noise all but %d times", differs)
	}
	rapid.Check(t, func(t *rapid.T) {
		if v := random(rapid.Uint64().Draw(t, "seed")); v < 0 || v >= 1 {
			t.Fatalf("%v", v)
		}
	})
}
