package datadog_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/protocol"
	"github.com/tidemark-metrics/tidemark/internal/protocol/datadog"
	. "github.com/tidemark-metrics/tidemark/internal/protocol/protocoltest"
)

type decoder func([]byte, *protocol.Batch) error

func check(t *testing.T, decode decoder, body []byte, want string) {
	t.Helper()
	b := protocol.NewBatch(protocol.DefaultLimits)
	if err := decode(body, b); err != nil {
		t.Errorf("%.80q: %v", body, err)
	}
	Check(t, b)
	if got := Text(b); got != want {
		t.Errorf("%.80q: got %s want %s", body, got, want)
	}
}

const both = `system.load.1{env=prod,host=web-07,leader=true} gauge @1754300400000 0.5
system.load.1{env=prod,host=web-07,leader=true} gauge @1754300415000 0.75
app.hits{host=web-07} delta @1754300400000 12
app.rate{} gauge @1754300400000 1.5
`

func TestV1(t *testing.T) {
	check(t, datadog.DecodeV1, []byte(`{"series":[
		{"metric":"system.load.1","points":[[1754300400,0.5],[1754300415.2,0.75]],"type":"gauge","host":"web-07","tags":["env:prod","leader"],"interval":15},
		{"metric":"app.hits","points":[[1754300400,12]],"type":"count","host":"web-07","device":"","tags":null,"unknown":{"a":[1]}},
		{"metric":"app.rate","points":[["1754300400","1.5"]],"type":"rate"}]}`),
		strings.Replace(both, "@1754300415000", "@1754300415200", 1))
	check(t, datadog.DecodeV1, []byte(`{}`), "")
	check(t, datadog.DecodeV1, []byte(`{"series":[]}`), "")
	check(t, datadog.DecodeV1, []byte(`{"series":[
		{"metric":"a b/c","points":[[10,1],[10,null],[0,1],[-5,1],[1e300,1],[10]],"device":"sda","tags":["u:http://x:80/","empty:",":x","t:1","t:2"]},
		{"points":[[10,1],[20,2]]}]}`),
		"a_x20_b_x2f_c{device=sda,t=2,u=http://x:80/} gauge @10000 1\n"+
			"- 1 is not understood: a b/c: a point is not [time, value]\n- 1 has a label twice: the last one counts: a b/c: t\n"+
			"- 1 the value is NaN or infinite: a_x20_b_x2f_c\n- 3 the time is out of range: a_x20_b_x2f_c\n- 2 has no name: \n")
}

func TestV2JSON(t *testing.T) {
	check(t, datadog.DecodeV2JSON, []byte(`{"series":[
		{"metric":"system.load.1","type":3,"points":[{"timestamp":1754300400,"value":0.5},{"timestamp":1754300415,"value":0.75}],
		 "resources":[{"name":"web-07","type":"host"}],"tags":["env:prod","leader"],"unit":"cpu"},
		{"metric":"app.hits","type":1,"points":[{"timestamp":1754300400,"value":12}],"resources":[{"name":"web-07","type":"host"}]},
		{"metric":"app.rate","type":2,"interval":10,"points":[{"timestamp":1754300400,"value":1.5}]}]}`), both)
}

// payload is the same as the agent sends it.
func payload() []byte {
	host := Message(1, "host", 2, "web-07")
	return Message(
		1, Message(1, host, 2, "system.load.1", 3, "env:prod", 3, "leader", 4, Message(1, 0.5, 2, 1754300400), 4, Message(1, 0.75, 2, 1754300415), 5, 3, 6, "cpu"),
		1, Message(1, host, 2, "app.hits", 4, Message(1, 12.0, 2, 1754300400), 5, 1, 9, Message(1, Message(4, 1))),
		1, Message(2, "app.rate", 4, Message(1, 1.5, 2, 1754300400), 5, 2, 8, 10))
}

func TestV2(t *testing.T) {
	check(t, datadog.DecodeV2, payload(), both)
	check(t, datadog.DecodeV2, nil, "")
	resource := Message(2, "r", 1, "kind") // the other way round
	check(t, datadog.DecodeV2, Message(1, Message(1, resource, 2, "m", 4, Message(1, math.NaN(), 2, 5), 4, Message(1, 2.0, 2, 5))),
		"m{kind=r} gauge @5000 2\n- 1 the value is NaN or infinite: m\n")
	long := strings.Repeat("x", 1<<20)
	check(t, datadog.DecodeV2, Message(1, Message(2, "m", 3, "a:"+long, 4, Message(1, 1.0, 2, 5))),
		"m{a="+strings.Repeat("x", 237)+"_hdfc21015d1daf3fc} gauge @5000 1\n")
	var many []any
	for i := range 51 {
		many = append(many, 3, fmt.Sprint("t", i, ":1"))
	}
	many = append(many, 2, "m", 4, Message(1, 1.0, 2, 5), 4, Message(1, 1.0, 2, 6))
	check(t, datadog.DecodeV2, Message(1, Message(many...)), "- 2 has more than 50 labels: m\n")
}

