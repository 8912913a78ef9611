package neighbours

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"time"

	"github.com/klauspost/compress/gzip"
)

// org is an organization.
type org struct {
	server *server
	name   string
	token  string
	email  string
	cookie string // of its person's session
}

// answer is what the server said.
type answer struct {
	code int
	body []byte
	took time.Duration
}

var client = &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 200}}

// ask makes a request as the organization.
func (o *org) ask(ctx context.Context, method, path string, body []byte, headers ...string) answer {
	r, err := http.NewRequestWithContext(ctx, method, "http://"+o.server.addr+path, bytes.NewReader(body))
	if err != nil {
		return answer{body: []byte(err.Error())}
	}
	if o.cookie != "" && len(path) > 4 && path[:4] == "/ui/" {
		r.Header.Set("Cookie", o.cookie)
	} else {
		r.SetBasicAuth(o.token, "")
	}
	r.Header.Set("Content-Type", "application/json")
	for i := 0; i+1 < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	began := time.Now()
	resp, err := client.Do(r)
	if err != nil {
		return answer{body: []byte(err.Error()), took: time.Since(began)}
	}
	defer resp.Body.Close()
	// What an answer is like is of interest, not all of it.
	text, err := io.ReadAll(io.LimitReader(resp.Body, 64<<10))
	if err == nil {
		_, err = io.Copy(io.Discard, resp.Body)
	}
	if err != nil {
		return answer{body: []byte(err.Error()), took: time.Since(began)}
	}
	return answer{resp.StatusCode, text, time.Since(began)}
}

// must is ask for what must succeed, into an object.
func (o *org) must(method, path string, body any) map[string]any {
	o.server.t.Helper()
	text, err := json.Marshal(body)
	if err != nil {
		o.server.t.Fatal(err)
	}
	a := o.ask(o.server.t.Context(), method, path, text)
	if a.code/100 != 2 {
		o.server.t.Fatalf("%s: %s %s: %d %s", o.name, method, path, a.code, a.body)
	}
	var v map[string]any
	_ = json.Unmarshal(a.body, &v) // some have no body
	return v
}

// signIn opens a session of the organization's person.
func (o *org) signIn() {
	o.server.t.Helper()
	body, _ := json.Marshal(map[string]string{"email": o.email, "password": password})
	r, err := http.NewRequest("POST", "http://"+o.server.addr+"/ui/api/session", bytes.NewReader(body))
	if err != nil {
		o.server.t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	resp, err := client.Do(r)
	if err != nil {
		o.server.t.Fatal(err)
	}
	defer resp.Body.Close()
	if resp.StatusCode/100 != 2 || len(resp.Cookies()) == 0 {
		o.server.t.Fatalf("%s signs in: %s", o.name, resp.Status)
	}
	c := resp.Cookies()[0]
	o.cookie = c.Name + "=" + c.Value
}

// service makes a webhook.
func (o *org) service(title, url string) any {
	o.server.t.Helper()
	return o.must("POST", "/v1/services", map[string]any{"type": "webhook", "title": title, "settings": map[string]string{"url": url}})["id"]
}

// alert makes an alert on a metric.
func (o *org) alert(name, metric string, service any) any {
	o.server.t.Helper()
	return o.must("POST", "/v1/alerts", map[string]any{"name": name, "services": []any{service}, "rearm_seconds": 60,
		"conditions": []any{map[string]any{"type": "above", "metric_name": metric, "threshold": 5}}})["id"]
}

// zip packs a text.
func zip(text []byte) []byte {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	_, _ = w.Write(text)
	_ = w.Close()
	return b.Bytes()
}

// measurements is a body for POST /v1/measurements.
func measurements(n int, one func(i int) string) []byte {
	var b bytes.Buffer
	b.WriteString(`{"measurements":[`)
	for i := range n {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(one(i))
	}
	b.WriteString(`]}`)
	return b.Bytes()
}

func measurement(name, host string, value float64) string {
	return fmt.Sprintf(`{"name":%q,"value":%v,"tags":{"host":%q}}`, name, value, host)
}
