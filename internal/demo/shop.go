package demo

import (
	"fmt"
	"hash/fnv"
	"math"
	"strconv"

	"github.com/tidemark-metrics/tidemark/client"
)

// metric is one metric of the shop.
type metric struct {
	name, title, unit, long string
	min                     *float64
}

var zero = new(float64)

// metrics are what the shop measures. The first one tells whether the demo was
// made before.
var metrics = []metric{
	{"checkout.requests", "Requests", "/s", "requests per second", zero},
	{"checkout.latency.p50", "Latency, median", "ms", "milliseconds", zero},
	{"checkout.latency.p95", "Latency, 95th percentile", "ms", "milliseconds", zero},
	{"checkout.latency.p99", "Latency, 99th percentile", "ms", "milliseconds", zero},
	{"checkout.errors", "Errors by status", "/min", "errors per minute", zero},
	{"shop.orders", "Orders", "/min", "orders per minute", zero},
	{"system.cpu.utilization", "CPU", "%", "percent", zero},
	{"system.memory.used", "Memory used", "%", "percent", zero},
	{"system.disk.used", "Disk used", "%", "percent", zero},
	{"queue.depth", "Queue depth", "jobs", "jobs", zero},
	{"search.latency", "Search latency", "ms", "milliseconds", zero},
	{"search.queries", "Search queries", "/s", "queries per second", zero},
	{"worker.heartbeat", "Heartbeat of workers", "", "", zero},
}

func (m metric) properties() map[string]any {
	attributes := map[string]any{"display_units_short": m.unit, "display_units_long": m.long}
	if m.min != nil {
		attributes["display_min"] = *m.min
	}
	return map[string]any{"type": "gauge", "display_name": m.title, "period": step, "attributes": attributes}
}

// stream is one line of the shop: what it is called and its value at any time,
// so that a restart goes on where the last run stopped.
type stream struct {
	metric string
	tags   map[string]string
	value  func(t int64) float64
}

// at returns the measurement of a time, if there is one.
func (s *stream) at(t int64) (m client.Measurement, ok bool) {
	v := math.Round(s.value(t)*100) / 100
	return client.Measurement{Name: s.metric, Time: t, Tags: s.tags, Value: v}, !math.IsNaN(v)
}

// regions are where the shop's customers are, with their share of the traffic
// and the hour of their noon.
var regions = []struct {
	name  string
	share float64
	noon  float64
	hosts []string
}{
	{"eu-central", 0.52, 12, []string{"web-01", "web-02", "web-03", "web-04"}},
	{"us-east", 0.36, 17, []string{"web-11", "web-12"}},
	{"ap-south", 0.12, 7, []string{"web-21", "web-22"}},
}

var streams = makeStreams()

