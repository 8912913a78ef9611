package app

import (
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"
)

// viewOnly makes a token of role View Only.
func (s *server) viewOnly(t *testing.T) string {
	t.Helper()
	var made struct{ Token string }
	status, text := s.ask(t, http.MethodPost, "/v1/api_tokens", `{"name":"looks","role":"viewer"}`, "Authorization", "Bearer "+s.Secret.Reveal())
	if err := json.Unmarshal([]byte(text), &made); err != nil || made.Token == "" {
		t.Fatalf("%d %s", status, text)
	}
	return made.Token
}

// TestHostileExpressions: expressions that Prometheus' parser, or what writes
// them prettily, would take minutes for are refused at every call that takes
// one, with the character from which they are too much; the server is as it was.
func TestHostileExpressions(t *testing.T) {
	t.Parallel()
	s := start(t, settings(t, nil))
	defer s.end(t)
	token, times := s.viewOnly(t), strings.Repeat
	ask := func(method, path string, form url.Values) (int, string) {
		t.Helper()
		form.Set("start", "1000")
		form.Set("end", "2000")
		form.Set("step", "60")
		if method == http.MethodGet {
			return s.ask(t, method, path+"?"+form.Encode(), "", "Authorization", "Bearer "+token)
		}
		return s.ask(t, method, path, form.Encode(), "Authorization", "Bearer "+token, "Content-Type", "application/x-www-form-urlencoded")
	}
	const root = "/prometheus/api/v1/"
	for _, c := range []struct{ name, expr, want string }{
		{"signs", times("-", 300_000) + "huge", "at character 32769: longer than 32768 bytes"},
		{"fewer signs", times("-", 30_000) + "huge", "at character 65: nested more than 64 deep"},
		{"parentheses", times("(", 20_000) + "1" + times(")", 20_000), "at character 32769: longer than 32768 bytes"},
		{"fewer parentheses", times("(", 2000) + "1" + times(")", 2000), "at character 65: nested more than 64 deep"},
		{"a long sum", "huge" + times("+1", 20_000), "at character 32769: longer than 32768 bytes"},
		{"a sum", "huge" + times("+1", 14_000), "at character 517: more than 256 operators"},
		{"powers", "huge" + times("^-huge", 5000), "at character 773: more than 256 operators"},
		{"ranges", "huge" + times("[1m:1s]", 4000), "at character 1797: more than 256 operators"},
		{"subqueries", times("max_over_time(", 1000) + "huge" + times("[1m:1s])", 1000), "at character 910: nested more than 64 deep"},
		{"labels", "a + on(" + times("a,", 7000) + "a) group_left(" + times("b,", 7000) + "b) b", "at character 4100: more than 4096 names"},
	} {
		for _, path := range []string{"query", "query_range", "format_query", "query_exemplars"} {
			status, text := ask(http.MethodPost, root+path, url.Values{"query": {c.expr}})
			if want := `"errorType":"bad_data","error":"invalid parameter \"query\": ` + c.want; status != http.StatusBadRequest || !strings.Contains(text, want) {
				t.Errorf("%s, %s: %d %.200s", path, c.name, status, text)
			}
		}
		for method, paths := range map[string][]string{
			http.MethodPost: {"series", "labels"}, http.MethodGet: {"series", "labels", "label/host/values"},
		} {
			for _, path := range paths {
				if method == http.MethodGet && strings.Contains(c.want, "longer") {
					continue // than an address may be, too
				}
				status, text := ask(method, root+path, url.Values{"match[]": {"huge", c.expr}})
				if want := `"errorType":"bad_data","error":"invalid parameter \"match[]\": ` + c.want; status != http.StatusBadRequest || !strings.Contains(text, want) {
					t.Errorf("%s %s, %s: %d %.200s", method, path, c.name, status, text)
				}
			}
		}
	}
	if status, text := ask(http.MethodPost, root+"format_query", url.Values{"query": {times("(", 64) + "huge" + times("+1", 192) + times(")", 64)}}); status != http.StatusOK {
		t.Errorf("within the bounds: %d %s", status, text)
	}
}

// TestQueriesEnd: an expression that would take long is given up at the time
// that its request has.
func TestQueriesEnd(t *testing.T) {
	t.Parallel()
	s := start(t, settings(t, nil))
	defer s.end(t)
	const endless = `max_over_time((vector(time()) + vector(time()))[30d:1s])` // of millions of steps
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)               // bounds the test alone
	defer cancel()
	for path, more := range map[string]string{"query": "", "query_range": "&start=1000&end=2000&step=60"} {
		r, err := http.NewRequestWithContext(ctx, http.MethodGet, s.URL+"/prometheus/api/v1/"+path+"?timeout=20ms&query="+url.QueryEscape(endless)+more, nil)
		if err != nil {
			t.Fatal(err)
		}
		r.SetBasicAuth("token", s.viewOnly(t))
		res, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		var answer struct{ ErrorType, Error string }
		err = json.NewDecoder(res.Body).Decode(&answer)
		res.Body.Close()
		if err != nil || res.StatusCode != http.StatusServiceUnavailable || answer.ErrorType != "timeout" {
			t.Errorf("%s: %d %+v %v", path, res.StatusCode, answer, err)
		}
	}
}
