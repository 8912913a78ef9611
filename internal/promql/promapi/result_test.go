package promapi

import (
	"math"
	"testing"

	prom "github.com/prometheus/prometheus/promql"
)

// TestTimesOfMatrix: series have the times they have, whatever the first has.
func TestTimesOfMatrix(t *testing.T) {
	t.Parallel()
	series := func(times ...int64) prom.Series {
		s := prom.Series{}
		for _, at := range times {
			s.Floats = append(s.Floats, prom.FPoint{T: at, F: 1})
		}
		return s
	}
	p := &printer{}
	p.matrix(prom.Matrix{series(-1500, 1000, 2500), series(1000, 2000, 2500), series(), series(500, 2500, 3000), series(-1500, 1000, 2500)})
	const want = `[{"metric":{},"values":[[-1.500,"1"],[1,"1"],[2.500,"1"]]},` +
		`{"metric":{},"values":[[1,"1"],[2,"1"],[2.500,"1"]]},{"metric":{},"values":[]},` +
		`{"metric":{},"values":[[0.500,"1"],[2.500,"1"],[3,"1"]]},{"metric":{},"values":[[-1.500,"1"],[1,"1"],[2.500,"1"]]}]`
	if string(p.b) != want {
		t.Errorf("%s\nwant %s", p.b, want)
	}
}

// TestValues: values read as Prometheus writes them.
func TestValues(t *testing.T) {
	t.Parallel()
	tenth := 0.1
	for v, want := range map[float64]string{
		0: "0", math.Copysign(0, -1): "-0", 1.5: "1.5", -20: "-20", 1e-6: "0.000001", 9e-7: "9e-07", 1e20: "100000000000000000000", 1e21: "1e+21",
		tenth + 0.2: "0.30000000000000004", math.Inf(1): "+Inf", math.Inf(-1): "-Inf", 1 << 60: "1152921504606847000",
	} {
		p := &printer{}
		if p.value(v); string(p.b) != `,"`+want+`"]` {
			t.Errorf("%v is %s, want %s", v, p.b, want)
		}
	}
	p := &printer{}
	if p.value(math.NaN()); string(p.b) != `,"NaN"]` {
		t.Errorf("what is no number is %s", p.b)
	}
}
