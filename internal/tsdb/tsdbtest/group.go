package tsdbtest

import (
	"testing"

	"github.com/tidemark-metrics/tidemark/internal/tsdb"
)

func groupQuestions() []question {
	return []question{
		{name: "group/each function", ask: groupEach},
		{name: "group/by tags", ask: groupBy},
		{name: "group/everything", ask: groupEverything},
		{name: "group/after the summary function", ask: groupAfter},
		{name: "group/metrics stay apart", ask: groupMetrics},
		{name: "group/derivative", ask: groupDerivative},
		{name: "group/points that some lack", ask: groupGaps},
		{name: "group/with a filter", ask: groupFilter},
		{name: "group/merged", ask: groupMerged},
		{name: "group/many merged", ask: groupManyMerged},
	}
}

func (x *exam) writeRacks(t *testing.T) {
	t.Helper()
	x.write(t,
		v("cpu host=a rack=1 zone=x", 0, 1), v("cpu host=b rack=1 zone=y", 0, 2), v("cpu host=c rack=2 zone=x", 0, 6),
		v("cpu host=d rack=2", 0, 7), v("cpu host=e", 0, 100), v("cpu", 0, 1000),
		v("cpu host=a rack=1 zone=x", 60, 4))
}

func groupEach(t *testing.T, x *exam) {
	x.writeRacks(t)
	for f, want := range map[tsdb.GroupFunction][]string{
		tsdb.GroupMean: {"cpu rack=1: 0=1.5 60=4", "cpu rack=2: 0=6.5"},
		tsdb.GroupSum:  {"cpu rack=1: 0=3 60=4", "cpu rack=2: 0=13"},
		tsdb.GroupMin:  {"cpu rack=1: 0=1 60=4", "cpu rack=2: 0=6"},
		tsdb.GroupMax:  {"cpu rack=1: 0=2 60=4", "cpu rack=2: 0=7"},
	} {
		x.check(t, tsdb.Query{Metric: "cpu", End: 120, Step: 60, Group: true, GroupBy: []string{"rack"}, GroupFunction: f}, want...)
	}
}

func groupBy(t *testing.T, x *exam) {
	x.writeRacks(t)
	q := tsdb.Query{Metric: "cpu", End: 120, Step: 60, Group: true, GroupFunction: tsdb.GroupSum}
	q.GroupBy = []string{"zone", "rack"}
	x.check(t, q, "cpu rack=1 zone=x: 0=1 60=4", "cpu rack=1 zone=y: 0=2", "cpu rack=2 zone=x: 0=6")
	q.GroupBy = []string{"zone", "zone"}
	x.check(t, q, "cpu zone=x: 0=7 60=4", "cpu zone=y: 0=2")
	q.GroupBy = []string{"host"}
	x.check(t, q, "cpu host=a: 0=1 60=4", "cpu host=b: 0=2", "cpu host=c: 0=6", "cpu host=d: 0=7", "cpu host=e: 0=100")
	q.GroupBy = []string{"nothing"}
	x.check(t, q)
}

func groupEverything(t *testing.T, x *exam) {
	x.writeRacks(t)
	x.check(t, tsdb.Query{Metric: "cpu", End: 120, Step: 60, Group: true, GroupFunction: tsdb.GroupSum}, "cpu: 0=1116 60=4")
	x.check(t, tsdb.Query{Metric: "cpu", End: 120, Step: hour, Group: true, GroupFunction: tsdb.GroupMax}, "cpu: 0=1000")
}

// groupAfter has streams with unequal numbers of records: each stream counts
// once, whatever its number of records.
func groupAfter(t *testing.T, x *exam) {
	x.write(t, v("cpu host=a", 0, 1), v("cpu host=a", 10, 2), v("cpu host=a", 20, 3), v("cpu host=b", 0, 10))
	for f, want := range map[tsdb.Function]string{
		tsdb.Mean: "6", tsdb.Sum: "8", tsdb.Count: "2", tsdb.Min: "5.5", tsdb.Max: "6.5", tsdb.Last: "6.5",
	} {
		x.check(t, tsdb.Query{Metric: "cpu", End: 60, Step: 60, Function: f, Group: true}, "cpu: 0="+want)
	}
}

