package reports

import (
	"bytes"
	"context"
	"fmt"
	"image/png"
	"log/slog"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/api/apitest"
	"github.com/tidemark-metrics/tidemark/internal/api/shared"
	"github.com/tidemark-metrics/tidemark/internal/draw"
	"github.com/tidemark-metrics/tidemark/internal/query"
	"github.com/tidemark-metrics/tidemark/internal/store"
	"github.com/tidemark-metrics/tidemark/internal/turns"
)

const day = 24 * 3600

var by = tidemark.ServerActor()

// world is a server with a space of one chart, and a mailbox.
type world struct {
	*apitest.World
	*Runner
	now       int64
	space     int64
	mail      int64
	delivered int
}

func newWorld(t *testing.T, change ...func(*shared.Options)) *world {
	t.Helper()
	w := &world{now: apitest.Now}
	w.World = apitest.New(t, append([]func(*shared.Options){func(o *shared.Options) {
		o.Now = func() time.Time { return time.Unix(w.now, 0) }
	}}, change...)...)
	w.Runner = w.runner("a")
	w.Record(t, "cpu", nil, apitest.Now-7200, 1, 2, 3, 4)
	w.space = w.addSpace(t, w.Org, &tidemark.Chart{Name: "CPU", Type: "line", Streams: []tidemark.ChartStream{{Metric: "cpu"}}})
	w.mail = w.addMail(t, w.Org)
	return w
}

func (w *world) runner(node string) *Runner {
	return New(Options{
		Base: w.World.Base, Turns: &turns.Turns{}, Logger: slog.New(slog.NewTextHandler(w.Log, nil)), Node: node, Deliver: func() { w.delivered++ },
	})
}

func (w *world) addSpace(t *testing.T, org tidemark.OrgID, charts ...*tidemark.Chart) int64 {
	t.Helper()
	sp := &tidemark.Space{Name: new("Shop")}
	if err := w.World.Store.CreateSpace(t.Context(), org, by, sp); err != nil {
		t.Fatal(err)
	}
	for _, c := range charts {
		if err := w.World.Store.CreateChart(t.Context(), org, by, sp.ID, c); err != nil {
			t.Fatal(err)
		}
	}
	return sp.ID
}

func (w *world) addMail(t *testing.T, org tidemark.OrgID) int64 {
	t.Helper()
	v := &tidemark.Service{Type: "mail", Title: "Office", Settings: map[string]string{"addresses": "ann@example.org"}}
	if err := w.World.Store.CreateService(t.Context(), org, by, v); err != nil {
		t.Fatal(err)
	}
	return v.ID
}

// addReport adds one that is due at apitest.Now, and shows the day before.
func (w *world) addReport(t *testing.T, org tidemark.OrgID, space int64, services ...int64) *tidemark.Report {
	t.Helper()
	v := &tidemark.Report{
		Space: space, Name: "Nightly", Range: "-1d", Services: services, Schedule: tidemark.Schedule{Every: tidemark.EveryDay, Time: "00:00", Zone: "UTC"},
	}
	if err := w.World.Store.CreateReport(t.Context(), org, by, v, apitest.Now-1); err != nil {
		t.Fatal(err)
	}
	return v
}

// round has what is due be sent.
func (w *world) round(t *testing.T, r *Runner) {
	t.Helper()
	if err := r.Round(t.Context()); err != nil {
		t.Fatal(err)
	}
	r.Wait()
}

func (w *world) state(t *testing.T, id int64) tidemark.ReportState {
	t.Helper()
	v, err := w.World.Store.Report(t.Context(), w.Org, id)
	if err != nil {
		t.Fatal(err)
	}
	return v.ReportState
}

