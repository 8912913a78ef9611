package rest_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"
	"github.com/klauspost/compress/gzip"

	"github.com/tidemark-metrics/tidemark/internal/api/apitest"
	"github.com/tidemark-metrics/tidemark/internal/api/rest"
)

func packed(t testing.TB, text string) string {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	if _, err := io.WriteString(z, text); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// TestReadBody: a body is read as it is or unpacked, up to a limit that both
// forms have; one that is not what it says is the sender's fault.
func TestReadBody(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", 1001)
	whole := packed(t, "hello")
	for _, c := range []struct{ name, encoding, body, want, refused string }{
		{"plain", "", "hello", "hello", ""},
		{"identity", " Identity ", "hello", "hello", ""},
		{"nothing", "", "", "", ""},
		{"at the limit", "", long[1:], long[1:], ""},
		{"beyond", "", long, "", "413 the body is longer than 1000 bytes"},
		{"gzip", "GZIP", whole, "hello", ""},
		{"gzip of nothing", "gzip", "", "", ""},
		{"gzip at the limit", "gzip", packed(t, long[1:]), long[1:], ""},
		{"gzip of more", "gzip", packed(t, long), "", "413 the body is longer than 1000 bytes"},
		{"a bomb", "gzip", packed(t, strings.Repeat("x", 900_000)), "", "413 the body is longer than 1000 bytes"},
		{"not gzip", "gzip", "hello", "", "400 the body says it is gzip, but is not"},
		{"gzip cut off", "gzip", whole[:len(whole)-9], "", "400 the body ends before it should"},
		{"gzip with a wrong sum", "gzip", whole[:len(whole)-5] + "\x00" + whole[len(whole)-4:], "", "400 the body says it is gzip, but is not"},
		{"another", "br", "hello", "", "415 Content-Encoding must be gzip or left out"},
		{"two", "gzip, gzip", "hello", "", "415 Content-Encoding must be gzip or left out"},
	} {
		r := httptest.NewRequest("POST", "/v1/alerts", strings.NewReader(c.body))
		r.Header.Set("Content-Encoding", c.encoding)
		got, err := rest.ReadBody(r, 1000)
		if string(got) != c.want || apitest.Said(err) != c.refused {
			t.Errorf("%s: %.20q, %q, want %.20q, %q", c.name, got, apitest.Said(err), c.want, c.refused)
		}
	}
}

// TestBodiesThatBreakOff: a sender whose connection ends early is told so where
// it still listens; what else goes wrong with the connection is ours to log.
func TestBodiesThatBreakOff(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		err  error
		want string
	}{{io.ErrUnexpectedEOF, "400 the body ends before it should"}, {io.ErrClosedPipe, "500 "}} {
		r := httptest.NewRequest("POST", "/v1/alerts", io.MultiReader(strings.NewReader("half"), iotest.ErrReader(c.err)))
		if _, err := rest.ReadBody(r, 1000); apitest.Said(err) != c.want || !errors.Is(err, c.err) {
			t.Errorf("%v: %q", c.err, apitest.Said(err))
		}
	}
}

// TestParseTree: JSON and forms are told apart by the body where the header
// does not say or says it wrong, and limits hold before anything is made of it.
func TestParseTree(t *testing.T) {
	t.Parallel()
	const form, text = "application/x-www-form-urlencoded", "application/json"
	deep := func(n int) string { return strings.Repeat("[", n) + strings.Repeat("]", n) }
	for _, c := range []struct {
		kind, body string
		want       any
		refused    string
	}{
		{text, "", map[string]any{}, ""}, {text, " \n", map[string]any{}, ""}, {text, "\xef\xbb\xbf", map[string]any{}, ""},
		{text, "\xef\xbb\xbf{\"a\":1}", map[string]any{"a": json.Number("1")}, ""},
		{"", `{"a":1}`, map[string]any{"a": json.Number("1")}, ""}, {form, `{"a":1}`, map[string]any{"a": json.Number("1")}, ""}, {form, " [1]", []any{json.Number("1")}, ""},
		{"", "a=1", map[string]any{"a": "1"}, ""}, {form + "; charset=utf-8", "a[b]=1", map[string]any{"a": map[string]any{"b": "1"}}, ""},
		{"text/plain", `"a"`, "a", ""}, {"text/plain", "a=1", nil, "400 the body is not valid JSON (at byte 1)"},
		{text, `{"a":`, nil, "400 the body is not valid JSON"}, {text, `{"a":1} {"b":2}`, nil, "400 the body is not valid JSON: there is something after its end"},
		{text, `{"a":[1,}`, nil, "400 the body is not valid JSON (at byte 9)"},
		{text, deep(65), nil, "400 the body is nested more than 64 levels deep"}, {text, `{"a":"` + deep(70) + `"}`, map[string]any{"a": deep(70)}, ""},
		{text, `["\"[[[[", 1]`, []any{`"[[[[`, json.Number("1")}, ""},
		{text, "[" + strings.Repeat("1,", 19) + "1]", nil, "413 the body holds more than 19 values"},
		{"multipart/form-data; boundary=x", "--x\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n1\r\n--x--\r\n", map[string]any{"a": "1"}, ""},
		{"multipart/form-data", "--x--", nil, "400 the body says it is multipart/form-data, but is not"},
		{"multipart/form-data; boundary=x", "--x\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n1\r\n--x\r\nContent-Disposition: form-data; name=\"a[b]\"\r\n\r\n1\r\n--x--\r\n", nil, "400 invalid parameters; a is given both as a value and as an object"},
	} {
		got, err := rest.ParseTree(c.kind, []byte(c.body), 19)
		if err != nil {
			got = nil
		}
		if d := cmp.Diff(c.want, got); d != "" || apitest.Said(err) != c.refused {
			t.Errorf("%s %.40q: %q, want %q %s", c.kind, c.body, apitest.Said(err), c.refused, d)
		}
	}
	if _, err := rest.ParseTree(text, []byte(deep(64)), 64); err != nil {
		t.Errorf("64 levels: %v", err)
	}
}

