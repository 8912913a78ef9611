package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"text/tabwriter"
	"time"
)

// Data of the measurements of writing, and how it is sent.
const (
	clusterEvery   = 10 // seconds between the samples of a stream
	fullRequest    = 1000
	clusterSenders = 64
	smallRequest   = 100
)

// What is aimed at.
const (
	goalNodeCPU  = 0.7 // seconds for a million samples
	goalStoreCPU = 1.5
	goalAck50    = 50 * time.Millisecond // where little comes
	goalAck99    = 300 * time.Millisecond
	goalDirect   = 1.3 // times what ClickHouse takes when it is asked itself
)

// cluster is what scripts/cluster.sh started.
type cluster struct {
	dir        string
	nodes      []string
	clickhouse string
	peer       *peer
}

// openCluster reads what is in a directory of scripts/cluster.sh.
func openCluster(dir string) (*cluster, error) {
	text, err := os.ReadFile(filepath.Join(dir, "env"))
	if err != nil {
		return nil, err
	}
	env := map[string]string{}
	for line := range strings.Lines(string(text)) {
		name, value, _ := strings.Cut(strings.TrimSpace(line), "=")
		env[name] = strings.Trim(value, `"`)
	}
	p := tidemark("")
	p.token = env["TOKEN"]
	return &cluster{dir: dir, nodes: strings.Fields(env["NODES"]), clickhouse: strings.Fields(env["CLICKHOUSE"])[0], peer: p}, nil
}

// cpu returns what the parts whose names begin so have used, with all that they
// started.
func (c *cluster) cpu(part string) (used time.Duration) {
	files, _ := filepath.Glob(filepath.Join(c.dir, "pids", part+"*"))
	ours := map[string]bool{}
	for _, file := range files {
		if pid, err := os.ReadFile(file); err == nil {
			ours[strings.TrimSpace(string(pid))] = true
		}
	}
	stats, _ := filepath.Glob("/proc/[0-9]*/stat")
	for _, file := range stats {
		text, err := os.ReadFile(file)
		if err != nil {
			continue // it has ended
		}
		// After the name, which is in parentheses: the parent is the second, and
		// times in hundredths of a second are the 12th to the 15th.
		f := strings.Fields(string(text[bytes.LastIndexByte(text, ')')+1:]))
		if len(f) < 15 || !ours[filepath.Base(filepath.Dir(file))] && !ours[f[1]] {
			continue
		}
		for _, ticks := range f[11:15] {
			n, _ := strconv.ParseInt(ticks, 10, 64)
			used += time.Duration(n) * 10 * time.Millisecond
		}
	}
	return used
}

// parts are whose CPU is counted.
var parts = []string{"node", "clickhouse", "postgres"}

func (c *cluster) usage() (all [3]time.Duration) {
	for i, part := range parts {
		all[i] = c.cpu(part)
	}
	return all
}

// used returns what do takes of each part, but for what they use at rest.
func (c *cluster) used(do func() error) (all [3]time.Duration, err error) {
	rest := c.usage()
	time.Sleep(restFor)
	before, began := c.usage(), time.Now()
	err = do()
	for i, after := range c.usage() {
		all[i] = after - before[i] - time.Duration(float64(before[i]-rest[i])*time.Since(began).Seconds()/restFor.Seconds())
	}
	return all, err
}

// restFor is how long is looked at what parts use at rest.
const restFor = 5 * time.Second

// settle waits until ClickHouse has had nothing to do for some seconds.
func (c *cluster) settle(seconds int) {
	for quiet := 0; quiet < seconds; {
		before := c.cpu("clickhouse")
		time.Sleep(time.Second)
		if quiet++; c.cpu("clickhouse")-before > 200*time.Millisecond {
			quiet = 0
		}
	}
}

// runCluster measures several servers on PostgreSQL and ClickHouse.
func runCluster(ctx context.Context, dir string) error {
	c, err := openCluster(dir)
	if err != nil {
		return err
	}
	table := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
	defer table.Flush()
	end := time.Now().Unix()/3600*3600 - 3600
	if err := c.measureWriting(ctx, table, end); err != nil {
		return err
	}
	if err := c.measureAcks(ctx, table); err != nil {
		return err
	}
	return c.measureQuestions(ctx, table, end)
}

// measureWriting sends as much as is taken to one, two and three servers.
func (c *cluster) measureWriting(ctx context.Context, table io.Writer, end int64) error {
	fmt.Fprintf(table, "%d samples a request, %d connections\tsamples/s\tCPU s/M: servers\tClickHouse\tPostgreSQL\tack p50\tack p99\n", fullRequest, clusterSenders)
	for n := 1; n <= len(c.nodes); n++ {
		var l *loaded
		used, err := c.used(func() (err error) {
			l, err = c.fill(ctx, c.nodes[:n], makeStreams(fmt.Sprintf("fill%d", n), perMetric), shape{every: clusterEvery, next: gauge}, end-recent, end)
			c.settle(3) // merges count
			return err
		})
		if err != nil {
			return err
		}
		perMillion := func(i int) float64 { return used[i].Seconds() / float64(l.samples) * 1e6 }
		row := fmt.Sprintf("%d servers\t%.0f\t%.2f (goal %.1f)\t%.2f (goal %.1f)\t%.2f\t%v\t%v (goal %v)", n, float64(l.samples)/l.took.Seconds(),
			perMillion(0), goalNodeCPU, perMillion(1), goalStoreCPU, perMillion(2), round(l.percentile(50)), round(l.percentile(99)), goalAck99)
		fmt.Fprintln(table, row)
		log.Print(strings.ReplaceAll(row, "\t", "  "))
	}
	return nil
}

