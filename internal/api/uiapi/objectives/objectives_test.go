package objectives

import (
	"context"
	"fmt"
	"iter"
	"math"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/api/apitest"
	"github.com/tidemark-metrics/tidemark/internal/api/shared"
	"github.com/tidemark-metrics/tidemark/internal/query"
	"github.com/tidemark-metrics/tidemark/internal/sketch"
	"github.com/tidemark-metrics/tidemark/internal/tsdb"
)

// countingEngine counts the reads of an engine.
type countingEngine struct {
	tsdb.Engine
	reads atomic.Int64
}

func (e *countingEngine) Select(ctx context.Context, org tidemark.OrgID, q *tsdb.Query) iter.Seq2[*tsdb.Series, error] {
	e.reads.Add(1)
	return e.Engine.Select(ctx, org, q)
}

// budgetWorld is a world whose engine is written to directly: the past is
// longer ago than measurements may be.
type budgetWorld struct {
	*apitest.World
	*apitest.Client
	t      *testing.T
	engine *countingEngine
}

func newBudgetWorld(t *testing.T, metrics ...string) *budgetWorld {
	b := &budgetWorld{t: t, engine: new(countingEngine)}
	b.World, _, b.Client = newClient(t, func(o *shared.Options) {
		b.engine.Engine = o.Engine.(tsdb.Engine)
		o.Engine, o.Querier = b.engine, query.New(query.Options{Engine: b.engine, Catalog: o.Store})
	})
	var all []*tidemark.Metric
	for _, name := range metrics {
		all = append(all, &tidemark.Metric{Name: name, Type: tidemark.Gauge})
	}
	if _, err := b.Store.EnsureMetrics(t.Context(), b.Org, all); err != nil {
		t.Fatal(err)
	}
	return b
}

// count has a stream count n of a metric, seconds before now.
func (b *budgetWorld) count(metric string, tags map[string]string, before int64, n float64) {
	b.t.Helper()
	var batch tsdb.Batch
	batch.Add(metric, tidemark.MakeTags(tags), apitest.Now-before, n)
	if err := b.engine.Write(b.t.Context(), b.Org, &batch); err != nil {
		b.t.Fatal(err)
	}
}

// values records values of a distribution, seconds before now.
func (b *budgetWorld) values(metric string, tags map[string]string, before int64, values ...float64) {
	b.t.Helper()
	var known sketch.Sketch
	sum := tsdb.Single(values[0])
	known.Add(values[0], 1)
	for _, v := range values[1:] {
		more := tsdb.Single(v)
		sum.Merge(&more)
		known.Add(v, 1)
	}
	var batch tsdb.Batch
	batch.AddDistribution(tsdb.AppendKey(nil, metric, tidemark.MakeTags(tags)), apitest.Now-before, sum, known.AppendBinary(nil))
	if err := b.engine.Write(b.t.Context(), b.Org, &batch); err != nil {
		b.t.Fatal(err)
	}
}

// make makes an objective.
func (b *budgetWorld) make(body string) {
	b.t.Helper()
	b.Check(b.t, apitest.Exchange{Request: "POST /v1/objectives", Body: body, Want: "201 {..."})
}

// get reads an answer.
func get[T any](b *budgetWorld, path string) (v T) {
	b.t.Helper()
	b.Read(b.t, path, &v)
	return v
}

func isNear(v *float64, want float64) bool { return v != nil && math.Abs(*v-want) < 1e-9 }

const anHour, aDay = int64(3600), int64(shared.DaySeconds)