// TestQueriesBelowBodies: what /v1 finds in the address counts where the body
// does not say it; the interface's own API takes bodies alone.
func TestQueriesBelowBodies(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		target, body string
		want         map[string]any
		refused      string
	}{
		{"/v1/alerts?name=a&active=false", `{"name":"b"}`, map[string]any{"name": "b", "active": "false"}, ""},
		{"/v1/alerts?tags[a]=1&tags[b]=2", "", map[string]any{"tags": map[string]any{"a": "1", "b": "2"}}, ""},
		{"/v1/alerts?name=a", `{"name":null}`, map[string]any{"name": nil}, ""},
		{"/ui/api/session?password=p", `{"email":"a"}`, map[string]any{"email": "a"}, ""},
		{"/v1/alerts?a=%zz", `{}`, map[string]any{}, "400 the form has a % that is not followed by two hex digits"},
		{"/v1/alerts", `[1]`, nil, "400 the body must be an object"},
		{"/v1/alerts", `null`, nil, "400 the body must be an object"},
	} {
		r := httptest.NewRequest("POST", "/", strings.NewReader(c.body))
		path, query, _ := strings.Cut(c.target, "?")
		r.URL.Path, r.URL.RawQuery = path, query
		r.Header.Set("Content-Type", "application/json")
		got, err := rest.ReadObject(r)
		if d := cmp.Diff(c.want, got); d != "" || apitest.Said(err) != c.refused {
			t.Errorf("%s %s: %q, want %q %s", c.target, c.body, apitest.Said(err), c.refused, d)
		}
	}
}

// TestLimitsOfBodies: people who have not signed in send short bodies, others
// longer ones; what is wrong with a field is said of it.
func TestLimitsOfBodies(t *testing.T) {
	t.Parallel()
	var v struct {
		Name string `json:"name"`
		Days int64  `json:"days"`
	}
	send := func(n int) *http.Request {
		return httptest.NewRequest("POST", "/ui/api/a", strings.NewReader(`{"days":3,"name":"`+strings.Repeat("x", n-len(`{"days":3,"name":""}`))+`"}`))
	}
	for _, c := range []struct {
		read    func(*http.Request, any) error
		n       int
		refused string
	}{
		{rest.ReadShort, rest.MaxShortBody, ""}, {rest.ReadShort, rest.MaxShortBody + 1, "413 the body is longer than 16384 bytes"},
		{rest.ReadInto, rest.MaxShortBody + 1, ""}, {rest.ReadInto, rest.MaxBody + 1, "413 the body is longer than 4194304 bytes"},
	} {
		v.Days = 0
		if err := c.read(send(c.n), &v); apitest.Said(err) != c.refused || (v.Days == 3) != (err == nil) {
			t.Errorf("%d bytes: %q, %d", c.n, apitest.Said(err), v.Days)
		}
	}
	for _, read := range []func(*http.Request, any) error{rest.ReadShort, rest.ReadInto} {
		r := httptest.NewRequest("POST", "/ui/api/a", strings.NewReader(`{"days":"many","name":[]}`))
		if err := read(r, &v); apitest.Said(err) != "400 invalid parameters; days is not a number; name must be a text" {
			t.Errorf("got %q", apitest.Said(err))
		}
	}
}
