package rest

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"sync/atomic"
	"time"
)

// latencyBounds are the upper ends of the histogram's buckets, in seconds.
var latencyBounds = []float64{0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10}

// observed counts requests by route and status. Its maps are made once and
// never change, so counting takes no lock.
type observed struct{ routes map[string]*counters }

type counters struct {
	statuses [6]atomic.Int64 // by hundreds
	buckets  [14]atomic.Int64
	nanos    atomic.Int64
}

// unrouted is the name under which requests that match no route are counted.
const unroutedName = "none"

func newObserved(table []Route) *observed {
	o := &observed{routes: map[string]*counters{unroutedName: {}}}
	for _, rt := range table {
		o.routes[rt.Name()] = &counters{}
	}
	return o
}

func (o *observed) add(route string, status int, took time.Duration) {
	c := o.routes[route]
	if c == nil {
		c = o.routes[unroutedName]
	}
	c.statuses[min(max(status/100, 0), 5)].Add(1)
	i, _ := slices.BinarySearch(latencyBounds, took.Seconds())
	c.buckets[i].Add(1)
	c.nanos.Add(int64(took))
}

// WriteMetrics writes the counters as Prometheus text.
func (s *Server) WriteMetrics(w io.Writer) {
	names := slices.Sorted(maps.Keys(s.observed.routes))
	fmt.Fprint(w, "# HELP tidemark_http_requests_total Requests answered, by route and class of status.\n# TYPE tidemark_http_requests_total counter\n")
	for _, name := range names {
		for class := range s.observed.routes[name].statuses {
			if n := s.observed.routes[name].statuses[class].Load(); n > 0 {
				fmt.Fprintf(w, "tidemark_http_requests_total{route=%q,status=\"%dxx\"} %d\n", name, class, n)
			}
		}
	}
	fmt.Fprint(w, "# HELP tidemark_http_request_seconds Time to answer, by route.\n# TYPE tidemark_http_request_seconds histogram\n")
	for _, name := range names {
		s.observed.routes[name].writeHistogram(w, name)
	}
}

func (c *counters) writeHistogram(w io.Writer, route string) {
	var total int64
	for i := range c.buckets {
		total += c.buckets[i].Load()
	}
	if total == 0 {
		return
	}
	var sum int64
	for i, bound := range latencyBounds {
		sum += c.buckets[i].Load()
		fmt.Fprintf(w, "tidemark_http_request_seconds_bucket{route=%q,le=\"%g\"} %d\n", route, bound, sum)
	}
	fmt.Fprintf(w, "tidemark_http_request_seconds_bucket{route=%q,le=\"+Inf\"} %d\n", route, total)
	fmt.Fprintf(w, "tidemark_http_request_seconds_sum{route=%q} %g\n", route, time.Duration(c.nanos.Load()).Seconds())
	fmt.Fprintf(w, "tidemark_http_request_seconds_count{route=%q} %d\n", route, total)
}
