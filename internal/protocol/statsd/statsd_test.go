package statsd_test

import (
	"fmt"
	"strings"
	"testing"

	. "github.com/tidemark-metrics/tidemark/internal/protocol/protocoltest"
	"github.com/tidemark-metrics/tidemark/internal/protocol/statsd"
)

func TestAggregator(t *testing.T) {
	for packet, want := range map[string]string{
		"":                                       "",
		"hits:1|c":                               "hits{} delta @9000 1\n",
		"hits:1|c\nhits:2|c|@0.1\nhits:-1|c\r\n": "hits{} delta @9000 20\n",
		"load:3|g\nload:+2|g\nload:-1.5|g":       "load{} gauge @9000 3.5\n",
		"load:-4|g":                              "load{} gauge @9000 -4\n",
		"t:10|ms\nt:30|ms\nt:20|ms":              "t{} distribution @9000 count 3 sum 60 min 10 max 30 median 20.1\n",
		"t:10|h|@0.5\nt:20|h":                    "t{} distribution @9000 count 3 sum 40 min 10 max 20 median 10\n",
		"t:1:2:3|d":                              "t{} distribution @9000 count 3 sum 6 min 1 max 3 median 2.02\n",
		"u:a|s\nu:b|s\nu:a|s":                    "u{} gauge @9000 2\n",
		"hits:1|c|#env:prod,canary,url:http://x/y,empty:|c:ab12": "hits{canary=true,env=prod,url=http://x/y} delta @9000 1\n",
		"hits:1|c|#b:1,a:2\nhits:2|c|#a:2,b:1\nhits:4|c|#a:2":    "hits{a=2} delta @9000 4\nhits{a=2,b=1} delta @9000 3\n",
		"hits,host=a:80,dc=x:1|c":                                "hits{dc=x,host=a:80} delta @9000 1\n",
		"hits;host=a;dc=x:1|c|@0.5":                              "hits{dc=x,host=a} delta @9000 2\n",
		"hits:2|c|@0.5|T1754300400\nhits:1|c\nload:5|g|T1754300400": "" +
			"hits{} delta @9000 1\nhits{} delta @1754300400000 4\nload{} gauge @1754300400000 5\n",
		"a b/c:1|c":                           "a_x20_b_x2f_c{} delta @9000 1\n",
		"x:1|c\nx:5|g":                        "x{} delta @9000 1\nx{} gauge @9000 5\n",
		"x:1|c\n_e{5,4}:title|text\n_sc|db|0": "x{} delta @9000 1\n- 2 events, service checks and the like are not kept: _e{5,4}:title|text\n",
		"x:1|c\nx:nan|g\nx:inf|ms\nx:1e999|c": "x{} delta @9000 1\n- 3 the value is NaN or infinite: x\n",
		"x:1e308|c\nx:1e308|c":                "- 1 the value is NaN or infinite: x\n",
		"t:1e308|ms\nt:1e308|ms":              "- 1 the value is NaN or infinite: t\n",
		"x:1|c|#t:1,t:2":                      "x{t=2} delta @9000 1\n- 1 has a label twice: the last one counts: x: t\n",
		",a=b:1|c":                            "- 1 has no name: ,a=b\n",
	} {
		checkFlush(t, packet, want)
	}
}

// checkFlush asserts what is flushed after a packet, and that it is so once.
func checkFlush(t *testing.T, packet, want string) {
	t.Helper()
	a := statsd.New(statsd.DefaultLimits)
	a.Add([]byte(packet))
	b := a.Flush(9000)
	Check(t, b)
	if got := Text(b); got != want {
		t.Errorf("%q: got %s want %s", packet, got, want)
	}
	if got := Text(a.Flush(10000)); got != "" {
		t.Errorf("%q: a second flush has %s", packet, got)
	}
}

