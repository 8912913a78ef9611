package api

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"encoding/json"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// capture is one request that a real client was recorded sending, and the
// status it was content with.
type capture struct {
	Method, Path, Query string
	Headers             map[string]string
	Body                string
	Gzipped             bool
	Answered            int
}

// TestCaptures replays what real, unmodified clients sent, in their order, and
// checks that each gets the status and the shape of body it needs.
func TestCaptures(t *testing.T) {
	files, err := filepath.Glob("testdata/captures/*.jsonl")
	if err != nil || len(files) == 0 {
		t.Fatalf("no captures: %v", err)
	}
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".jsonl")
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := &player{world: newWorld(t), t: t, client: name, made: make(map[string][]*thing)}
			captures := readCaptures(t, file)
			p.prepare(captures)
			for i, c := range captures {
				p.play(i+1, c)
			}
		})
	}
}

func readCaptures(t *testing.T, file string) (list []capture) {
	t.Helper()
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 16<<20)
	for lines.Scan() {
		var c capture
		if err := json.Unmarshal(lines.Bytes(), &c); err != nil {
			t.Fatal(err)
		}
		list = append(list, c)
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	return list
}

// player replays one client. The ids in a recording are those of the server
// it was made with; made maps them to ours, by family ("services", "charts").
type player struct {
	*world
	t      *testing.T
	client string
	made   map[string][]*thing
	shift  int64  // seconds from the recording to now
	secret string // of the token that the replay made last
}

// thing is something that the replay created. Recorded is 0 until a request
// of the recording tells which id it had there.
type thing struct{ ours, recorded int64 }

// prepare creates the metrics that are read but never written: repeats were
// left out of the recordings, and with them some first mentions.
func (p *player) prepare(captures []capture) {
	var sent strings.Builder
	for _, c := range captures {
		sent.WriteString(c.Body)
	}
	for _, c := range captures {
		name, ok := strings.CutPrefix(c.Path, "/v1/measurements/")
		if ok && !strings.Contains(sent.String(), `"`+name+`"`) && c.Answered == 200 {
			p.ask("admin", "PUT", "/v1/metrics/"+name, "{}")
		}
	}
}

func (p *player) play(n int, c capture) {
	p.t.Helper()
	method, path := c.Method, p.mapPath(c.Path, c.Answered)
	target := path
	if c.Query != "" {
		target += "?" + p.timely(c.Query)
	}
	body := p.mapBody(p.timely(c.Body))
	r := httptest.NewRequest(method, target, bytes.NewReader(packed(body, c.Gzipped)))
	for name, v := range c.Headers {
		r.Header.Set(name, v)
	}
	p.authorize(r.Header, c.Headers["authorization"])
	rec := httptest.NewRecorder()
	p.ServeHTTP(rec, r)
	unpack(p.t, rec)
	if !p.content(c, rec.Code) {
		p.t.Errorf("line %d: %s %s answers %d, the client was content with %d\n%s\n%s", n, method, target, rec.Code, c.Answered, body, rec.Body)
		return
	}
	p.remember(c, rec)
	for _, problem := range clientProblems(p.client, c, rec) {
		p.t.Errorf("line %d: %s %s: %s\n%s", n, method, target, problem, rec.Body)
	}
}

// content reports whether a status is as good for the client as the recorded
// one: the same, or another way to refuse what was wrong on purpose.
func (p *player) content(c capture, status int) bool {
	if p.client == "collectd-write_http" && c.Answered == 400 {
		return status == 202 // the recording's server did not know collectd; we do
	}
	if c.Answered == 400 {
		return status >= 400 && status < 500
	}
	return status == c.Answered
}

func (p *player) authorize(h interface{ Set(string, string) }, recorded string) {
	credentials, ok := strings.CutPrefix(recorded, "Basic ")
	if !ok {
		return
	}
	credentials = strings.ReplaceAll(credentials, "{TOKEN}", p.secrets["admin"])
	credentials = recordedToken.ReplaceAllString(credentials, p.secret) // one that the client itself made
	h.Set("Authorization", "Basic "+base64.StdEncoding.EncodeToString([]byte(credentials)))
}

var recordedToken = regexp.MustCompile(`\b[0-9a-f]{64}\b`)

func packed(body string, zip bool) []byte {
	if !zip || body == "" {
		return []byte(body)
	}
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	_, _ = z.Write([]byte(body))
	_ = z.Close()
	return b.Bytes()
}

