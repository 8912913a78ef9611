package usage

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/protocol"
	"github.com/tidemark-metrics/tidemark/internal/store"
	"github.com/tidemark-metrics/tidemark/internal/store/fresh"
	"github.com/tidemark-metrics/tidemark/internal/tsdb"
	"github.com/tidemark-metrics/tidemark/internal/tsdb/memory"
)

const noon = 1_700_000_000 / daySeconds * daySeconds

// world is a tracker over a store, with a token and a clock that stands still.
type world struct {
	*Tracker
	t     *testing.T
	org   tidemark.OrgID
	token int64
	now   int64
	eng   *memory.Engine
}

func newWorld(t *testing.T) *world {
	t.Helper()
	w := &world{t: t, now: noon, eng: memory.New()}
	st, err := store.Open(t.Context(), fresh.SQLite(t))
	w.check(err)
	t.Cleanup(func() { st.Close() })
	org, err := st.CreateOrg(t.Context(), tidemark.ServerActor(), "ours")
	w.check(err)
	token := &tidemark.Token{Name: "agents", Role: tidemark.RecordOnly, Active: true}
	w.check(st.CreateToken(t.Context(), org.ID, tidemark.ServerActor(), token, tidemark.NewSecret()))
	w.org, w.token = org.ID, token.ID
	w.Tracker = New(Options{Store: st, Engine: w.eng, Now: func() time.Time { return time.Unix(w.now, 0) }})
	return w
}

func (w *world) check(err error) {
	w.t.Helper()
	if err != nil {
		w.t.Fatal(err)
	}
}

func (w *world) request(status int) Request {
	return Request{Who: tidemark.Identity{Org: w.org, Token: w.token, Role: tidemark.RecordOnly}, UserAgent: "collectd/5", RemoteHost: "10.0.0.1",
		Status: status, Protocol: "Measurements", Action: tidemark.Record, Noun: "measurements"}
}

// TestSavedSenders: requests of one program from one place on one day are one
// line, and saving twice counts nothing twice.
func TestSavedSenders(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for i := range 3 {
		q := w.request(202)
		q.Measurements = 2
		if i == 2 {
			q.Sample = SampleOf([]byte(`{"tags":{"host":"web-1"},"measurements":[{"name":"cpu.user"}]}`))
		}
		w.Note(q)
	}
	refused := w.request(403)
	refused.Sample = SampleOf([]byte(`{"source":"stranger"}`))
	w.Note(refused) // does not use the token
	w.Note(Request{Who: tidemark.Identity{Org: w.org, User: 5}, Status: 200})
	for range 2 {
		w.check(w.Save(t.Context()))
	}
	list, err := w.Store.Senders(t.Context(), w.org, w.token, 0)
	w.check(err)
	got := make(map[string]int64)
	for _, one := range list {
		got[one.Sender] = one.Requests
	}
	if len(got) != 2 || got["10.0.0.1"] != 2 || got["web-1"] != 1 {
		t.Errorf("senders %v", got)
	}
}

// TestArrivalsOfAnHour: what arrived is counted for an hour, minute by minute,
// also across a clock that is set back.
func TestArrivalsOfAnHour(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	arrive := func(n int64) {
		q := w.request(202)
		q.Measurements = n
		w.Note(q)
	}
	want := func(n int64) {
		t.Helper()
		got := int64(0)
		list, _ := w.Arrivals(w.org, false)
		for _, a := range list {
			got += a.Measurements
		}
		if got != n {
			t.Errorf("at %d: %d measurements, want %d", w.now-noon, got, n)
		}
	}
	arrive(1)
	w.now += 59 * 60
	arrive(10)
	want(11)
	w.now += 60
	want(10)
	w.now += 58 * 60
	want(10)
	w.now += 60
	want(0)
	arrive(100)
	w.now -= 2 * 3600 // the clock was ahead
	want(100)
	arrive(1000)
	want(1000)
	w.now += 3600
	want(0)
}

// TestRefusalsAreBounded: the latest come first, and only so many are kept.
func TestRefusalsAreBounded(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for range maxRefusals + 5 {
		w.now++
		q := w.request(429)
		q.Reason = "too many"
		w.Note(q)
	}
	_, refused := w.Arrivals(w.org, false)
	if len(refused) != maxRefusals || refused[0].At != w.now || refused[0].Reason != "too many" {
		t.Errorf("%d refusals, the first %+v", len(refused), refused[0])
	}
	if _, theirs := w.Arrivals(w.org+1, true); len(theirs) != 0 {
		t.Errorf("another organization sees %+v", theirs)
	}
}

