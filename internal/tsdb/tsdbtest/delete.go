package tsdbtest

import (
	"testing"

	"github.com/tidemark-metrics/tidemark/internal/tsdb"
)

func deleteQuestions() []question {
	return []question{
		{name: "delete/forgets one metric", ask: deleteForgets},
		{name: "delete/write again", ask: deleteWriteAgain},
		{name: "delete/forgets the mode", ask: deleteMode},
		{name: "delete/mode of a metric without data", ask: deleteModeAlone},
		{name: "delete/unknown", ask: deleteUnknown},
	}
}

func deleteForgets(t *testing.T, x *exam) {
	x.write(t, v("cpu host=a", 0, 1), v("cpu host=b", 0, 1), v("cpu", 3*day, 1), v("cpu.user", 0, 1), v("cp", 0, 1), v("mem", 0, 1))
	x.forget(t, "cpu")
	x.check(t, raw("cpu"))
	x.check(t, raw("*"), "cp: 0=1", "cpu.user: 0=1", "mem: 0=1")
	x.check(t, tsdb.Query{Metric: "cpu", End: 5 * day, Step: hour})
	x.checkStreams(t, "*", tsdb.Filter{}, "cp@0", "cpu.user@0", "mem@0")
}

func deleteWriteAgain(t *testing.T, x *exam) {
	for i := range 3 {
		x.write(t, v("cpu host=a", 0, 1), v("cpu host=a", day, 1), v("cpu host=b", 0, 1))
		x.forget(t, "cpu")
		x.write(t, v("cpu host=a", 60, float64(i)))
		x.check(t, raw("cpu"), "cpu host=a: 60="+number(float64(i)))
		x.check(t, tsdb.Query{Metric: "cpu", End: 5 * day, Step: hour, Function: tsdb.Count}, "cpu host=a: 0=1")
		x.checkStreams(t, "cpu", tsdb.Filter{}, "cpu host=a@60")
	}
}

func deleteMode(t *testing.T, x *exam) {
	x.fold(t, "hits", 10)
	x.write(t, v("hits", 5, 1))
	x.forget(t, "hits")
	x.write(t, v("hits", 5, 2))
	x.write(t, v("hits", 5, 3))
	x.check(t, raw("hits"), "hits: 5=3")
}

func deleteModeAlone(t *testing.T, x *exam) {
	x.fold(t, "hits", 10)
	x.forget(t, "hits")
	x.write(t, v("hits", 5, 2))
	x.check(t, raw("hits"), "hits: 5=2")
}

func deleteUnknown(t *testing.T, x *exam) {
	x.forget(t, "cpu")
	x.write(t, v("cpu", 0, 1))
	x.forget(t, "cp")
	x.forget(t, "*") // a name, not a glob
	x.forget(t, "")
	x.check(t, raw("*"), "cpu: 0=1")
}
