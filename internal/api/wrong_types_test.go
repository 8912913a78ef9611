package api

import (
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/tidemark-metrics/tidemark/internal/api/rest"
	"github.com/tidemark-metrics/tidemark/internal/testdeps"
)

// marker is a secret that bodies hold; no log may have it.
const marker = "s3cr3t-marker"

// wrongValues are put in the place of everything that a good body says.
var wrongValues = []struct{ name, json string }{
	{"an object", `{"` + marker + `":{}}`},
	{"a list", `[["` + marker + `"]]`},
	{"a text", `"` + marker + `"`},
	{"true", `true`},
	{"minus one", `-1`},
	{"too large", `1e300`},
	{"256 characters", `"` + long + `"`},
	{"illegal characters", `"a\u0000\u0007b"`},
	{"nothing", `null`},
}

// place is one spot in a body: keys of objects and indices of lists.
type place []any

func (p place) String() string {
	var parts []string
	for _, step := range p {
		parts = append(parts, fmt.Sprint(step))
	}
	return strings.Join(parts, ".")
}

// places lists every spot below v, in order.
func places(v any, at place) (all []place) {
	switch v := v.(type) {
	case map[string]any:
		for _, key := range slices.Sorted(maps.Keys(v)) {
			below := append(slices.Clip(at), key)
			all = append(append(all, below), places(v[key], below)...)
		}
	case []any:
		for i, item := range v {
			below := append(slices.Clip(at), i)
			all = append(append(all, below), places(item, below)...)
		}
	}
	return all
}