func TestBadLines(t *testing.T) {
	for line, want := range map[string]string{
		"hits":                                  "has no type",
		"hits|c":                                "no name or no value",
		":1|c":                                  "no name or no value",
		"hits:1|x":                              "has a type",
		"hits:1|":                               "has a type",
		"hits:|c":                               "no number",
		"hits:x|c":                              "no number",
		"hits:1|c|@0":                           "sampling rate",
		"hits:1|c|@2":                           "sampling rate",
		"hits:1|c|@x":                           "sampling rate",
		"hits:1|c|@nan":                         "sampling rate",
		"hits:1|c|":                             "empty part",
		"hits:1|c|Tx":                           "has a time",
		"hits:1|c|T-5":                          "has a time",
		"a:1|c|#" + strings.Repeat("x", 70_000): "too long",
	} {
		a := statsd.New(statsd.DefaultLimits)
		a.Add([]byte("good:1|c\n" + line + "\ngood:1|c"))
		if got := Text(a.Flush(9000)); !strings.HasPrefix(got, "good{} delta @9000 2\n- 1 is not understood: line 2: ") || !strings.Contains(got, want) {
			t.Errorf("%.40q: got %s want %s", line, got, want)
		}
	}
}

// TestGauges holds that a difference is to the value of an earlier flush.
func TestGauges(t *testing.T) {
	a := statsd.New(statsd.DefaultLimits)
	a.Add([]byte("load:10|g"))
	a.Flush(1)
	a.Flush(2)
	a.Add([]byte("load:+5|g"))
	if got := Text(a.Flush(3)); got != "load{} gauge @3 15\n" {
		t.Error(got)
	}
	for i := range 400 {
		a.Flush(int64(4 + i))
	}
	a.Add([]byte("load:+5|g"))
	if got := Text(a.Flush(1000)); got != "load{} gauge @1000 5\n" {
		t.Errorf("after a long time: %s", got)
	}
}

// TestLimits holds that series, members and names are bounded, that what is
// over is counted, and that room is found again.
func TestLimits(t *testing.T) {
	a := statsd.New(statsd.Limits{Series: 2, Members: 3, Bytes: 100})
	a.Add([]byte("a:1|c\nb:1|c\nc:1|c\na:1|c\nd:1|g"))
	if got := Text(a.Flush(9)); got != "a{} delta @9 2\nb{} delta @9 1\n- 2 over the number of series that are kept between flushes: c\n" {
		t.Error(got)
	}
	a = statsd.New(statsd.Limits{Series: 9, Members: 3, Bytes: 100})
	for range 2 {
		a.Add([]byte("t:1:2|ms\nu:a:b:a:c|s"))
		if got := Text(a.Flush(9)); got != "t{} distribution @9 count 2 sum 3 min 1 max 2 median 1.01\nu{} gauge @9 1\n"+
			"- 2 over the number of values that are kept between flushes: u\n" {
			t.Error(got)
		}
	}
	a.Add([]byte("x:1|c|#l:" + strings.Repeat("v", 100)))
	if got := Text(a.Flush(9)); !strings.HasPrefix(got, "- 1 over the number of series") {
		t.Error(got)
	}
	a = statsd.New(statsd.Limits{Series: 2, Members: 9, Bytes: 1000})
	for i := range 100 { // one series in ever new spellings
		a.Add(fmt.Appendf(nil, "x:1|c|#a:1,,%s", strings.Repeat(",", i)))
	}
	if got := Text(a.Flush(9)); got != "x{a=1} delta @9 100\n" {
		t.Error(got)
	}
}

func FuzzAdd(f *testing.F) {
	for _, s := range []string{"hits:1|c|@0.1|#a:b,c", "t:1:2:3|d\nu:a|s", "g,a=b:+1|g\ng;a=b:-1|g|T1754300400", "_e{1,1}:a|b"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, packet []byte) {
		a := statsd.New(statsd.Limits{Series: 10, Members: 100, Bytes: 1000})
		a.Add(packet)
		a.Add(packet)
		Check(t, a.Flush(1))
	})
}

func BenchmarkAdd(b *testing.B) {
	var packets [][]byte
	const n = 20
	for i := range 50 {
		var p strings.Builder
		for j := range n {
			fmt.Fprintf(&p, "shop.request.duration:%d.5|%s|#env:prod,host:web-%02d,route:/cart/%d\n", 10+i*j%300, []string{"ms", "c", "g"}[j%3], i, j)
		}
		packets = append(packets, []byte(p.String()))
	}
	a := statsd.New(statsd.DefaultLimits)
	i := 0
	b.ReportAllocs()
	for b.Loop() {
		a.Add(packets[i%len(packets)])
		i++
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/n, "ns/sample")
}
