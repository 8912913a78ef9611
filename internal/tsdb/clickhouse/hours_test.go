package clickhouse_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/sketch"
	"github.com/tidemark-metrics/tidemark/internal/tsdb"
	"github.com/tidemark-metrics/tidemark/internal/tsdb/clickhouse"
	"github.com/tidemark-metrics/tidemark/internal/tsdb/clickhouse/clickhousetest"
	"github.com/tidemark-metrics/tidemark/internal/tsdb/memory"
)

const org tidemark.OrgID = 1

const (
	hour = 3600
	day  = 86400
)

// pair is an engine and the model it must agree with, on one clock.
type pair struct {
	*clickhouse.Engine
	model  *memory.Engine
	ledger *ledger
	clock  *atomic.Int64
	base   int64
}

func newPair(t *testing.T) *pair { return newPairOn(t, options(t)) }

func newPairOn(t *testing.T, o clickhouse.Options) *pair {
	t.Helper()
	o.RawRetention, o.HourRetention = 3*24*time.Hour, 400*24*time.Hour
	p := &pair{ledger: o.Ledger.(*ledger), clock: new(atomic.Int64), base: 1_790_000_000 / day * day}
	p.clock.Store(p.base + day + 1800)
	o.Now = func() time.Time { return time.Unix(p.clock.Load(), 0) }
	p.Engine = open(t, o)
	p.model = memory.New(memory.Options{
		Tiers: []tsdb.Tier{{Window: 1, Retention: 4 * day}, {Window: hour, Retention: 400 * day}},
		Now:   func() int64 { return p.clock.Load() }, Overdue: func() int64 { return p.RawFrom() },
	})
	return p
}

func (p *pair) write(t *testing.T, b *tsdb.Batch) {
	t.Helper()
	for _, e := range []tsdb.Engine{p.Engine, p.model} {
		if err := e.Write(t.Context(), org, b); err != nil {
			t.Fatal(err)
		}
	}
}

// fill writes records of all kinds at times up to now.
func (p *pair) fill(t *testing.T, r *rand.Rand, from, to int64) {
	t.Helper()
	var b tsdb.Batch
	for range 60 {
		at, tags := from+r.Int64N(to-from), tidemark.Tags{{Name: "host", Value: strconv.Itoa(r.IntN(3))}}
		one := tsdb.Single(float64(r.IntN(1000)) / 8)
		several := tsdb.Summary{Count: 3, Sum: 6, Min: 1, Max: 3, Last: 2, M2: 2}
		switch r.IntN(4) {
		case 0:
			b.AddKey(tsdb.AppendKey(nil, "plain", tags), at, several)
		case 1:
			b.AddKey(tsdb.AppendKey(nil, "folding", tags), at, one)
		case 2:
			var s sketch.Sketch
			for v := range 3 {
				s.Add(float64(v+1), 1)
			}
			b.AddDistribution(tsdb.AppendKey(nil, "spread", tags), at, several, s.AppendBinary(nil))
		default:
			b.AddKey(tsdb.AppendKey(nil, "plain", tags), at/600*600, one) // often the same second
		}
	}
	p.write(t, &b)
}

// answer is one series as it is compared.
type answer struct {
	Name   string
	Times  []int64
	Values [][]float64
}

// answers are those of an engine to one question.
func answers(t *testing.T, e tsdb.Reader, q *tsdb.Query) []answer {
	t.Helper()
	var all []answer
	for s, err := range e.Select(t.Context(), org, q) {
		if err != nil {
			t.Fatalf("%+v: %v", q, err)
		}
		a := answer{Name: fmt.Sprint(s.Metric, s.Tags), Times: slices.Clone(s.Times)}
		for i := range s.Times {
			a.Values = append(a.Values, slices.Clone(values(s, i)))
		}
		all = append(all, a)
	}
	return all
}

func values(s *tsdb.Series, i int) []float64 {
	if s.Values != nil {
		return s.Values[i : i+1]
	}
	m := &s.Summaries[i]
	all := []float64{m.Count, m.Sum, m.Min, m.Max, m.Last, m.M2}
	if s.Sketches != nil {
		all = append(all, s.Sketches[i].Count())
	}
	return all
}

// check asks both for everything in whole hours, in windows that begin and end
// within an hour and not.
func (p *pair) check(t *testing.T, when string) {
	t.Helper()
	for _, q := range []tsdb.Query{
		{Function: tsdb.All, Step: hour}, {Function: tsdb.Mean, Step: day, Group: true, GroupBy: []string{"host"}},
		{Function: tsdb.All, Step: day, Group: true, GroupFunction: tsdb.GroupMerge}, {Function: tsdb.StdDev, Step: 2 * hour, Group: true, GroupFunction: tsdb.GroupMax},
		{Function: tsdb.Derivative, Step: hour},
	} {
		for _, window := range [][2]int64{{p.base, p.base + 20*day}, {p.base + 5*hour, p.base + 30*hour}} {
			q.Metric, q.Start, q.End = "*", window[0], window[1]
			if d := cmp.Diff(answers(t, p.model, &q), answers(t, p.Engine, &q), cmpopts.EquateApprox(1e-9, 1e-9)); d != "" {
				t.Fatalf("%s, %+v (-model +engine):\n%s", when, q, d)
			}
		}
	}
}

