package alerting

import (
	"fmt"
	"log/slog"
	"math"
	"testing"
	"time"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/store"
	"github.com/tidemark-metrics/tidemark/internal/store/fresh"
	"github.com/tidemark-metrics/tidemark/internal/tsdb"
	"github.com/tidemark-metrics/tidemark/internal/tsdb/memory"
)

// pair is two organizations on a real store, each with an alert on a metric
// of its own.
type pair struct {
	t      *testing.T
	store  *store.Store
	engine *memory.Engine
	eval   *Evaluator
	orgs   [2]tidemark.OrgID
	alerts [2]*tidemark.Alert
}

func newPair(t *testing.T, url string, second tidemark.Condition) *pair {
	t.Helper()
	s, err := store.Open(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	p := &pair{t: t, store: s, engine: memory.New()}
	for i, c := range []tidemark.Condition{cpuAbove(5), second} {
		org, err := s.CreateOrg(t.Context(), tidemark.ServerActor(), fmt.Sprint("org ", i))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := s.EnsureMetrics(t.Context(), org.ID, []*tidemark.Metric{{Name: "cpu", Type: tidemark.Gauge}}); err != nil {
			t.Fatal(err)
		}
		a := tidemark.NewAlert()
		a.Name, a.Conditions = fmt.Sprint("alert ", i), []tidemark.Condition{c}
		if err := s.CreateAlert(t.Context(), org.ID, tidemark.ServerActor(), a); err != nil {
			t.Fatal(err)
		}
		p.orgs[i], p.alerts[i] = org.ID, a
	}
	p.restart()
	return p
}

func (p *pair) restart() {
	p.eval = NewEvaluator(Options{Store: p.store, Logger: slog.New(slog.DiscardHandler), Reader: Reader{Engine: p.engine, Metrics: p.store}})
	p.pass()
}

// pass evaluates twice: what was new in the first is evaluated in the second.
func (p *pair) pass() {
	for range 2 {
		p.eval.round(p.t.Context(), time.Now())
	}
}

// write has both report a value.
func (p *pair) write(first, second float64) {
	p.t.Helper()
	for i, v := range []float64{first, second} {
		var b tsdb.Batch
		b.Add("cpu", tidemark.Tags{{Name: "host", Value: "web-1"}}, time.Now().Unix(), v)
		if err := p.engine.Write(p.t.Context(), p.orgs[i], &b); err != nil {
			p.t.Fatal(err)
		}
		p.eval.Wrote(p.orgs[i], &b)
	}
	p.pass()
}

func (p *pair) check(when string, want ...bool) {
	p.t.Helper()
	for i, a := range p.alerts {
		got, err := p.store.AlertStatus(p.t.Context(), p.orgs[i], a.ID)
		if err != nil {
			p.t.Fatal(err)
		}
		if got.Firing != want[i] {
			p.t.Errorf("%s: alert %d firing is %v, want %v", when, i, got.Firing, want[i])
		}
	}
}

func eachPair(t *testing.T, second tidemark.Condition, f func(*pair)) {
	t.Parallel()
	t.Run("sqlite", func(t *testing.T) { f(newPair(t, fresh.SQLite(t), second)) })
	t.Run("postgres", func(t *testing.T) { f(newPair(t, fresh.Postgres(t), second)) })
}

// TestLongSentencesFire has an alert on a thousand hosts fire together with
// one of another organization.
func TestLongSentencesFire(t *testing.T) {
	many := cpuAbove(5)
	hosts := []string{"web-1"}
	for i := range 999 {
		hosts = append(hosts, fmt.Sprintf("host-%036d", i))
	}
	many.Tags = []tidemark.TagFilter{{Name: "host", Values: hosts}}
	eachPair(t, many, func(p *pair) {
		p.write(9, 9)
		p.check("together", true, true)
		p.restart()
		p.check("after a restart", true, true)
		p.write(1, 1)
		p.check("cleared", false, false)
	})
}

// TestPoison has an alert fire with a value that no database takes.
func TestPoison(t *testing.T) {
	eachPair(t, cpuAbove(5), func(p *pair) {
		p.write(9, math.Inf(1))
		p.check("together", true, false)
		if len(p.eval.Troubles(p.orgs[1])) != 1 || len(p.eval.Troubles(p.orgs[0])) != 0 {
			p.t.Error("the owner, and nobody else, must hear of it")
		}
		p.restart()
		p.write(1, math.Inf(1))
		p.check("after a restart", false, false)
		if len(p.eval.Troubles(p.orgs[1])) != 1 {
			p.t.Error("the owner does not hear of it after a restart")
		}
		p.write(9, 9)
		p.eval.round(p.t.Context(), time.Now().Add(maxBackoff*time.Second))
		p.check("after the trouble", true, true)
	})
}
