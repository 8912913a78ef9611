package influx_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/protocol"
	"github.com/tidemark-metrics/tidemark/internal/protocol/influx"
	. "github.com/tidemark-metrics/tidemark/internal/protocol/protocoltest"
)

func TestDecode(t *testing.T) {
	for text, want := range map[string]string{
		"":                      "",
		"\n\n# a comment\n  \n": "",
		"cpu,cpu=cpu0,host=web-07 usage_idle=98.5,usage_user=1 1754300400000000000\n": "" +
			"cpu.usage_idle{cpu=cpu0,host=web-07} gauge @1754300400000 98.5\ncpu.usage_user{cpu=cpu0,host=web-07} gauge @1754300400000 1\n",
		"load value=1.5":                               "load{} gauge @0 1.5\n",
		"m i=-7i,u=7u,f=1e3,g=.5":                      "m.i{} gauge @0 -7\nm.u{} gauge @0 7\nm.f{} gauge @0 1000\nm.g{} gauge @0 0.5\n",
		"m a=t,b=FALSE,c=True,d=f":                     "m.a{} gauge @0 1\nm.b{} gauge @0 0\nm.c{} gauge @0 1\nm.d{} gauge @0 0\n",
		`m s="a, b=\"c\" ` + "\n" + ` \\",v=2 1000000`: "m.v{} gauge @1 2\n- 1 the value is a text: m.s\n",
		`my\ disk\,x,pa\ th=C:\ a\=b free\ space=1`:    "my_x20_disk_x2c_x.free_x20_space{pa_x20_th=C: a_x3d_b} gauge @0 1\n",
		`w,p=C:\Windows\x v=1`:                         "w.v{p=C:\\Windows\\x} gauge @0 1\n",
		"m,a= v=1 2000000\r\nm v=2\r\n":                "m.v{} gauge @2 1\nm.v{} gauge @0 2\n",
		"m v=NaN,w=1,x=inf,y=1e999":                    "m.w{} gauge @0 1\n- 3 the value is NaN or infinite: m.v\n",
		"m v=1 -5\nm v=1 0":                            "m.v{} gauge @0 1\n- 1 the time is out of range: m\n",
		"b,z=1,a=2,z=3 v=1":                            "b.v{a=2,z=3} gauge @0 1\n- 1 has a label twice: the last one counts: b: z\n",
		"  m   v=1   1000000  ":                        "m.v{} gauge @1 1\n",
		"größe,straße=ä v=1":                           "gr_xf6__xdf_e.v{stra_xdf_e=_xe4_} gauge @0 1\n",
	} {
		b := protocol.NewBatch(protocol.DefaultLimits)
		if err := new(influx.Decoder).Decode("", []byte(text), b); err != nil {
			t.Errorf("%q: %v", text, err)
		}
		Check(t, b)
		if got := Text(b); got != want {
			t.Errorf("%q: got %s want %s", text, got, want)
		}
	}
}

// TestBadLines holds that each of them costs only itself.
func TestBadLines(t *testing.T) {
	for line, want := range map[string]string{
		"m":                         "has no fields",
		"m,a=1":                     "has no fields",
		",a=1 v=1":                  "has no measurement",
		"m,a v=1":                   "has a tag",
		"m,=1 v=1":                  "has a tag",
		"m,a=b=c v=1":               "has no fields",
		"m v":                       "has a field",
		"m v=":                      `field "v" has the value ""`,
		"m =1":                      "has a field",
		"m v=abc":                   `field "v" has the value "abc"`,
		"m v=1.5i":                  `"1.5i"`,
		"m v=-1u":                   `"-1u"`,
		"m v=0x10":                  `"0x10"`,
		"m v=1,":                    "has a field",
		"m v=1 12 13":               "more than fields and a time",
		"m v=1 1.5":                 "more than fields",
		"m v=1 9999999999999999999": "64 bits",
		`m v="abc"x`:                "more than fields",
	} {
		b := protocol.NewBatch(protocol.DefaultLimits)
		var d influx.Decoder
		if err := d.Decode("ms", []byte("a v=1 5\n"+line+"\nb v=2 6\n"), b); err != nil {
			t.Errorf("%q: %v", line, err)
		}
		if got := Text(b); !strings.HasPrefix(got, "a.v{} gauge @5 1\nb.v{} gauge @6 2\n") || !strings.Contains(got, "line 2: ") || !strings.Contains(got, want) {
			t.Errorf("%q: got %s want %s", line, got, want)
		}
		b.Reset()
		if err := d.Decode("ms", []byte(line), b); tidemark.KindOf(err) != tidemark.Invalid || !strings.Contains(err.Error(), want) {
			t.Errorf("%q alone: %v", line, err)
		}
	}
	b := protocol.NewBatch(protocol.DefaultLimits)
	if err := new(influx.Decoder).Decode("", []byte("a v=1\nm s=\"no end\nb v=1\n"), b); err != nil || !strings.Contains(Text(b), "without an end") {
		t.Error(err, Text(b))
	}
}