// TestHours writes, replaces and folds records of all ages, in between has the
// hours made and records expire, and compares with the model each time.
func TestHours(t *testing.T) {
	t.Parallel()
	testHours(t, newPair(t))
}

// TestHoursShards does so where each shard makes the hours of its streams.
func TestHoursShards(t *testing.T) {
	t.Parallel()
	clickhousetest.Whole(t)
	testHours(t, newPairOn(t, shardOptions(t)))
}

func testHours(t *testing.T, p *pair) {
	t.Helper()
	r := rand.New(rand.NewPCG(1, 7))
	for _, e := range []tsdb.Engine{p.Engine, p.model} {
		if err := e.SetMode(t.Context(), org, "folding", tsdb.Mode{Fold: true, Period: 60}); err != nil {
			t.Fatal(err)
		}
	}
	upkeep := func() {
		t.Helper()
		if err := p.Upkeep(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	for n := range 5 {
		now := p.clock.Load()
		p.fill(t, r, now-6*hour, now)
		p.check(t, fmt.Sprint("round ", n, ", fresh"))
		upkeep()
		p.check(t, fmt.Sprint("round ", n, ", made"))
		p.fill(t, r, max(p.base, now-20*hour), now) // what changes hours that are made
		p.check(t, fmt.Sprint("round ", n, ", changed"))
		if n%2 == 1 {
			upkeep()
			p.check(t, fmt.Sprint("round ", n, ", made again"))
		}
		p.clock.Add(20 * hour)
	}
	from := p.RawFrom()
	if from <= p.base {
		t.Fatalf("nothing expired: records are kept from %d", from)
	}
	upkeep()
	left, err := p.Count(t.Context(), fmt.Sprintf("SELECT toUInt32(count()) AS x FROM records WHERE t < %d", from))
	if err != nil || left > 0 {
		t.Errorf("%d records that expired are left, %v", left, err)
	}
	made, err := p.Count(t.Context(), "SELECT toUInt32(count()) AS x FROM hours")
	if err != nil || made == 0 {
		t.Errorf("%d hours, %v", made, err)
	}
	p.check(t, "records expired")
	var late tsdb.Batch // too late to replace anything: they add up
	for h := range int64(12) {
		late.Add("plain", tidemark.Tags{{Name: "host", Value: "1"}}, p.base+h*hour+h, float64(h))
	}
	p.write(t, &late)
	p.check(t, "late")
	p.ledger.mu.Lock()
	p.ledger.unset = errors.New("PostgreSQL is away")
	p.ledger.mu.Unlock()
	if err := p.Upkeep(t.Context()); err == nil {
		t.Error("no error though nothing could be noted")
	}
	p.check(t, "late, made but not noted")
	p.ledger.mu.Lock()
	p.ledger.unset = nil
	p.ledger.mu.Unlock()
	upkeep()
	p.check(t, "late, made")
}

// TestRemoved has a metric deleted and what it left removed.
func TestRemoved(t *testing.T) {
	t.Parallel()
	p := newPair(t)
	r := rand.New(rand.NewPCG(3, 7))
	p.fill(t, r, p.base, p.base+day)
	for _, e := range []tsdb.Engine{p.Engine, p.model} {
		if err := e.Delete(t.Context(), org, "plain"); err != nil {
			t.Fatal(err)
		}
	}
	var b tsdb.Batch
	b.Add("plain", nil, p.base, 1)
	p.write(t, &b)
	p.check(t, "deleted")
	before, err := p.Count(t.Context(), "SELECT toUInt32(uniqExact(metric)) AS x FROM records")
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Upkeep(t.Context()); err != nil {
		t.Fatal(err)
	}
	// Of replicas 18.16 leaves the last part alone that a quorum has.
	p.fill(t, r, p.base, p.base+day)
	for after := before; after != before-1; {
		select {
		case <-t.Context().Done():
			t.Fatal("the records of what was deleted are still there")
		case <-time.After(20 * time.Millisecond): // ClickHouse removes them in the background
		}
		if after, err = p.Count(t.Context(), "SELECT toUInt32(uniqExact(metric)) AS x FROM records"); err != nil {
			t.Fatal(err)
		}
	}
	p.check(t, "removed")
	names := []string{}
	for s, err := range p.Streams(t.Context(), org, "*", tsdb.Filter{}) {
		if err != nil {
			t.Fatal(err)
		}
		names = append(names, s.Metric)
	}
	if names = slices.Compact(names); !slices.Equal(names, []string{"folding", "plain", "spread"}) {
		t.Errorf("metrics %v", names)
	}
}