func (w *world) queue(t *testing.T) []*tidemark.Delivery {
	t.Helper()
	list, err := w.World.Store.TakeDue(t.Context(), tidemark.DueQuery{Now: w.now, Until: w.now, Limit: 100})
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// TestRunnerSends: a report that is due is drawn and waits in the queue of
// notifications for each of its services, once.
func TestRunnerSends(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	other := w.addMail(t, w.Org)
	v := w.addReport(t, w.Org, w.space, w.mail, other)
	w.now = apitest.Now - 1
	w.round(t, w.Runner)
	if list := w.queue(t); len(list) != 0 {
		t.Fatalf("before its time %d are sent", len(list))
	}
	w.now = apitest.Now + 3
	for range 3 {
		w.round(t, w.Runner)
	}
	list := w.queue(t)
	if len(list) != 2 || list[0].Service != w.mail || list[1].Service != other || w.delivered != 1 {
		t.Fatalf("%d are sent, asked %d times", len(list), w.delivered)
	}
	n := list[0].Notice
	if n.Kind != tidemark.NoticeReport || n.Name != "Nightly" || n.Report.SpaceName != "Shop" || n.Report.Start != apitest.Now-day || n.Report.End != apitest.Now {
		t.Errorf("%+v of %+v", n, n.Report)
	}
	if got, want := w.state(t, v.ID), (tidemark.ReportState{DueAt: apitest.Now + day, SentAt: apitest.Now + 3}); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
	picture, err := w.World.Store.ReportPicture(t.Context(), w.Org, v.ID, apitest.Now)
	if err != nil {
		t.Fatal(err)
	}
	if img, err := png.Decode(bytes.NewReader(picture)); err != nil || img.Bounds().Dx() != 1920 {
		t.Errorf("%v, %v", img.Bounds(), err)
	}
	if err := w.World.Store.SendReportNow(t.Context(), w.Org, by, v.ID, w.now+60); err != nil {
		t.Fatal(err)
	}
	w.now += 61
	if w.round(t, w.Runner); len(w.queue(t)) != 4 || w.state(t, v.ID).DueAt != apitest.Now+day {
		t.Errorf("at once: %d are sent, then %+v", len(w.queue(t)), w.state(t, v.ID))
	}
}

// TestRunnerSaysWhy: what cannot be sent says so where its owner looks, and
// nothing is sent.
func TestRunnerSaysWhy(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		prepare func(t *testing.T, w *world, v *tidemark.Report)
		late    int64
		want    tidemark.ReportState
	}{
		"its services are gone": {
			func(t *testing.T, w *world, v *tidemark.Report) {
				if err := w.World.Store.DeleteService(t.Context(), w.Org, by, w.mail); err != nil {
					t.Fatal(err)
				}
			}, 0, tidemark.ReportState{DueAt: apitest.Now + day, Problem: "All of its services were deleted."},
		},
		"the space is empty": {
			func(t *testing.T, w *world, v *tidemark.Report) {
				charts, err := w.World.Store.Charts(t.Context(), w.Org, w.space)
				if err == nil {
					err = w.World.Store.DeleteChart(t.Context(), w.Org, by, tidemark.ChartKey{Space: w.space, Chart: charts[0].ID})
				}
				if err != nil {
					t.Fatal(err)
				}
			}, 5, tidemark.ReportState{DueAt: apitest.Now + 305, Problem: "The space has no charts."},
		},
		"no server ran": {
			func(*testing.T, *world, *tidemark.Report) {}, 3601,
			tidemark.ReportState{DueAt: apitest.Now + day, Problem: "Not sent on 3 October 2096, 00:00 UTC: no server was running."},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			v := w.addReport(t, w.Org, w.space, w.mail)
			c.prepare(t, w, v)
			w.now += c.late
			w.round(t, w.Runner)
			if got := w.state(t, v.ID); got != c.want || len(w.queue(t)) != 0 || w.delivered != 0 {
				t.Errorf("%+v, want %+v; %d sent", got, c.want, len(w.queue(t)))
			}
		})
	}
}

// TestRunnerNeedsTheLease: of two servers one sends.
func TestRunnerNeedsTheLease(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	first, second := w.Runner, w.runner("b")
	w.round(t, first)
	v := w.addReport(t, w.Org, w.space, w.mail)
	if w.round(t, second); len(w.queue(t)) != 0 {
		t.Error("who has no lease sends")
	}
	if w.round(t, first); len(w.queue(t)) != 1 || w.state(t, v.ID).SentAt == 0 {
		t.Error("who has the lease does not send")
	}
	was := &store.OrgReport{Org: w.Org, Report: *w.addReport(t, w.Org, w.space, w.mail)}
	lost := first.lease
	lost.Fence--
	if first.send(t.Context(), lost, was); len(w.queue(t)) != 1 || !strings.Contains(w.Log.String(), "a scheduled picture was not recorded") {
		t.Errorf("who lost it sends: %s", w.Log)
	}
}

