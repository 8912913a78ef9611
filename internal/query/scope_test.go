package query_test

import (
	"context"
	"strconv"
	"strings"
	"testing"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/query"
	"github.com/tidemark-metrics/tidemark/internal/tsdb"
	"github.com/tidemark-metrics/tidemark/internal/tsdb/memory"
)

// scopedQuerier knows metrics within a scope and outside of it, composites
// among them, and returns the context that has the scope.
func scopedQuerier(t *testing.T) (*query.Querier, context.Context) {
	t.Helper()
	engine := memory.New()
	var b tsdb.Batch
	b.Add("edge.load", tidemark.Tags{{Name: "site", Value: "ams"}}, 60, 1)
	b.Add("edge.load", tidemark.Tags{{Name: "site", Value: "lon"}}, 60, 10)
	b.Add("edge.other", tidemark.Tags{{Name: "site", Value: "ams"}}, 60, 100)
	b.Add("billing", tidemark.Tags{{Name: "site", Value: "ams"}}, 60, 1000)
	if err := engine.Write(t.Context(), 1, &b); err != nil {
		t.Fatal(err)
	}
	known := catalog{}
	for name, text := range map[string]string{
		"edge.load": "", "edge.other": "", "billing": "", "total": `sum(s("edge.*"))`,
		"edge.total": `sum(s("edge.*"))`, "edge.bill": `sum([s("edge.load"), s("billing")])`, "edge.all": `sum(s("*"))`,
		"edge.mapped": `map({metric: "*"}, s("&"))`, "edge.broken": `sum(`,
	} {
		known[name] = &tidemark.Metric{Name: name, Type: tidemark.Gauge}
		if text != "" {
			known[name] = &tidemark.Metric{Name: name, Type: tidemark.Composite, Composite: text}
		}
	}
	ctx := tsdb.WithScope(t.Context(), &tsdb.Scope{Token: "reader", TokenScope: tidemark.TokenScope{
		Metrics: []string{"Edge.*"}, Tags: []tidemark.ScopeTag{{Name: "site", Values: []string{"ams"}}},
	}})
	return query.New(query.Options{Engine: engine, Catalog: known}), ctx
}

// TestScopeOfExpressions: an expression reads what is within the scope, and is
// refused if it names anything else, a pattern that reaches beyond included.
func TestScopeOfExpressions(t *testing.T) {
	t.Parallel()
	q, ctx := scopedQuerier(t)
	for text, want := range map[string]float64{ // the sum of all there is; -1 for a refusal
		`s("edge.load")`: 1, `sum(s("EDGE.*"))`: 101, `s("edge.load", {"site": "lon"})`: 0, `s("edge.load", {"!site": "*"})`: 0,
		`map({metric: "*"}, s("&"))`: 101, `map({site: "*"}, s("edge.load", {"site": "&"}))`: 1, `group_by("site", sum(s("edge.*")))`: 101,
		`timeshift("1m", s("edge.nothing"))`: 0,
		`s("billing")`:                       -1, `s("*")`: -1, `s("e*")`: -1, `[s("edge.load"), s("Billing")]`: -1, `map({site: "*"}, s("&"))`: -1, `map({site: "*"}, s("*", {"site": "&"}))`: -1,
		`sum(divide([s("edge.load"), s("billing")]))`: -1, `s("nowhere")`: -1,
	} {
		result, err := q.Eval(ctx, 1, mustParse(t, text), query.Window{End: 120, Step: 60}, nil)
		if want < 0 {
			if tidemark.KindOf(err) != tidemark.Forbidden || !strings.Contains(err.Error(), "is outside the scope of token reader") {
				t.Errorf("%s: %+v %v", text, result, err)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		sum := 0.0
		for _, s := range result.Series {
			for _, v := range s.Values {
				sum += v
			}
		}
		if sum != want {
			t.Errorf("%s: %v, want %v", text, sum, want)
		}
	}
}

// TestScopeOfMetrics: the same for a metric that is asked for by its name; a
// composite is within the scope if its name is and all that it reads.
func TestScopeOfMetrics(t *testing.T) {
	t.Parallel()
	q, ctx := scopedQuerier(t)
	for name, want := range map[string]string{
		"edge.load": "1", "Edge.total": "101", "edge.*": "101",
		"billing": "billing is outside the scope of token reader", "nowhere": "nowhere is outside the scope of token reader",
		"total": "total is outside the scope of token reader", "*": "* is outside the scope of token reader",
		"edge.bill":   "some of what the composite edge.bill reads is outside the scope of token reader",
		"edge.all":    "some of what the composite edge.all reads is outside the scope of token reader",
		"edge.mapped": "some of what the composite edge.mapped reads is outside the scope of token reader",
		"edge.broken": "some of what the composite edge.broken reads is outside the scope of token reader",
	} {
		got, sum := "", 0.0
		series, err := q.Select(ctx, 1, query.Request{Metric: name, End: 120, Resolution: 60, Summary: "sum"})
		if err != nil {
			got = err.Error()
		} else {
			for s, err := range series {
				if err != nil {
					t.Fatal(err)
				}
				for _, v := range s.Values {
					sum += v
				}
			}
			got = strconv.FormatFloat(sum, 'f', -1, 64)
		}
		if got != want || err != nil && tidemark.KindOf(err) != tidemark.Forbidden {
			t.Errorf("%s: %s %v, want %s", name, got, err, want)
		}
	}
}
