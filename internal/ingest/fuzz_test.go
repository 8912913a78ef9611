package ingest

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/tsdb"
)

// seeds are requests that clients send, and what attackers and accidents make
// of them.
var seeds = []string{
	`{"measurements":[{"name":"a","value":1}]}`,
	`{"time":1754300400,"period":60,"tags":{"dc":"ams1","node":"web-07"},"measurements":[{"name":"shop.checkout.ms","value":48.2},{"name":"shop.cart.items","value":3,"tags":{"dc":"fra1"},"time":1754300395},{"name":"shop.db.ms","count":12,"sum":311.4,"min":9.1,"max":77.0,"last":18.6,"stddev":14.2,"period":10,"attributes":{"aggregate":true,"display_units_short":"ms"}}]}`,
	`{"measurements":[{"name":"a","value":1},{"name":"A","value":2}],"period":60,"time":1754300400,"tags":{"b":"x","a":"Y","B":"z"}}`,
	`{"tags":null,"time":0,"measurements":[{"name":"a","value":"1.046","tags":{},"time":1754300400.37}]}`,
	`{"measurements":[{"name":"a","value":null,"sum":35,"count":3}]}`,
	`{"measurements":[{"name":"a","count":0},{"name":"b"},{"name":"c","count":3},{"name":"d","sum":3},{"name":"e","count":0.5,"sum":1}]}`,
	`{"measurements":[{"name":"a","value":1,"count":1,"sum":1},{"name":"b","count":-1,"sum":1},{"count":1,"sum":1}]}`,
	`{"measurements":[{"name":"a","value":1,"tags":{"test":true,"n":1.50,"x":null,"o":{},"l":[]}}]}`,
	`{"measurements":[{"name":"a","value":1,"tags":{"test":true,"n":1.50,"x":null}}]}`,
	`{"tags":{"a":"b"},"measurements":[{"name":"a","value":1,"tags":[]},{"name":"b","value":1,"tags": [ ] },{"name":"c","value":1,"tags":[[]]}]}`,
	`{"measurements":[{"name":"a","value":1,"tags":{"le":"+Inf"}},{"name":"a{b}","value":1},{"name":"","value":1},{"name":7,"value":1}]}`,
	`{"measurements":[{"name":"a","value":1e126},{"name":"a","value":1e-131},{"name":"a","value":-1e-400}]}`,
	`{"measurements":[{"name":"a","value":1e127}]}`,
	`{"measurements":[{"name":"a","value":1e400}]}`,
	`{"measurements":[{"name":"a","value":"1e400"}]}`,
	`{"measurements":[{"name":"a","value":1e127,"value":2}]}`,
	`{"measurements":[{"name":"bad!","name":"a","value":"x","value":2,"tags":{"!":"x"},"tags":{"z":"1"}}]}`,
	`{"measurements":[{"name":"a","value":1}],"measurements":[{"name":"b","value":2}],"tags":{"a":"b"},"tags":{}}`,
	`{"measurements":[{"name":"\u0061\/","value":1},{"name":"\u0061","value":1,"tags":{"\u0041\ud83d\ude00":"x"}}]}`,
	`{"measurements":[{"name":"a","value":1,"tags":{"k":"\u0000"}}]}`,
	`{"measurements":[{"name":"a","value":12345678901234567890123,"x":{"y":[1,2,{"z":"\\\""}]}}]}`,
	`{"measurements":[{"name":"a","count":10,"sum":550,"min":10,"stddev_m2":30.276503540974915,"max":100}]}`,
	`{"measurements":[{"name":"a","count":10,"sum":550,"min":10,"stddev_m2":8250,"max":100}]}`,
	`{"measurements":[{"name":"a","count":2,"sum":3,"min":5,"max":1},{"name":"a","count":2,"sum":3,"stddev":1e100},{"name":"a","count":2,"sum":3,"stddev":-1}]}`,
	`{"measurements":[{"name":"a","count":2,"sum":3,"max":1},{"name":"a","count":2,"sum":3,"min":2},{"name":"a","count":1e120,"sum":3,"stddev":1e126}]}`,
	`{"measurements":[{"name":"a","value":1,"time":-5},{"name":"a","value":1,"time":1e300},{"name":"a","value":1,"time":"x"},{"name":"a","value":1,"time":0.5}]}`,
	`{"measurements":[{"name":"a","value":1,"time":"1754300000"},{"name":"a","value":1,"time":1754300401000},null,1,[]]}`,
	`{"measurements":[]}`, `{"measurements":null}`, `{"measurements":{}}`, `{}`, `[]`, `null`, ``, ` `, `{`, `{"a"`, `{"a":`, `{"a":1`, `{"a":1,}`, `{"a":1}}`,
	`{"measurements":[{"name":"a","value":01}]}`, `{"measurements":[{"name":"a","value":1.}]}`, `{"measurements":[{"name":"a","value":-}]}`,
	`{"measurements":[{"name":"a","value":1e}]}`, `{"measurements":[{"name":"a","value":tru}]}`, "{\"measurements\":[{\"name\":\"a\x01\"}]}",
	`{"measurements":[{"name":"a","value":0.1},{"name":"a","value":123456789.123456789e-7},{"name":"a","value":9007199254740993},{"name":"a","value":-0}]}`,
	`{"measurements":[{"name":"a","value":5e-324},{"name":"a","value":2.2250738585072011e-308},{"name":"a","value":0.30000000000000004}]}`,
}

