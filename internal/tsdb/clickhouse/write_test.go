package clickhouse_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/ClickHouse/ch-go/proto"
	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/sketch"
	"github.com/tidemark-metrics/tidemark/internal/tsdb"
	"github.com/tidemark-metrics/tidemark/internal/turns"
)

// inserted reads back the rows of an INSERT, by column.
func inserted(t *testing.T, q question) map[string][]string {
	t.Helper()
	var results proto.Results
	var block proto.Block
	if err := block.DecodeRawBlock(proto.NewReader(bytes.NewReader(q.body)), 0, results.Auto()); err != nil {
		t.Fatal(err)
	}
	all := make(map[string][]string)
	for _, c := range results {
		for i := range c.Data.Rows() {
			all[c.Name] = append(all[c.Name], cell(c.Data, i))
		}
	}
	return all
}

func cell(column proto.ColResult, i int) string {
	switch c := column.(type) {
	case *proto.ColUInt8:
		return fmt.Sprint(c.Row(i))
	case *proto.ColUInt32:
		return fmt.Sprint(c.Row(i))
	case *proto.ColUInt64:
		return fmt.Sprint(c.Row(i))
	case *proto.ColFloat64:
		return fmt.Sprint(c.Row(i))
	case *proto.ColStr:
		return c.Row(i)
	case *proto.ColFixedStr16:
		id := c.Row(i)
		return string(id[:])
	}
	return fmt.Sprintf("%T", column)
}

// one is a batch of one value.
func one(metric, host string, at int64, value float64) *tsdb.Batch {
	var b tsdb.Batch
	b.Add(metric, tidemark.Tags{{Name: "host", Value: host}}, at, value)
	return &b
}

func write(t *testing.T, e tsdb.Engine, b *tsdb.Batch) {
	t.Helper()
	if err := e.Write(t.Context(), org, b); err != nil {
		t.Fatal(err)
	}
}

func wantCells(t *testing.T, got map[string][]string, want map[string]string) {
	t.Helper()
	for name, cells := range want {
		if all := strings.Join(got[name], " "); all != cells {
			t.Errorf("column %s is %q, want %q", name, all, cells)
		}
	}
}

// TestWriteRows: a value is a row of few columns, numbered by its commit and
// place; its stream goes to the catalogue before it, once.
func TestWriteRows(t *testing.T) {
	t.Parallel()
	e, f, _ := onFake(t)
	b := one("cpu", "a", 60, 1.5)
	b.Add("cpu", tidemark.Tags{{Name: "host", Value: "b"}}, 61, -2)
	b.Add("mem", nil, 62, 3)
	write(t, e, b)
	all := f.take("INSERT")
	if len(all) != 2 || all[0].sql != "INSERT INTO streams (org, metric, gen, id, key) FORMAT Native" || all[1].sql != "INSERT INTO records (org, metric, id, t, seq, v) FORMAT Native" {
		t.Fatalf("statements: %q", all)
	}
	streams, records := inserted(t, all[0]), inserted(t, all[1])
	wantCells(t, streams, map[string]string{"org": "1 1 1", "metric": "cpu cpu mem", "gen": "0 0 0", "key": "cpu\x00host\x01a cpu\x00host\x01b mem"})
	wantCells(t, records, map[string]string{"org": "1 1 1", "t": "60 61 62", "slot": "", "seq": "1048576 1048577 1048578", "v": "1.5 -2 3"})
	if fmt.Sprint(streams["id"]) != fmt.Sprint(records["id"]) || streams["id"][0] == streams["id"][1] {
		t.Errorf("streams %q, records %q", streams["id"], records["id"])
	}
	if m := records["metric"]; m[0] != m[1] || m[0] == m[2] {
		t.Errorf("metrics %q", m)
	}
	write(t, e, one("cpu", "a", 120, 4))
	all = f.take("INSERT")
	if len(all) != 1 {
		t.Fatalf("a known stream: %q", all)
	}
	wantCells(t, inserted(t, all[0]), map[string]string{"id": records["id"][0], "seq": "2097152"})
}

