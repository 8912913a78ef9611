package statsd_test

import (
	"fmt"
	"math"
	"strings"
	"sync"
	"testing"

	"github.com/tidemark-metrics/tidemark/internal/protocol"
	. "github.com/tidemark-metrics/tidemark/internal/protocol/protocoltest"
	"github.com/tidemark-metrics/tidemark/internal/protocol/statsd"
	"pgregory.net/rapid"
)

// model sums up as simply as can be.
type model struct {
	counters, gauges map[string]float64
	touched          map[string]bool // gauges since the last flush
	timers           map[string][]float64
	sets             map[string]map[string]bool
}

func newModel() *model { return &model{gauges: map[string]float64{}} }

func (m *model) reset() {
	m.counters, m.touched, m.timers, m.sets = map[string]float64{}, map[string]bool{}, map[string][]float64{}, map[string]map[string]bool{}
}

// line draws a line and notes what it means.
func (m *model) line(t *rapid.T) string {
	key := rapid.SampledFrom([]string{"a", "b"}).Draw(t, "name")
	v := rapid.IntRange(-9, 9).Draw(t, "value")
	switch kind := rapid.SampledFrom([]string{"c", "g", "g+", "ms", "s"}).Draw(t, "kind"); kind {
	case "c":
		rate := rapid.SampledFrom([]float64{1, 0.5, 0.25}).Draw(t, "rate")
		m.counters[key] += float64(v) / rate
		return fmt.Sprintf("%s:%d|c|@%v", key, v, rate)
	case "g":
		m.gauges[key], m.touched[key] = math.Abs(float64(v)), true
		return fmt.Sprintf("%s:%d|g", key, max(v, -v))
	case "g+":
		m.gauges[key], m.touched[key] = m.gauges[key]+float64(v), true
		return fmt.Sprintf("%s:%+d|g", key, v)
	case "ms":
		m.timers[key] = append(m.timers[key], float64(v))
		return fmt.Sprintf("%s:%d|ms", key, v)
	default:
		if m.sets[key] == nil {
			m.sets[key] = map[string]bool{}
		}
		m.sets[key][fmt.Sprint(v)] = true
		return fmt.Sprintf("%s:%d|s", key, v)
	}
}

// check compares what was flushed with the model.
func (m *model) check(t *rapid.T, b *protocol.Batch) {
	want := len(m.counters) + len(m.touched) + len(m.timers)
	for _, set := range m.sets {
		if len(set) > 0 {
			want++
		}
	}
	if len(b.Points) != want || len(b.Skipped) > 0 {
		t.Fatalf("%d points, want %d: %s", len(b.Points), want, Text(b))
	}
	for _, p := range b.Points {
		switch {
		case p.Kind == protocol.Delta:
			if p.Value != m.counters[p.Name] {
				t.Fatalf("counter %s is %v, want %v", p.Name, p.Value, m.counters[p.Name])
			}
		case p.Dist != nil:
			m.checkTimer(t, p)
		case p.Value != m.gauges[p.Name] && int(p.Value) != len(m.sets[p.Name]):
			t.Fatalf("%s is %v, want the gauge %v or the set %v", p.Name, p.Value, m.gauges[p.Name], m.sets[p.Name])
		}
	}
}

func (m *model) checkTimer(t *rapid.T, p protocol.Point) {
	sum, least, most := 0.0, math.Inf(1), math.Inf(-1)
	for _, v := range m.timers[p.Name] {
		sum, least, most = sum+v, min(least, v), max(most, v)
	}
	if d := p.Dist; d.Count != float64(len(m.timers[p.Name])) || d.Sum != sum || d.Min != least || d.Max != most {
		t.Fatalf("timer %s is %+v, want %v", p.Name, d, m.timers[p.Name])
	}
}

// TestAgainstAModel: flush after flush, an aggregator says what a plain sum of
// the lines since the last one says.
func TestAgainstAModel(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		a, m := statsd.New(statsd.DefaultLimits), newModel()
		for flush := range rapid.IntRange(1, 4).Draw(rt, "flushes") {
			m.reset()
			for range rapid.IntRange(0, 4).Draw(rt, "packets") {
				var lines []string
				for range rapid.IntRange(0, 5).Draw(rt, "lines") {
					lines = append(lines, m.line(rt))
				}
				a.Add([]byte(strings.Join(lines, "\n")))
			}
			b := a.Flush(int64(1000 * (flush + 1)))
			Check(t, b)
			m.check(rt, b)
		}
	})
}

// TestManyAtOnce: lines that many senders send at once, while others flush, are
// all counted once.
func TestManyAtOnce(t *testing.T) {
	t.Parallel()
	a := statsd.New(statsd.DefaultLimits)
	const senders, packets = 8, 200
	total := 0.0
	flush := func() {
		for _, p := range a.Flush(1000).Points {
			total += p.Value
		}
	}
	var all sync.WaitGroup
	for i := range senders {
		all.Go(func() {
			for range packets {
				a.Add(fmt.Appendf(nil, "hits:1|c|#sender:%d\nhits:2|c|#sender:%d", i, i%2))
			}
		})
	}
	for range 20 {
		flush()
	}
	all.Wait()
	flush()
	if total != 3*senders*packets {
		t.Errorf("counted %v, want %d", total, 3*senders*packets)
	}
}

