package alerting

import (
	"context"
	"iter"
	"log/slog"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/tsdb"
	"github.com/tidemark-metrics/tidemark/internal/tsdb/memory"
)

// bench is an evaluator with everything around it, for tests in a synctest
// bubble.
type bench struct {
	t       *testing.T
	store   *model
	engine  *memory.Engine
	metrics map[string]*tidemark.Metric
	eval    *Evaluator
}

func newBench(t *testing.T) *bench {
	b := &bench{t: t, store: newModel(), engine: memory.New(), metrics: map[string]*tidemark.Metric{}}
	b.restart()
	return b
}

func (b *bench) reader() Reader {
	return Reader{
		Engine: b.engine, Windows: b.store,
		Metrics: metricFunc(func(_ context.Context, _ tidemark.OrgID, name string) (*tidemark.Metric, error) {
			if m, ok := b.metrics[tidemark.MetricKey(name)]; ok {
				return m, nil
			}
			return nil, tidemark.Errorf(tidemark.NotFound, "no such metric")
		}),
	}
}

// metricFunc is a Metrics that is one function.
type metricFunc func(ctx context.Context, org tidemark.OrgID, name string) (*tidemark.Metric, error)

func (f metricFunc) Metric(ctx context.Context, org tidemark.OrgID, name string) (*tidemark.Metric, error) {
	return f(ctx, org, name)
}

// compositeFunc is a Composites that is one function.
type compositeFunc func(ctx context.Context, org tidemark.OrgID, text string, start, end, step int64) ([]*tsdb.Series, error)

func (f compositeFunc) Composite(ctx context.Context, org tidemark.OrgID, text string, start, end, step int64) ([]*tsdb.Series, error) {
	return f(ctx, org, text, start, end, step)
}

// selecting is an engine whose Select is given by the test.
type selecting struct {
	tsdb.Reader
	how func(ctx context.Context, org tidemark.OrgID, q *tsdb.Query) iter.Seq2[*tsdb.Series, error]
}

func (s *selecting) Select(ctx context.Context, org tidemark.OrgID, q *tsdb.Query) iter.Seq2[*tsdb.Series, error] {
	return s.how(ctx, org, q)
}

// restart forgets everything that is only in memory.
func (b *bench) restart() {
	b.eval = NewEvaluator(Options{Store: b.store, Reader: b.reader(), Logger: slog.New(slog.DiscardHandler)})
}

// write records a value of cpu of a host, now.
func (b *bench) write(metric, host string, value float64) { b.writeAt(metric, host, 0, value) }

func (b *bench) writeAt(metric, host string, ago int64, value float64) {
	b.t.Helper()
	b.writeOf(1, metric, host, ago, value)
}

func (b *bench) writeOf(org tidemark.OrgID, metric, host string, ago int64, value float64) {
	b.t.Helper()
	var batch tsdb.Batch
	var tags tidemark.Tags
	if host != "" {
		tags = tidemark.Tags{{Name: "host", Value: host}}
		if dc, _, ok := strings.Cut(host, "-"); ok {
			tags = tidemark.Tags{{Name: "dc", Value: dc}, {Name: "host", Value: host}}
		}
	}
	batch.Add(metric, tags, time.Now().Unix()-ago, value)
	if err := b.engine.Write(b.t.Context(), org, &batch); err != nil {
		b.t.Fatal(err)
	}
	b.eval.Wrote(org, &batch)
}

func (b *bench) pass() { b.eval.round(b.t.Context(), time.Now()) }

// firing reports whether an alert fires, after a pass.
func (b *bench) firing(a *tidemark.Alert) bool {
	b.pass()
	b.pass() // what was new in the first is evaluated in the second
	return b.store.alerts[a.ID].State.Firing
}

func (b *bench) add(conditions ...tidemark.Condition) *tidemark.Alert {
	a := tidemark.NewAlert()
	a.Name, a.Conditions = "a", conditions
	b.store.add(a, time.Now().Unix())
	return a
}

