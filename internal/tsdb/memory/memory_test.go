package memory_test

import (
	"testing"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/tsdb"
	"github.com/tidemark-metrics/tidemark/internal/tsdb/memory"
)

func TestRoundTrip(t *testing.T) {
	e := memory.New()
	var b tsdb.Batch
	b.Add("cpu", tidemark.MakeTags(map[string]string{"host": "a"}), 60, 1)
	b.Add("cpu", tidemark.MakeTags(map[string]string{"host": "a"}), 61, 3)
	if err := e.Write(t.Context(), 1, &b); err != nil {
		t.Fatal(err)
	}
	n := 0
	for s, err := range e.Select(t.Context(), 1, &tsdb.Query{Metric: "c*", End: 1000, Step: 60}) {
		if err != nil {
			t.Fatal(err)
		}
		n++
		if len(s.Times) != 1 || s.Times[0] != 60 || s.Values[0] != 2 {
			t.Errorf("got %+v", s)
		}
	}
	if n != 1 {
		t.Errorf("%d series, want 1", n)
	}
}