// TestOrganizationsTakeTurns: one with many reports has one drawn at a time, and
// the others are not behind all of them.
func TestOrganizationsTakeTurns(t *testing.T) {
	t.Parallel()
	r := New(Options{})
	at := time.Unix(0, 0)
	due := func(orgs ...tidemark.OrgID) (list []*store.OrgReport) {
		for _, org := range orgs {
			list = append(list, &store.OrgReport{Org: org})
		}
		return list
	}
	begun := func(orgs ...tidemark.OrgID) (list []tidemark.OrgID) {
		at = at.Add(time.Second)
		for _, v := range r.choose(due(orgs...), at) {
			list = append(list, v.Org)
		}
		return list
	}
	for _, c := range []struct{ done, waiting, want []tidemark.OrgID }{
		{nil, []tidemark.OrgID{1, 2, 3, 4}, []tidemark.OrgID{1, 2}},
		{nil, []tidemark.OrgID{1, 2, 3, 4}, nil}, // no room
		{[]tidemark.OrgID{1}, []tidemark.OrgID{1, 2, 3, 4}, []tidemark.OrgID{3}},
		{[]tidemark.OrgID{2, 3}, []tidemark.OrgID{1, 2, 3, 4}, []tidemark.OrgID{4, 1}},
		{[]tidemark.OrgID{4, 1}, []tidemark.OrgID{1}, []tidemark.OrgID{1}},
		{nil, []tidemark.OrgID{1}, nil}, // one at a time
		{[]tidemark.OrgID{1}, []tidemark.OrgID{1, 2}, []tidemark.OrgID{2, 1}},
	} {
		for _, org := range c.done {
			r.done(org)
		}
		if got := begun(c.waiting...); !slices.Equal(got, c.want) {
			t.Errorf("of %v %v are begun, want %v", c.waiting, got, c.want)
		}
	}
	if len(r.took) != 2 {
		t.Errorf("%d organizations are remembered", len(r.took))
	}
}

// looked has every metric that is looked up say so.
type looked struct {
	*store.Store
	tell func(ctx context.Context)
}

func (l looked) Metric(ctx context.Context, org tidemark.OrgID, name string) (*tidemark.Metric, error) {
	l.tell(ctx)
	return l.Store.Metric(ctx, org, name)
}

// TestReportHasItsTurn: what a report shows is read in a turn of its
// organization, which is over with it.
func TestReportHasItsTurn(t *testing.T) {
	t.Parallel()
	order, reads := &turns.Turns{}, 0
	w := newWorld(t, func(o *shared.Options) {
		o.Querier = query.New(query.Options{Engine: o.Engine, Catalog: looked{o.Store, func(ctx context.Context) {
			if reads++; turns.Of(ctx) == nil || order.Load().Running != 1 {
				t.Errorf("read with %d turns", order.Load().Running)
			}
		}}})
	})
	w.Runner.Turns = order
	w.addReport(t, w.Org, w.space, w.mail)
	if w.round(t, w.Runner); reads == 0 || order.Load().Running != 0 || len(w.queue(t)) != 1 {
		t.Errorf("%d reads, and %d turns are left", reads, order.Load().Running)
	}
}