func cpuAbove(threshold float64) tidemark.Condition {
	return tidemark.Condition{Type: tidemark.Above, MetricName: "CPU", Threshold: &threshold, Tags: []tidemark.TagFilter{}}
}

func absentFor(metric string, seconds tidemark.Seconds) tidemark.Condition {
	return tidemark.Condition{Type: tidemark.Absent, MetricName: metric, Duration: &seconds, Tags: []tidemark.TagFilter{}}
}

// TestStories plays an alert with one condition on cpu, above 5, and whatever
// the story says, one word a minute:
//
//	a9     a reading of stream a; a9b1 of two streams
//	_      nothing
//	kill   the process dies and starts again
//	off on switch the alert off and on
//	edit   change the threshold to 5.5
//	touch  write the alert again, unchanged
//	clear  resolve it by hand
//
// and after each word, whether it fires: ! or .
func TestStories(t *testing.T) {
	t.Parallel()
	above, absent := cpuAbove(5), absentFor("cpu", 180)
	windowed := cpuAbove(5)
	windowed.Duration = new(tidemark.Seconds(180))
	onlyA := cpuAbove(5)
	onlyA.Tags = []tidemark.TagFilter{{Name: "host", Values: []string{"A*"}}}
	notA := cpuAbove(5)
	notA.Tags = []tidemark.TagFilter{{Name: "host", Values: []string{"!a"}}}
	growth := cpuAbove(1)
	growth.SummaryFunction = new("derivative")
	tests := []struct {
		name  string
		cond  tidemark.Condition
		story string
		want  string
	}{
		{"fires and clears", above, "a1 a9 a9 a1", ".!!."},
		{"one stream of two", above, "a1b1 a9b1 a1b9 a1b1", ".!!."},
		{"stays while its stream is silent", above, "a9 _ _ b1 a1", "!!!!."},
		{"survives a restart", above, "a9 kill _ a1", "!!!."},
		{"clears after a restart", above, "a9 a9 kill a1", "!!!."},
		{"fires on what came before a crash", above, "a1 a1 a1b9 kill", "..!!"},
		{"an edit starts anew", above, "a9 edit _ a9", "!..!"},
		{"writing it unchanged does not", above, "a9 touch _ a1", "!!!."},
		{"switched off and on", above, "a9 off a9 on _ a9", "!....!"},
		{"resolved by hand, fires with the next", above, "a9 clear _ a9", "!..!"},
		{"resolved by hand, then a restart", above, "a9 clear kill _ a9", "!...!"},
		{"a window", windowed, "a9 a9 a9 a9 a1", "...!."},
		{"a window over a restart", windowed, "a9 a9 kill a9 a9", "...!!"},
		{"a window and an edit", windowed, "a9 a9 edit a9 a9 a9 a9", "......!"},
		{"a window resolved by hand", windowed, "a9 a9 a9 a9 clear a9", "...!.!"},
		{"absent", absent, "a1 _ _ _ a1", "...!."},
		{"absent, one of two", absent, "a1b1 b1 b1 b1 b1 a1b1", "...!!."},
		{"absent, never seen", absent, "_ _ _ _ _", "....."},
		{"absent over a restart", absent, "a1 _ _ _ kill _ a1", "...!!!."},
		{"a restart is no silence", absent, "a1 _ kill _ _ _", ".....!"},
		{"absent resolved by hand", absent, "a1 _ _ _ clear _ _ _ _ a1 _ _ _", "...!........!"},
		{"absent and an edit to it", absent, "a1 _ edit _ _ _", ".....!"},
		{"by tag, in any case", onlyA, "b9 a9 a1", ".!."},
		{"by tag, not", notA, "a9 b9 b1", ".!."},
		{"derivative", growth, "a1 a2 a5 a5", "..!."},
		{"derivative over a restart", growth, "a1 kill a5 a5", "..!."},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				time.Sleep(time.Duration(60-time.Now().Unix()%60) * time.Second)
				b := newBench(t)
				a := b.add(tt.cond)
				b.pass()
				time.Sleep(time.Second)
				var got strings.Builder
				for word := range strings.FieldsSeq(tt.story) {
					b.do(a, word)
					got.WriteByte(map[bool]byte{true: '!', false: '.'}[b.firing(a)])
					time.Sleep(time.Minute)
				}
				if got.String() != tt.want {
					t.Errorf("%s\ngot  %s\nwant %s", tt.story, got.String(), tt.want)
				}
			})
		})
	}
}