// with returns body with value in one place.
func with(t *testing.T, body string, at place, value string) string {
	t.Helper()
	var tree, v any
	if err := json.Unmarshal([]byte(body), &tree); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal([]byte(value), &v); err != nil {
		v = json.RawMessage(value) // 1e300 and the like
	}
	spot := tree
	for _, step := range at[:len(at)-1] {
		if i, ok := step.(int); ok {
			spot = spot.([]any)[i]
		} else {
			spot = spot.(map[string]any)[step.(string)]
		}
	}
	switch last := at[len(at)-1].(type) {
	case int:
		spot.([]any)[last] = v
	case string:
		spot.(map[string]any)[last] = v
	}
	text, err := json.Marshal(tree)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// inspector sends requests that are wrong and looks for what they must not do:
// fail on our side, change something, or leave a secret in the log.
type inspector struct {
	*world
	t    *testing.T
	logs *lockedBuffer
	path string // of the database
}

func newInspector(t *testing.T) *inspector {
	w := ownWorld(t)
	in := &inspector{world: w, t: t, logs: new(lockedBuffer), path: w.path}
	in.Logger = slog.New(slog.NewTextHandler(in.logs, &slog.HandlerOptions{Level: slog.LevelDebug}))
	return in
}

// state tells one moment of all that is stored from another: the head of the
// index of the database's log, which counts the transactions, and what the
// engine counts. The bytes of the database themselves would say no more, but
// they are many, and asked for thousands of times.
func (in *inspector) state() string {
	in.t.Helper()
	index, err := os.Open(in.path + "-shm")
	if err != nil {
		in.t.Fatal(err)
	}
	defer index.Close()
	var head [48]byte // as https://sqlite.org/walformat.html has it
	if _, err := io.ReadFull(index, head[:]); err != nil {
		in.t.Fatal(err)
	}
	stats, err := in.Engine.Stats(in.t.Context())
	if err != nil {
		in.t.Fatal(err)
	}
	return fmt.Sprintf("%x %+v", head, stats)
}

// TestInspectorSees: what is stored shows, what is only looked at does not.
func TestInspectorSees(t *testing.T) {
	t.Parallel()
	in := newInspector(t)
	in.want(t, "GET", "/v1/spaces", "") // who asks for the first time is noted
	before := in.state()
	in.want(t, "GET", "/v1/spaces", "")
	if in.state() != before {
		t.Error("looking changes something")
	}
	for _, change := range [][2]string{
		{"POST /v1/spaces", `{"name":"one more"}`},
		{"POST /v1/measurements", `{"measurements":[{"name":"one.more","value":1}]}`},
	} {
		before = in.state()
		method, path, _ := strings.Cut(change[0], " ")
		in.want(t, method, path, change[1])
		if in.state() == before {
			t.Errorf("%s does not show", change[0])
		}
	}
}

// send sends a request and checks what holds of every answer. Where one that
// is refused changed something, it is sent once more: to be seen is noted at
// most once a minute.
func (in *inspector) send(about, who, method, target, body string, headers ...string) *httptest.ResponseRecorder {
	in.t.Helper()
	before := in.state()
	rec := in.ask(who, method, target, body, headers...)
	noted := rec.Code == http.StatusUnauthorized && strings.Contains(rec.Body.String(), "password is wrong") ||
		strings.HasSuffix(target, "/ui/api/proof") && strings.Contains(rec.Body.String(), "is wrong")
	if rec.Code >= 400 && in.state() != before && !noted { // the audit log has refused sign-ins
		before = in.state()
		rec = in.ask(who, method, target, body, headers...)
		if rec.Code >= 400 && in.state() != before {
			in.t.Errorf("%s: %d %.200s, but something changed", about, rec.Code, rec.Body)
		}
	}
	if rec.Code >= 500 {
		in.t.Errorf("%s: %d %.300s", about, rec.Code, rec.Body)
	}
	if rec.Code >= 400 {
		in.checkShape(about, method, target, rec)
	}
	return rec
}

// checkShape holds a refusal against the shapes that are documented.
func (in *inspector) checkShape(about, method, target string, rec *httptest.ResponseRecorder) {
	in.t.Helper()
	var body struct {
		Errors  any `json:"errors"`
		Message any `json:"message"`
		Error   any `json:"error"`
	}
	err := json.Unmarshal(rec.Body.Bytes(), &body)
	if err != nil || body.Errors == nil && body.Message == nil && body.Error == nil || rec.Header().Get("Content-Type") != rest.ContentJSON {
		in.t.Errorf("%s: %d in no documented shape: %.300s", about, rec.Code, rec.Body)
	}
	if !strings.ContainsAny(target, "\x00") {
		checkAgainstOpenAPI(in.t, in.world, method, target, rec)
	}
	for name, secret := range in.secrets {
		if strings.Contains(rec.Body.String(), secret) {
			in.t.Errorf("%s: the answer has the secret of %s: %s", about, name, rec.Body)
		}
	}
}

// checkLog looks for secrets, and for faults, in what was logged.
func (in *inspector) checkLog() {
	in.t.Helper()
	text := in.logs.String()
	secrets := append(slices.Collect(maps.Values(in.secrets)), slices.Collect(maps.Values(in.people))...)
	for _, secret := range append(secrets, marker, "correct horse battery", "example.org/hook") {
		if strings.Contains(text, secret) {
			in.t.Errorf("the log has a secret: %s", text)
		}
	}
	if strings.Contains(text, "level=ERROR") {
		in.t.Errorf("the log has a fault of ours: %s", text)
	}
}

// goodBody is one that the route takes; "" where it takes none.
func goodBody(rt rest.Route) string {
	if body := writes[rt.Name()]; body != "" {
		return body
	}
	return pages[rt.Name()]
}

// mightiest is who may do all that a route does.
func mightiest(rt rest.Route) string {
	if rt.People {
		return "Admin"
	}
	return "admin"
}

// names reports whether a refusal names what is in a place of the body.
func names(rec *httptest.ResponseRecorder, at place) bool {
	var body any
	if json.Unmarshal(rec.Body.Bytes(), &body) != nil {
		return false
	}
	for _, s := range saidIn("", "", body) {
		if s.field == "" && strings.HasPrefix(s.text, fmt.Sprint(at[0])+" ") || s.text == "a number has an exponent over 126" ||
			s.text == "Payload must include at least 1 measurement" {
			return true // as the route of measurements puts it
		}
		for part := range strings.SplitSeq(s.field, ".") {
			for _, step := range at {
				name := fmt.Sprint(step)
				if part != "" && (part == name || slices.Contains(strings.Fields(partners[name]), part)) {
					return true
				}
			}
		}
	}
	return false
}

// structured reports whether a wrong value cannot be taken for another kind:
// an object for a text, a text for an object.
func structured(value string, was any) bool {
	switch was.(type) {
	case map[string]any:
		return value[0] == '"' || value == "true" || value[0] == '-'
	case []any:
		return value == "true" || value[0] == '-'
	}
	return value[0] == '{' || value[0] == '['
}

func spot(tree any, p place) any {
	for _, step := range p {
		if i, ok := step.(int); ok {
			tree = tree.([]any)[i]
		} else {
			tree = tree.(map[string]any)[step.(string)]
		}
	}
	return tree
}

// partners are what a rule about two fields may name instead of the wrong one.
var partners = map[string]string{
	"max": "min", "end": "start", "start_time": "end_time", "start": "until", // one is not below the other
	"settings":     "url addresses", // the one that is missing then
	"window":       "name",
	"alert":        "conditions",
	"gauges":       "name value measurements", // in the words of the old service
	"measurements": "name",
}

// loose are the places that take anything, each with why.
var loose = map[string]string{
	"POST /v1/measurements measurements.0.attributes": "only what makes sense of them is kept, and only of a new metric",
	"POST /v1/measurements measurements.0.period":     "likewise",
	"PUT /ui/api/session/passkey key":                 "the good body has no answer of an authenticator",
	"POST /ui/api/second_factor/passkeys name":        "the good body has no key of a challenge",
	"POST /ui/api/second_factor/passkeys credential":  "the good body has no key of a challenge",
	"POST /ui/api/proof password":                     "the good body has the right one",
}

// TestWrongTypes puts what is wrong into every place of the good body of every
// route. What each is told is in testdata/tables/wrong.txt.
func TestWrongTypes(t *testing.T) {
	t.Parallel()
	table := newWorld(t).Table
	lines := make([]string, len(table))
	t.Run("routes", func(t *testing.T) {
		for i, rt := range table {
			if goodBody(rt) == "" || !testdeps.Sampled(i) {
				continue
			}
			t.Run(rt.Name(), func(t *testing.T) {
				t.Parallel()
				lines[i] = wrongTypes(t, rt)
			})
		}
	})
	if !testdeps.Whole() {
		return
	}
	golden(t, "testdata/tables/wrong.txt", `# What every route says to a body that is good but for one place.
`+strings.Join(slices.DeleteFunc(lines, func(s string) bool { return s == "" }), ""))
}

func wrongTypes(t *testing.T, rt rest.Route) string {
	in := newInspector(t)
	method, target, body := in.goodRequest(rt)
	body = in.timely(body)
	var tree any
	if err := json.Unmarshal([]byte(body), &tree); err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	fmt.Fprintf(&out, "\n%s\n", rt.Name())
	for _, p := range places(tree, nil) {
		var verdicts grouped
		for _, wrong := range wrongValues {
			about := fmt.Sprintf("%s: %s in %s", rt.Name(), wrong.name, p)
			rec := in.send(about, mightiest(rt), method, target, with(t, body, p, wrong.json))
			verdicts.add(verdict(rec), wrong.name)
			partly := rec.Header().Get("X-Partial-Failure") != ""
			switch {
			case loose[rt.Name()+" "+p.String()] != "" || loose[rt.Name()+" "+p[:max(1, len(p)-1)].String()] != "":
			case partly && !names(rec, p):
				t.Errorf("%s: the answer names another field: %s", about, rec.Body)
			case partly:
			case rec.Code < 300 && structured(wrong.json, spot(tree, p)):
				t.Errorf("%s is taken: %d %.200s", about, rec.Code, rec.Body)
			case rec.Code == http.StatusBadRequest && !names(rec, p):
				t.Errorf("%s: the answer names another field: %s", about, rec.Body)
			}
			if rec.Code < 300 && once(rt) {
				in.checkLog()
				in = newInspector(t)
				_, target, _ = in.goodRequest(rt)
			}
		}
		fmt.Fprintf(&out, "  %s\n%s", p, indented(verdicts.String()))
	}
	in.checkLog()
	return out.String()
}

// indented moves every line to the right.
func indented(text string) string {
	return strings.ReplaceAll("  "+strings.TrimSuffix(text, "\n"), "\n", "\n  ") + "\n"
}

// verdict is what became of a request, on one line.
func verdict(rec *httptest.ResponseRecorder) string {
	if rec.Code < 300 && rec.Header().Get("X-Partial-Failure") == "" {
		return strconv.Itoa(rec.Code)
	}
	text := strings.ReplaceAll(new(world).steady(rec.Body.String()), long, "<<256*a>>")
	if len(text) > 160 {
		text = text[:160] + "..."
	}
	return strconv.Itoa(rec.Code) + " " + text
}