func round(d time.Duration) time.Duration { return d.Round(100 * time.Microsecond) }

// fill sends data to servers in full requests, each when the one before on its
// connection is acknowledged.
func (c *cluster) fill(ctx context.Context, nodes []string, streams []*stream, sh shape, start, end int64) (*loaded, error) {
	l := &loaded{}
	queue := make(chan []sample, clusterSenders)
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var wg sync.WaitGroup
	began := time.Now()
	for i := range clusterSenders {
		to := &running{peer: c.peer, url: nodes[i%len(nodes)]}
		wg.Go(func() {
			if err := l.sendQueue(ctx, to, queue); err != nil {
				cancel(err)
			}
		})
	}
	var full []sample
	flush := func() bool {
		select {
		case queue <- full:
			full = nil
			return true
		case <-ctx.Done():
			return false
		}
	}
	batches(streams, sh, start, end, func(_ int, batch []sample) bool {
		full = append(full, batch...)
		return len(full) < fullRequest || flush()
	})
	if len(full) > 0 {
		flush()
	}
	close(queue)
	wg.Wait()
	l.took = time.Since(began)
	slices.Sort(l.acks)
	return l, context.Cause(ctx)
}

// measureAcks sends small requests at a steady pace, to each server in turn,
// whether or not those before are acknowledged.
func (c *cluster) measureAcks(ctx context.Context, table io.Writer) error {
	fmt.Fprintf(table, "\n%d samples a request\tack p50\tack p99\n", smallRequest)
	streams := makeStreams("paced", smallRequest)
	for _, pace := range []struct{ perSecond, seconds int }{{1, 30}, {10, 15}, {100, 15}} {
		l := &loaded{}
		var mu sync.Mutex
		var wg sync.WaitGroup
		var failed error
		tick := time.NewTicker(time.Second / time.Duration(pace.perSecond))
		for i := range pace.perSecond * pace.seconds {
			<-tick.C
			wg.Go(func() {
				var body bytes.Buffer
				batch := make([]sample, len(streams))
				for n, s := range streams {
					batch[n] = sample{stream: s, time: time.Now().Unix() - int64(i%100), value: "1.5", number: 1.5}
				}
				c.peer.encode(&body, batch)
				to := &requests{&running{peer: c.peer, url: c.nodes[i%len(c.nodes)]}, http.DefaultClient}
				began := time.Now()
				err := to.send(ctx, body.Bytes())
				mu.Lock()
				defer mu.Unlock()
				if l.acks = append(l.acks, time.Since(began)); err != nil {
					failed = err
				}
			})
		}
		tick.Stop()
		if wg.Wait(); failed != nil {
			return failed
		}
		slices.Sort(l.acks)
		row := fmt.Sprintf("%d requests a second\t%v (goal %v)\t%v (goal %v)", pace.perSecond, round(l.percentile(50)), goalAck50, round(l.percentile(99)), goalAck99)
		fmt.Fprintln(table, row)
		log.Print(strings.ReplaceAll(row, "\t", "  "))
	}
	return nil
}

// hoursAfter is after how long servers make hours of what they were sent.
const hoursAfter = 80 * time.Second

// measureQuestions asks (a), (b) and (c), and asks ClickHouse itself what the
// servers ask it for them.
func (c *cluster) measureQuestions(ctx context.Context, table io.Writer, end int64) error {
	w := window{recentStart: end - recent, recentEnd: end, longStart: end - longSpan, longEnd: end}
	for _, part := range []struct {
		streams []*stream
		start   int64
	}{{makeStreams("load", perMetric), w.recentStart}, {makeStreams("long", longStreams), w.longStart}} {
		if _, err := c.fill(ctx, c.nodes, part.streams, plain, part.start, end); err != nil {
			return err
		}
	}
	time.Sleep(hoursAfter)
	c.settle(20)
	proxy, err := c.startRecording(ctx)
	if err != nil {
		return err
	}
	defer proxy.stop()
	fmt.Fprintln(table, "\nquestion\tserver\tCPU: server\tClickHouse\tClickHouse asked itself\tratio")
	for i, q := range c.peer.questions(w) {
		c.settle(10) // hours are made bit by bit
		var a answered
		used, err := c.used(func() (err error) {
			a, err = ask(ctx, &running{peer: c.peer, url: c.nodes[0], cmd: proxy.server.cmd}, q, usual)
			return err
		})
		if err != nil {
			return err
		}
		// Only now: the server that shows them has just been started, and learns how
		// far the hours reach.
		statements, err := proxy.statementsOf(ctx, q)
		if err != nil {
			return err
		}
		direct, err := askItself(ctx, statements)
		if err != nil {
			return err
		}
		ratio := float64(a.took) / float64(direct)
		row := fmt.Sprintf("(%c), %d statements\t%v\t%v\t%v\t%v\t%.2f (goal %.1f)", 'a'+i, len(statements), round(a.took),
			round(used[0]/time.Duration(a.times)), round(used[1]/time.Duration(a.times)), round(direct), ratio, goalDirect)
		fmt.Fprintln(table, row)
		log.Print(strings.ReplaceAll(row, "\t", "  "))
	}
	fmt.Fprintln(table, "\n(a) 1 stream, 6 h at 60 s; (b) 1000 streams, 6 h at 60 s, summed by one tag; (c) 100 streams, 30 d at 1 h; medians, CPU on average. Goals: (b) 150 ms, (c) 50 ms")
	return nil
}