func (b *bench) do(a *tidemark.Alert, word string) {
	now := time.Now().Unix()
	switch word {
	case "_":
	case "kill":
		b.restart()
	case "off", "on":
		b.store.change(a.ID, now, func(w *tidemark.WatchedAlert) { w.Alert.Active = word == "on" })
	case "edit":
		b.store.change(a.ID, now, func(w *tidemark.WatchedAlert) { w.Alert.Conditions[0].Threshold = new(5.5) })
	case "touch":
		b.store.change(a.ID, now, func(w *tidemark.WatchedAlert) { w.Alert.Conditions[0].ID += 1000 })
	case "clear":
		b.store.resolve(a.ID, now)
	default:
		for i := 0; i < len(word); i += 2 {
			b.write("cpu", word[i:i+1], float64(word[i+1]-'0'))
		}
	}
}

// TestAnd is about alerts of several conditions: all must hold, each by any
// stream of its own.
func TestAnd(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t)
		a := b.add(cpuAbove(5), absentFor("beat", 120))
		none := b.add()
		b.pass()
		time.Sleep(time.Second)
		b.write("cpu", "a", 9)
		b.write("beat", "z", 1)
		if b.firing(a) {
			t.Fatal("fires though one condition does not hold")
		}
		time.Sleep(2 * time.Minute)
		if !b.firing(a) {
			t.Fatal("does not fire though both hold, by different streams")
		}
		w := b.store.alerts[a.ID]
		var streams []string
		for _, v := range w.State.Violations {
			streams = append(streams, v.Metric+" "+v.Stream)
		}
		if diff := cmp.Diff([]string{"CPU host=a", "beat host=z"}, streams); diff != "" {
			t.Error(diff)
		}
		b.write("beat", "z", 1)
		if b.firing(a) {
			t.Error("fires though one condition does not hold any more")
		}
		if b.firing(none) {
			t.Error("an alert without conditions fires")
		}
	})
}

// TestAutoClear lets ten days pass without measurements.
func TestAutoClear(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t)
		a := b.add(cpuAbove(5))
		b.pass()
		b.write("cpu", "a", 9)
		if !b.firing(a) {
			t.Fatal("does not fire")
		}
		in := b.store.alerts[a.ID].State.Incident
		time.Sleep(10*24*time.Hour - time.Minute)
		if !b.firing(a) {
			t.Error("cleared too early")
		}
		time.Sleep(11 * time.Minute)
		if b.firing(a) {
			t.Error("not cleared after ten days")
		}
		if got := b.store.incidents[in].Clear; got == nil || *got != tidemark.ClearAuto {
			t.Errorf("cleared as %v, want auto", got)
		}
		b.write("cpu", "a", 9)
		if !b.firing(a) {
			t.Error("does not fire again with a new measurement")
		}
		b.eval.publish() // as after any change of any alert
		b.write("cpu", "a", 1)
		if b.firing(a) {
			t.Error("does not clear: a forgotten stream is still remembered somewhere")
		}
	})
}

// TestLateTimes is about measurements that name another time than now: what
// counts is that they come after the alert was made.
func TestLateTimes(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t)
		windowed := cpuAbove(5)
		windowed.Duration = new(tidemark.Seconds(180))
		b.writeAt("cpu", "a", 0, 1)
		time.Sleep(time.Minute)
		a := b.add(windowed)
		b.pass()
		for _, ago := range []int64{600, 540, 480, 420} {
			b.writeAt("cpu", "b", ago, 9)
		}
		if !b.firing(a) {
			t.Error("a window of past times does not fire")
		}
		time.Sleep(time.Minute)
		b.writeAt("cpu", "b", -3000, 1) // a clock that is ahead
		time.Sleep(time.Minute)
		if b.firing(a) {
			t.Fatal("not cleared")
		}
		at := b.add(cpuAbove(5))
		b.pass()
		b.write("cpu", "b", 9)
		if !b.firing(at) {
			t.Error("a measurement of now looks late after one from the future")
		}
	})
}