// TestDialects: what the dialects add to a line is read wherever it stands, and
// what is not known of it is passed over.
func TestDialects(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]string{
		"a:1|c|#x:1|@0.5":            "a{x=1} delta @9000 2\n",
		"a:1|c|@0.5|#x:1|c:id|e:f":   "a{x=1} delta @9000 2\n",
		"a:1|c|#x:1|#y:2":            "a{y=2} delta @9000 1\n",
		"a,x=1:5|c|#y:2":             "a{x=1,y=2} delta @9000 5\n",
		"a;x=1:5|c|#x:2":             "a{x=2} delta @9000 5\n- 1 has a label twice: the last one counts: a: x\n",
		"a,x=1,y:5|c":                "a{x=1,y=true} delta @9000 5\n",
		"a:1|c|#":                    "a{} delta @9000 1\n",
		"a:1|c|#,,x":                 "a{x=true} delta @9000 1\n",
		"a:1|c|#:v":                  "a{} delta @9000 1\n",
		"a:1|c|#url:http://x:80/y":   "a{url=http://x:80/y} delta @9000 1\n",
		"a:3|s":                      "a{} gauge @9000 1\n",
		"a:|s":                       "a{} gauge @9000 1\n",
		"a:1:x:3|c":                  "a{} delta @9000 4\n- 1 is not understood: line 1: has a value that is no number: \"a:1:x:3|c\"\n",
		"a:1:1e999|ms":               "a{} distribution @9000 count 1 sum 1 min 1 max 1 median 1\n- 1 the value is NaN or infinite: a\n",
		"a:5|ms|T1754300400":         "a{} distribution @9000 count 1 sum 5 min 5 max 5 median 5\n",
		"a:5:6|g|T1754300400.5":      "a{} gauge @1754300400500 5\na{} gauge @1754300400500 6\n",
		"a:1|c\x00\n\na:2|c \r\n":    "a{} delta @9000 3\n",
		"a.b-c_d:1|c":                "a.b-c_d{} delta @9000 1\n",
		"größe:1|c|#ü:ö":             "gr_xf6__xdf_e{_xfc_=_xf6_} delta @9000 1\n",
		"x:0.1|c\nx:0.2|c|@1":        "x{} delta @9000 0.30000000000000004\n",
		"load:5|g\nload:-0|g":        "load{} gauge @9000 5\n",
		"_sc|a|0|h:web\n_e{1,1}:a|b": "- 2 events, service checks and the like are not kept: _sc|a|0|h:web\n",
	} {
		checkFlush(t, line, want)
	}
}

// TestLinesAreCountedFromTheFlush: what is told of a line that is not understood
// is its number since the last flush, over all packets.
func TestLinesAreCountedFromTheFlush(t *testing.T) {
	t.Parallel()
	a := statsd.New(statsd.DefaultLimits)
	for range 2 {
		a.Add([]byte("a:1|c\n\nb:1|c"))
		a.Add([]byte("wrong"))
		if got := Text(a.Flush(9000)); !strings.Contains(got, `- 1 is not understood: line 3: has no type: "wrong"`) {
			t.Error(got)
		}
	}
}

// TestValuesWithTimes: values that a client summed up itself are kept as they
// are, within the limit, and do not become what differences start from.
func TestValuesWithTimes(t *testing.T) {
	t.Parallel()
	a := statsd.New(statsd.Limits{Series: 2, Members: 10, Bytes: 1000})
	a.Add([]byte("a:1|c|T5\na:2|c|T6|@0.5\na:3|c|T7\nb:9|g|T5"))
	if got, want := Text(a.Flush(9000)), "a{} delta @5000 1\na{} delta @6000 4\n- 2 over the number of series that are kept between flushes: a\n"; got != want {
		t.Errorf("got %s want %s", got, want)
	}
	a.Add([]byte("b:9|g|T5\nb:+1|g"))
	if got, want := Text(a.Flush(9000)), "b{} gauge @5000 9\nb{} gauge @9000 1\n"; got != want {
		t.Errorf("got %s want %s", got, want)
	}
}

// TestIdleSeriesAreForgotten: a series without samples for long leaves its room
// to others, and comes back as a new one.
func TestIdleSeriesAreForgotten(t *testing.T) {
	t.Parallel()
	a := statsd.New(statsd.Limits{Series: 1, Members: 10, Bytes: 1000})
	add := func(line, want string) {
		t.Helper()
		a.Add([]byte(line))
		if got := Text(a.Flush(9000)); got != want {
			t.Errorf("%s: got %s want %s", line, got, want)
		}
	}
	add("old:1|c", "old{} delta @9000 1\n")
	add("new:1|c", "- 1 over the number of series that are kept between flushes: new\n")
	for range 359 {
		a.Flush(9000)
	}
	add("new:1|c", "- 1 over the number of series that are kept between flushes: new\n")
	add("new:2|c", "new{} delta @9000 2\n")
	add("old:1|c", "- 1 over the number of series that are kept between flushes: old\n")
}
