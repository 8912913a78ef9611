package alerting

import (
	"context"
	"errors"
	"io"
	"iter"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/notify"
	"github.com/tidemark-metrics/tidemark/internal/spelling"
	"github.com/tidemark-metrics/tidemark/internal/tsdb"
)

// TestReadFails has the engine fail when the past is to be read: the alert is
// evaluated as soon as it can be, and the others meanwhile.
func TestReadFails(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t)
		good := b.add(cpuAbove(5))
		b.pass()
		broken := true
		b.eval.Reader.Engine = &selecting{b.engine, func(ctx context.Context, org tidemark.OrgID, q *tsdb.Query) iter.Seq2[*tsdb.Series, error] {
			if broken {
				return func(yield func(*tsdb.Series, error) bool) { yield(nil, errors.New("disk on fire")) }
			}
			return b.engine.Select(ctx, org, q)
		}}
		late := b.add(cpuAbove(5))
		time.Sleep(time.Second)
		b.write("cpu", "a", 9)
		if !b.firing(good) {
			t.Error("one that cannot be read holds up the others")
		}
		if b.firing(late) {
			t.Error("evaluated without its past")
		}
		broken = false
		time.Sleep(retryLoad)
		if !b.firing(late) {
			t.Error("not evaluated after the trouble is over")
		}
	})
}

// TestOverflowReadFails has the engine fail when what did not fit is to be
// read back.
func TestOverflowReadFails(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t)
		a := b.add(cpuAbove(5))
		b.pass()
		broken := true
		b.eval.Reader.Engine = &selecting{b.engine, func(ctx context.Context, org tidemark.OrgID, q *tsdb.Query) iter.Seq2[*tsdb.Series, error] {
			if broken {
				return func(yield func(*tsdb.Series, error) bool) { yield(nil, errors.New("disk on fire")) }
			}
			return b.engine.Select(ctx, org, q)
		}}
		var full tsdb.Batch
		for range maxInbox {
			full.Add("cpu", nil, time.Now().Unix(), 1)
		}
		b.eval.Wrote(1, &full)
		b.write("cpu", "y", 9)
		if b.firing(a) {
			t.Fatal("fires on what it cannot know")
		}
		broken = false
		if !b.firing(a) {
			t.Error("what could not be read is forgotten")
		}
	})
}

// TestStoreFails has the control store fail now and then.
func TestStoreFails(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t)
		store := &failing{model: b.store}
		b.eval.Store = store
		store.fails = true
		a := b.add(cpuAbove(5))
		b.pass()
		if b.eval.EvaluatedAt() != 0 {
			t.Error("a pass without alerts counts")
		}
		store.fails = false
		b.pass()
		b.pass()
		store.fails = true
		b.write("cpu", "a", 9)
		if b.firing(a) {
			t.Error("saved although it failed")
		}
		store.fails = false
		time.Sleep(time.Second)
		if !b.firing(a) {
			t.Error("what could not be saved is forgotten")
		}
		if n := len(b.store.incidents); n != 1 {
			t.Errorf("%d incidents", n)
		}
	})
}

type failing struct {
	*model
	fails bool
}

func (f *failing) AlertsVersion(ctx context.Context) (int64, error) {
	if f.fails {
		return 0, errBusy
	}
	return f.model.AlertsVersion(ctx)
}

func (f *failing) SaveStates(ctx context.Context, c []*tidemark.StateChange) error {
	if f.fails {
		return errBusy
	}
	return f.model.SaveStates(ctx, c)
}