// TestObjectiveReads: what several objectives count is read once for all of
// them, and what is older than three days not again soon. The page and the
// list agree, whatever was read before.
func TestObjectiveReads(t *testing.T) {
	t.Parallel()
	b := newBudgetWorld(t, "all", "good0", "good1", "good2", "good3", "latency")
	for i := range 4 {
		for _, before := range []int64{10 * aDay, 2 * aDay, 600} {
			b.count(fmt.Sprint("good", i), map[string]string{"host": "a"}, before, float64(96+i))
		}
		b.make(fmt.Sprintf(`{"name": "o%d", "good_metric": "good%d", "total_metric": "all", "target": 90}`, i, i))
	}
	for _, before := range []int64{10 * aDay, 2 * aDay, 600} {
		b.count("all", map[string]string{"host": "a"}, before, 100)
		b.values("latency", map[string]string{"host": "a"}, before, 100, 200, 900)
	}
	b.make(`{"name": "o4", "total_metric": "latency", "below": 300, "target": 50}`)
	b.make(`{"name": "o5", "total_metric": "latency", "below": 300, "target": 60}`)
	reads := func(path string) int64 {
		before := b.engine.reads.Load()
		get[any](b, path)
		return b.engine.reads.Load() - before
	}
	// Six metrics and distributions, of the past and of late: not 4 for each of
	// six objectives.
	if n := reads("/ui/api/objectives"); n != 12 {
		t.Errorf("%d reads at first, want 12", n)
	}
	if n := reads("/ui/api/objectives"); n != 6 {
		t.Errorf("%d reads the second time, want 6", n)
	}
	// The page is of 90 days; then what it read of them is known.
	if n := reads("/ui/api/objectives/5"); n != 2 {
		t.Errorf("%d reads for a page, want 2", n)
	}
	if n := reads("/ui/api/objectives/5"); n != 1 {
		t.Errorf("%d reads for the same page, want 1", n)
	}
	for i, o := range get[objectiveList](b, "/ui/api/objectives").Objectives {
		page := get[objectiveDetail](b, fmt.Sprint("/ui/api/objectives/", o.ID))
		want := float64(96 + i)
		if i >= 4 {
			want = 100 * 2. / 3
		}
		if !isNear(o.Achieved, want) || !isNear(page.Status.Achieved, want) || *page.Status.Left != *o.Left {
			t.Errorf("%s: %v and %v on its page, want %v", o.Name, o.Achieved, page.Status.Achieved, want)
		}
	}
}

// TestObjectiveOfDistribution: values up to the limit are good, those above
// are not, over all streams, of the past and of late.
func TestObjectiveOfDistribution(t *testing.T) {
	t.Parallel()
	b := newBudgetWorld(t, "latency")
	b.values("latency", map[string]string{"host": "a"}, 10*aDay, 100, 299, 300, 1000)
	b.values("latency", map[string]string{"host": "b"}, 600, 10, 20, 30, 5000, 6000, 40)
	b.make(`{"name": "fast", "total_metric": "latency", "below": 300, "target": 70}`)
	d := get[objectiveDetail](b, "/ui/api/objectives/1")
	if d.Status.Total != 10 || d.Status.Bad != 3 || !isNear(d.Status.Achieved, 70) || math.Abs(*d.Status.Left) > 1e-9 {
		t.Errorf("%+v", d.Status)
	}
	if !isNear(d.Status.HourRate, 2./6/0.3) {
		t.Errorf("burns %v times", *d.Status.HourRate)
	}
	b.Check(t,
		apitest.Exchange{Request: "POST /v1/objectives", Body: `{"name": "x", "total_metric": "latency", "good_metric": "latency2", "below": 300, "target": 70}`, Want: `400 {"errors":{"params":{"good_metric":["does not go with below"]}}}`},
		apitest.Exchange{Request: "PUT /v1/objectives/1", Body: `{"below": null}`, Want: `400 {"errors":{"params":{"good_metric":["is not present"]}}}`},
	)
}

