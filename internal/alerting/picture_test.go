package alerting

import (
	"bytes"
	"context"
	"image/png"
	"path"
	"strings"
	"testing"
	"time"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/tsdb"
	"github.com/tidemark-metrics/tidemark/internal/tsdb/memory"
	"github.com/tidemark-metrics/tidemark/internal/turns"
)

// album is a PictureStore with one delivery.
type album struct{ d *tidemark.Delivery }

func (album) PictureKey(_ context.Context, v []byte) ([]byte, error) { return v, nil }

func (a album) Delivery(_ context.Context, org tidemark.OrgID, id int64) (*tidemark.Delivery, error) {
	if org != a.d.Org || id != a.d.ID {
		return nil, tidemark.Errorf(tidemark.NotFound, "no such delivery")
	}
	return a.d, nil
}

// ReportPicture has that of report 3 for the slot 900.
func (a album) ReportPicture(_ context.Context, org tidemark.OrgID, id, slot int64) ([]byte, error) {
	if org != a.d.Org || id != 3 || slot != 900 {
		return nil, tidemark.Errorf(tidemark.NotFound, "no such picture")
	}
	return []byte("a space"), nil
}

// TestPicturesOfReports: a report shows the picture that was drawn for it, by a
// link as those of alerts; once a later one took its place it is not sent.
func TestPicturesOfReports(t *testing.T) {
	t.Parallel()
	d := &tidemark.Delivery{ID: 5, Org: 1, Notice: &tidemark.Notice{
		Kind: tidemark.NoticeReport, Time: 900, Name: "Daily", Report: &tidemark.ReportNotice{ID: 3, Space: 2, SpaceName: "Shop", Start: 0, End: 900, Zone: "UTC"},
	}}
	p, err := NewPictures(t.Context(), album{d}, Reader{}, "https://tidemark.example.org")
	if err != nil {
		t.Fatal(err)
	}
	image := p.Image(t.Context(), d, true)
	if image == nil || string(image.PNG) != "a space" || image.Alt != "Shop, 1 Jan 1970, 00:00 – 00:15 UTC" {
		t.Fatalf("%+v", image)
	}
	if png, err := p.Draw(t.Context(), path.Base(image.URL)); err != nil || string(png) != "a space" {
		t.Errorf("the link shows %q, %v", png, err)
	}
	d.Notice.Time = 1800
	if _, err := p.Draw(t.Context(), path.Base(image.URL)); tidemark.KindOf(err) != tidemark.NotFound {
		t.Errorf("of another slot: %v", err)
	}
	send := NewSend(SendOptions{Image: p.Image})
	service := &tidemark.Service{Type: "mail", Settings: map[string]string{"addresses": "a@example.org"}}
	if a := send(t.Context(), service, d); a.OK || a.Permanent || !strings.Contains(a.Text, "a later one took its place") {
		t.Errorf("without its picture: %+v", a)
	}
}

// TestPictureHasItsTurn: what a picture shows is read in a turn of its
// organization, which is over with it.
func TestPictureHasItsTurn(t *testing.T) {
	t.Parallel()
	c := tidemark.Condition{ID: 7, Type: tidemark.Above, MetricName: "latency", Threshold: new(150.0)}
	d := &tidemark.Delivery{ID: 5, Org: 1, Notice: &tidemark.Notice{
		Conditions: []tidemark.Condition{c}, Violations: []tidemark.Violation{{Stream: "host=web-1", Condition: 7}},
	}}
	var order turns.Turns
	read := false
	metrics := metricFunc(func(ctx context.Context, org tidemark.OrgID, name string) (*tidemark.Metric, error) {
		read = true
		if turns.Of(ctx) == nil || order.Load().Running != 1 {
			t.Errorf("read with %d turns", order.Load().Running)
		}
		return noMetric(ctx, org, name)
	})
	p, err := NewPictures(t.Context(), album{d}, Reader{Engine: memory.New(), Metrics: metrics, Turns: &order}, "")
	if err != nil {
		t.Fatal(err)
	}
	if p.Image(t.Context(), d, true); !read || order.Load().Running != 0 {
		t.Errorf("read: %v, and %d turns are left", read, order.Load().Running)
	}
}