// unpack does what a client that asks for gzip does with it.
func unpack(t *testing.T, rec *httptest.ResponseRecorder) {
	if rec.Header().Get("Content-Encoding") != "gzip" {
		return
	}
	z, err := gzip.NewReader(rec.Body)
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if _, err := b.ReadFrom(z); err != nil {
		t.Fatal(err)
	}
	rec.Body = &b
}

var recordedTime = regexp.MustCompile(`\b17947\d{5}(\.\d+)?\b`)

// timely moves the times of the recording to today.
func (p *player) timely(s string) string {
	return recordedTime.ReplaceAllStringFunc(s, func(m string) string {
		at, _ := strconv.ParseFloat(m, 64)
		if p.shift == 0 {
			p.shift = time.Now().Unix() - int64(at)
		}
		return strconv.FormatFloat(at+float64(p.shift), 'f', -1, 64)
	})
}

var families = []string{"alerts", "services", "spaces", "charts", "annotations", "api_tokens", "snapshots", "jobs"}

// mapPath replaces the recorded ids in a path by ours.
func (p *player) mapPath(path string, answered int) string {
	parts := strings.Split(path, "/")
	for i := 1; i < len(parts); i++ {
		id, err := strconv.ParseInt(parts[i], 10, 64)
		family := parts[i-1]
		if i > 1 && parts[i-2] == "annotations" {
			family = "annotations" // an event's id comes after the stream's name
		}
		if err != nil || !slices.Contains(families, family) {
			continue
		}
		parts[i] = strconv.FormatInt(p.ours(family, id, answered), 10)
	}
	return strings.Join(parts, "/")
}

// ours returns our id for a recorded one. Ids of a recording grow with time,
// so the first mention of one belongs to the latest thing made that does not
// come before things with smaller ids.
func (p *player) ours(family string, id int64, answered int) int64 {
	var best *thing
	for _, th := range p.made[family] {
		switch {
		case th.recorded == id:
			return th.ours
		case th.recorded == 0:
			best = th
		case th.recorded > id && best != nil:
			best.recorded = id
			return best.ours
		case th.recorded < id:
			best = nil
		}
	}
	if best == nil || answered >= 400 {
		return id
	}
	best.recorded = id
	return best.ours
}

// mapBody replaces the ids of services and charts in a body by ours.
func (p *player) mapBody(body string) string {
	var tree map[string]any
	dec := json.NewDecoder(strings.NewReader(body))
	dec.UseNumber()
	if dec.Decode(&tree) != nil {
		return body
	}
	changed := false
	replace := func(family string, in map[string]any, key string) {
		if n, ok := in[key].(json.Number); ok {
			id, _ := n.Int64()
			in[key] = p.ours(family, id, 200)
			changed = true
		}
	}
	replace("services", tree, "service")
	if list, ok := tree["services"].([]any); ok {
		for i, item := range list {
			if object, ok := item.(map[string]any); ok {
				replace("services", object, "id")
				continue
			}
			slot := map[string]any{"id": item}
			replace("services", slot, "id")
			list[i] = slot["id"]
		}
	}
	if subject, ok := tree["subject"].(map[string]any); ok {
		if chart, ok := subject["chart"].(map[string]any); ok {
			replace("charts", chart, "id")
		}
	}
	if !changed {
		return body
	}
	b, _ := json.Marshal(tree)
	return string(b)
}

var lastSegment = regexp.MustCompile(`/(\d+)$`)

// remember notes what an answer says was created.
func (p *player) remember(c capture, rec *httptest.ResponseRecorder) {
	if c.Method != "POST" || rec.Code != 201 && rec.Code != 202 {
		return
	}
	parts := strings.Split(strings.Trim(c.Path, "/"), "/")
	family := parts[len(parts)-1]
	if len(parts) == 3 && parts[1] == "annotations" {
		family = "annotations"
	}
	if family == "api_tokens" {
		var made struct{ Token string }
		if json.Unmarshal(rec.Body.Bytes(), &made) == nil {
			p.secret = made.Token
		}
	}
	if m := lastSegment.FindStringSubmatch(rec.Header().Get("Location")); m != nil {
		id, _ := strconv.ParseInt(m[1], 10, 64)
		p.made[family] = append(p.made[family], &thing{ours: id})
		if family == "snapshots" {
			p.made["jobs"] = append(p.made["jobs"], &thing{ours: id})
		}
	}
}
