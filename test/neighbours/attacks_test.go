package neighbours

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net"
	"net/http"
	"strings"
	"sync"
	"time"
)

// attack is something that one organization does to the others. It is begun
// again and again, some at once, until the round is over.
type attack struct {
	name   string
	atOnce int           // of each attacker
	pause  time.Duration // between two
	run    func(ctx context.Context, o *org) int
}

var attacks = []attack{
	{"new streams, 1000 at once", 1, 50 * time.Millisecond, newStreams},
	{"50 tags of 255 characters", 1, 100 * time.Millisecond, hugeTags},
	{"new metrics, 500 at once", 1, 200 * time.Millisecond, newMetrics},
	{"annotations of 60 KiB", 1, 50 * time.Millisecond, hugeAnnotations},
	{"all annotations at once", 2, 200 * time.Millisecond, allAnnotations},
	{"message templates that work hard", 1, 500 * time.Millisecond, hardTemplates},
	{"answers that nobody reads", 4, time.Second, slowReaders},
	{"answers to assistants that nobody reads", 8, time.Second, slowAssistants},
	{"bodies a byte at a time", 4, time.Second, slowBodies},
	{"expensive composites", 2, 50 * time.Millisecond, expensiveComposites},
	{"200 queries in one", 1, 200 * time.Millisecond, manyQueries},
	{"expensive PromQL", 1, 100 * time.Millisecond, expensivePromQL},
	{"alerts on expensive composites, edited all the time", 1, 200 * time.Millisecond, expensiveAlerts},
	{"alerts with long sentences", 1, time.Second, poisonAlerts},
	{"alerts with services that do not answer", 1, 200 * time.Millisecond, slowServices},
	{"tests of services that do not answer", 2, 100 * time.Millisecond, slowTests},
	{"guessed passwords", 4, 20 * time.Millisecond, guesses},
	{"guessed reset links", 2, 20 * time.Millisecond, resets},
	{"pages that watch", 20, time.Second, listeners},
	{"gzip of 256 MiB", 1, 300 * time.Millisecond, bombAt("/v1/measurements", "application/json", bomb('{'))},
	{"gzip before signing in", 1, 300 * time.Millisecond, bombAt("/ui/api/session", "application/json", bomb('{'))},
	{"JSON of 16 MiB, deep and wide", 1, 500 * time.Millisecond, bombAt("/v1/spaces", "application/json", wide)},
	{"remote write that unpacks to 64 MiB", 1, 300 * time.Millisecond, remoteWriteBomb},
	{"OTLP that unpacks to 256 MiB", 1, 300 * time.Millisecond, bombAt("/otlp/v1/metrics", "application/x-protobuf", bomb(0x0a))},
	{"Influx lines that unpack to 256 MiB", 1, 300 * time.Millisecond, bombAt("/write?db=x", "text/plain", bomb('a'))},
	{"Influx lines of new streams", 1, 100 * time.Millisecond, influxStreams},
	{"Datadog series that unpack to 256 MiB", 1, 300 * time.Millisecond, bombAt("/api/v2/series", "application/json", bomb('['))},
}

var newStreams = sends(1000, func(i int) string { return measurement("attack.streams", fmt.Sprint(rand.Int64()), float64(i)) })

func hugeTags(ctx context.Context, o *org) int {
	tags := make(map[string]string)
	for i := range 50 {
		tags[fmt.Sprint("tag", i)] = fmt.Sprint(rand.Int64()) + strings.Repeat("x", 230)
	}
	text, _ := json.Marshal(map[string]any{"name": "attack.tags", "value": 1, "tags": tags})
	short, _ := json.Marshal(map[string]any{"name": "attack.tags", "value": 1, "tags": map[string]string{"t": strings.Repeat("y", 240) + fmt.Sprint(rand.IntN(1e9))}})
	return o.ask(ctx, "POST", "/v1/measurements", measurements(100, func(i int) string {
		if i%2 == 0 {
			return string(short)
		}
		return string(text)
	})).code
}

var newMetrics = sends(500, func(i int) string {
	return measurement(fmt.Sprint("attack.metric.", rand.Int64()), "a", float64(i))
})

func sends(n int, one func(i int) string) func(context.Context, *org) int {
	return func(ctx context.Context, o *org) int {
		return o.ask(ctx, "POST", "/v1/measurements", measurements(n, one)).code
	}
}

func hugeAnnotations(ctx context.Context, o *org) int {
	links := make([]any, 15)
	for i := range links {
		links[i] = map[string]string{"rel": fmt.Sprint("x", i), "href": "https://example.org/" + strings.Repeat("x", 1900)}
	}
	text, _ := json.Marshal(map[string]any{"title": "attack", "description": strings.Repeat("x", 30_000), "links": links})
	return o.ask(ctx, "POST", "/v1/annotations/attack", text).code
}

func allAnnotations(ctx context.Context, o *org) int {
	return o.ask(ctx, "GET", "/v1/annotations/attack?start_time=0", nil).code
}

