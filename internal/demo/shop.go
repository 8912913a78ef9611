package demo

import (
	"fmt"
	"math"

	"github.com/tidemark-metrics/tidemark/client"
)

// metric is one metric of the shop.
type metric struct{ name, title, unit, long string }

// metrics are what the shop measures. The first one tells whether the demo was
// made before.
var metrics = []metric{
	{"checkout.requests", "Requests", "/s", "requests per second"},
	{"checkout.requests.retried", "Requests sent again", "/s", "requests per second"},
	{"checkout.request.bytes", "Size of requests", "kB", "kilobytes"},
	{"checkout.latency.p50", "Latency, median", "ms", "milliseconds"},
	{"checkout.latency.p95", "Latency, 95th percentile", "ms", "milliseconds"},
	{"checkout.latency.p99", "Latency, 99th percentile", "ms", "milliseconds"},
	{"checkout.errors", "Errors by status", "/min", "errors per minute"},
	{"checkout.orders", "Orders", "/min", "orders per minute"},
	{"checkout.payment.declined", "Payments declined", "/min", "payments per minute"},
	{"checkout.worker.busy", "Workers busy", "%", "percent"},
	{"checkout.worker.restarts", "Worker restarts", "", ""},
	{"system.cpu.utilization", "CPU", "%", "percent"},
	{"system.memory.used", "Memory used", "%", "percent"},
	{"system.disk.used", "Disk used", "%", "percent"},
	{"queue.depth", "Queue depth", "jobs", "jobs"},
	{"search.latency", "Search latency", "ms", "milliseconds"},
	{"search.queries", "Search queries", "/s", "queries per second"},
	{"search.errors.ratio", "Searches that fail", "%", "percent"},
	{"cache.hit.ratio", "Cache hits", "%", "percent"},
	{"db.replication.lag", "Replication lag", "s", "seconds"},
	{"worker.heartbeat", "Heartbeat of workers", "", ""},
}

// composites are metrics that are calculated from others.
var composites = []struct {
	metric
	text string
}{
	{metric{"checkout.success.ratio", "Requests that succeed", "%", "percent"},
		"scale(\n  divide([\n    subtract([\n      sum(s(\"checkout.requests\", \"*\")),\n      scale(sum(s(\"checkout.errors\", \"*\")), {factor: \"0.0166667\"})\n    ]),\n    sum(s(\"checkout.requests\", \"*\"))\n  ]),\n  {factor: \"100\"})"},
}

func (m metric) attributes() map[string]any {
	return map[string]any{"display_units_short": m.unit, "display_units_long": m.long, "display_min": 0}
}

