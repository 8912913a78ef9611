package graphite_test

import (
	"flag"
	"fmt"
	"strings"
	"testing"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/protocol"
	"github.com/tidemark-metrics/tidemark/internal/protocol/graphite"
	. "github.com/tidemark-metrics/tidemark/internal/protocol/protocoltest"
)

var update = flag.Bool("update", false, "write what comes out to testdata")

func TestDecode(t *testing.T) {
	for text, want := range map[string]string{
		"":                                    "",
		"\n":                                  "",
		"servers.web-07.cpu 1.5 1754300400\n": "servers.web-07.cpu{} gauge @1754300400000 1.5\n",
		"  a\t-3e2   1754300400.25  \r\nb 1 -1\nc 2\nd 1 N": "a{} gauge @1754300400250 -300\nb{} gauge @0 1\nc{} gauge @0 2\nd{} gauge @0 1\n",
		"cpu;host=web-07;dc=ams1;rack= 1 1754300400":        "cpu{dc=ams1,host=web-07} gauge @1754300400000 1\n",
		"a/b%c;u=http://x;q=1=2 1 10":                       "a_x2f_b_x25_c{q=1_x3d_2,u=http://x} gauge @10000 1\n",
		"cpu;host=a;host=b 1 10":                            "cpu{host=b} gauge @10000 1\n- 1 has a label twice: the last one counts: cpu: host\n",
		"a nan 10\na inf 10\na 1e999 10\na 1 10":            "a{} gauge @10000 1\n- 3 the value is NaN or infinite: a\n",
		"a 1 10\nb\nc x 10\nd 1 x\ne 1 10 11\n":             "a{} gauge @10000 1\n- 4 is not understood: line 2: the value \"\" is no number\n",
		"a 1 0\na 1 -5\na 1 1e30\na 1 10":                   "a{} gauge @10000 1\n- 3 the time is out of range: a\n",
		";x=1 1 10\nc;x 1 10\nd;=1 1 10\nb 1 10":            "b{} gauge @10000 1\n- 1 has no name: ;x=1\n- 2 is not understood: c;x: a tag is not name=value\n",
	} {
		b := protocol.NewBatch(protocol.DefaultLimits)
		if err := graphite.Decode([]byte(text), b); err != nil {
			t.Errorf("%q: %v", text, err)
		}
		Check(t, b)
		if got := Text(b); got != want {
			t.Errorf("%q: got %s want %s", text, got, want)
		}
	}
}

func TestDecodeErrors(t *testing.T) {
	b := protocol.NewBatch(protocol.Limits{Points: 1})
	if err := graphite.Decode([]byte("GET / HTTP/1.1\r\nHost: x\r\n"), b); tidemark.KindOf(err) != tidemark.Invalid || !strings.Contains(err.Error(), "line 1") {
		t.Error(err)
	}
	if err := graphite.Decode([]byte("a 1 10\na 2 20"), b); tidemark.KindOf(err) != tidemark.TooLarge {
		t.Error(err)
	}
}

// TestPickle decodes what Python makes of the same list in each of its
// versions.
func TestPickle(t *testing.T) {
	for version := range 6 {
		b := protocol.NewBatch(protocol.DefaultLimits)
		if err := graphite.DecodePickle(Read(t, fmt.Sprintf("testdata/protocol%d.pickle", version)), b); err != nil {
			t.Error(version, err)
		}
		Check(t, b)
		Golden(t, "testdata/pickle.txt", b, *update && version == 0)
	}
}