func TestPictures(t *testing.T) {
	t.Parallel()
	now := time.Now().Unix()
	engine := memory.New()
	var b tsdb.Batch
	for m := range int64(60) {
		b.Add("latency", host(1), now-60*m, 200+float64(m))
		b.Add("latency", host(2), now-60*m, 100)
	}
	if err := engine.Write(t.Context(), 1, &b); err != nil {
		t.Fatal(err)
	}
	c := tidemark.Condition{ID: 7, Type: tidemark.Above, MetricName: "Latency", Threshold: new(150.0)}
	d := &tidemark.Delivery{ID: 5, Org: 1, Notice: &tidemark.Notice{
		Name: "slow", Time: now, TriggeredAt: now - 300, Conditions: []tidemark.Condition{c},
		Violations: []tidemark.Violation{{Stream: "host=web-1", Condition: 7}},
	}}
	reader := Reader{Engine: engine, Metrics: metricFunc(noMetric)}
	p, err := NewPictures(t.Context(), album{d}, reader, "https://tidemark.example.org/")
	if err != nil {
		t.Fatal(err)
	}
	chart, err := reader.chartOf(t.Context(), 1, d.Notice)
	if err != nil || len(chart.Series) != 1 || chart.Series[0].Name != "host=web-1" {
		t.Fatalf("chart = %+v, %v", chart, err)
	}
	image := p.Image(t.Context(), d, true)
	if image == nil {
		t.Fatal("no picture")
	}
	name, ok := strings.CutPrefix(image.URL, "https://tidemark.example.org/ui/api/pictures/")
	if !ok {
		t.Fatalf("URL = %s", image.URL)
	}
	again, err := p.Draw(t.Context(), name)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := png.Decode(bytes.NewReader(again)); err != nil || !bytes.Equal(again, image.PNG) {
		t.Errorf("the link shows another picture, or none: %v", err)
	}
	other, err := NewPictures(t.Context(), album{d}, reader, "")
	if err != nil {
		t.Fatal(err)
	}
	for what, name := range map[string]string{
		"empty": "", "nonsense": "x-y-z-w", "of another": strings.Replace(name, "1-5-", "1-6-", 1), "cut": name[:len(name)-8],
		"expired": p.sign(1, 5, now-1), "signed by another": other.sign(1, 5, now+100), "of what is gone": p.sign(1, 9, now+100),
	} {
		if _, err := p.Draw(t.Context(), name); tidemark.KindOf(err) != tidemark.NotFound {
			t.Errorf("%s: %v", what, err)
		}
	}
	if got := other.Image(t.Context(), d, true); got == nil || got.URL != "" || len(got.PNG) == 0 {
		t.Errorf("without an address there is a link: %+v", got)
	}
	if got := p.Image(t.Context(), &tidemark.Delivery{Notice: &tidemark.Notice{}}, true); got != nil {
		t.Error("a picture of nothing")
	}
}

func TestTestNotification(t *testing.T) {
	t.Parallel()
	a := tidemark.NewAlert()
	a.ID, a.Name = 4, "slow"
	a.Conditions = []tidemark.Condition{
		{Type: tidemark.Above, MetricName: "latency", Threshold: new(150.0), Duration: new(tidemark.Seconds(300))},
		{Type: tidemark.Below, MetricName: "free", Threshold: new(3.0)},
		{Type: tidemark.Absent, MetricName: "beat", Duration: new(tidemark.Seconds(60))},
	}
	a.Services = []*tidemark.Service{{ID: 1, Title: "good"}, {ID: 2, Title: "bad"}}
	send := func(_ context.Context, s *tidemark.Service, d *tidemark.Delivery) Answer {
		return Answer{OK: s.ID == 1, Text: "answer " + d.Kind}
	}
	d, results, err := NewDispatcher(DispatcherOptions{}).Test(t.Context(), send, 1, a, map[string]string{"latency": "ms"}, time.Unix(base, 0))
	if err != nil || len(results) != 2 || !results[0].OK || results[1].OK || results[1].Answer != "answer test" || results[0].Title != "good" {
		t.Errorf("results = %+v", results)
	}
	n := d.Notice
	if n.Kind != tidemark.NoticeTest || len(n.Violations) != 3 || n.Violations[0].Value <= 150 || n.Violations[1].Value >= 3 || n.Violations[0].End-n.Violations[0].Begin != 300 {
		t.Errorf("notice = %+v", n)
	}
	for i, v := range n.Violations {
		if v.Condition == 0 || v.Condition != n.Conditions[i].ID {
			t.Errorf("violation %d is of condition %d", i, v.Condition)
		}
	}
	if a.Conditions[0].ID != 0 {
		t.Error("the draft was changed")
	}
}