func (m metric) properties() map[string]any {
	return map[string]any{"type": "gauge", "display_name": m.title, "period": step, "attributes": m.attributes()}
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

// region is where customers of the shop are: with their share of the traffic,
// the hour of their noon, and how much they notice when the database is slow.
type region struct {
	name  string
	share float64
	noon  float64
	pain  float64
	hosts []string
}

var regions = []region{
	{"eu-central", 0.53, 13, 1, []string{"web-01", "web-02", "web-03", "web-04"}},
	{"us-east", 0.36, 16, 0.6, []string{"web-05", "web-06"}},
	{"ap-south", 0.11, 8, 0.55, []string{"web-07"}},
}

// streams are the lines of the shop, with its troubles.
func (tr *troubles) streams() (all []stream) {
	add := func(metric string, tags map[string]string, value func(t int64) float64) {
		if tags["region"] != "" {
			tags["environment"] = "production"
		}
		all = append(all, stream{metric, tags, value})
	}
	for _, r := range regions {
		tr.addCheckout(r, add)
		for i, host := range r.hosts {
			tr.addHost(r, i, host, add)
		}
		add("search.latency", map[string]string{"region": r.name}, func(t int64) float64 {
			return 31*(0.8+0.3*traffic(t, r.noon, "s"+r.name)) + 3*noise(t, "s"+r.name)
		})
		add("search.queries", map[string]string{"region": r.name}, func(t int64) float64 { return r.share * 420 * traffic(t, r.noon, "q"+r.name) })
	}
	tr.addRest(add)
	staging := func(t int64) float64 { return 9 + 5*noise(t, "staging") }
	return append(all, stream{"checkout.requests", map[string]string{"environment": "staging", "region": "eu-central", "host": "stage-01"}, staging})
}

type adder func(metric string, tags map[string]string, value func(t int64) float64)

// addCheckout adds what is measured in a region as a whole.
func (tr *troubles) addCheckout(r region, add adder) {
	in := func() map[string]string { return map[string]string{"region": r.name} }
	add("checkout.orders", in(), func(t int64) float64 {
		return r.share * 86 * traffic(t, r.noon, "orders"+r.name) * (1 - 0.35*tr.size(t)*r.pain)
	})
	add("checkout.payment.declined", in(), func(t int64) float64 {
		return math.Max(0, r.share*(1.2+0.5*noise(t, "declined"+r.name)))
	})
	for _, p := range []struct {
		name         string
		base, slower float64
	}{{"p50", 42, 22}, {"p95", 130, 125}, {"p99", 198, 250}} {
		add("checkout.latency."+p.name, in(), func(t int64) float64 {
			return p.base*(0.96+0.05*traffic(t, r.noon, p.name)+0.09*noise(t, p.name+r.name)) + p.slower*tr.size(t)*r.pain
		})
	}
	for _, status := range []struct {
		name string
		base float64
		bad  float64
	}{{"500", 8, 30}, {"502", 4, 45}, {"504", 2.5, 8}} {
		add("checkout.errors", map[string]string{"region": r.name, "status": status.name}, func(t int64) float64 {
			return math.Max(0, r.share*(status.base*(1+0.35*noise(t, status.name+r.name))+math.Pow(tr.failover(t), 2)*status.bad))
		})
	}
}

// addHost adds what one host of a region measures.
func (tr *troubles) addHost(r region, i int, host string, add adder) {
	on := func() map[string]string { return map[string]string{"host": host, "region": r.name} }
	part := 1 + 0.2*float64(len(r.hosts)-1-2*i)/float64(len(r.hosts)) // not all get the same
	share := r.share / float64(len(r.hosts)) * part
	add("checkout.requests", on(), func(t int64) float64 {
		return share * (1500*traffic(t, r.noon, r.name)*(1-0.2*tr.failover(t)) + 120*noise(t, "r"+host))
	})
	add("checkout.requests.retried", on(), func(t int64) float64 { return share * (3 + noise(t, "retried"+host) + 20*tr.failover(t)) })
	add("checkout.request.bytes", on(), func(t int64) float64 { return 18.2 + 0.8*noise(t, "bytes"+host) })
	add("checkout.worker.busy", on(), func(t int64) float64 {
		return clamp(46+float64(4*i)+14*traffic(t, r.noon, host)+5*noise(t, "busy"+host)+20*tr.size(t)*r.pain, 0, 100)
	})
	add("checkout.worker.restarts", on(), func(int64) float64 { return 0 })
	hot := []float64{0.12, 0.2, 1, 0.3}[i%4]
	add("system.cpu.utilization", on(), func(t int64) float64 {
		return clamp(22+float64(6*i)+12*traffic(t, r.noon, host)+36*tr.failover(t)*hot+5*noise(t, host), 1, 100)
	})
	add("system.memory.used", on(), func(t int64) float64 {
		return clamp(48+float64(5*i)+8*saw(t, 36000+int64(i)*7200)+noise(t, "m"+host), 1, 100)
	})
	add("system.disk.used", on(), func(t int64) float64 { return clamp(35+float64(9*i)+20*saw(t, 14*86400), 1, 100) })
}

// addRest adds what the shop has behind the scenes.
func (tr *troubles) addRest(add adder) {
	for _, q := range []struct {
		name          string
		base, backlog float64
	}{{"mail", 36, 650}, {"invoice", 200, 5600}, {"index", 2300, 0}} {
		add("queue.depth", map[string]string{"queue": q.name}, func(t int64) float64 {
			return q.base*(1+0.25*noise(t, q.name)) + q.backlog*tr.failover(t-900)
		})
	}
	add("search.errors.ratio", map[string]string{}, func(t int64) float64 { return math.Max(0, 0.6+0.3*noise(t, "se")+2.4*tr.search(t)) })
	add("cache.hit.ratio", map[string]string{}, func(t int64) float64 { return clamp(94+2*noise(t, "cache")-3*tr.size(t), 0, 100) })
	add("db.replication.lag", map[string]string{"host": "db-02"}, func(t int64) float64 {
		return math.Max(0.1, 1.2+0.8*noise(t, "lag")+50*tr.failover(t))
	})
	for i := 1; i <= workers; i++ {
		add("worker.heartbeat", map[string]string{"host": fmt.Sprintf("worker-%02d", i)}, func(t int64) float64 {
			if i == workers && tr.isHanging(t) {
				return math.NaN()
			}
			return 1
		})
	}
}

const workers = 7