func TestPickleErrors(t *testing.T) {
	good := Read(t, "testdata/protocol2.pickle")
	for name, c := range map[string]struct{ body, want string }{
		"empty":              {"", "ends too early"},
		"cut":                {string(good[:len(good)-1]), "ends too early"},
		"cut in a text":      {string(good[:20]), "ends too early"},
		"not a list":         {"K\x01.", "is not a list"},
		"two lists":          {"]].", "is not a list"},
		"a call":             {"cos\nsystem\n(S'id'\ntR.", "operation 'c'"},
		"a global":           {"\x80\x04\x8c\x02os\x8c\x06system\x93.", "operation '\\u0093'"},
		"a dict":             {"}.", "operation '}'"},
		"nothing to append":  {"]a.", "is not a list"},
		"append to a number": {"K\x01K\x02a.", "is not a list"},
		"no mark":            {"]e.", "takes more"},
		"a tuple of nothing": {"\x86.", "takes more"},
		"a lost reference":   {"h\x05.", "object 5"},
		"saving nothing":     {"q\x05.", "takes more"},
		"a long integer":     {"\x8a\xff" + strings.Repeat("x", 255) + ".", "255 bytes"},
		"a text of 2^63":     {"\x8d\xff\xff\xff\xff\xff\xff\xff\x7f.", "ends too early"},
		"a number":           {"Iabc\n.", "number that is none"},
		"many objects":       {"]" + strings.Repeat("]", 400_000) + ".", "objects"},
		"only strange items": {"](K\x01K\x02K\x03e.", "(path, (time, value))"},
	} {
		b := protocol.NewBatch(protocol.DefaultLimits)
		err := graphite.DecodePickle([]byte(c.body), b)
		if tidemark.KindOf(err) != tidemark.Invalid || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
	if err := graphite.DecodePickle(make([]byte, graphite.MaxPickle+1), protocol.NewBatch(protocol.DefaultLimits)); tidemark.KindOf(err) != tidemark.TooLarge {
		t.Error(err)
	}
}

// TestPickleBomb refers to each list ten times in the next: as values it
// would have 10^9 items.
func TestPickleBomb(t *testing.T) {
	body := "]q\x00"
	for i := range 9 {
		body += "](" + strings.Repeat("h"+string(rune(i)), 10) + "eq" + string(rune(i+1))
	}
	body += "](h\x09e."
	b := protocol.NewBatch(protocol.DefaultLimits)
	if err := graphite.DecodePickle([]byte(body), b); err == nil || len(b.Points) > 0 {
		t.Error(err, b.Points)
	}
}

func TestPickleLength(t *testing.T) {
	for header, want := range map[[4]byte]int{{0, 0, 1, 2}: 258, {0, 16, 0, 0}: 1 << 20, {0, 16, 0, 1}: 0, {}: 0, {255, 255, 255, 255}: 0} {
		if got, err := graphite.PickleLength(header); got != want || (err == nil) != (want > 0) {
			t.Errorf("%v is %d, %v", header, got, err)
		}
	}
}

func FuzzDecode(f *testing.F) {
	f.Add([]byte("cpu;host=web-07;dc=ams1 1.5 1754300400\nb 1 -1"))
	f.Fuzz(func(t *testing.T, body []byte) {
		b := protocol.NewBatch(protocol.Limits{Points: 100})
		graphite.Decode(body, b) //nolint:errcheck // most are wrong
		Check(t, b)
		CheckKnown(t, b.Limits, func(b *protocol.Batch) error { return graphite.Decode(body, b) })
	})
}

func FuzzPickle(f *testing.F) {
	for version := range 6 {
		f.Add(Read(f, fmt.Sprintf("testdata/protocol%d.pickle", version)))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		b := protocol.NewBatch(protocol.Limits{Points: 100})
		graphite.DecodePickle(body, b) //nolint:errcheck // most are wrong
		Check(t, b)
		CheckKnown(t, b.Limits, func(b *protocol.Batch) error { return graphite.DecodePickle(body, b) })
	})
}

func BenchmarkDecode(b *testing.B) {
	const n = 1000
	var plain, tagged strings.Builder
	for i := range n {
		fmt.Fprintf(&plain, "servers.web-%04d.cpu.load.shortterm %d.25 1754300400\n", i, i)
		fmt.Fprintf(&tagged, "cpu.load;dc=ams1;env=prod;host=web-%04d %d.25 1754300400\n", i, i)
	}
	for name, body := range map[string]string{"plain": plain.String(), "tagged": tagged.String()} {
		b.Run(name, func(b *testing.B) {
			batch := protocol.NewBatch(protocol.DefaultLimits)
			b.ReportAllocs()
			for b.Loop() {
				batch.Reset()
				if err := graphite.Decode([]byte(body), batch); err != nil || len(batch.Points) != n {
					b.Fatal(err, len(batch.Points))
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/n, "ns/sample")
		})
	}
}
