// Command http measures Tidemark over HTTP beside its peers: the same data,
// the same number of connections, one server after the other. Each is loaded
// with requests of 1000 samples that are sent when the one before is
// acknowledged, and then asked three questions.
//
// Only figures of one run can be compared.
package main

import (
	"context"
	"flag"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"
	"time"
)

var (
	tidemarkBin   = flag.String("tidemark", "", "Tidemark's `binary`")
	victoriaBin   = flag.String("victoria", "", "VictoriaMetrics' `binary`")
	prometheusBin = flag.String("prometheus", "", "Prometheus' `binary`")
	influxBin     = flag.String("influxd", "", "InfluxDB's `binary`")
	work          = flag.String("work", "", "`directory` for data; one that is deleted afterwards where empty")
	streams       = flag.Int("streams", 10_000, "number of streams")
	rest          = flag.Duration("rest", 30*time.Second, "how long a server may tidy up before it is asked")
	matrix        = flag.Bool("matrix", false, "measure shapes and states of data beside VictoriaMetrics instead, and compare with the ratios kept")
	protocols     = flag.Bool("protocols", false, "measure protocols and PromQL beside VictoriaMetrics and Prometheus instead")
	clusterDir    = flag.String("cluster", "", "measure the servers that scripts/cluster.sh started in this `directory` instead")
	short         = flag.Bool("short", false, "of the protocols, one round of little data instead of three")
	rounds        = flag.Int("rounds", 1, "how often the matrix is measured")
	keep          = flag.Bool("keep", false, "keep the ratios of the matrix, of each cell the last three")
	printKept     = flag.Bool("print", false, "measure nothing, and print the ratios kept as docs/benchmarks.md has them")
	only          = flag.String("only", "", "only servers whose name has one of these `texts`, with commas between them")
)

func main() {
	log.SetFlags(0)
	flag.Parse()
	if err := bench(context.Background()); err != nil {
		log.Fatal(err)
	}
}

func bench(ctx context.Context) error {
	if *printKept {
		return printRatios(os.Stdout, kept)
	}
	if *clusterDir != "" {
		return runCluster(ctx, *clusterDir)
	}
	dir := *work
	if dir == "" {
		var err error
		if dir, err = os.MkdirTemp("", "tidemark-bench-"); err != nil {
			return err
		}
		defer os.RemoveAll(dir)
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	config := filepath.Join(dir, "prometheus.yml")
	if err := os.WriteFile(config, []byte("global: {}\n"), 0o600); err != nil {
		return err
	}
	if *matrix {
		return runMatrix(ctx, dir)
	}
	if *protocols {
		return runProtocols(ctx, dir, config)
	}
	fmt.Printf("fsync of 4 KiB takes %v (median of 200)\n", fsync(dir).Round(10*time.Microsecond))
	fmt.Printf("%d streams with 5 tags, %d connections, %d samples a request, a durable ack each where the server can\n\n", *streams, connections, perMetric)
	table := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(table, "server\tsamples/s\tCPU s/M\tB/sample\tRSS MB\tack p50\tack p99\t(a) ms\t(b) ms\t(c) ms\t")
	for _, p := range peers(config) {
		if p.binary == "" || !wantedServer(p.name) {
			continue
		}
		row, err := measure(ctx, p, filepath.Join(dir, strings.Map(plainName, p.name)))
		if err != nil {
			return err
		}
		fmt.Fprintln(table, row)
		log.Print(strings.ReplaceAll(row, "\t", "  ")) // a table is only shown when whole
	}
	fmt.Println("(a) 1 stream, 6 h at 60 s; (b) 1000 streams, 6 h at 60 s, summed by one tag; (c) 100 streams, 30 d at 1 h; in parentheses the server's CPU ms and the KiB of one answer, not compressed")
	return table.Flush()
}

func wantedServer(name string) bool {
	return slices.ContainsFunc(strings.Split(*only, ","), func(text string) bool {
		return strings.Contains(strings.ToLower(name), strings.ToLower(text))
	})
}

func plainName(r rune) rune {
	if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' {
		return r
	}
	return -1
}

func peers(config string) []*peer {
	return []*peer{
		tidemark(*tidemarkBin),
		victoria(*victoriaBin, "VictoriaMetrics, JSON", "/api/v1/import", encodeImport),
		victoria(*victoriaBin, "VictoriaMetrics, lines", "/write", encodeInflux),
		prometheus(*prometheusBin, config),
		influx(*influxBin),
	}
}

// measure runs one server through everything and returns its row. The month
// of few streams has an instance of its own, so that it does not count in the
// figures of the load.
func measure(ctx context.Context, p *peer, dir string) (string, error) {
	end := time.Now().Unix()/3600*3600 - 3600
	w := window{recentStart: end - recent, recentEnd: end, longStart: end - longSpan, longEnd: end}
	l, err := p.part(ctx, dir+"-load", makeStreams("load", *streams), w.recentStart, w.recentEnd, p.questions(w)[:2])
	if err != nil {
		return "", err
	}
	long, err := p.part(ctx, dir+"-long", makeStreams("long", longStreams), w.longStart, w.longEnd, p.questions(w)[2:])
	if err != nil {
		return "", err
	}
	row := fmt.Sprintf("%s\t%.0f\t%.2f\t%.2f\t%d\t%v\t%v\t", p.name,
		float64(l.samples)/l.took.Seconds(), l.cpu.Seconds()/float64(l.samples)*1e6, float64(l.size)/float64(l.samples), l.rss>>20,
		l.percentile(50).Round(100*time.Microsecond), l.percentile(99).Round(100*time.Microsecond))
	for _, a := range append(l.answers, long.answers...) {
		row += fmt.Sprintf("%.1f (%.1f, %d)\t", float64(a.took.Microseconds())/1000, float64(a.cpu.Microseconds())/1000, (a.size+1023)>>10)
	}
	return row, nil
}

// part loads a server, starts it anew so that no answer comes from what it
// happens to hold, lets it rest, and asks.
func (p *peer) part(ctx context.Context, dir string, streams []*stream, start, end int64, questions []question) (*loaded, error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, err
	}
	s, err := p.run(ctx, dir, true)
	if err != nil {
		return nil, err
	}
	empty := s.empty()
	l, err := load(ctx, s, streams, plain, start, end)
	if err == nil && p.flush != "" {
		_, _, err = s.get(ctx, p.flush)
	}
	if err != nil {
		s.stop()
		return nil, err
	}
	l.rss = s.rss()
	s.stop()
	if s, err = p.run(ctx, dir, false); err != nil {
		return nil, err
	}
	defer func() {
		s.stop()
		l.size = size(dir) - empty
	}()
	time.Sleep(*rest)
	s.settle()
	for _, q := range questions {
		a, err := ask(ctx, s, q, usual)
		if err != nil {
			return nil, err
		}
		l.answers = append(l.answers, a)
	}
	return l, nil
}

// fsync returns how long the disk takes to make a small write durable.
func fsync(dir string) time.Duration {
	f, err := os.Create(filepath.Join(dir, "fsync"))
	if err != nil {
		return 0
	}
	defer os.Remove(f.Name())
	defer f.Close()
	page := make([]byte, 4096)
	var all []time.Duration
	for range 200 {
		began := time.Now()
		if _, err := f.Write(page); err != nil {
			return 0
		}
		if err := f.Sync(); err != nil {
			return 0
		}
		all = append(all, time.Since(began))
	}
	slices.Sort(all)
	return all[len(all)/2]
}