// recording is one more server, whose way to ClickHouse leads past us.
type recording struct {
	server *running
	proxy  *httptest.Server
	mu     sync.Mutex
	on     bool
	kept   []statement
}

// statement is what a server asked of ClickHouse.
type statement struct {
	url    string
	header http.Header
	body   []byte
}

// startRecording starts a server with the settings of the first one, but for
// where it is and how it reaches ClickHouse.
func (c *cluster) startRecording(ctx context.Context) (*recording, error) {
	to, err := url.Parse(c.clickhouse)
	if err != nil {
		return nil, err
	}
	rec := &recording{}
	forward := httputil.NewSingleHostReverseProxy(to)
	rec.proxy = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		r.Body = io.NopCloser(bytes.NewReader(body))
		if sql := r.URL.Query().Get("query") + string(body); strings.HasPrefix(strings.TrimSpace(sql), "SELECT") || strings.HasPrefix(strings.TrimSpace(sql), "WITH") {
			rec.mu.Lock()
			if rec.on {
				rec.kept = append(rec.kept, statement{to.JoinPath(r.URL.Path).String() + "?" + r.URL.RawQuery, r.Header.Clone(), body})
			}
			rec.mu.Unlock()
		}
		forward.ServeHTTP(w, r)
	}))
	addr, err := freeAddr()
	if err != nil {
		return nil, err
	}
	cmd := exec.CommandContext(ctx, "bash", "-c", fmt.Sprintf(`. %q; export TIDEMARK_CLICKHOUSE_URLS=%s TIDEMARK_LISTEN=%s TIDEMARK_DATA=%q; exec "$bin" serve`,
		filepath.Join(c.dir, "settings/node1"), rec.proxy.URL, addr, filepath.Join(c.dir, "recording")))
	rec.server = &running{peer: c.peer, url: "http://" + addr, cmd: cmd}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	return rec, rec.server.awaitReady(ctx)
}

func (rec *recording) stop() {
	rec.server.stop()
	rec.proxy.Close()
}

// statementsOf returns what a server that was asked the same before asks
// ClickHouse. What it asks for other reasons meanwhile is left out: of several
// tries the one with the fewest statements counts.
func (rec *recording) statementsOf(ctx context.Context, q question) (fewest []statement, err error) {
	for try := range 6 {
		rec.mu.Lock()
		rec.kept, rec.on = nil, true
		rec.mu.Unlock()
		_, _, err := rec.server.get(ctx, q.path)
		rec.mu.Lock()
		kept := rec.kept
		rec.on = false
		rec.mu.Unlock()
		if err != nil {
			return nil, err
		}
		if try == 1 || try > 1 && len(kept) < len(fewest) {
			fewest = kept
		}
	}
	if len(fewest) == 0 {
		return nil, fmt.Errorf("nothing is asked of ClickHouse for %s", q.path)
	}
	return fewest, nil
}

// askItself asks ClickHouse what a server asked it, one after the other, and
// returns the median of what all of it took.
func askItself(ctx context.Context, statements []statement) (time.Duration, error) {
	var all []time.Duration
	for range usual.times {
		began := time.Now()
		for _, st := range statements {
			if err := st.ask(ctx); err != nil {
				return 0, err
			}
		}
		all = append(all, time.Since(began))
	}
	slices.Sort(all)
	return all[len(all)/2], nil
}

func (st *statement) ask(ctx context.Context) error {
	req, err := http.NewRequestWithContext(ctx, "POST", st.url, bytes.NewReader(st.body))
	if err != nil {
		return err
	}
	req.Header = st.header
	resp, err := questions.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		text, _ := io.ReadAll(io.LimitReader(resp.Body, 300))
		return fmt.Errorf("ClickHouse answers %s: %s", resp.Status, text)
	}
	_, err = io.Copy(io.Discard, resp.Body)
	return err
}