// TestNeeds says which role would have done, of refusals for lack of a right.
func TestNeeds(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		status int
		action tidemark.Action
		want   string
	}{
		{403, tidemark.Record, "Record Only"}, {403, tidemark.ViewMetrics, "Record Only"}, {403, tidemark.View, "View Only"},
		{403, tidemark.Edit, "Full Access"}, {403, tidemark.Manage, "Full Access"}, {401, tidemark.View, ""}, {200, tidemark.Edit, ""},
	} {
		q := Request{Status: c.status, Action: c.action}
		if got := q.needs(); got != c.want {
			t.Errorf("status %d of action %d needs %q, want %q", c.status, c.action, got, c.want)
		}
	}
}

// TestRequestActivity: listeners of an organization see its requests, and of
// unknown senders no address.
func TestRequestActivity(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	activity, stop := w.Listen(Filter{Org: w.org, Unowned: true})
	defer stop()
	q := w.request(202)
	q.UserAgent = strings.Repeat("ü", maxUserAgent+1)
	w.Note(q)
	w.Note(Request{RemoteHost: "10.9.9.9", Status: 401, TokenEnds: "abcd"})
	known, unknown := (<-activity).Body.(RequestActivity), (<-activity).Body.(RequestActivity)
	if known.Sender != "10.0.0.1" || len([]rune(known.UserAgent)) != maxUserAgent || known.At != noon {
		t.Errorf("known: %+v", known)
	}
	if unknown.Sender != "" || unknown.TokenEnds != "abcd" {
		t.Errorf("unknown: %+v", unknown)
	}
}

// TestWroteIsBounded: of one write so many metrics are published.
func TestWroteIsBounded(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	activity, stop := w.Listen(Filter{Org: w.org})
	defer stop()
	asked := 0
	w.Wrote(w.org, func(yield func(string) bool) {
		for yield("cpu") {
			asked++
		}
	})
	if len(activity) != maxPublishedMetrics || asked != maxPublishedMetrics-1 {
		t.Errorf("%d published of %d names", len(activity), asked+1)
	}
}

// TestRunSavesAtTheEnd: what was counted and sent is saved when the server
// stops, and what was there at its start is not counted again.
func TestRunSavesAtTheEnd(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	write := func(n int) {
		var b tsdb.Batch
		for i := range n {
			b.Add("cpu", nil, noon+int64(i), 1)
		}
		w.check(w.eng.Write(t.Context(), w.org, &b))
	}
	write(3)
	counted := make(map[tidemark.OrgID]int64)
	w.samplesSince(t.Context(), counted)
	write(5)
	if sent := w.samplesSince(t.Context(), counted); sent[w.org] != 5 {
		t.Errorf("sent since then: %v", sent)
	}
	if sent := w.samplesSince(t.Context(), counted); len(sent) != 0 {
		t.Errorf("sent since nothing: %v", sent)
	}
	w.Note(w.request(202))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	w.check(w.Run(ctx))
	if list, err := w.Store.Senders(t.Context(), w.org, w.token, 0); err != nil || len(list) != 1 {
		t.Errorf("%d senders, %v", len(list), err)
	}
}

// TestFailedSaveIsReported: a store that is closed is an error for the log.
func TestFailedSaveIsReported(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.Note(w.request(202))
	w.check(w.Store.Close())
	var said []string
	w.OnError = func(_ context.Context, err error) { said = append(said, err.Error()) }
	w.saveAll(t.Context(), make(map[tidemark.OrgID]int64))
	if len(said) == 0 || !strings.HasPrefix(said[0], "save token usage: ") {
		t.Errorf("reported %q", said)
	}
	w.OnError = nil
	w.saveAll(t.Context(), nil)
	if err := w.Save(t.Context()); err != nil && !errors.Is(err, context.Canceled) {
		t.Errorf("nothing is left to save: %v", err)
	}
}

// TestSampleOfPoints: the host and the names of a few points.
func TestSampleOfPoints(t *testing.T) {
	t.Parallel()
	b := protocol.NewBatch(protocol.DefaultLimits)
	for _, name := range []string{"cpu.user", "cpu.idle", "mem", "a", "b", "beyond"} {
		b.Points = append(b.Points, protocol.Point{Name: name, Labels: tidemark.Tags{{Name: "instance", Value: "web-1"}}})
	}
	s := SampleOfPoints(b)
	if s.sender() != "web-1" || string(s.sends()) != `["cpu.*","mem","a","b"]` {
		t.Errorf("sender %q sends %s", s.sender(), s.sends())
	}
	if s := SampleOfPoints(protocol.NewBatch(protocol.DefaultLimits)); s != "" {
		t.Errorf("of nothing: %q", s)
	}
}

// TestNotesAtOnce: requests, listeners and saves do not disturb each other.
func TestNotesAtOnce(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for range 50 {
				_, stop := w.Listen(Filter{Org: w.org})
				q := w.request(202)
				q.Measurements = 1
				w.Note(q)
				w.Arrivals(w.org, true)
				stop()
			}
			if err := w.Save(t.Context()); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	list, err := w.Store.Senders(t.Context(), w.org, w.token, 0)
	w.check(err)
	if len(list) != 1 || list[0].Requests != 200 {
		t.Errorf("%+v", list)
	}
}