// TestFolding is about metrics that fold the measurements of a period into
// one: only the whole is evaluated.
func TestFolding(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t)
		b.metrics["cpu"] = &tidemark.Metric{Name: "cpu", Type: tidemark.Gauge, Period: new(int64(60)), Attributes: map[string]any{"aggregate": true}}
		if err := b.engine.SetMode(t.Context(), 1, "cpu", tsdb.Mode{Fold: true, Period: 60}); err != nil {
			t.Fatal(err)
		}
		few := cpuAbove(10)
		few.Type, few.SummaryFunction = tidemark.Below, new("sum")
		a := b.add(few)
		b.pass()
		time.Sleep(time.Duration(60-time.Now().Unix()%60) * time.Second)
		minute := func(values ...float64) {
			for _, v := range values {
				b.write("cpu", "a", v)
				if b.pass(); b.store.alerts[a.ID].State.Firing != (len(values) < 3) {
					t.Errorf("evaluated before the minute was over: %v", values)
				}
				time.Sleep(20 * time.Second)
			}
			time.Sleep(time.Duration(60-20*len(values)) * time.Second)
		}
		minute(4, 4, 4)
		if b.firing(a) {
			t.Error("4 + 4 + 4 is below 10")
		}
		minute(9, 9, 9)
		b.write("cpu", "a", 1)
		time.Sleep(2 * time.Minute)
		if !b.firing(a) {
			t.Error("1 is not below 10")
		}
		b.restart()
		if !b.firing(a) {
			t.Error("cleared by a restart")
		}
		b.store.resolve(a.ID, time.Now().Unix())
		if b.firing(a) {
			t.Error("not resolved")
		}
		b.write("cpu", "a", 2)
		time.Sleep(2 * time.Minute)
		if !b.firing(a) {
			t.Error("the next violating minute does not trigger again")
		}
	})
}

// TestCompositeIsPrompt evaluates a composite as soon as its metrics are
// complete, however it names them.
func TestCompositeIsPrompt(t *testing.T) {
	t.Parallel()
	for name, composite := range map[string]string{
		"names":        `[s("CPU","*"), s("other.*","*"), s("cpu","*")]`,
		"globs":        `[s("other","*"), s("c*","*")]`,
		"glob of many": `s("*","*")`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			testPromptComposite(t, composite)
		})
	}
}

func testPromptComposite(t *testing.T, composite string) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t)
		b.metrics["ratio"] = &tidemark.Metric{Name: "ratio", Type: tidemark.Composite, Composite: composite}
		b.eval.Reader.Composites = compositeFunc(func(ctx context.Context, org tidemark.OrgID, _ string, start, end, step int64) (all []*tsdb.Series, err error) {
			for s, err := range b.engine.Select(ctx, org, &tsdb.Query{Metric: "cpu", Start: start, End: end, Step: step}) {
				if err != nil {
					return nil, err
				}
				all = append(all, s.Clone())
			}
			return all, nil
		})
		c := cpuAbove(5)
		c.MetricName = "ratio"
		c.Tags = []tidemark.TagFilter{{Name: "host", Values: []string{"a"}}}
		a := b.add(c)
		b.pass()
		time.Sleep(time.Duration(60-time.Now().Unix()%60) * time.Second)
		for range 3 {
			b.write("cpu", "a", 9)
			b.write("cpu", "b", 9)
			b.pass()
			time.Sleep(time.Minute)
		}
		if !b.firing(a) {
			t.Error("not evaluated as soon as the minute is complete")
		}
		if v := b.store.alerts[a.ID].State.Violations; len(v) != 1 || v[0].Stream != "host=a" {
			t.Errorf("violations = %+v", v)
		}
	})
}

// wire answers requests of senders.
type wire struct {
	status int
	body   string // of the last request
}

func (w *wire) Do(r *http.Request) (*http.Response, error) {
	b, _ := io.ReadAll(r.Body)
	w.body = string(b)
	h := http.Header{"Retry-After": {"7"}}
	return &http.Response{StatusCode: w.status, Status: http.StatusText(w.status), Header: h, Body: http.NoBody, Request: r}, nil
}