func TestPrecision(t *testing.T) {
	for precision, time := range map[string]string{
		"": "1754300400123456789", "ns": "1754300400123456789", "n": "1754300400123456789", "us": "1754300400123456", "u": "1754300400123456",
		"ms": "1754300400123", "s": "1754300400", "m": "29238340", "h": "487305",
	} {
		b := protocol.NewBatch(protocol.DefaultLimits)
		if err := new(influx.Decoder).Decode(precision, []byte("m v=1 "+time), b); err != nil {
			t.Fatal(err)
		}
		want := map[string]int64{"s": 1754300400000, "m": 1754300400000, "h": 1754298000000}[precision]
		if want == 0 {
			want = 1754300400123
		}
		if got := b.Points[0].Time; got != want {
			t.Errorf("%q: %d, want %d", precision, got, want)
		}
	}
	if err := new(influx.Decoder).Decode("d", nil, protocol.NewBatch(protocol.DefaultLimits)); tidemark.KindOf(err) != tidemark.Invalid || !strings.Contains(err.Error(), "precision") {
		t.Error(err)
	}
}

func TestLimits(t *testing.T) {
	var many strings.Builder
	for i := range 51 {
		fmt.Fprintf(&many, ",t%d=1", i)
	}
	b := protocol.NewBatch(protocol.Limits{Points: 2})
	body := "m" + many.String() + " a=1,b=2\nm a=1,b=2\n"
	if err := new(influx.Decoder).Decode("", []byte(body), b); err != nil || Text(b) != "m.a{} gauge @0 1\nm.b{} gauge @0 2\n- 2 has more than 50 labels: m\n" {
		t.Error(err, Text(b))
	}
	if err := new(influx.Decoder).Decode("", []byte("m v=1\n"), b); tidemark.KindOf(err) != tidemark.TooLarge {
		t.Error(err)
	}
}

func FuzzDecode(f *testing.F) {
	for _, s := range []string{
		"cpu,cpu=cpu0,host=web-07 usage_idle=98.5,usage_user=1i 1754300400000000000\n", `m\ x,a\==b s="a\"b",v=t` + "\n#x\n\n", "m v=1 -5",
	} {
		f.Add("ns", []byte(s))
	}
	f.Fuzz(func(t *testing.T, precision string, body []byte) {
		b := protocol.NewBatch(protocol.Limits{Points: 100})
		var d influx.Decoder
		d.Decode(precision, body, b) //nolint:errcheck // most are wrong
		Check(t, b)
		CheckKnown(t, b.Limits, func(b *protocol.Batch) error { return d.Decode(precision, body, b) })
	})
}

func BenchmarkDecode(b *testing.B) {
	const n = 1000
	var body strings.Builder
	for i := range n / 10 {
		fmt.Fprintf(&body, "cpu,cpu=cpu%d,dc=ams1,env=prod,host=web-07,os=linux usage_guest=0,usage_guest_nice=0,usage_idle=9%d.123456789,"+
			"usage_iowait=0.2,usage_irq=0,usage_nice=0,usage_softirq=0.12,usage_steal=0,usage_system=1.%d,usage_user=3.25 1754300400000000000\n", i, i, i)
	}
	var d influx.Decoder
	batch := protocol.NewBatch(protocol.DefaultLimits)
	b.ReportAllocs()
	for b.Loop() {
		batch.Reset()
		if err := d.Decode("ns", []byte(body.String()), batch); err != nil || len(batch.Points) != n {
			b.Fatal(err, len(batch.Points))
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/n, "ns/sample")
}