func hardTemplates(ctx context.Context, o *org) int {
	for _, template := range []string{
		`{{printf "` + strings.Repeat(`%1000000[1]d`, 2000) + `" 1}}`,
		`{{range $i := 50}}` + strings.Repeat(`{{$x := printf "%60000d" 1}}`, 300) + `{{end}}`,
	} {
		text, _ := json.Marshal(map[string]any{"type": "discord", "title": "x", "settings": map[string]string{"url": "https://127.0.0.1:1/", "template": template}})
		o.ask(ctx, "POST", "/ui/api/services/test", text)
	}
	text, _ := json.Marshal(map[string]any{"type": "discord", "title": "x", "settings": map[string]string{"url": "https://127.0.0.1:1/", "template": `{{range $i := 20000}}{{printf "%50000d" $i}}{{end}}`}})
	return o.ask(ctx, "POST", "/ui/api/services/test", text).code
}

// raw opens a connection and writes the head of a request.
func raw(ctx context.Context, o *org, head string) net.Conn {
	var d net.Dialer
	c, err := d.DialContext(ctx, "tcp", o.server.addr)
	if err != nil {
		return nil
	}
	r, _ := http.NewRequest("GET", "http://x/", nil)
	r.SetBasicAuth(o.token, "")
	fmt.Fprintf(c, "%s HTTP/1.1\r\nHost: %s\r\nAuthorization: %s\r\n", head, o.server.addr, r.Header.Get("Authorization"))
	return c
}

// hold keeps a connection for a while.
func hold(ctx context.Context, c net.Conn, d time.Duration) int {
	if c == nil {
		return 0
	}
	defer c.Close()
	select {
	case <-ctx.Done():
	case <-time.After(d):
	}
	return 0
}

func slowReaders(ctx context.Context, o *org) int {
	c := raw(ctx, o, "GET /v1/measurements/attack.streams?resolution=1&duration=86400")
	if c != nil {
		fmt.Fprint(c, "\r\n")
	}
	return hold(ctx, c, 30*time.Second)
}

func slowAssistants(ctx context.Context, o *org) int {
	const body = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"query","arguments":{"compose":"s(\"attack.streams\",\"*\")","resolution":1}}}`
	c := raw(ctx, o, "POST /mcp")
	if c != nil {
		fmt.Fprintf(c, "Content-Type: application/json\r\nContent-Length: %d\r\n\r\n%s", len(body), body)
	}
	return hold(ctx, c, 30*time.Second)
}

func slowBodies(ctx context.Context, o *org) int {
	c := raw(ctx, o, "POST /v1/measurements")
	if c == nil {
		return 0
	}
	defer c.Close()
	fmt.Fprint(c, "Content-Type: application/json\r\nContent-Length: 16000000\r\n\r\n{\"measurements\":[")
	for range 30 {
		if _, err := c.Write([]byte(" ")); err != nil || ctx.Err() != nil {
			return 0
		}
		time.Sleep(time.Second)
	}
	return 0
}

func expensiveComposites(ctx context.Context, o *org) int {
	text := `sum(` + strings.Repeat(`timeshift("1h",`, 3) + `s("attack.*","*",{period:"1"})` + strings.Repeat(`)`, 3) + `)`
	return o.ask(ctx, "GET", "/v1/measurements?resolution=1&duration=86400&compose="+escape(text), nil).code
}

func escape(text string) string {
	return strings.NewReplacer(`"`, "%22", "{", "%7B", "}", "%7D", " ", "%20", "*", "%2A").Replace(text)
}

func manyQueries(ctx context.Context, o *org) int {
	queries := make([]any, 200)
	for i := range queries {
		queries[i] = map[string]any{"id": fmt.Sprint(i), "metric": "attack.*"}
	}
	now := time.Now().Unix()
	text, _ := json.Marshal(map[string]any{"start": now - 86400, "end": now, "resolution": 1, "queries": queries})
	return o.ask(ctx, "POST", "/ui/api/query", text).code
}

func expensivePromQL(ctx context.Context, o *org) int {
	now := time.Now().Unix()
	return o.ask(ctx, "GET", fmt.Sprintf("/prometheus/api/v1/query_range?query=%s&start=%d&end=%d&step=1",
		escape(`sum_over_time({__name__=~".+"}[1h])`), now-7200, now), nil).code
}

func expensiveAlerts(ctx context.Context, o *org) int {
	name := fmt.Sprintf("attack.composite.%d", rand.IntN(50))
	text, _ := json.Marshal(map[string]any{"type": "composite", "composite": `sum(s("attack.*","*",{period:"1"}))`, "period": 1})
	o.ask(ctx, "PUT", "/v1/metrics/"+name, text)
	alert, _ := json.Marshal(map[string]any{"name": name, "conditions": []any{
		map[string]any{"type": "above", "metric_name": name, "threshold": rand.Float64()},
		map[string]any{"type": "above", "metric_name": "attack.streams", "threshold": 1e9, "duration": 3600, "summary_function": "max"},
	}})
	return o.ask(ctx, "POST", "/v1/alerts", alert).code
}

