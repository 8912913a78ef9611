package remotewrite_test

import (
	"flag"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/protocol"
	. "github.com/tidemark-metrics/tidemark/internal/protocol/protocoltest"
	"github.com/tidemark-metrics/tidemark/internal/protocol/remotewrite"
)

var update = flag.Bool("update", false, "write what comes out to testdata")

func TestVersion(t *testing.T) {
	for contentType, want := range map[string]int{
		"application/x-protobuf":                                          1,
		"application/x-protobuf;proto=prometheus.WriteRequest":            1,
		"application/x-protobuf; proto=io.prometheus.write.v2.Request":    2,
		"Application/X-Protobuf;proto=\"io.prometheus.write.v2.Request\"": 2,
		"application/x-protobuf;proto=io.prometheus.write.v3.Request":     0,
		"application/json": 0,
		"":                 0,
	} {
		got, err := remotewrite.Version(contentType)
		if got != want || (err == nil) != (want > 0) || err != nil && tidemark.KindOf(err) != tidemark.Unsupported {
			t.Errorf("%q is %d, %v", contentType, got, err)
		}
	}
}

// TestDecode decodes requests that were made with the libraries of
// Prometheus, twice to see that nothing stays from the first time.
func TestDecode(t *testing.T) {
	var d remotewrite.Decoder
	b := protocol.NewBatch(protocol.DefaultLimits)
	for range 2 {
		for version, file := range map[int]string{1: "testdata/v1", 2: "testdata/v2"} {
			b.Reset()
			stats, err := d.Decode(version, Read(t, file+".pb"), b)
			if err != nil {
				t.Fatal(err)
			}
			if stats.Samples != 5 || stats.Histograms != 3 {
				t.Errorf("%d: %+v", version, stats)
			}
			Check(t, b)
			Golden(t, file+".txt", b, *update)
		}
	}
}

func label(name, value string) []byte { return Message(1, name, 2, value) }

func sample(v float64, time int) []byte { return Message(1, v, 2, time) }

