package chunk

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/tidemark-metrics/tidemark/internal/tsdb"
)

// oneByOne is the sink that the others are held to: it decodes everything and
// adds each record to its window.
type oneByOne struct {
	step   int64
	lo, hi int64
	window map[int64]tsdb.Summary
}

func (o *oneByOne) Bounds(lo, hi int64) { o.lo, o.hi = lo, hi }

func (o *oneByOne) add(t int64, s tsdb.Summary) {
	if t < o.lo || t >= o.hi {
		return
	}
	sum := o.window[t-t%o.step]
	sum.Merge(&s)
	o.window[t-t%o.step] = sum
}

func (o *oneByOne) Chunk(p *Piece) error {
	var c Decoded
	var sc Scratch
	if err := c.Read(p.Data, p.Start, &sc, true); err != nil {
		return err
	}
	for i, t := range c.T {
		o.add(int64(t), c.at(i))
	}
	return nil
}

func (o *oneByOne) decimals(d *decimals) {
	slot := 0
	for i, x := range d.x {
		t := d.t0
		switch {
		case d.gaps:
			for !d.in.has(slot) {
				slot++
			}
			t += int64(slot) * d.step
			slot++
		case d.step > 0:
			t += int64(i) * d.step
		default:
			t += d.off[i]
		}
		o.add(t, tsdb.Single(float64(x)/pow10[d.k]))
	}
}

func (o *oneByOne) run(r *Run, i, j int) {
	for ; i < j; i++ {
		o.add(int64(r.T[i]), r.At(i))
	}
}

// drawn is what the sinks are fed: a run, encoded in two chunks, which may
// share a step, or with some of it in memory over them.
type drawn struct {
	run    Run
	cut    int
	late   Run
	lo, hi int64
	step   int64
}

func draw(t *rapid.T) *drawn {
	n := rapid.IntRange(1, 300).Draw(t, "n")
	times := drawTimes(t, n)
	from, to := int64(times[0]), int64(times[n-1])
	d := &drawn{cut: rapid.IntRange(0, n).Draw(t, "cut")}
	d.lo = rapid.Int64Range(max(0, from-100), to+1).Draw(t, "lo")
	d.hi = rapid.Int64Range(d.lo, to+100).Draw(t, "hi")
	d.step = rapid.SampledFrom([]int64{1, 7, 60, int64(max(1, times[n-1]-times[0]) / 3), 10 * max(1, (to-from)/int64(n))}).Draw(t, "step")
	d.step = max(1, d.step)
	wide := rapid.IntRange(0, 3).Draw(t, "wide") == 0
	for _, at := range times {
		d.run.T, d.run.Op = append(d.run.T, at), append(d.run.Op, 0)
		d.run.V = append(d.run.V, float64(rapid.IntRange(-1000, 1000).Draw(t, "value"))/10)
		if wide {
			s := tsdb.Single(d.run.V[len(d.run.V)-1])
			o := tsdb.Single(float64(rapid.IntRange(0, 9).Draw(t, "other")))
			s.Merge(&o)
			d.run.Has, d.run.Sum = true, append(d.run.Sum, s)
			d.run.V[len(d.run.V)-1] = s.Sum
			d.run.Op[len(d.run.Op)-1] = OpSummary
		}
	}
	if rapid.Bool().Draw(t, "late") {
		for i := 0; i < n; i += rapid.IntRange(1, n).Draw(t, "skip") {
			d.late.T, d.late.Op = append(d.late.T, times[i]), append(d.late.Op, 0)
			d.late.V = append(d.late.V, float64(rapid.IntRange(-1000, 1000).Draw(t, "over"))/10)
		}
	}
	return d
}

// feed gives s everything, as a reader does.
func (d *drawn) feed(t *rapid.T, s Sink) {
	var sc Scratch
	var w Weaver
	s.Bounds(d.lo, d.hi)
	at := 0
	for _, part := range [][2]int{{0, d.cut}, {d.cut, len(d.run.T)}} {
		i, j := part[0], part[1]
		if i == j {
			continue
		}
		b := appendChunk(nil, d.run.T[i:j], d.run.V[i:j], 0, &sc)
		if d.run.Has {
			b = appendSummaries(nil, d.run.T[i:j], d.run.Sum[i:j], 0, &sc)
		}
		h, err := HeaderOf(b)
		if err != nil {
			t.Fatal(err)
		}
		p := &Piece{Data: Pad(b), Header: h, Start: d.run.T[i]}
		over := at
		for over < len(d.late.T) && d.late.T[over] <= d.run.T[j-1] {
			over++
		}
		if over == at {
			err = s.Chunk(p)
		} else {
			err = w.Feed(p, &d.late, nil, at, over, s)
		}
		at = over
		if err != nil {
			t.Fatal(err)
		}
	}
}

// TestSinksAgree feeds the sinks and compares what they make of it.
func TestSinksAgree(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		d := draw(t)
		want := oneByOne{step: d.step, window: make(map[int64]tsdb.Summary)}
		d.feed(t, &want)
		light := Sums{steps: steps{Step: d.step}}
		light.Reset()
		d.feed(t, &light)
		sameTimes(t, light.t, want.window)
		for i, at := range light.t {
			if w := want.window[at]; light.cnt[i] != w.Count || math.Abs(light.sum[i]-w.Sum) > 1e-6 {
				t.Fatalf("sums at %d: %v of %v, want %+v", at, light.sum[i], light.cnt[i], w)
			}
		}
		full := Summaries{steps: steps{Step: d.step}}
		full.Reset()
		d.feed(t, &full)
		sameTimes(t, full.t, want.window)
		for i, at := range full.t {
			sameSummary(t, "summaries", at, full.sums[i], want.window[at])
		}
		lasts := Lasts{steps: steps{Step: d.step}}
		lasts.Reset()
		d.feed(t, &lasts)
		sameTimes(t, lasts.t, want.window)
		for i, at := range lasts.t {
			if w := want.window[at]; lasts.v[i] != w.Last {
				t.Fatalf("the last at %d: %v, want %+v", at, lasts.v[i], w)
			}
		}
		spread := Distributions{steps: steps{Step: d.step}}
		spread.Reset()
		d.feed(t, &spread)
		sameTimes(t, spread.t, want.window)
		for i, at := range spread.t {
			sameSummary(t, "distributions", at, spread.sums[i], want.window[at])
			if n := spread.known[i].Count(); !d.run.Has && n != want.window[at].Count {
				t.Fatalf("distributions at %d: %v values are known, want %v", at, n, want.window[at].Count)
			}
		}
		u := Rollup{Window: uint32(d.step)}
		d.feed(t, &u)
		u.Flush()
		sameTimes(t, u.T, want.window)
		for i, at := range u.T {
			sameSummary(t, "rollup", int64(at), u.r[i], want.window[int64(at)])
		}
	})
}

func sameTimes[T int64 | uint32](t *rapid.T, got []T, want map[int64]tsdb.Summary) {
	if len(got) != len(want) || !slices.IsSorted(got) {
		t.Fatalf("windows %v, want %v", got, want)
	}
}

func sameSummary(t *rapid.T, sink string, at int64, got, want tsdb.Summary) {
	if got.Count != want.Count || math.Abs(got.Sum-want.Sum) > 1e-6 || got.Min != want.Min || got.Max != want.Max ||
		got.Last != want.Last || math.Abs(got.M2-want.M2) > 1e-4 {
		t.Fatalf("%s at %d: %+v, want %+v", sink, at, got, want)
	}
}