// TestWriteSummaries: what is more than one value has all columns, and keeps
// its sketch; single values beside it are marked as such.
func TestWriteSummaries(t *testing.T) {
	t.Parallel()
	e, f, _ := onFake(t)
	var k sketch.Sketch
	k.Add(2, 1)
	k.Add(4, 1)
	encoded := k.AppendBinary(nil)
	b := one("cpu", "a", 60, 7)
	b.AddDistribution([]byte("cpu"), 61, tsdb.Summary{Count: 2, Sum: 6, Min: 2, Max: 4, Last: 4, M2: 2}, encoded)
	write(t, e, b)
	wantCells(t, inserted(t, f.take("INTO records")[0]), map[string]string{
		"k": "0 1", "v": "7 4", "n": "0 2", "s": "0 6", "mi": "0 2", "ma": "0 4", "m2": "0 2", "sk": " " + string(encoded),
	})
	b = one("cpu", "a", 62, 1)
	b.Add("cpu", nil, 63, 2)
	b.AddDistribution([]byte("cpu"), 64, tsdb.Summary{Count: 2, Sum: 6, Min: 2, Max: 4, Last: 4, M2: 2}, nil)
	b.Add("cpu", nil, 65, 3)
	write(t, e, b)
	wantCells(t, inserted(t, f.take("INTO records")[0]), map[string]string{"k": "0 0 1 0", "v": "1 2 4 3", "n": "0 0 2 0", "sk": "   "})
}

// TestWriteAgain: a commit has nothing of the one before, whose memory it uses.
func TestWriteAgain(t *testing.T) {
	t.Parallel()
	e, f, _ := onFake(t)
	if err := e.SetMode(t.Context(), org, "hits", tsdb.Mode{Fold: true, Period: 1}); err != nil {
		t.Fatal(err)
	}
	var k sketch.Sketch
	k.Add(3, 2)
	encoded := k.AppendBinary(nil)
	long := one("hits", "a", 60, 1)
	long.AddDistribution([]byte("cpu"), 61, tsdb.Summary{Count: 2, Sum: 6, Min: 3, Max: 3, Last: 3}, encoded)
	for range 2 {
		write(t, e, long)
		wantCells(t, inserted(t, f.take("INTO records")[0]), map[string]string{"t": "60 61", "k": "0 1", "n": "0 2", "v": "1 3", "sk": " " + string(encoded)})
		write(t, e, one("cpu", "a", 62, 7))
		got := inserted(t, f.take("INTO records")[0])
		wantCells(t, got, map[string]string{"t": "62", "v": "7"})
		if len(got) != 6 {
			t.Errorf("%d columns of a single value, want 6", len(got))
		}
	}
}

// TestWriteFolds: in a metric that folds, times are floored to its period and
// rows do not replace each other.
func TestWriteFolds(t *testing.T) {
	t.Parallel()
	e, f, _ := onFake(t)
	if err := e.SetMode(t.Context(), org, "hits", tsdb.Mode{Fold: true, Period: 60}); err != nil {
		t.Fatal(err)
	}
	b := one("hits", "a", 119, 1)
	b.Add("hits", tidemark.Tags{{Name: "host", Value: "a"}}, 120, 1)
	b.Add("cpu", nil, 119, 1)
	write(t, e, b)
	wantCells(t, inserted(t, f.take("INTO records")[0]), map[string]string{"t": "60 120 119", "slot": "1048576 1048577 0"})
	b = one("cpu", "a", 119, 1)
	b.Add("hits", nil, 121, 1)
	write(t, e, b)
	wantCells(t, inserted(t, f.take("INTO records")[0]), map[string]string{"t": "119 120", "slot": "0 2097153"})
	if err := e.SetMode(t.Context(), org, "hits", tsdb.Mode{Fold: true}); err == nil || err.Error() != "period 0 cannot be folded by" {
		t.Errorf("got %v", err)
	}
}

// TestWriteAfterDelete: what is written to a metric that was deleted, here or
// by another server, begins anew, as another stream of another metric.
func TestWriteAfterDelete(t *testing.T) {
	t.Parallel()
	e, f, l := onFake(t)
	seen := make(map[string]bool)
	for gen, remove := range []func(){
		func() {},
		func() {
			if err := e.Delete(t.Context(), org, "cpu"); err != nil {
				t.Fatal(err)
			}
		},
		func() {
			if _, err := l.DeleteEngineMetric(t.Context(), org, "cpu"); err != nil {
				t.Fatal(err)
			}
		},
	} {
		remove()
		b := one("cpu", "a", 60, 1)
		b.Add("cpu", tidemark.Tags{{Name: "host", Value: "a"}}, 61, 1)
		write(t, e, b)
		all := f.take("INSERT")
		if len(all) != 2 {
			t.Fatalf("generation %d: %q", gen, all)
		}
		streams, records := inserted(t, all[0]), inserted(t, all[1])
		wantCells(t, streams, map[string]string{"gen": fmt.Sprint(gen), "metric": "cpu"})
		for _, id := range []string{records["id"][1], records["metric"][1]} {
			if seen[id] {
				t.Errorf("generation %d writes to what was deleted", gen)
			}
			seen[id] = true
		}
	}
}