func TestDecodeErrors(t *testing.T) {
	series := Message(1, Message(1, label("__name__", "up"), 2, sample(1, 1000)))
	for name, c := range map[string]struct {
		version int
		body    []byte
		want    string
	}{
		"cut":               {1, series[:len(series)-1], "at byte 0"},
		"cut inside":        {1, Message(1, Message(1, []byte("\x0a\x05ab"))), "at byte 4"},
		"value of a text":   {1, Message(1, Message(2, Message(1, "x"))), "field 1 with type 2"},
		"text for a series": {1, Message(1, 7), "field 1 with type 0"},
		"odd references":    {2, Message(4, "", 5, Message(1, "\x00")), "odd number"},
		"unknown symbol":    {2, Message(4, "", 5, Message(1, "\x00\x07")), "symbol 7 of 1"},
		"unknown help":      {2, Message(4, "", 5, Message(5, Message(1, 1, 3, 9))), "symbol 9 of 1"},
		"cut in version 2":  {2, []byte{0x2a, 9}, "2.0"},
	} {
		b := protocol.NewBatch(protocol.DefaultLimits)
		_, err := new(remotewrite.Decoder).Decode(c.version, c.body, b)
		if tidemark.KindOf(err) != tidemark.Invalid || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
	small := protocol.NewBatch(protocol.Limits{Points: 1})
	if _, err := new(remotewrite.Decoder).Decode(1, slices.Concat(series, series), small); tidemark.KindOf(err) != tidemark.TooLarge {
		t.Errorf("two points where one may be: %v", err)
	}
}

// TestOddities are messages that no client should send.
func TestOddities(t *testing.T) {
	var many []any
	for i := range 51 {
		many = append(many, 1, label(fmt.Sprintf("l%02d", i), "v"))
	}
	crowd := Message(append(many, 1, label("__name__", "crowd"), 2, sample(1, 1), 2, sample(2, 2), 4, Message(15, 5), 4, Message(15, 5))...)
	for name, c := range map[string]struct {
		series []byte
		want   string
	}{
		"nothing":              {nil, ""},
		"labels after samples": {Message(2, sample(1, 1000), 1, label("__name__", "up")), "up{} gauge @1000 1\n"},
		"unsorted, twice": {
			Message(1, label("z", "1"), 1, label("a", "2"), 1, label("z", "3"), 1, label("__name__", "up"), 2, sample(1, 1000)),
			"up{a=2,z=3} gauge @1000 1\n- 1 has a label twice: the last one counts: up: z\n",
		},
		"unknown fields": {Message(1, label("__name__", "up"), 99, "x", 98, 1.0, 97, 5, 2, sample(1, 1000)), "up{} gauge @1000 1\n"},
		"too many":       {crowd, "- 4 has more than 50 labels: crowd\n"},
		"a label of 1 MB": {
			Message(1, label("__name__", "up"), 1, label("q", strings.Repeat("é", 1<<19)), 2, sample(1, 1000)),
			"up{q=" + strings.Repeat("_xe9_", 47) + "_hb967d7e08289de13} gauge @1000 1\n",
		},
		"negative time": {Message(1, label("__name__", "up"), 2, sample(1, -5)), "- 1 the time is out of range: up\n"},
		"nameless histogram": {
			Message(4, Message(15, 5), 2, sample(1, 5)), "- 2 has no name: \n",
		},
		"histogram of no schema": {
			Message(1, label("__name__", "h"), 4, Message(1, 1, 4, 100, 15, 5)), "- 1 is a histogram whose buckets are inconsistent: h\n",
		},
		"histogram of NaN": {
			Message(1, label("__name__", "h"), 4, Message(2, math.NaN(), 3, math.Inf(1), 15, 5)), "- 1 is a histogram whose buckets are inconsistent: h\n",
		},
	} {
		b := protocol.NewBatch(protocol.DefaultLimits)
		if _, err := new(remotewrite.Decoder).Decode(1, Message(1, c.series), b); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		Check(t, b)
		if got := Text(b); got != c.want {
			t.Errorf("%s: got %s want %s", name, got, c.want)
		}
	}
}

// TestMemory holds that a body does not take many times its size, whatever it
// is full of.
func TestMemory(t *testing.T) {
	const n = 1 << 19
	for name, c := range map[string]struct {
		version int
		body    []byte
	}{
		"series":     {1, []byte(strings.Repeat("\x0a\x00", n))},
		"labels":     {1, Message(1, strings.Repeat("\x0a\x00", n))},
		"samples":    {1, Message(1, strings.Repeat("\x12\x00", n))},
		"buckets":    {1, Message(1, Message(4, Message(12, strings.Repeat("\x01", n))))},
		"spans":      {1, Message(1, Message(4, strings.Repeat("\x5a\x00", n)))},
		"symbols":    {2, []byte(strings.Repeat("\x22\x00", 8*n))},
		"references": {2, Message(5, Message(1, make([]byte, n)))},
	} {
		b := protocol.NewBatch(protocol.Limits{Points: 10_000})
		if got := Allocated(func() { new(remotewrite.Decoder).Decode(c.version, c.body, b) }); got > 20*uint64(len(c.body)) { //nolint:errcheck // some are refused
			t.Errorf("%s: %d bytes take %d", name, len(c.body), got)
		}
	}
}

func FuzzDecode(f *testing.F) {
	for version := range 2 {
		body := Read(f, fmt.Sprintf("testdata/v%d.pb", version+1))
		f.Add(version+1, body)
	}
	f.Fuzz(func(t *testing.T, version int, body []byte) {
		b := protocol.NewBatch(protocol.Limits{Points: 100})
		var d remotewrite.Decoder
		d.Decode(version, body, b) //nolint:errcheck // most are wrong
		Check(t, b)
		CheckKnown(t, b.Limits, func(b *protocol.Batch) error { _, err := d.Decode(version, body, b); return err })
	})
}

// request is what Prometheus sends: a sample each of n series with ten labels.
func request(n int) []byte {
	var body []byte
	for i := range n {
		body = append(body, Message(1, Message(
			1, label("__name__", "container_network_receive_bytes_total"),
			1, label("cluster", "eu-west-1"),
			1, label("container", "checkout"),
			1, label("endpoint", "https-metrics"),
			1, label("id", fmt.Sprintf("/kubepods/besteffort/pod%032x", i)),
			1, label("instance", fmt.Sprintf("10.0.%d.%d:10250", i/250, i%250)),
			1, label("interface", "eth0"),
			1, label("job", "kubelet"),
			1, label("namespace", "shop"),
			1, label("pod", fmt.Sprintf("checkout-7d9f8c6b5-%05d", i)),
			2, sample(float64(i)*1.5, 1754300400000)))...)
	}
	return body
}

// requestV2 is the same in version 2.
func requestV2(n int) []byte {
	refs, symbols := map[string]int{"": 0}, []any{4, ""}
	ref := func(s string) int {
		if _, ok := refs[s]; !ok {
			refs[s] = len(refs)
			symbols = append(symbols, 4, s)
		}
		return refs[s]
	}
	var series []byte
	for i := range n {
		var labels []byte
		for _, s := range []string{
			"__name__", "container_network_receive_bytes_total", "cluster", "eu-west-1", "container", "checkout",
			"endpoint", "https-metrics", "id", fmt.Sprintf("/kubepods/besteffort/pod%032x", i),
			"instance", fmt.Sprintf("10.0.%d.%d:10250", i/250, i%250), "interface", "eth0", "job", "kubelet",
			"namespace", "shop", "pod", fmt.Sprintf("checkout-7d9f8c6b5-%05d", i),
		} {
			labels = append(labels, Message(1, ref(s))[1:]...)
		}
		series = append(series, Message(5, Message(1, labels, 2, sample(float64(i)*1.5, 1754300400000), 5, Message(1, 1)))...)
	}
	return append(Message(symbols...), series...)
}

func BenchmarkDecode(b *testing.B) {
	const n = 2000
	for version, body := range map[int][]byte{1: request(n), 2: requestV2(n)} {
		b.Run(fmt.Sprint("v", version), func(b *testing.B) {
			var d remotewrite.Decoder
			batch := protocol.NewBatch(protocol.DefaultLimits)
			b.ReportAllocs()
			for b.Loop() {
				batch.Reset()
				if stats, err := d.Decode(version, body, batch); err != nil || stats.Samples != n {
					b.Fatal(stats, err)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/n, "ns/sample")
		})
	}
}

// TestAllocations holds that decoding into a batch again allocates nothing.
func TestAllocations(t *testing.T) {
	for version, body := range map[int][]byte{1: request(500), 2: requestV2(500)} {
		var d remotewrite.Decoder
		b := protocol.NewBatch(protocol.DefaultLimits)
		if n := testing.AllocsPerRun(10, func() {
			b.Reset()
			if _, err := d.Decode(version, body, b); err != nil {
				t.Fatal(err)
			}
		}); n > 5 {
			t.Errorf("%d: %v allocations", version, n)
		}
	}
}