// TestObjectiveByTag: tags pick streams, and each value of a tag has a budget
// of its own; the worst is that of the objective.
func TestObjectiveByTag(t *testing.T) {
	t.Parallel()
	b := newBudgetWorld(t, "all", "good")
	for _, c := range []struct {
		dc, kind  string
		all, good float64
	}{{"eu", "web", 1000, 990}, {"us", "web", 100, 80}, {"eu", "batch", 1000, 0}, {"", "web", 500, 0}} {
		tags := map[string]string{"kind": c.kind}
		if c.dc != "" {
			tags["dc"] = c.dc
		}
		for _, before := range []int64{5 * aDay, 2 * anHour} {
			b.count("all", tags, before, c.all)
			b.count("good", tags, before, c.good)
		}
	}
	b.make(`{"name": "answers", "good_metric": "good", "total_metric": "all", "target": 90, "days": 7, "group_by": "DC", "tags": [{"name": "kind", "values": ["web"]}]}`)
	list := get[objectiveList](b, "/ui/api/objectives").Objectives[0]
	if list.State != tidemark.ObjectiveMissed || list.Value != "us" || !isNear(list.Achieved, 80) {
		t.Errorf("in the list: %+v", list)
	}
	d := get[objectiveDetail](b, "/ui/api/objectives/1")
	if d.State != tidemark.ObjectiveMissed || d.Of != 2 || d.Status.Total != 2200 || d.Status.Bad != 60 || d.Values[0].Value != "us" || d.Values[1].Value != "eu" || d.Values[1].State != tidemark.ObjectiveMet {
		t.Errorf("on the page: %+v", d)
	}
	if one := get[objectiveDetail](b, "/ui/api/objectives/1?value=eu&days=28"); one.Status.Total != 2000 || one.Status.Bad != 20 || one.Objective.Days != 7 {
		t.Errorf("of one value: %+v", one.Status)
	}
	spent := get[budgetSpent](b, "/ui/api/objectives/1/spent")
	if spent.By != "dc" || len(spent.Spenders) != 2 || spent.Spenders[0].Name != "us" || spent.Spenders[0].Bad != 40 {
		t.Errorf("spent by %+v", spent.Spenders)
	}
	b.Check(t,
		apitest.Exchange{Request: "GET /ui/api/objectives/1?days=3", Want: `400 {"errors":{"params":{"days":["must be 7, 28, 30 or 90"]}}}`},
		apitest.Exchange{Request: "PUT /v1/objectives/1", Body: `{"group_by": "a b"}`, Want: `400 {"errors":{"params":{"group_by":["cannot be the name of a tag"]}}}`},
		apitest.Exchange{Request: "PUT /v1/objectives/1", Body: `{"tags": [{"name": "dc", "grouped": true}]}`, Want: `400 {"errors":{"params":{"tags":["can only pick streams: group_by makes budgets of their own"]}}}`},
		apitest.Exchange{Request: "PUT /v1/objectives/1", Body: `{"group_by": ""}`, Want: `204`},
		apitest.Exchange{Request: "GET /ui/api/objectives/1/spent?value=eu", Want: `400 {"errors":{"params":{"value":["goes with objectives that group by a tag only"]}}}`},
	)
	if d := get[objectiveDetail](b, "/ui/api/objectives/1"); d.Status.Total != 3200 || len(d.Values) != 0 {
		t.Errorf("without groups: %+v", d)
	}
}

