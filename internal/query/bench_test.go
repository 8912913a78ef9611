package query_test

import (
	"context"
	"iter"
	"testing"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/query"
	"github.com/tidemark-metrics/tidemark/internal/tsdb"
)

func BenchmarkParse(b *testing.B) {
	const in = `group_by("dc", divide([sum(s("2xx", {"dc": "%"}, {period: "60"})), sum(s("all", "*", {group: "false"}))]))`
	b.SetBytes(int64(len(in)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := query.Parse(in); err != nil {
			b.Fatal(err)
		}
	}
}

// canned is an engine that has its answer ready, so that what is measured is
// ours alone.
type canned struct {
	tsdb.Engine
	series []*tsdb.Series
}

func (c *canned) Select(context.Context, tidemark.OrgID, *tsdb.Query) iter.Seq2[*tsdb.Series, error] {
	return func(yield func(*tsdb.Series, error) bool) {
		for _, s := range c.series {
			if !yield(s, nil) {
				return
			}
		}
	}
}

var evaluated = []struct{ name, text string }{
	{"sum", `sum(s("cpu", "*"))`},
	{"group_by sum", `group_by("dc", sum(s("cpu", "*")))`},
	{"streams", `s("cpu", "*")`},
	{"sum of rates", `sum(rate(s("cpu", "*")))`},
	{"top of windows", `top(window(s("cpu", "*"), {size: "10"}), {count: "5"})`},
	{"percentile", `percentile(s("cpu", "*"), {p: "99"})`},
}

// BenchmarkEval evaluates expressions over six hours of 1000 streams at 60 s
// that the engine has ready.
func BenchmarkEval(b *testing.B) {
	engine := &canned{}
	all := &tsdb.Query{Metric: "cpu", End: 360 * 60, Step: 60}
	for s := range fleet(b, 1000, 360).Select(b.Context(), 1, all) {
		engine.series = append(engine.series, s.Clone())
	}
	q := query.New(query.Options{Engine: engine})
	for _, bb := range evaluated {
		b.Run(bb.name, func(b *testing.B) { evaluate(b, q, bb.text, all.End) })
	}
}

// BenchmarkEvalMemory is the sum with the engine in memory, and "read" what
// that needs for reading alone.
func BenchmarkEvalMemory(b *testing.B) {
	engine := fleet(b, 1000, 360)
	all := &tsdb.Query{Metric: "cpu", End: 360 * 60, Step: 60}
	b.Run("read", func(b *testing.B) {
		for b.Loop() {
			for _, err := range engine.Select(b.Context(), 1, all) {
				if err != nil {
					b.Fatal(err)
				}
			}
		}
	})
	b.Run("sum", func(b *testing.B) {
		evaluate(b, query.New(query.Options{Engine: engine}), `sum(s("cpu", "*"))`, all.End)
	})
}

// BenchmarkEvalSmall is what alerting does: one stream, an hour.
func BenchmarkEvalSmall(b *testing.B) {
	engine := &canned{}
	for s := range fleet(b, 1, 60).Select(b.Context(), 1, &tsdb.Query{Metric: "cpu", End: 3600, Step: 60}) {
		engine.series = append(engine.series, s.Clone())
	}
	evaluate(b, query.New(query.Options{Engine: engine}), `rate(sum(s("cpu", {"host": "h*"})))`, 3600)
}

func evaluate(b *testing.B, q *query.Querier, text string, end int64) {
	b.Helper()
	e := mustParse(b, text)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := q.Eval(b.Context(), 1, e, query.Window{End: end, Step: 60}, nil); err != nil {
			b.Fatal(err)
		}
	}
}