// TestSteps is about what is evaluated in whole steps: groups, and metrics that
// fold their measurements.
func TestSteps(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t)
		group := cpuAbove(15)
		group.SummaryFunction = new("sum")
		group.Tags = []tidemark.TagFilter{{Name: "dc", Grouped: new(true)}}
		a := b.add(group)
		b.pass()
		time.Sleep(time.Duration(60-time.Now().Unix()%60) * time.Second)
		round := func(values map[string]float64) {
			for host, v := range values {
				b.write("cpu", host, v)
			}
			time.Sleep(time.Minute)
		}
		round(map[string]float64{"eu-1": 9, "eu-2": 2, "us-1": 9})
		if b.firing(a) {
			t.Error("9 + 2 is above 15, or groups were mixed")
		}
		round(map[string]float64{"eu-1": 9, "eu-2": 8, "us-1": 9})
		if !b.firing(a) {
			t.Error("9 + 8 is not above 15 as soon as the minute is complete")
		}
		if v := b.store.alerts[a.ID].State.Violations; len(v) != 1 || v[0].Stream != "dc=eu" || v[0].Value != 17 {
			t.Errorf("violations = %+v", v)
		}
		round(map[string]float64{"eu-1": 9, "us-1": 9})
		if !b.firing(a) {
			t.Error("cleared by a minute in which a stream is missing, before waiting for it")
		}
		time.Sleep(graceful * time.Second)
		if b.firing(a) {
			t.Error("not cleared after waiting")
		}
	})
}

// TestComposite evaluates what a function returns, in steps.
func TestComposite(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t)
		b.metrics["ratio"] = &tidemark.Metric{Name: "ratio", Type: tidemark.Composite, Composite: "divide(...)"}
		b.metrics["cpu"] = &tidemark.Metric{Name: "cpu", Type: tidemark.Gauge}
		values := map[string]float64{"a": 1, "b": 1}
		b.eval.Reader.Composites = compositeFunc(func(_ context.Context, _ tidemark.OrgID, _ string, start, end, step int64) ([]*tsdb.Series, error) {
			var all []*tsdb.Series
			for host, v := range values {
				s := &tsdb.Series{Tags: tidemark.Tags{{Name: "host", Value: host}}}
				for at := start - start%step; at < end; at += step {
					s.Times, s.Values = append(s.Times, at), append(s.Values, v)
				}
				all = append(all, s)
			}
			return all, nil
		})
		c := cpuAbove(5)
		c.MetricName = "ratio"
		a := b.add(c)
		b.pass()
		time.Sleep(3 * time.Minute)
		if b.firing(a) {
			t.Fatal("fires")
		}
		values["b"] = 9
		time.Sleep(2 * time.Minute)
		if !b.firing(a) {
			t.Fatal("does not fire")
		}
		if v := b.store.alerts[a.ID].State.Violations; len(v) != 1 || v[0].Stream != "host=b" {
			t.Errorf("violations = %+v", v)
		}
		values["b"] = 1
		time.Sleep(2 * time.Minute)
		if b.firing(a) {
			t.Error("not cleared")
		}
	})
}

// TestInboxOverflow has more measurements come at once than are kept: the
// rest is read back.
func TestInboxOverflow(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t)
		a := b.add(cpuAbove(5))
		b.pass()
		var full tsdb.Batch
		for range maxInbox {
			full.Add("cpu", tidemark.Tags{{Name: "host", Value: "x"}}, time.Now().Unix(), 1)
		}
		b.eval.Wrote(1, &full)
		b.write("cpu", "y", 9)
		if !b.firing(a) {
			t.Error("what did not fit is lost")
		}
	})
}