// TestDeviceThatIsGone: a device whose push service knows it no longer is
// removed; no other answer, and no other service, removes anything.
func TestDeviceThatIsGone(t *testing.T) {
	t.Parallel()
	w := &wire{}
	var gone []int64
	send := NewSend(SendOptions{
		Notify: notify.Options{Client: w, Push: notify.NewVAPID(func(_ context.Context, fresh []byte) ([]byte, error) { return fresh, nil }, "")},
		Gone: func(_ context.Context, org tidemark.OrgID, service int64) error {
			gone = append(gone, int64(org), service)
			return nil
		},
	})
	device := (&tidemark.Device{ID: 5, Name: "phone", Severity: "all", Subscription: tidemark.Subscription{
		Endpoint: "https://push.example.org/s3cret", Auth: "BTBZMqHH6r4Tts7J_aSIgg",
		P256DH: "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
	}}).Service(1)
	hook := &tidemark.Service{ID: 6, Type: "webhook", Settings: map[string]string{"url": "https://example.org/s3cret"}}
	d := &tidemark.Delivery{Org: 3, Key: "k", Notice: &tidemark.Notice{Kind: tidemark.NoticeTrigger, Name: "slow"}}
	for _, c := range []struct {
		service *tidemark.Service
		status  int
	}{{device, 201}, {device, 403}, {device, 503}, {hook, 410}, {device, 410}, {device, 404}} {
		w.status = c.status
		if a := send(t.Context(), c.service, d); a.OK != (c.status == 201) || a.Permanent != (c.status/100 == 4) {
			t.Errorf("%s, %d: %+v", c.service.Type, c.status, a)
		}
	}
	if want := []int64{3, 5, 3, 5}; !slices.Equal(gone, want) {
		t.Errorf("gone are %v, want %v", gone, want)
	}
}

// spelledHosts is a book in which values of the tag host are spelled so.
func spelledHosts(t *testing.T, hosts ...string) *spelling.Book {
	t.Helper()
	kept := &spelling.Memory{}
	for _, host := range hosts {
		if err := kept.AddSpellings(t.Context(), 1, []*tidemark.Spelling{{Tag: "host", Text: host}}); err != nil {
			t.Fatal(err)
		}
	}
	return spelling.New(kept, nil)
}

func TestNewSend(t *testing.T) {
	t.Parallel()
	w := &wire{}
	send := NewSend(SendOptions{
		Notify: notify.Options{Client: w}, Spellings: spelledHosts(t, "Web1"),
		Account: func(context.Context, tidemark.OrgID) (string, error) { return "owner@example.org", nil },
		Image:   func(context.Context, *tidemark.Delivery, bool) *notify.Image { return nil },
	})
	service := &tidemark.Service{Type: "webhook", Settings: map[string]string{"url": "https://example.org/s3cret"}}
	d := &tidemark.Delivery{Org: 1, Key: "k", Notice: &tidemark.Notice{Kind: tidemark.NoticeTrigger, Name: "slow", IncidentKey: "tidemark-1-2",
		Violations: []tidemark.Violation{{Stream: "host=web1", Metric: "cpu"}}}}
	for _, tt := range []struct {
		status        int
		ok, permanent bool
		after         time.Duration
	}{
		{200, true, false, 0}, {503, false, false, 7 * time.Second}, {429, false, false, 7 * time.Second}, {404, false, true, 0},
	} {
		w.status = tt.status
		a := send(t.Context(), service, d)
		if a.OK != tt.ok || a.Permanent != tt.permanent || a.RetryAfter != tt.after || strings.Contains(a.Text, "s3cret") {
			t.Errorf("%d: %+v", tt.status, a)
		}
	}
	form, err := url.ParseQuery(w.body)
	if !strings.Contains(form.Get("payload"), `"host=Web1"`) || d.Notice.Violations[0].Stream != "host=web1" {
		t.Errorf("the stream is not shown as it first came, or kept so: %s", w.body)
	}
	if err != nil || !strings.Contains(form.Get("payload"), `"account":"owner@example.org"`) || !strings.Contains(form.Get("payload"), `"incident_key":"tidemark-1-2"`) {
		t.Errorf("sent %s", w.body)
	}
	if a := send(t.Context(), &tidemark.Service{Type: "nonsense"}, d); a.OK || !a.Permanent {
		t.Errorf("a service of no type: %+v", a)
	}
}
