package cluster_test

import (
	"context"
	"fmt"
	"maps"
	"net/url"
	"os"
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
	// right and unread count the reads that were answered, and those that failed.
	right, unread int
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

// series reads everything that was recorded from a server.
func (r *recorder) series(ctx context.Context, server string) ([]client.Series, error) {
	return r.c.client(server).Measurements(ctx, "load", url.Values{
		"resolution": {"1"}, "start_time": {strconv.FormatInt(r.from, 10)}, "end_time": {strconv.FormatInt(time.Now().Unix(), 10)},
	})
}

// read asks the servers in turn, until it is stopped: an answer has all that
// was acknowledged before it was asked for, or there is an error.
func (r *recorder) read(ctx context.Context, t *testing.T) {
	for i := 0; ctx.Err() == nil; i++ {
		node := r.c.nodes[i%len(r.c.nodes)]
		before := r.counts()
		try, cancel := context.WithTimeout(context.WithoutCancel(ctx), 10*time.Second)
		series, err := r.series(try, node)
		cancel()
		if err != nil {
			r.unread++
		} else {
			r.right++
			r.compare(t, node, series, func(stream string, n int64) bool { return n >= before[stream] })
		}
		time.Sleep(100 * time.Millisecond)
	}
}

// check compares what a node has with what was acknowledged.
func (r *recorder) check(t *testing.T, node string) {
	t.Helper()
	series, err := r.series(t.Context(), node)
	if err != nil {
		t.Fatalf("%s: %v\nClickHouse had these errors:\n%s", node, err, r.c.clickhouseErrors())
	}
	r.compare(t, node, series, func(stream string, n int64) bool { return n == r.acked[stream] })
}

// compare looks whether a node has every stream, without a gap and with its
// values, and as many of each as want says.
func (r *recorder) compare(t *testing.T, node string, series []client.Series, want func(stream string, n int64) bool) {
	t.Helper()
	if len(series) != streams {
		t.Errorf("%s has %d streams, want %d", node, len(series), streams)
	}
	for _, s := range series {
		stream, n := s.Tags["stream"], int64(len(s.Measurements))
		if !want(stream, n) {
			t.Errorf("%s: stream %s has %d measurements, which is not what was acknowledged", node, stream, n)
		}
		for i, m := range s.Measurements {
			if m.Time != r.from+int64(i) || m.Value != float64(i) {
				t.Errorf("%s: stream %s: measurement %d is %v at %d", node, stream, i, m.Value, m.Time)
				break
			}
		}
	}
}

// TestFaults ends and freezes each part in turn while measurements are
// recorded: what was acknowledged is there, once, on every node.
func TestFaults(t *testing.T) {
	c := newCluster(t)
	a := newAlarm(t, c)
	c.checkEach(t)
	a.spoil(t, append(c.killed("node2", "clickhouse1", "node1", "postgres", "balancer"), c.frozen("node3", "clickhouse1", "postgres")...))
}

// TestReplicaFaults does so with three replicas of ClickHouse, of which two
// suffice.
func TestReplicaFaults(t *testing.T) {
	if os.Getenv("TIDEMARK_TEST_CLUSTER") == "short" {
		t.Skip("takes more downloads: make test-cluster does it")
	}
	c := newCluster(t)
	first := standBetween(t, c, "ch1", "TIDEMARK_TEST_CLICKHOUSE_PORT")
	keeper := standBetween(t, c, "zk", "TIDEMARK_TEST_ZOOKEEPER_PORT")
	a := newAlarm(t, c, "--replicas")
	c.checkEach(t)
	// Each of them, whichever the servers use by then.
	faults := append(c.killed("clickhouse1", "clickhouse2", "clickhouse3", "zookeeper", "node1"), c.frozen("clickhouse3", "clickhouse1", "clickhouse2", "zookeeper")...)
	faults = append(faults, first.slow(300*time.Millisecond), keeper.slow(300*time.Millisecond))
	if os.Getenv("TIDEMARK_TEST_NETWORK") != "" {
		faults = append(faults, c.cut("clickhouse2", "ch2", "tcp2", "is2"), c.cut("clickhouse1", "ch1", "tcp1", "is1"), c.cut("clickhouse3", "ch3", "tcp3", "is3"), c.cut("zookeeper", "zk"))
	}
	a.spoil(t, faults)
}

// TestShardFaults does so with two shards of two replicas each, both of which
// must have what is acknowledged.
func TestShardFaults(t *testing.T) {
	if os.Getenv("TIDEMARK_TEST_CLUSTER") == "short" {
		t.Skip("takes more downloads: make test-cluster does it")
	}
	c := newCluster(t)
	a := newAlarm(t, c, "--replicas=2x2")
	c.checkEach(t)
	// The servers use the first; ClickHouse itself chooses one of the last two.
	a.spoil(t, append(c.killed("clickhouse3", "clickhouse1", "clickhouse4", "zookeeper"), c.frozen("clickhouse3", "clickhouse2")...))
}

// fault is what happens to a part for a while.
type fault struct {
	what       string
	begin, end func()
	lasts      time.Duration
}

func (c *cluster) killed(names ...string) (all []fault) {
	for _, name := range names {
		all = append(all, fault{name + " was killed", func() { c.do("kill", name) }, func() { c.do("start", name) }, 2 * time.Second})
	}
	return all
}

func (c *cluster) frozen(names ...string) (all []fault) {
	for _, name := range names {
		all = append(all, fault{name + " was frozen", func() { c.do("freeze", name) }, func() { c.do("thaw", name) }, 3 * time.Second})
	}
	return all
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

// spoil has one fault after the other happen while measurements are recorded
// and read and an alert fires and clears, and checks what is left.
func (a *alarm) spoil(t *testing.T, faults []fault) {
	t.Helper()
	c := a.c
	rounds := testdeps.Amount("TIDEMARK_CLUSTER_ROUNDS", 1, 20)
	r := &recorder{c: c, from: time.Now().Unix() - int64(min(rounds, 150))*3600, acked: make(map[string]int64)}
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	var wg sync.WaitGroup
	for i := range streams {
		wg.Go(func() { r.record(ctx, strconv.Itoa(i)) })
	}
	r.well(t, "at first")
	wg.Go(func() { r.read(ctx, t) })
	for range rounds {
		for _, f := range faults {
			f.begin()
			told := a.change()
			time.Sleep(f.lasts)
			f.end()
			r.well(t, "after "+f.what)
			told(t, f.what)
		}
	}
	stop()
	wg.Wait()
	a.once(t)
	total := int64(0)
	for _, n := range r.acked {
		total += n
	}
	t.Logf("%d faults; %d measurements acknowledged, %d tries failed; %d reads were right, %d failed; %d notifications",
		rounds*len(faults), total, r.fails, r.right, r.unread, len(a.all()))
	for _, node := range c.nodes {
		r.check(t, node)
	}
}
