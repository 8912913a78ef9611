package otlp_test

import (
	"flag"
	"fmt"
	"strings"
	"testing"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/protocol"
	"github.com/tidemark-metrics/tidemark/internal/protocol/otlp"
	. "github.com/tidemark-metrics/tidemark/internal/protocol/protocoltest"
)

var update = flag.Bool("update", false, "write what comes out to testdata")

// TestDecode decodes a request that was made with the library of
// OpenTelemetry, in both its forms, which say the same.
func TestDecode(t *testing.T) {
	d := otlp.New(otlp.DefaultResource)
	b := protocol.NewBatch(protocol.DefaultLimits)
	for i := range 2 {
		b.Reset()
		if err := d.Decode(Read(t, "testdata/request.pb"), b); err != nil {
			t.Fatal(err)
		}
		Check(t, b)
		Golden(t, "testdata/request.txt", b, *update && i == 0)
		b.Reset()
		if err := d.DecodeJSON(Read(t, "testdata/request.json"), b); err != nil {
			t.Fatal(err)
		}
		Check(t, b)
		Golden(t, "testdata/request.txt", b, false)
	}
}

func attr(name, value string) []byte { return Message(1, name, 2, Message(1, value)) }

// gauge is a request with one metric, with the given fields of its point.
func gauge(fields ...any) []byte {
	return Message(1, Message(2, Message(2, Message(1, "m", 5, Message(1, Message(fields...))))))
}

func TestOddities(t *testing.T) {
	deep := Message(1, "x")
	for range 100 {
		deep = Message(5, Message(1, deep))
	}
	var many []any
	for i := range 51 {
		many = append(many, 7, attr(fmt.Sprint("a", i), "v"))
	}
	point := Message(3, uint64(5e6), 4, 1.5)
	for name, c := range map[string]struct {
		body []byte
		want string
	}{
		"nothing":    {nil, ""},
		"no time":    {gauge(4, 1.5), "m{} gauge @0 1.5\n# m: gauge \"\" \"\"\n"},
		"deep value": {gauge(4, 1.5, 7, Message(1, "a", 2, deep)), "m{a=_x5b__x5b__x5b__x5b__x5b__x5d__x5d__x5d__x5d__x5d_} gauge @0 1.5\n# m: gauge \"\" \"\"\n"},
		"no number":  {gauge(4, 0.0, 6, uint64(7)), "m{} gauge @0 7\n# m: gauge \"\" \"\"\n"},
		"too many":   {gauge(append(many, 4, 1.0)...), "# m: gauge \"\" \"\"\n- 1 has more than 50 labels: m\n"},
		"the name comes last": {
			Message(1, Message(2, Message(2, Message(7, Message(1, point, 2, 1), 1, "m")))), "m{} delta @5 1.5\n# m: gauge \"\" \"\"\n",
		},
		"the resource comes last": {
			Message(1, Message(2, Message(2, Message(1, "m", 5, Message(1, point)), 1, Message(1, "lib")), 1, Message(1, attr("host.name", "a")))),
			"m{host.name=a,otel.scope.name=lib} gauge @5 1.5\n# m: gauge \"\" \"\"\n",
		},
	} {
		b := protocol.NewBatch(protocol.DefaultLimits)
		if err := otlp.New(otlp.DefaultResource).Decode(c.body, b); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		Check(t, b)
		if got := Text(b); got != c.want {
			t.Errorf("%s: got %s want %s", name, got, c.want)
		}
	}
}

func TestAllAttributes(t *testing.T) {
	b := protocol.NewBatch(protocol.DefaultLimits)
	if err := otlp.New([]string{"*"}).Decode(Read(t, "testdata/request.pb"), b); err != nil {
		t.Fatal(err)
	}
	if got := b.Points[0].Labels.String(); !strings.Contains(got, "process.pid=4711") || !strings.Contains(got, "host.name=other") {
		t.Error(got)
	}
}