func poisonAlerts(ctx context.Context, o *org) int {
	hosts := []string{"poison"}
	for i := range 999 {
		hosts = append(hosts, fmt.Sprintf("host-%0200d", i))
	}
	alert, _ := json.Marshal(map[string]any{"name": fmt.Sprint("attack.poison.", rand.IntN(100)), "conditions": []any{
		map[string]any{"type": "above", "metric_name": "attack.poison", "threshold": 5, "tags": []any{map[string]any{"name": "host", "values": hosts}}},
	}})
	o.ask(ctx, "PUT", "/v1/metrics/attack.poison", []byte(`{"attributes":{"display_units_short":"`+strings.Repeat("u", 32768)+`"}}`))
	o.ask(ctx, "POST", "/v1/alerts", alert)
	return o.ask(ctx, "POST", "/v1/measurements", measurements(1, func(int) string { return measurement("attack.poison", "poison", 9e120) })).code
}

// tarpit is a service that takes long to answer.
var tarpit = sync.OnceValue(func() string {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	go func() {
		_ = http.Serve(l, http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
			select {
			case <-r.Context().Done():
			case <-time.After(15 * time.Second):
			}
		}))
	}()
	return "http://" + l.Addr().String() + "/"
})

func slowServices(ctx context.Context, o *org) int {
	title := fmt.Sprint("attack.", rand.IntN(100))
	text, _ := json.Marshal(map[string]any{"type": "webhook", "title": title, "settings": map[string]string{"url": tarpit() + title}})
	a := o.ask(ctx, "POST", "/v1/services", text)
	var made struct {
		ID int64 `json:"id"`
	}
	if json.Unmarshal(a.body, &made) != nil || made.ID == 0 {
		return a.code
	}
	alert, _ := json.Marshal(map[string]any{"name": title, "services": []int64{made.ID}, "rearm_seconds": 60, "rearm_per_signal": true,
		"conditions": []any{map[string]any{"type": "above", "metric_name": "attack.streams", "threshold": -1}}})
	return o.ask(ctx, "POST", "/v1/alerts", alert).code
}

func slowTests(ctx context.Context, o *org) int {
	text, _ := json.Marshal(map[string]any{"type": "webhook", "title": "x", "settings": map[string]string{"url": tarpit()}})
	return o.ask(ctx, "POST", "/ui/api/services/test", text).code
}

func guesses(ctx context.Context, o *org) int {
	text, _ := json.Marshal(map[string]string{"email": fmt.Sprintf("nobody-%d@example.org", rand.IntN(5)), "password": fmt.Sprint("guess ", rand.Int64())})
	r := *o
	r.cookie = ""
	return r.ask(ctx, "POST", "/ui/api/session", text).code
}

func resets(ctx context.Context, o *org) int {
	r := *o
	r.cookie = ""
	return r.ask(ctx, "POST", fmt.Sprint("/ui/api/reset/", rand.Int64()), []byte(`{"password":"a long enough password"}`)).code
}

func listeners(ctx context.Context, o *org) int {
	ctx, cancel := context.WithTimeout(ctx, 20*time.Second)
	defer cancel()
	return o.ask(ctx, "GET", "/ui/api/arrivals/watch", nil).code
}

// bomb is 256 MiB of one byte, packed: parts in a row are one whole.
func bomb(b byte) func() []byte {
	return func() []byte { return bytes.Repeat(zip(bytes.Repeat([]byte{b}, 4<<20)), 64) }
}

func bombAt(path, kind string, body func() []byte) func(context.Context, *org) int {
	body = sync.OnceValue(body)
	return func(ctx context.Context, o *org) int {
		return o.ask(ctx, "POST", path, body(), "Content-Type", kind, "Content-Encoding", "gzip").code
	}
}

// wide is 16 MiB of JSON, packed.
func wide() []byte { return zip([]byte(`{"name":[` + strings.Repeat(`{},`, 4<<20) + `{}]}`)) }

// remoteWriteBomb is a block of Snappy that claims to be, and is, 64 MiB: one
// byte, copied again and again.
func remoteWriteBomb(ctx context.Context, o *org) int {
	return o.ask(ctx, "POST", "/prometheus/api/v1/write", snappyBomb(), "Content-Type", "application/x-protobuf", "Content-Encoding", "snappy",
		"X-Prometheus-Remote-Write-Version", "0.1.0").code
}

var snappyBomb = sync.OnceValue(func() []byte {
	const size = 64 << 20
	b := binary.AppendUvarint(nil, size)
	b = append(b, 0<<2, 0x0a) // one byte as it is
	for left := size - 1; left > 0; {
		n := min(left, 64)
		b = append(b, byte(n-1)<<2|2, 1, 0) // n bytes from one back
		left -= n
	}
	return b
})

func influxStreams(ctx context.Context, o *org) int {
	var b bytes.Buffer
	for range 1000 {
		fmt.Fprintf(&b, "attack,host=%d,x=%s value=1\n", rand.Int64(), strings.Repeat("x", 200))
	}
	return o.ask(ctx, "POST", "/write?db=x", b.Bytes(), "Content-Type", "text/plain").code
}