func FuzzRecord(f *testing.F) {
	for _, s := range seeds {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		// The words that are no JSON and yet accepted, and bytes that are no
		// text and are nobody's tag, are where the model is meant to differ.
		body = bytes.ReplaceAll(body, []byte("NaN"), []byte("nan"))
		body = bytes.ReplaceAll(body, []byte("Infinity"), []byte("infinity"))
		if bytes.HasPrefix(bytes.TrimLeft(body, " \t\r\n"), []byte("[")) {
			t.Skip("collectd's shape has a reader of its own")
		}
		if bytes.Contains(body, []byte("distribution")) {
			t.Skip("FuzzValues has those")
		}
		compare(t, bytes.ToValidUTF8(body, []byte("\uFFFD")))
	})
}

func TestSeeds(t *testing.T) {
	for _, s := range seeds {
		compare(t, []byte(s))
	}
}

// TestTruncated cuts a request at every byte: nothing but the whole is JSON.
func TestTruncated(t *testing.T) {
	for _, s := range seeds[:12] {
		for n := range len(s) {
			compare(t, []byte(s[:n]))
		}
	}
}

// FuzzCollectd looks for arrays that upset the reader of collectd's shape.
func FuzzCollectd(f *testing.F) {
	f.Add([]byte(`[{"values":[4.25,null,2.5],"dsnames":["shortterm","midterm","longterm"],"time":1754300390.684,"interval":10.000,"host":"Web-1","plugin":"load","plugin_instance":"","type":"load","type_instance":""}]`))
	f.Add([]byte(`[{"values":["1",true,{}],"dsnames":["value"],"time":"x","host":"é","plugin":"p","type":"t"},null,7,[]]`))
	f.Add([]byte(`[{"values":[1e300],"plugin":"p","type":"t","interval":-1}]`))
	f.Fuzz(func(t *testing.T, body []byte) {
		if !bytes.HasPrefix(body, []byte("[")) {
			t.Skip("another shape")
		}
		d, err := decode(body)
		if err == nil {
			checkIntake(t, d)
		}
	})
}

// FuzzLegacy looks for trees that upset the reader of the old shape.
func FuzzLegacy(f *testing.F) {
	f.Add([]byte(`{"measure_time":1754300390,"source":"web-07","gauges":[{"name":"a","value":1.7},{"name":"b","count":4,"sum":80.0,"min":10,"max":31,"sum_squares":1801.0,"source":"db-1"}],"counters":{"c":{"value":99120}}}`))
	f.Add([]byte(`{"gauges":{"0":{"name":"a","value":"1"},"x":7},"counters":"","source":5,"measure_time":"x"}`))
	f.Fuzz(func(t *testing.T, body []byte) {
		dec := json.NewDecoder(bytes.NewReader(body))
		dec.UseNumber()
		var tree map[string]any
		if dec.Decode(&tree) != nil {
			t.Skip("not an object")
		}
		d := testIntake()
		d.reset(nil)
		if d.readLegacy(tree) != nil {
			return
		}
		d.know()
		checkIntake(t, d)
	})
}

// checkIntake checks what holds of every request that was read.
func checkIntake(t *testing.T, d *intake) {
	t.Helper()
	s := d.summary
	if s.Total != s.Accepted+s.Failed+s.Filtered || s.Accepted != d.batch.Len() || s.Total != len(d.items) {
		t.Fatalf("%+v, %d records", s, d.batch.Len())
	}
	for i := range d.batch.Records {
		if err := d.batch.Records[i].Validate(); err != nil {
			t.Fatal(err)
		}
		name, tags, ok := tsdb.ParseKey(d.batch.Key(i))
		if !ok || !tidemark.IsMetricName(name) {
			t.Fatalf("key %q", d.batch.Key(i))
		}
		for _, tag := range tags {
			if !tidemark.IsTagName(tag.Name) || !tidemark.IsTagValue(tag.Value) {
				t.Fatalf("key %q has the tag %v", d.batch.Key(i), tag)
			}
		}
	}
}