// TestSheets: a picture has the charts of the space where its page has them, a
// box for what cannot be drawn, and as many charts as there may be.
func TestSheets(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.Record(t, "cpu", map[string]string{"host": "b"}, apitest.Now-7200, 7, 8)
	kind := func(name, of string) *tidemark.Chart {
		return &tidemark.Chart{Name: name, Type: "line", Streams: []tidemark.ChartStream{{Metric: "cpu"}}, Attributes: map[string]any{"kind": of}}
	}
	yes := true
	dynamic := &tidemark.Chart{Name: "dynamic", Type: "stacked", Streams: []tidemark.ChartStream{{Metric: "cpu", Tags: []tidemark.TagFilter{{Name: "host", Dynamic: &yes, Grouped: &yes}}}}}
	space := w.addSpace(t, w.Org, kind("gauge", "gauge"), kind("text", "text"), dynamic, kind("top", "table"), kind("heat", "heatmap"),
		&tidemark.Chart{Name: "wrong", Type: "line", Streams: []tidemark.ChartStream{{Composite: "nothing("}}})
	charts, err := w.World.Store.Charts(t.Context(), w.Org, space)
	if err != nil {
		t.Fatal(err)
	}
	layout := &tidemark.Layout{
		Places:   []tidemark.GridPosition{{Chart: charts[1].ID, Col: 6, Width: 6, Height: 5, Section: 1}, {Chart: charts[0].ID, Width: 3, Height: 4}},
		Sections: []tidemark.Section{{Name: "Below", Folded: true}}, DefaultTags: []tidemark.TagFilter{{Name: "host", Values: []string{"b"}}}, Annotations: []string{},
	}
	if err := w.World.Store.SaveLayout(t.Context(), w.Org, by, space, layout); err != nil {
		t.Fatal(err)
	}
	v := &store.OrgReport{Org: w.Org, Report: *w.addReport(t, w.Org, space, w.mail)}
	told := func() (list []string) {
		n := tidemark.NewReportNotice(w.Org, &v.Report, "Shop", apitest.Now)
		sheet, err := w.Runner.sheet(t.Context(), v, n.Report)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, fmt.Sprintf("%s, %s, without %d", sheet.Title, sheet.Subtitle, sheet.Omitted))
		for _, part := range sheet.Parts {
			for _, tile := range part.Tiles {
				c, err := tile.Content()
				if err != nil {
					t.Fatal(err)
				}
				list = append(list, fmt.Sprintf("%s %d,%d %dx%d %s", part.Heading, tile.Col, tile.Row, tile.Width, tile.Height, saidOf(c)))
			}
		}
		return list
	}
	want := []string{
		"Shop, 2 Oct 2096, 00:00 – 3 Oct 2096, 00:00 UTC · host b, without 0", " 0,0 3x4 bignumber gauge of 1", " 3,0 6x5 stacked dynamic of 1",
		" 0,5 6x5 table top of 1", " 6,5 6x5 heatmap heat of 1", " 0,10 6x5 wrong: expected a function or [, found the end", "Below 6,0 6x5 text: Text: open the space to see it",
	}
	if got := told(); !slices.Equal(got, want) {
		t.Errorf("%q, want\n%q", got, want)
	}
	v.Tags = []tidemark.TagFilter{}
	if got := told(); !strings.HasSuffix(got[2], "dynamic of 2") || strings.Contains(got[0], "host") {
		t.Errorf("with filters of its own: %q", got)
	}
	v.Tags = []tidemark.TagFilter{{Name: "host", Values: []string{"!b"}, Grouped: &yes}, {Name: "zone", Values: []string{"*"}}}
	if got := told(); !strings.HasSuffix(got[2], "dynamic of 1") || !strings.Contains(got[0], "UTC · host not b, per host, without") {
		t.Errorf("with filters of its own: %q", got)
	}
	for i := range tidemark.MaxReportCharts {
		if err := w.World.Store.CreateChart(t.Context(), w.Org, by, space, &tidemark.Chart{Name: fmt.Sprint(i), Type: "line", Streams: []tidemark.ChartStream{{Metric: "cpu"}}}); err != nil {
			t.Fatal(err)
		}
	}
	if got := told(); len(got) != tidemark.MaxReportCharts+1 || !strings.HasSuffix(got[0], "without 6") {
		t.Errorf("%d charts: %s", len(got)-1, got[0])
	}
}

func saidOf(c draw.Content) string {
	if c.Chart == nil {
		return c.Title + ": " + c.Words
	}
	n := len(c.Chart.Series)
	switch c.Chart.Kind {
	case draw.Table:
		n = len(c.Chart.Rows.Rows)
	case draw.Heatmap:
		n = len(c.Chart.Cells.Rows)
	}
	return fmt.Sprintf("%s %s of %d", c.Chart.Kind, c.Chart.Title, n)
}

// TestDrawingEnds: a picture that takes too long, or is of no use any more, is
// not drawn to its end.
func TestDrawingEnds(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	v := &store.OrgReport{Org: w.Org, Report: *w.addReport(t, w.Org, w.space, w.mail)}
	ctx, cancel := context.WithDeadline(t.Context(), time.Unix(1, 0))
	defer cancel()
	if _, _, err := w.Runner.draw(ctx, v, apitest.Now); wordsFor(err) != "Drawing took longer than a minute." {
		t.Errorf("too long: %v", err)
	}
	for err, want := range map[error]string{
		context.Canceled: "The server could not draw it. Its log says why.", tidemark.Errorf(tidemark.TooMany, "too much to read"): "too much to read",
		tidemark.Errorf(tidemark.Internal, "SQL"): "The server could not draw it. Its log says why.",
	} {
		if got := wordsFor(err); got != want {
			t.Errorf("%v: %s, want %s", err, got, want)
		}
	}
}
