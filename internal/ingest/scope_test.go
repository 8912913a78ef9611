package ingest

import (
	"testing"

	"github.com/tidemark-metrics/tidemark"
)

// scoped is the origin of what a token with this scope sends.
func scoped(metrics []string, tags ...tidemark.ScopeTag) Origin {
	return From(tidemark.Identity{Name: "edge", Scope: &tidemark.TokenScope{Metrics: metrics, Tags: tags}}, "agent")
}

// TestScope: a token records what is in its scope, by names and by tags, in any
// case, its own or those of the whole request; the rest is refused by name.
func TestScope(t *testing.T) {
	t.Parallel()
	dc := tidemark.ScopeTag{Name: "DC", Values: []string{"Eu-1", "us"}}
	const reason = "is outside the scope of token edge"
	for _, tt := range []struct {
		from     Origin
		body     string
		accepted int
		outside  []string // names
	}{
		{scoped(nil), `{"measurements":[{"name":"a","value":1}]}`, 1, nil},
		{scoped([]string{"Shop.*"}), `{"measurements":[{"name":"SHOP.ms","value":1},{"name":"shop","value":1},{"name":"db","value":1}]}`, 1, []string{"shop", "db"}},
		{scoped(nil, dc), `{"measurements":[{"name":"a","value":1,"tags":{"dc":"EU-1"}},{"name":"b","value":1,"tags":{"dc":"asia"}},{"name":"c","value":1}]}`, 1, []string{"b", "c"}},
		{scoped(nil, dc), `{"tags":{"dc":"us"},"measurements":[{"name":"a","value":1},{"name":"b","value":1,"tags":{"host":"x"}}]}`, 1, []string{"b"}},
		{scoped([]string{"a"}, dc), `{"measurements":[{"name":"a","value":1,"tags":{"dc":"us","host":"dc"}},{"name":"a","value":1,"tags":{"host":"us"}}]}`, 1, []string{"a"}},
	} {
		b := newBench(nil)
		s, problems, err := b.RecordFrom(t.Context(), us, []byte(tt.body), tt.from)
		if err != nil || s.Accepted != tt.accepted || s.Failed != len(tt.outside) {
			t.Errorf("%s: %+v, %v", tt.body, s, err)
		}
		var names []string
		for _, p := range problems {
			names = append(names, p.Name)
			if p.Reason != reason || p.Param != "name" {
				t.Errorf("%s: %+v", tt.body, p)
			}
		}
		diff(t, tt.body, names, tt.outside)
		if len(b.metrics.stored) > tt.accepted {
			t.Errorf("%s: what is refused makes metrics: %v", tt.body, b.metrics.stored)
		}
	}
}

// TestAllOutsideScope: a request of which nothing is in scope is forbidden, on
// every way in.
func TestAllOutsideScope(t *testing.T) {
	t.Parallel()
	b, from := newBench(nil), scoped([]string{"shop.*"})
	const want = "db.ms is outside the scope of token edge"
	_, _, err := b.RecordFrom(t.Context(), us, []byte(`{"measurements":[{"name":"db.ms","value":1},{"name":"db.n","value":1}]}`), from)
	if tidemark.KindOf(err) != tidemark.Forbidden || err.Error() != want {
		t.Errorf("measurements: %v", err)
	}
	_, _, err = b.RecordFrom(t.Context(), us, []byte(`[{"values":[1],"plugin":"load","type":"load","time":1754300390}]`), from)
	if tidemark.KindOf(err) != tidemark.Forbidden || err.Error() != "collectd.load.load is outside the scope of token edge" {
		t.Errorf("collectd: %v", err)
	}
	err = b.RecordLegacyFrom(t.Context(), us, legacyTree(t, `{"gauges":{"shop.ms":{"value":1},"db.ms":{"value":1}}}`), from)
	if tidemark.KindOf(err) != tidemark.Forbidden || err.Error() != want {
		t.Errorf("the old route, which takes all or nothing: %v", err)
	}
	if got := b.contents(t); len(got) > 0 {
		t.Errorf("recorded %q", got)
	}
	if err := b.RecordLegacyFrom(t.Context(), us, legacyTree(t, `{"gauges":{"shop.ms":{"value":1}}}`), from); err != nil {
		t.Error(err)
	}
}

// TestServerOwned: nobody sends what the server alone records, but the server
// does.
func TestServerOwned(t *testing.T) {
	t.Parallel()
	b := newBench(nil)
	for _, name := range []string{"Tidemark.Alerting.X", "Check.Up", "check.duration", "check.days"} {
		body := []byte(`{"measurements":[{"name":"` + name + `","value":1},{"name":"a","value":1}]}`)
		s, problems, err := b.RecordFrom(t.Context(), us, body, From(tidemark.Identity{}, ""))
		if err != nil || s.Failed != 1 || problems[0].Reason != "is recorded by the server alone" {
			t.Errorf("%s: %+v, %+v, %v", name, s, problems, err)
		}
		if s, _, err := b.RecordFrom(t.Context(), us, body, Origin{}); err != nil || s.Accepted != 2 {
			t.Errorf("the server itself: %s: %+v, %v", name, s, err)
		}
	}
}