func makeStreams() (all []stream) {
	add := func(metric string, tags map[string]string, value func(t int64) float64) {
		tags["environment"] = "production"
		all = append(all, stream{metric, tags, value})
	}
	for _, r := range regions {
		add("checkout.requests", map[string]string{"region": r.name}, func(t int64) float64 { return r.share * 1500 * traffic(t, r.noon, r.name) })
		add("shop.orders", map[string]string{"region": r.name}, func(t int64) float64 {
			return r.share * 86 * traffic(t, r.noon, "orders"+r.name) * (1 - 0.6*trouble(t))
		})
		for p, base := range map[string]float64{"p50": 42, "p95": 128, "p99": 205} {
			add("checkout.latency."+p, map[string]string{"region": r.name}, func(t int64) float64 {
				return base * (0.9 + 0.2*traffic(t, r.noon, p+r.name)/1.2 + trouble(t)*slower(p) + 0.05*noise(t, p+r.name))
			})
		}
		for status, base := range map[string]float64{"500": 8, "502": 3.5, "504": 2} {
			add("checkout.errors", map[string]string{"region": r.name, "status": status}, func(t int64) float64 {
				return math.Max(0, r.share*(base*(1+0.4*noise(t, status+r.name))+trouble(t)*90))
			})
		}
		for i, host := range r.hosts {
			add("system.cpu.utilization", map[string]string{"host": host, "region": r.name}, func(t int64) float64 {
				return clamp(24+float64(6*i)+12*traffic(t, r.noon, host)+40*trouble(t)*share(i)+4*noise(t, host), 1, 100)
			})
			add("system.memory.used", map[string]string{"host": host, "region": r.name}, func(t int64) float64 {
				return clamp(48+float64(5*i)+8*saw(t, 36000+int64(i)*7200)+noise(t, "m"+host), 1, 100)
			})
			add("system.disk.used", map[string]string{"host": host, "region": r.name}, func(t int64) float64 {
				return clamp(35+float64(9*i)+20*saw(t, 14*86400), 1, 100)
			})
		}
		add("search.latency", map[string]string{"region": r.name}, func(t int64) float64 { return 31*(0.8+0.3*traffic(t, r.noon, "s"+r.name)) + 3*noise(t, "s"+r.name) })
		add("search.queries", map[string]string{"region": r.name}, func(t int64) float64 { return r.share * 420 * traffic(t, r.noon, "q"+r.name) })
	}
	for queue, base := range map[string]float64{"mail": 36, "invoice": 210, "index": 2300} {
		add("queue.depth", map[string]string{"queue": queue}, func(t int64) float64 {
			return base * (0.8 + 0.4*math.Abs(noise(t/3, queue)) + 18*trouble(t-600)*backlog(queue))
		})
	}
	for i := 1; i <= 7; i++ {
		add("worker.heartbeat", map[string]string{"host": fmt.Sprintf("worker-%02d", i)}, func(t int64) float64 {
			if i == 7 && t%3600 >= 1200 {
				return math.NaN() // one worker hangs for the better part of every hour
			}
			return 1
		})
	}
	return all
}

// slower is how much trouble slows each percentile down.
func slower(p string) float64 { return map[string]float64{"p50": 0.4, "p95": 0.9, "p99": 1.2}[p] }

// share is how much of the trouble one host of a region has.
func share(i int) float64 { return []float64{0.1, 0.2, 1, 0.4}[i%4] }

func backlog(queue string) float64 {
	if queue == "index" {
		return 0
	}
	return 1
}

// traffic follows the day, with its noon at an hour of UTC, and a little noise.
func traffic(t int64, noon float64, name string) float64 {
	hour := float64(t%86400) / 3600
	return 0.75 + 0.35*math.Cos((hour-noon)/24*2*math.Pi) + 0.03*noise(t, name)
}

// every and within place the trouble: a database that fails over, some time in
// every stretch of thirteen hours, for about half an hour.
const (
	every  = 13 * 3600
	within = 1900
)

// trouble is 0 when all is well, and rises to 1 and falls again while the
// database fails over.
func trouble(t int64) float64 {
	began, ok := failover(t)
	if !ok {
		return 0
	}
	x := float64(t-began) / within
	size := 0.35 + 0.75*hash("size"+strconv.FormatInt(began, 10)) // some are worse than others
	return size * math.Pow(math.Sin(math.Pi*math.Sqrt(x)), 2)
}

// failover returns when the trouble that t lies in began.
func failover(t int64) (began int64, ok bool) {
	block := t / every
	began = block*every + int64(hash(strconv.FormatInt(block, 10))*float64(every-within))/60*60
	return began, t >= began && t < began+within
}

// saw rises from 0 to 1 over a period, and falls back.
func saw(t, period int64) float64 { return float64(t%period) / float64(period) }

func clamp(v, low, high float64) float64 { return math.Min(high, math.Max(low, v)) }

// noise is between -1 and 1, the same for the same time and name, and smooth
// over a minute.
func noise(t int64, name string) float64 {
	minute, part := t/60, float64(t%60)/60
	a, b := hash(name+strconv.FormatInt(minute, 10)), hash(name+strconv.FormatInt(minute+1, 10))
	return 2*(a+(b-a)*part) - 1
}

// hash is a number from 0 to 1 that looks random.
func hash(s string) float64 {
	h := fnv.New64a()
	_, _ = h.Write([]byte(s))
	x := h.Sum64()
	x ^= x >> 33
	x *= 0xff51afd7ed558ccd // the finalizer of MurmurHash3: FNV alone is even in its low bits
	x ^= x >> 33
	return float64(x>>11) / (1 << 53)
}
