package ingest

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/tidemark-metrics/tidemark"
)

// TestValues: a measurement may be a distribution, of which plain clients see
// count, sum, least and largest.
func TestValues(t *testing.T) {
	b := newBench(nil)
	s, _, err := b.record(t, `{"time":1754300390,"measurements":[
		{"name":"ms","distribution":[10,[20,3],"30"]},
		{"name":"one","distribution":[7],"value":null},
		{"name":"none","distribution":[]},
		{"name":"null","distribution":null,"value":1}]}`)
	if err != nil {
		t.Fatal(err)
	}
	diff(t, "summary", s, Summary{Total: 4, Accepted: 3, Filtered: 1})
	diff(t, "records", b.contents(t), []string{
		"ms{} -10 {Count:5 Sum:100 Min:10 Max:30 Last:30 M2:200}",
		"null{} -10 {Count:1 Sum:1 Min:1 Max:1 Last:1 M2:0}",
		"one{} -10 {Count:1 Sum:7 Min:7 Max:7 Last:7 M2:0}",
	})
	for q, want := range map[float64]float64{0.05: 10, 0.5: 20, 1: 30} {
		if got := b.percentile(t, "ms", q); len(got) != 1 || math.Abs(got[0]-want) > want/100 {
			t.Errorf("the value at %v is %v, want %v", q, got, want)
		}
	}
	if !b.metrics.stored["ms"].IsDistribution() || b.metrics.stored["null"].IsDistribution() {
		t.Errorf("%+v", b.metrics.stored)
	}
}

func TestBadValues(t *testing.T) {
	for text, why := range map[string]flaw{
		`"distribution":7`: notDistribution, `"distribution":{"a":1}`: notDistribution, `"distribution":[1,"x"]`: notDistribution,
		`"distribution":[null]`: notDistribution, `"distribution":[[1]]`: notDistribution, `"distribution":[[1,2,3]]`: notDistribution,
		`"distribution":[[1,0.5]]`: notDistribution, `"distribution":[[1,-2]]`: notDistribution, `"distribution":[NaN]`: notDistribution,
		`"distribution":[1e200]`: notDistribution, `"distribution":[[1e100,1e100]]`: notDistribution, `"distribution":[[[1]]]`: notDistribution,
		`"distribution":[1,2],"value":3`: valueAndDistribution, `"count":1,"sum":2,"distribution":[1,2]`: valueAndDistribution,
		`"distribution":[` + strings.Repeat("1,", maxValues) + `1]`: notDistribution,
	} {
		b := newBench(nil)
		s, problems, err := b.record(t, fmt.Sprintf(`{"measurements":[{"name":"ms",%s},{"name":"fine","value":1}]}`, text))
		if err != nil || s.Accepted != 1 || len(problems) != 1 || problems[0].Reason != flaws[why].reason || problems[0].Param != "distribution" {
			t.Errorf("%.60s: %+v %+v %v", text, s, problems, err)
		}
	}
	b := newBench(nil)
	if _, _, err := b.record(t, `{"measurements":[{"name":"ms","distribution":[1,2}]}`); err == nil {
		t.Error("half a list was taken")
	}
}

// FuzzValues: whatever stands in the place of a distribution, the measurement
// is recorded or refused, and what is recorded an engine can store.
func FuzzValues(f *testing.F) {
	for _, seed := range []string{`[1,[2,3],"4"]`, `[]`, `null`, `[[1,2,3]]`, `[1e126,[-1e126,9e99]]`, `[[1,1.5],[0,1e15]]`, `[1`, `{"a":[1]}`} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, values string) {
		b := newBench(nil)
		_, _, err := b.record(t, `{"measurements":[{"name":"ms","distribution":`+values+`}]}`)
		if err != nil && tidemark.KindOf(err) == tidemark.Internal {
			t.Errorf("%v", err)
		}
		b.percentile(t, "ms", 0.5)
	})
}