// TestWriteRefuses: a batch that has something wrong is refused before anything
// of it is sent.
func TestWriteRefuses(t *testing.T) {
	t.Parallel()
	e, f, _ := onFake(t)
	for want, spoil := range map[string]func(b *tsdb.Batch){
		"time -1 is out of range":      func(b *tsdb.Batch) { b.AddKey([]byte("m"), -1, tsdb.Single(1)) },
		"count 0 is not 1 or more":     func(b *tsdb.Batch) { b.AddKey([]byte("m"), 1, tsdb.Summary{}) },
		"record 1 has a malformed key": func(b *tsdb.Batch) { b.AddKey([]byte("m\x00host"), 1, tsdb.Single(1)) },
		"a batch has at most 1048576 records": func(b *tsdb.Batch) {
			for range 1 << 20 {
				b.AddKey([]byte("m"), 1, tsdb.Single(1))
			}
		},
	} {
		b := one("cpu", "a", 60, 1)
		spoil(b)
		if err := e.Write(t.Context(), org, b); err == nil || err.Error() != want {
			t.Errorf("got %v, want %s", err, want)
		}
	}
	if err := e.Write(t.Context(), org, &tsdb.Batch{}); err != nil {
		t.Errorf("an empty batch: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := e.Write(ctx, org, one("cpu", "a", 60, 1)); !errors.Is(err, context.Canceled) {
		t.Errorf("given up: %v", err)
	}
	e.Close()
	if err := e.Write(t.Context(), org, one("cpu", "a", 60, 1)); err == nil || err.Error() != "storage is shutting down" {
		t.Errorf("closed: %v", err)
	}
	if sent := f.take("INSERT"); len(sent) > 0 {
		t.Errorf("sent all the same: %q", sent)
	}
}

// TestGivenUp: a batch whose caller gave up before it had a number is not
// written: what replaced it elsewhere may have a smaller one.
func TestGivenUp(t *testing.T) {
	t.Parallel()
	e, f, l := onFake(t)
	ctx, giveUp := context.WithCancel(t.Context())
	l.mu.Lock()
	l.begun = giveUp
	l.mu.Unlock()
	if err := e.Write(ctx, org, one("cpu", "a", 60, 1)); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	write(t, e, one("cpu", "b", 60, 2)) // comes after it
	all := f.take("INSERT INTO records")
	if len(all) != 1 {
		t.Fatalf("%d inserts, want one", len(all))
	}
	wantCells(t, inserted(t, all[0]), map[string]string{"v": "2"})
}

// TestWaitsWithoutATurn: while a write waits for ClickHouse others have its turn,
// or they could not come together.
func TestWaitsWithoutATurn(t *testing.T) {
	t.Parallel()
	e, f, _ := onFake(t)
	work := new(turns.Turns).Work(org)
	if err := work.Begin(t.Context()); err != nil {
		t.Fatal(err)
	}
	had := make(chan bool, 1)
	f.answer(fakeAnswer{part: "INSERT INTO records", do: func() { had <- work.Pause() }})
	if err := e.Write(turns.With(t.Context(), work), org, one("cpu", "a", 60, 1)); err != nil {
		t.Fatal(err)
	}
	if <-had {
		t.Error("it keeps its turn while it waits")
	}
	if !work.Pause() {
		t.Error("it goes on without a turn")
	}
}

// lateTransport finds answers although it is too late for them, as a server
// does that was frozen meanwhile.
type lateTransport struct{ after time.Duration }

func (l lateTransport) RoundTrip(r *http.Request) (*http.Response, error) {
	time.Sleep(l.after)
	return http.DefaultTransport.RoundTrip(r.WithContext(context.WithoutCancel(r.Context())))
}

// TestTooLate: what is stored after its time is not acknowledged: nobody looks
// for commits of so long ago.
func TestTooLate(t *testing.T) {
	t.Parallel()
	f := newFake(t)
	o, _ := fakeOptions(f)
	o.WriteWait, o.Transport = 10*time.Millisecond, lateTransport{20 * time.Millisecond}
	e := open(t, o)
	err := e.Write(t.Context(), org, one("cpu", "a", 60, 1))
	if tidemark.KindOf(err) != tidemark.Unavailable {
		t.Errorf("got %v", err)
	}
}
