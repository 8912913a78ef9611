package query_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/query"
	"github.com/tidemark-metrics/tidemark/internal/tsdb"
	"github.com/tidemark-metrics/tidemark/internal/tsdb/memory"
)

// identities are pairs of expressions that stand for the same, whatever was
// recorded. Adding 0 keeps a function from being done while reading.
var identities = [][2]string{
	{`sum(s("m", "*"))`, `sum(add(s("m", "*"), {value: 0}))`},
	{`mean(s("m", "*"))`, `mean(add(s("m", "*"), {value: 0}))`},
	{`min(s("m", "*"))`, `min(add(s("m", "*"), {value: 0}))`},
	{`max(s("m", "*"))`, `max(add(s("m", "*"), {value: 0}))`},
	{`multiply(s("m", "*"))`, `multiply(add(s("m", "*"), {value: 0}))`},
	{`group_by("dc", sum(s("m", "*")))`, `group_by("dc", sum(add(s("m", "*"), {value: 0})))`},
	{`group_by("dc", mean(s("m", "*")))`, `group_by("dc", mean([s("m", {"host": "1*"}), s("m", {"host": "!1*"})]))`},
	{`group_by("dc,host", max(s("m", "*")))`, `group_by("dc", group_by("host", max(s("m", "*"))))`},
	{`group_by("dc", sum(s("m", "*")))`, `map({dc: "*"}, sum(s("m", {"dc": "&"})))`},
	{`sum(s("m", "*"))`, `sum(group_by("dc", sum(s("m", "*"))))`},
	{`max(s("m", "*"))`, `max(group_by("dc", max(s("m", "*"))))`},
	{`min(s("m", "*"))`, `percentile(s("m", "*"), {p: "0"})`},
	{`max(s("m", "*"))`, `percentile(s("m", "*"), {p: "100"})`},
	{`s("m", "*")`, `timeshift("0s", s("m", "*"))`},
	{`s("m", "*")`, `timeshift("2m", timeshift("+2m", s("m", "*")))`},
	{`timeshift("3m", sum(s("m", "*")))`, `sum(timeshift("3m", s("m", "*")))`},
	{`s("m", "*")`, `window(s("m", "*"), {size: "1", function: "median"})`},
	{`moving_average(s("m", "*"), {size: "3"})`, `window(s("m", "*"), {size: "3"})`},
	{`zero_fill(s("m", "*"))`, `last_fill(fill(s("m", "*"), {value: "0"}))`},
	{`sum(s("m", "*"))`, `sum([filter(s("m", "*"), {gte: "1"}), filter(s("m", "*"), {lt: "1"})])`},
	{`sum(s("m", "*"))`, `sum(top(s("m", "*"), {count: "100"}))`},
	{`top(s("m", "*"), {count: "3"})`, `bottom(scale(scale(top(s("m", "*"), {count: "3"}), {factor: "-1"}), {factor: "-1"}), {count: "0100", function: "mean"})`},
	{`rank(s("m", "*"))`, `rank(scale(s("m", "*"), {factor: "-1"}), {order: "asc"})`},
	{`subtract([sum(s("m", "*")), min(s("m", "*"))])`, `sum([sum(s("m", "*")), scale(min(s("m", "*")), {factor: "-1"})])`},
	{`add(s("m", "*"), {value: "2"})`, `map({host: "*"}, add(s("m", {"host": "&"}), {value: "2"}))`},
}

// unordered are identities of sets, not of lists.
var unordered = map[int]bool{21: true, 24: true}

func TestIdentities(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		engine := memory.New()
		var b tsdb.Batch
		for i := range rapid.IntRange(0, 15).Draw(t, "streams") {
			tags := tidemark.Tags{{Name: "dc", Value: fmt.Sprint("dc", i%3)}, {Name: "host", Value: fmt.Sprintf("%02d", i)}}
			for _, p := range rapid.SliceOfNDistinct(rapid.IntRange(0, 9), 0, 10, rapid.ID).Draw(t, "points") {
				b.Add("m", tags, int64(p)*60+int64(i), float64(rapid.IntRange(-3, 3).Draw(t, "value")))
			}
		}
		if err := engine.Write(t.Context(), 1, &b); err != nil {
			t.Fatal(err)
		}
		q := query.New(query.Options{Engine: engine})
		w := query.Window{Start: rapid.Int64Range(0, 4).Draw(t, "start") * 60, End: 600, Step: rapid.SampledFrom([]int64{1, 60, 120}).Draw(t, "step")}
		for i, pair := range identities {
			x, y := rows(t, q, pair[0], w), rows(t, q, pair[1], w)
			if unordered[i] {
				x, y = counted(x), counted(y)
			}
			if d := cmp.Diff(x, y); d != "" {
				t.Fatalf("%s is not %s over %+v:\n%s", pair[0], pair[1], w, d)
			}
		}
	})
}

// rows evaluates text, and returns each series as a text.
func rows(t *rapid.T, q *query.Querier, text string, w query.Window) any {
	e, err := query.Parse(text)
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	r, err := q.Eval(t.Context(), 1, e, w, nil)
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	var list []string
	for _, s := range r.Series {
		row := s.Tags.String()
		for i, v := range s.Values {
			row += fmt.Sprintf(" %d:%.9g", s.Times[i], v+0) // -0 is 0
		}
		list = append(list, row)
	}
	return list
}

// counted returns how often each text is in a list.
func counted(list any) any {
	m := map[string]int{}
	for _, s := range list.([]string) {
		m[s]++
	}
	return m
}