func TestErrors(t *testing.T) {
	d := otlp.New(nil)
	for name, c := range map[string]struct {
		decode func([]byte, *protocol.Batch) error
		body   string
		want   string
	}{
		"cut":             {d.Decode, string(gauge(4, 1.5)[:10]), "at byte 0"},
		"cut inside":      {d.Decode, string(Message(1, Message(2, Message(2, []byte("\x0a\x05m"))))), "at byte 6"},
		"a cut attribute": {d.Decode, string(gauge(7, "\x0a\x05m")), "ends in the middle"},
		"a cut value":     {d.Decode, string(gauge(7, Message(2, "\x0a\x05m"))), "ends in the middle"},
		"a text for time": {d.Decode, string(gauge(3, "x")), "field 3 with type 2"},
		"no JSON":         {d.DecodeJSON, `{"resourceMetrics":`, "not JSON, at byte 19"},
		"a name of 5":     {d.DecodeJSON, `{"resourceMetrics":[{"scopeMetrics":[{"metrics":[{"name":5}]}]}]}`, "is a number"},
		"a time of x":     {d.DecodeJSON, `{"resourceMetrics":[{"scopeMetrics":[{"metrics":[{"name":"m","gauge":{"dataPoints":[{"timeUnixNano":"x"}]}}]}]}]}`, `"x"`},
	} {
		err := c.decode([]byte(c.body), protocol.NewBatch(protocol.DefaultLimits))
		if tidemark.KindOf(err) != tidemark.Invalid || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
	for _, decode := range map[string]func(*protocol.Batch) error{
		"pb":   func(b *protocol.Batch) error { return d.Decode(Read(t, "testdata/request.pb"), b) },
		"json": func(b *protocol.Batch) error { return d.DecodeJSON(Read(t, "testdata/request.json"), b) },
	} {
		if err := decode(protocol.NewBatch(protocol.Limits{Points: 5})); tidemark.KindOf(err) != tidemark.TooLarge {
			t.Error(err)
		}
	}
}

// TestMemory holds that a body does not take many times its size, whatever it
// is full of.
func TestMemory(t *testing.T) {
	nothing := strings.Repeat("{},", 1<<16) + "{}"
	wrap := func(s string) string { return `{"resourceMetrics":[{"scopeMetrics":[{"metrics":[` + s + `]}]}]}` }
	for name, body := range map[string]string{
		"resources":  `{"resourceMetrics":[` + nothing + `]}`,
		"metrics":    wrap(nothing),
		"points":     wrap(`{"name":"m","gauge":{"dataPoints":[` + nothing + `]}}`),
		"attributes": wrap(`{"name":"m","gauge":{"dataPoints":[{"attributes":[` + nothing + `]}]}}`),
		"buckets":    wrap(`{"name":"m","histogram":{"dataPoints":[{"bucketCounts":[` + strings.Repeat("0,", 1<<16) + `0]}]}}`),
	} {
		b := protocol.NewBatch(protocol.DefaultLimits)
		if n := Allocated(func() { otlp.New(nil).DecodeJSON([]byte(body), b) }); n > 60*uint64(len(body)) { //nolint:errcheck // some are refused
			t.Errorf("%s: %d bytes of JSON take %d", name, len(body), n)
		}
	}
	for name, body := range map[string][]byte{
		"resources":  []byte(strings.Repeat("\x0a\x00", 1<<16)),
		"points":     Message(1, Message(2, Message(2, Message(1, "m", 5, strings.Repeat("\x0a\x00", 1<<16))))),
		"attributes": gauge(4, 1.0, 3, uint64(1), 9, strings.Repeat("x", 9), 7, "", 7, strings.Repeat("\x0a\x00", 1<<16)),
		"buckets":    Message(1, Message(2, Message(2, Message(1, "m", 10, Message(1, Message(8, Message(2, strings.Repeat("\x01", 1<<16))), 2, 1))))),
	} {
		b := protocol.NewBatch(protocol.DefaultLimits)
		if n := Allocated(func() { otlp.New(nil).Decode(body, b) }); n > 60*uint64(len(body)) { //nolint:errcheck // some are refused
			t.Errorf("%s: %d bytes take %d", name, len(body), n)
		}
	}
}

func FuzzDecode(f *testing.F) {
	f.Add(true, Read(f, "testdata/request.json"))
	f.Add(false, Read(f, "testdata/request.pb"))
	f.Fuzz(func(t *testing.T, isJSON bool, body []byte) {
		b := protocol.NewBatch(protocol.Limits{Points: 100})
		d := otlp.New([]string{"*"})
		decode := func(b *protocol.Batch) error {
			if isJSON {
				return d.DecodeJSON(body, b)
			}
			return d.Decode(body, b)
		}
		decode(b) //nolint:errcheck // most are wrong
		Check(t, b)
		CheckKnown(t, b.Limits, decode)
	})
}

// BenchmarkDecode decodes what the collector sends: points with five
// attributes of one resource.
func BenchmarkDecode(b *testing.B) {
	const n = 1000
	var points, histograms []any
	for i := range n {
		attrs := []any{7, attr("http.route", "/cart/{id}"), 7, attr("http.request.method", "GET"), 7, attr("http.response.status_code", "200"),
			7, attr("server.address", fmt.Sprint("web-", i)), 7, attr("network.protocol.version", "1.1")}
		points = append(points, 1, Message(append(attrs, 2, uint64(1754300340e9), 3, uint64(1754300400e9), 4, float64(i))...))
		histograms = append(histograms, 1, Message(9, attr("server.address", fmt.Sprint("web-", i)), 2, uint64(1754300340e9), 3, uint64(1754300400e9),
			4, uint64(60), 5, 300.0, 6, strings.Repeat("\x0a\x00\x00\x00\x00\x00\x00\x00", 6), 7, strings.Repeat("\x00", 6)+"\xf0\x3f"+
				strings.Repeat("\x00", 6)+"\x00\x40"+strings.Repeat("\x00", 6)+"\x10\x40"+strings.Repeat("\x00", 6)+"\x20\x40"+strings.Repeat("\x00", 6)+"\x30\x40"))
	}
	request := func(metric []byte) []byte {
		return Message(1, Message(1, Message(1, attr("service.name", "checkout"), 1, attr("host.name", "web-07")), 2, Message(1, Message(1, "lib"), 2, metric)))
	}
	for name, body := range map[string][]byte{
		"sums":       request(Message(1, "http.server.requests", 7, Message(append(points, 2, 2, 3, 1)...))),
		"histograms": request(Message(1, "http.server.duration", 9, Message(append(histograms, 2, 1)...))),
	} {
		b.Run(name, func(b *testing.B) {
			d := otlp.New(otlp.DefaultResource)
			batch := protocol.NewBatch(protocol.DefaultLimits)
			b.ReportAllocs()
			for b.Loop() {
				batch.Reset()
				if err := d.Decode(body, batch); err != nil || len(batch.Points) != n {
					b.Fatal(err, len(batch.Points), Text(batch))
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/n, "ns/sample")
		})
	}
}