func groupMetrics(t *testing.T, x *exam) {
	x.write(t, v("cpu.user host=a", 0, 1), v("cpu.user host=b", 0, 2), v("cpu.idle host=a", 0, 3), v("mem host=a", 0, 9))
	x.check(t, tsdb.Query{Metric: "cpu.*", End: 60, Step: 60, Group: true, GroupFunction: tsdb.GroupSum}, "cpu.idle: 0=3", "cpu.user: 0=3")
	x.check(t, tsdb.Query{Metric: "*", End: 60, Step: 60, Group: true, GroupBy: []string{"host"}},
		"cpu.idle host=a: 0=3", "cpu.user host=a: 0=1", "cpu.user host=b: 0=2", "mem host=a: 0=9")
}

func groupDerivative(t *testing.T, x *exam) {
	x.write(t, v("b host=a", 0, 1), v("b host=b", 0, 100), v("b host=a", 60, 3), v("b host=b", 120, 50), v("b host=a", 120, 4), v("b host=c", 60, 7))
	x.check(t, tsdb.Query{Metric: "b", End: 180, Step: 60, Function: tsdb.Derivative, Group: true, GroupFunction: tsdb.GroupSum}, "b: 60=2 120=-49")
}

func groupGaps(t *testing.T, x *exam) {
	x.write(t, v("cpu host=a", 0, 1), v("cpu host=b", 60, 3), v("cpu host=a", 120, 5), v("cpu host=b", 120, 7))
	x.check(t, tsdb.Query{Metric: "cpu", End: 180, Step: 60, Group: true}, "cpu: 0=1 60=3 120=6")
}

func groupFilter(t *testing.T, x *exam) {
	x.writeRacks(t)
	x.check(t, tsdb.Query{Metric: "cpu", Filter: tsdb.TagIs("zone", "x"), End: 60, Step: 60, Group: true, GroupBy: []string{"rack"}}, "cpu rack=1: 0=1", "cpu rack=2: 0=6")
}

// groupMerged has streams with unequal numbers of records: each value counts
// once, whatever stream it is of.
func groupMerged(t *testing.T, x *exam) {
	x.write(t, v("cpu host=a", 0, 1), v("cpu host=a", 10, 2), v("cpu host=a", 20, 3), v("cpu host=b", 0, 10), v("cpu host=b", 60, 7),
		sum("cpu host=c", 30, tsdb.Summary{Count: 2, Sum: 8, Min: 3, Max: 5, Last: 5, M2: 2}), v("cpu", 120, 9))
	q := tsdb.Query{Metric: "cpu", End: 180, Step: 60, Group: true, GroupFunction: tsdb.GroupMerge}
	for f, want := range map[tsdb.Function]string{
		tsdb.Mean: "0=4 60=7 120=9", tsdb.Sum: "0=24 60=7 120=9", tsdb.Count: "0=6 60=1 120=1", tsdb.Min: "0=1 60=7 120=9",
		tsdb.Max: "0=10 60=7 120=9", tsdb.Last: "0=5 60=7 120=9", tsdb.StdDev: "0=2.94392028878 60=0 120=0",
		tsdb.All: "0=n6/sum24/min1/max10/last5/sq52 60=7 120=9",
	} {
		q.Function = f
		x.check(t, q, "cpu: "+want)
	}
	q.GroupBy, q.Function = []string{"host"}, tsdb.Sum
	x.check(t, q, "cpu host=a: 0=6", "cpu host=b: 0=10 60=7", "cpu host=c: 0=8")
}

// groupManyMerged has so many streams that they are not read in one go.
func groupManyMerged(t *testing.T, x *exam) {
	x.writeMany(t, 3000)
	q := tsdb.Query{Metric: "cpu", End: minute, Step: hour, Group: true, GroupFunction: tsdb.GroupMerge, Function: tsdb.All}
	got := x.collect(t, us, x.query(q))
	if len(got) != 1 || len(got[0].Summaries) != 1 {
		t.Fatalf("got %d series, want one with one point", len(got))
	}
	// Second 0 to 59 of each hundred.
	s := got[0].Summaries[0]
	if s.Count != 1800 || s.Sum != 2_663_100 || s.Min != 0 || s.Max != 2959 || s.Last != 2959 {
		t.Errorf("got %+v", s)
	}
}
