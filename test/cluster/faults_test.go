package cluster_test

import (
	"context"
	"fmt"
	"maps"
	"net/url"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/tidemark-metrics/tidemark/client"
	"github.com/tidemark-metrics/tidemark/internal/testdeps"
)

// streams is how many are recorded at once.
const streams = 6

// recorder writes measurements until it is stopped, and knows which were
// acknowledged. What was not is sent again until it is, as agents do.
type recorder struct {
	c     *cluster
	from  int64 // the second of the first measurement of every stream
	mu    sync.Mutex
	acked map[string]int64 // how many of each stream, gapless from the first
	fails int
}

// record writes one stream, a measurement a second of its time, through the
// balancer.
func (r *recorder) record(ctx context.Context, stream string) {
	to := r.c.client(r.c.base)
	for n := int64(0); ctx.Err() == nil; n++ {
		m := client.Measurement{Name: "load", Value: float64(n), Time: r.from + n, Tags: map[string]string{"stream": stream}}
		for {
			// The last one is finished: nothing is left unknown.
			try, cancel := context.WithTimeout(context.WithoutCancel(ctx), 20*time.Second)
			err := to.Record(try, m)
			cancel()
			if err == nil {
				break
			}
			r.mu.Lock()
			r.fails++
			r.mu.Unlock()
			time.Sleep(50 * time.Millisecond)
		}
		r.mu.Lock()
		r.acked[stream] = n + 1
		r.mu.Unlock()
	}
}

// wellFor is how many measurements of every stream are acknowledged before the
// next part is ended, and wellWithin how long that may take: the limit is for
// what hangs, not for how fast a machine is.
const (
	wellFor    = 3
	wellWithin = 3 * time.Minute
)

// well waits until all streams are recorded again, and says how long it took.
func (r *recorder) well(t *testing.T, when string) {
	t.Helper()
	began, before := time.Now(), r.counts()
	for time.Since(began) < wellWithin {
		now, waits := r.counts(), false
		for stream := range streams {
			name := strconv.Itoa(stream)
			waits = waits || now[name] < before[name]+wellFor
		}
		if !waits {
			t.Logf("%s: well again in %.1f s", when, time.Since(began).Seconds())
			return
		}
		time.Sleep(50 * time.Millisecond)
	}
	t.Fatalf("%s: not all is recorded after %v: %v, before %v", when, wellWithin, r.counts(), before)
}

func (r *recorder) counts() map[string]int64 {
	r.mu.Lock()
	defer r.mu.Unlock()
	return maps.Clone(r.acked)
}

// check compares what a node has with what was acknowledged.
func (r *recorder) check(t *testing.T, node string) {
	t.Helper()
	series, err := r.c.client(node).Measurements(t.Context(), "load", url.Values{
		"resolution": {"1"}, "start_time": {strconv.FormatInt(r.from, 10)}, "end_time": {strconv.FormatInt(time.Now().Unix(), 10)},
	})
	if err != nil {
		t.Fatalf("%s: %v", node, err)
	}
	if len(series) != len(r.acked) {
		t.Errorf("%s has %d streams, want %d", node, len(series), len(r.acked))
	}
	for _, s := range series {
		want := r.acked[s.Tags["stream"]]
		if int64(len(s.Measurements)) != want {
			t.Errorf("%s: stream %s has %d measurements, %d were acknowledged", node, s.Tags["stream"], len(s.Measurements), want)
		}
		for i, m := range s.Measurements {
			if m.Time != r.from+int64(i) || m.Value != float64(i) {
				t.Errorf("%s: stream %s: measurement %d is %v at %d", node, s.Tags["stream"], i, m.Value, m.Time-r.from)
				break
			}
		}
	}
}

// TestFaults ends and freezes each part in turn while measurements are
// recorded: what was acknowledged is there, once, on every node.
func TestFaults(t *testing.T) {
	c := up(t)
	c.checkEach(t)
	c.spoil(t, []string{"node2", "clickhouse1", "node1", "postgres", "balancer"}, []string{"node3", "clickhouse1", "postgres"})
}

// TestReplicaFaults does so with three replicas of ClickHouse, of which two
// suffice.
func TestReplicaFaults(t *testing.T) {
	c := up(t, "--replicas")
	c.checkEach(t)
	c.spoil(t, []string{"clickhouse1", "clickhouse2", "zookeeper", "node1"}, []string{"clickhouse3", "clickhouse1"})
}

// checkEach writes through each node and reads through all.
func (c *cluster) checkEach(t *testing.T) {
	t.Helper()
	for i, node := range c.nodes {
		name := fmt.Sprint("first.", i)
		if err := c.client(node).Record(t.Context(), client.Measurement{Name: name, Value: 7}); err != nil {
			t.Fatal(err)
		}
		for _, reader := range c.nodes {
			series, err := c.client(reader).Measurements(t.Context(), name, url.Values{"resolution": {"60"}, "duration": {"3600"}})
			if err != nil || len(series) != 1 || series[0].Measurements[0].Value != 7 {
				t.Errorf("%s written by node %d and read by %s: %+v, %v", name, i, reader, series, err)
			}
		}
	}
}

// spoil kills and starts, and freezes and thaws, parts while measurements are
// recorded, and checks what is left.
func (c *cluster) spoil(t *testing.T, kill, freeze []string) {
	t.Helper()
	rounds := testdeps.Amount("TIDEMARK_CLUSTER_ROUNDS", 1, 20)
	r := &recorder{c: c, from: time.Now().Unix() - int64(min(rounds, 150))*3600, acked: make(map[string]int64)}
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	var wg sync.WaitGroup
	for i := range streams {
		wg.Go(func() { r.record(ctx, strconv.Itoa(i)) })
	}
	r.well(t, "at first")
	for range rounds {
		for _, name := range kill {
			c.do("kill", name)
			time.Sleep(2 * time.Second)
			c.do("start", name)
			r.well(t, "after "+name+" was killed and started")
		}
		for _, name := range freeze {
			c.do("freeze", name)
			time.Sleep(3 * time.Second)
			c.do("thaw", name)
			r.well(t, "after "+name+" was frozen and thawed")
		}
	}
	stop()
	wg.Wait()
	total := int64(0)
	for _, n := range r.acked {
		total += n
	}
	t.Logf("%d kills, %d freezes; %d measurements acknowledged, %d tries failed", rounds*len(kill), rounds*len(freeze), total, r.fails)
	for _, node := range c.nodes {
		r.check(t, node)
	}
}