func TestErrors(t *testing.T) {
	for name, c := range map[string]struct {
		decode     decoder
		body, want string
	}{
		"no JSON":           {datadog.DecodeV1, `{"series":[`, "not JSON, at byte 11"},
		"a text":            {datadog.DecodeV1, `{"series":"x"}`, `"x" is no list`},
		"a name of 5":       {datadog.DecodeV1, `{"series":[{"metric":5}]}`, "element 0: metric is a number"},
		"a value of text":   {datadog.DecodeV1, `{"series":[{"points":[[1,"x"]]}]}`, `"x" is no number`},
		"only odd points":   {datadog.DecodeV1, `{"series":[{"metric":"m","points":[[1]]}]}`, "m: a point"},
		"a number of JSON":  {datadog.DecodeV2JSON, `5`, "is a number"},
		"cut":               {datadog.DecodeV2, string(payload()[:40]), "at byte 0"},
		"a text for points": {datadog.DecodeV2, string(Message(1, Message(4, Message(1, "x")))), "field 1 with type 2"},
	} {
		b := protocol.NewBatch(protocol.DefaultLimits)
		if err := c.decode([]byte(c.body), b); tidemark.KindOf(err) != tidemark.Invalid || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
	b := protocol.NewBatch(protocol.Limits{Points: 3})
	if err := datadog.DecodeV2(payload(), b); tidemark.KindOf(err) != tidemark.TooLarge {
		t.Error(err)
	}
}

// TestMemory holds that a body does not take many times its size, whatever it
// is full of.
func TestMemory(t *testing.T) {
	for name, c := range map[string]struct {
		decode decoder
		body   string
	}{
		"v1 of nothing":   {datadog.DecodeV1, `{"series":[` + strings.Repeat("{},", 1<<16) + `{}]}`},
		"v2 of nothing":   {datadog.DecodeV2JSON, `{"series":[` + strings.Repeat("{},", 1<<16) + `{}]}`},
		"points":          {datadog.DecodeV1, `{"series":[{"metric":"m","points":[` + strings.Repeat("[],", 1<<16) + `[]]}]}`},
		"empty messages":  {datadog.DecodeV2, strings.Repeat("\x0a\x00", 1<<16)},
		"messages points": {datadog.DecodeV2, string(Message(1, strings.Repeat("\x22\x00", 1<<16)))},
	} {
		b := protocol.NewBatch(protocol.DefaultLimits)
		if n := Allocated(func() { c.decode([]byte(c.body), b) }); n > 60*uint64(len(c.body)) { //nolint:errcheck // some are refused
			t.Errorf("%s: %d bytes take %d", name, len(c.body), n)
		}
	}
}

// TestPacked decodes bodies as agents compress them.
func TestPacked(t *testing.T) {
	u := protocol.NewUnpacker(1 << 20)
	for encoding, packed := range map[string][]byte{"zstd": Pack(t, "zstd", payload()), "deflate": Pack(t, "deflate", payload()), "gzip": Pack(t, "gzip", payload())} {
		body, err := u.Unpack(nil, encoding, packed)
		if err != nil || !bytes.Equal(body, payload()) {
			t.Errorf("%s: %v", encoding, err)
		}
	}
}

func FuzzDecode(f *testing.F) {
	f.Add(0, []byte(`{"series":[{"metric":"a","points":[[10,1]],"type":"count","host":"h","tags":["a:b","c"]}]}`))
	f.Add(1, []byte(`{"series":[{"metric":"a","points":[{"timestamp":10,"value":"1"}],"type":1,"resources":[{"name":"h","type":"host"}]}]}`))
	f.Add(2, payload())
	f.Fuzz(func(t *testing.T, which int, body []byte) {
		b := protocol.NewBatch(protocol.Limits{Points: 100})
		decoders := []decoder{datadog.DecodeV1, datadog.DecodeV2JSON, datadog.DecodeV2}
		decoders[uint(which)%3](body, b) //nolint:errcheck // most are wrong
		Check(t, b)
	})
}

func BenchmarkDecode(b *testing.B) {
	const n = 1000
	type v1 struct {
		Metric string       `json:"metric"`
		Points [][2]float64 `json:"points"`
		Type   string       `json:"type"`
		Host   string       `json:"host"`
		Tags   []string     `json:"tags"`
	}
	var list []v1
	var proto []byte
	tags := []string{"env:prod", "region:eu-west-1", "service:checkout", "version:1.2.3"}
	for i := range n {
		list = append(list, v1{"system.net.bytes_rcvd", [][2]float64{{1754300400, float64(i) * 1.5}}, "gauge", fmt.Sprint("web-", i), tags})
		fields := []any{1, Message(1, "host", 2, fmt.Sprint("web-", i)), 2, "system.net.bytes_rcvd", 4, Message(1, float64(i)*1.5, 2, 1754300400), 5, 3}
		for _, tag := range tags {
			fields = slices.Concat(fields, []any{3, tag})
		}
		proto = append(proto, Message(1, Message(fields...))...)
	}
	text, err := json.Marshal(map[string]any{"series": list})
	if err != nil {
		b.Fatal(err)
	}
	run := func(name string, decode decoder, body []byte) {
		b.Run(name, func(b *testing.B) {
			batch := protocol.NewBatch(protocol.DefaultLimits)
			b.ReportAllocs()
			for b.Loop() {
				batch.Reset()
				if err := decode(body, batch); err != nil || len(batch.Points) != n {
					b.Fatal(err, len(batch.Points))
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/n, "ns/sample")
		})
	}
	run("v1", datadog.DecodeV1, text)
	run("v2", datadog.DecodeV2, proto)
}
