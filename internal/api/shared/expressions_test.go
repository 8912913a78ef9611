package shared_test

import (
	"testing"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/api/apitest"
)

// composite puts a metric that is made of others.
func composite(t *testing.T, w *apitest.World, name, text string) {
	t.Helper()
	_, _, err := w.Store.PutMetric(t.Context(), w.Org, tidemark.ServerActor(), name, func(m *tidemark.Metric) {
		m.Type, m.Composite = tidemark.Composite, text
	})
	if err != nil {
		t.Fatal(err)
	}
}

// TestExpressionsAreChecked: an expression that is about to be kept can be
// read, is made of no composite, and not of itself; metrics that do not exist
// yet are fine.
func TestExpressionsAreChecked(t *testing.T) {
	t.Parallel()
	w := apitest.New(t)
	w.Record(t, "cpu", nil, apitest.Now, 1)
	composite(t, w, "load.all", `sum(s("cpu", "*"))`)
	for _, c := range []struct{ name, text, want string }{
		{"", `s("cpu", "*")`, ""}, {"new", `sum(s("cpu", "*"))`, ""}, {"new", `s("not.there.yet", "*")`, ""}, {"new", `s("load.*", "*")`, ""},
		{"new", `s("Load.All", "*")`, "400 invalid parameters; composite load.all is a composite: composites cannot be used within others"},
		{"CPU", `s("cpu", "*")`, "400 invalid parameters; composite cpu is a composite: composites cannot be used within others"},
		{"new", `sum([s("cpu", "*"), s("load.all", "*")])`, "400 invalid parameters; composite load.all is a composite: composites cannot be used within others"},
		{"new", `sum(s("cpu", "*")`, "400 invalid parameters; composite at offset 17: expected ',' or ')', found the end"},
		{"new", ``, `400 invalid parameters; composite at offset 0: nothing here: write an expression such as s("cpu", "*")`},
	} {
		if got := apitest.Said(w.CheckExpression(t.Context(), w.Org, "composite", c.name, c.text)); got != c.want {
			t.Errorf("%s as %q: %q, want %q", c.text, c.name, got, c.want)
		}
	}
	if got := apitest.Said(w.CheckExpression(t.Context(), w.Org+1, "composite", "new", `s("load.all", "*")`)); got != "" {
		t.Errorf("the composite of another organization is looked at: %s", got)
	}
}

// TestChartsOfBrokenStreams: a chart whose stream cannot be read is not kept;
// one that was there already may stay.
func TestChartsOfBrokenStreams(t *testing.T) {
	t.Parallel()
	w := apitest.New(t)
	by, name := tidemark.ServerActor(), "s"
	space := &tidemark.Space{Name: &name}
	if err := w.Store.CreateSpace(t.Context(), w.Org, by, space); err != nil {
		t.Fatal(err)
	}
	chart := func(streams ...string) *tidemark.Chart {
		c := tidemark.NewChart()
		c.Name = "c"
		for _, text := range streams {
			c.Streams = append(c.Streams, tidemark.ChartStream{Composite: text})
		}
		return c
	}
	const good, broken = `s("cpu", "*")`, `s("cpu"`
	if err := w.CreateChart(t.Context(), w.Org, by, space.ID, chart(good, broken)); tidemark.KindOf(err) != tidemark.Invalid {
		t.Errorf("a chart that cannot be read: %v", err)
	}
	if err := w.CreateChart(t.Context(), w.Org, by, space.ID+1, chart(good)); tidemark.KindOf(err) != tidemark.NotFound {
		t.Errorf("a chart of no space: %v", err)
	}
	old := chart(broken) // of a time when that could be read
	if err := w.Store.CreateChart(t.Context(), w.Org, by, space.ID, old); err != nil {
		t.Fatal(err)
	}
	update := func(c *tidemark.Chart) error {
		_, err := w.UpdateChart(t.Context(), w.Org, by, tidemark.ChartKey{Space: space.ID, Chart: old.ID}, func(v *tidemark.Chart) { v.Name, v.Streams = c.Name, c.Streams })
		return err
	}
	if err := update(chart(broken, good)); err != nil {
		t.Errorf("what was there may not stay: %v", err)
	}
	if err := update(chart(broken, `s("mem"`)); tidemark.KindOf(err) != tidemark.Invalid {
		t.Errorf("another that cannot be read: %v", err)
	}
	got, err := w.Store.Chart(t.Context(), w.Org, tidemark.ChartKey{Space: space.ID, Chart: old.ID})
	if err != nil || len(got.Streams) != 2 {
		t.Errorf("the refused change was made: %+v, %v", got, err)
	}
	if _, err := w.UpdateChart(t.Context(), w.Org, by, tidemark.ChartKey{Space: space.ID, Chart: 999}, func(*tidemark.Chart) {}); tidemark.KindOf(err) != tidemark.NotFound {
		t.Errorf("a chart that is not there: %v", err)
	}
}