// TestObjectiveWithoutMaintenance: what was counted in windows that cover an
// objective does not count, to the minute, of the past and of late; others
// change nothing.
func TestObjectiveWithoutMaintenance(t *testing.T) {
	t.Parallel()
	b := newBudgetWorld(t, "all", "good")
	tags := map[string]string{"dc": "eu"}
	for _, day := range []int64{10 * aDay, aDay} {
		for i := int64(1); i <= 60; i++ { // a minute each, none good from 20 to 41 minutes
			b.count("all", tags, day-i*60, 1)
			if i < 20 || i > 41 {
				b.count("good", tags, day-i*60, 1)
			}
		}
		// On from 21 to 40 minutes and a half: minutes that are touched count.
		b.Check(t, apitest.Exchange{Request: "POST /v1/maintenance", Want: "201 {...", Body: fmt.Sprintf(
			`{"name": "m%d", "starts_at": %d, "ends_at": %d, "covers": {"labels": {"team": "shop"}}}`, day, apitest.Now-day+21*60, apitest.Now-day+40*60+30)})
	}
	b.make(`{"name": "o", "good_metric": "good", "total_metric": "all", "target": 50, "labels": {"team": "shop"}}`)
	bad := func(want float64, leftOut int64) {
		t.Helper()
		d := get[objectiveDetail](b, "/ui/api/objectives/1")
		list := get[objectiveList](b, "/ui/api/objectives").Objectives[0]
		if d.Status.Bad != want || d.LeftOut != leftOut || *list.Left != *d.Status.Left {
			t.Errorf("%v bad of %v, %d s left out, want %v and %d", d.Status.Bad, d.Status.Total, d.LeftOut, want, leftOut)
		}
	}
	change := func(body string) {
		t.Helper()
		b.Check(t, apitest.Exchange{Request: "PUT /v1/objectives/1", Body: body, Want: "204"})
	}
	bad(44, 0)
	change(`{"without_maintenance": true}`)
	bad(4, 2*20*60)
	change(`{"labels": {"team": "other"}}`)
	bad(44, 0)
	// By tags only where all of its streams have them.
	b.Check(t, apitest.Exchange{Request: "POST /v1/maintenance", Want: "201 {...", Body: fmt.Sprintf(
		`{"name": "eu", "starts_at": %d, "ends_at": %d, "covers": {"tags": {"dc": "EU"}}}`, apitest.Now-aDay, apitest.Now-aDay+anHour)})
	bad(44, 0)
	change(`{"group_by": "dc"}`)
	if d := get[objectiveDetail](b, "/ui/api/objectives/1"); d.Status.Bad != 22 || d.Values[0].Bad != 22 {
		t.Errorf("%v bad by groups", d.Status.Bad)
	}
	change(`{"group_by": "", "tags": [{"name": "dc", "values": ["eu"]}]}`)
	bad(22, 3600)
}

// TestWhatSpentTheBudget: times in which more failed than may are found to the
// minute, with the incidents and annotations of then, and the streams that
// failed most.
func TestWhatSpentTheBudget(t *testing.T) {
	t.Parallel()
	b := newBudgetWorld(t, "all", "good", "cpu")
	hosts := []map[string]string{{"host": "a"}, {"host": "b"}}
	for i := int64(1); i <= 240; i++ {
		for n, tags := range hosts {
			good := 10.0
			if i > 100 && i <= 132 && n == 1 { // 32 minutes, one host only
				good = 4
			}
			b.count("all", tags, 2*aDay-i*60, 10)
			b.count("good", tags, 2*aDay-i*60, good)
		}
	}
	began := apitest.Now - 2*aDay + 101*60
	b.make(`{"name": "o", "good_metric": "good", "total_metric": "all", "target": 90, "days": 7}`)
	b.Check(t,
		apitest.Exchange{Request: "POST /v1/alerts", Body: `{"name": "failover", "conditions": [{"type": "above", "metric_name": "cpu", "threshold": 1}]}`, Want: "201 {..."},
		apitest.Exchange{Request: "POST /v1/annotations/deploys", Body: fmt.Sprintf(`{"title": "checkout 4.17", "start_time": %d}`, began-120), Want: "201 {..."},
		apitest.Exchange{Request: "POST /v1/annotations/deploys", Body: fmt.Sprintf(`{"title": "long before", "start_time": %d}`, began-7200), Want: "201 {..."},
	)
	apitest.Fire(t, b.Store, b.Org, 1, began+60)
	spent := get[budgetSpent](b, "/ui/api/objectives/1/spent")
	want := []spentTime{{
		Spending:    tidemark.Spending{Start: began, End: began + 32*60, Total: 640, Bad: 192, Spent: 100 * 192. / 480},
		Incidents:   []spentIncident{{1, 1, "failover"}},
		Annotations: []spentAnnotation{{1, "deploys", "checkout 4.17", began - 120}},
	}}
	if diff := cmp.Diff(want, spent.Times, cmpopts.EquateApprox(1e-9, 0)); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]spender{{"host=b", 2400, 192, 40}}, spent.Spenders, cmpopts.EquateApprox(1e-9, 0)); diff != "" {
		t.Error(diff)
	}
	// What is good counted by other streams says nothing of single ones.
	b.count("good", map[string]string{"status": "ok"}, 60, 1)
	if spent := get[budgetSpent](b, "/ui/api/objectives/1/spent"); len(spent.Spenders) != 0 || len(spent.Times) != 1 {
		t.Errorf("%+v", spent)
	}
}
