package mcp

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/tidemark-metrics/tidemark/internal/query"
	"github.com/tidemark-metrics/tidemark/internal/tsdb/memory"
)

// hold begins a holding of memory for queries that there is enough of.
func hold(r *http.Request) (*query.Holding, error) {
	return query.New(query.Options{Engine: memory.New()}).HoldAnswer(r.Context(), 1), nil
}

// api is an API that notes what it is asked, and answers by path.
type api struct {
	asked   []string // method and target, without the check of the token
	headers []http.Header
	body    string            // of the last request
	answers map[string]string // by path
	refuses string            // the path that is answered with 429
	status  int               // that it is answered with instead
}

func (a *api) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.URL.RawQuery == "length=1" { // whether the token may view
		status := map[string]int{"Bearer good": http.StatusOK, "Bearer record": http.StatusForbidden}[r.Header.Get("Authorization")]
		if status == 0 {
			status = http.StatusUnauthorized
		}
		w.WriteHeader(status)
		return
	}
	body, _ := io.ReadAll(r.Body)
	a.asked, a.headers, a.body = append(a.asked, r.Method+" "+r.URL.String()), append(a.headers, r.Header), string(body)
	if r.URL.Path == a.refuses {
		w.WriteHeader(cmp.Or(a.status, http.StatusTooManyRequests))
		_, _ = io.WriteString(w, "slow down\n")
		return
	}
	text, ok := a.answers[r.URL.Path]
	if !ok {
		text = "{}"
	}
	_, _ = io.WriteString(w, text)
}

// post sends a body with a token, and returns the answer.
func post(t *testing.T, a *api, token, body string) *httptest.ResponseRecorder {
	t.Helper()
	r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/mcp", strings.NewReader(body))
	if token != "" {
		r.Header.Set("Authorization", "Bearer "+token)
	}
	r.Header.Set("X-Forwarded-For", "192.0.2.7")
	r.Header.Set("Cookie", "tidemark_session=stolen")
	rec := httptest.NewRecorder()
	New(a, "1.2.3", hold).ServeHTTP(rec, r)
	return rec
}

// toolResult is what a tool answers.
type toolResult struct {
	Result struct {
		Content []struct{ Type, Text string }
		IsError bool
	}
	Error *fault
}

// use calls a tool.
func use(t *testing.T, a *api, name, arguments string) toolResult {
	t.Helper()
	rec := post(t, a, "good", `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"`+name+`","arguments":`+arguments+`}}`)
	var got toolResult
	if err := json.Unmarshal(rec.Body.Bytes(), &got); err != nil {
		t.Fatalf("%v in %s", err, rec.Body)
	}
	return got
}

// TestWhoMayAsk: without a token that may view nothing is answered, not even
// to what is no request at all.
func TestWhoMayAsk(t *testing.T) {
	t.Parallel()
	for token, want := range map[string]int{"": 401, "unknown": 401, "record": 403, "good": 200} {
		for _, body := range []string{`{"jsonrpc":"2.0","id":1,"method":"tools/list"}`, "nonsense"} {
			rec := post(t, &api{}, token, body)
			if challenge := rec.Header().Get("WWW-Authenticate"); rec.Code != want || (challenge != "") != (want != 200) {
				t.Errorf("%q: %d, want %d; challenge %q", token, rec.Code, want, challenge)
			}
		}
	}
}

// TestOnlyPost: the protocol's streams are not offered.
func TestOnlyPost(t *testing.T) {
	t.Parallel()
	for _, method := range []string{http.MethodGet, http.MethodDelete, http.MethodPut} {
		rec := httptest.NewRecorder()
		New(&api{}, "", hold).ServeHTTP(rec, httptest.NewRequestWithContext(t.Context(), method, "/mcp", nil))
		if rec.Code != http.StatusMethodNotAllowed || rec.Header().Get("Allow") != "POST" {
			t.Errorf("%s: %d, Allow %q", method, rec.Code, rec.Header().Get("Allow"))
		}
	}
}

// TestBadCalls: what is wrong with a call is an error of JSON-RPC with the
// call's id, or null where there is none to be read.
func TestBadCalls(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, body, want string }{
		{"no JSON", `{`, `null -32700`},
		{"a batch", `[{"jsonrpc":"2.0","id":1,"method":"ping"}]`, `null -32700`},
		{"another version", `{"jsonrpc":"1.0","id":1,"method":"ping"}`, `1 -32600`},
		{"no version", `{"id":"a","method":"ping"}`, `"a" -32600`},
		{"no such method", `{"jsonrpc":"2.0","id":2,"method":"resources/list"}`, `2 -32601`},
		{"params that are no object", `{"jsonrpc":"2.0","id":3,"method":"tools/call","params":[]}`, `3 -32602`},
		{"no params", `{"jsonrpc":"2.0","id":3,"method":"tools/call"}`, `3 -32602`},
		{"no such tool", `{"jsonrpc":"2.0","id":4,"method":"tools/call","params":{"name":"delete_alert"}}`, `4 -32602`},
	}
	for _, tt := range tests {
		a := &api{}
		rec := post(t, a, "good", tt.body)
		var got struct {
			ID    json.RawMessage
			Error *fault
		}
		if err := json.Unmarshal(rec.Body.Bytes(), &got); err != nil || got.Error == nil || got.Error.Message == "" {
			t.Errorf("%s: %s (%v)", tt.name, rec.Body, err)
			continue
		}
		if s := fmt.Sprintf("%s %d", got.ID, got.Error.Code); s != tt.want || len(a.asked) != 0 {
			t.Errorf("%s: %s, want %s; the API was asked %v", tt.name, s, tt.want, a.asked)
		}
	}
}

// TestBadArguments: the error names what is wrong, and the API is not asked.
func TestBadArguments(t *testing.T) {
	t.Parallel()
	for arguments, want := range map[string]string{
		`{"compose":"s(\"a\")","from":1}`: `"from"`,
		`{"compose":1}`:                   "compose",
		`{"compose":""}`:                  "compose",
		`{}`:                              "compose",
		`{"start":"now"}`:                 "start",
		`[]`:                              "arguments",
	} {
		a := &api{}
		got := use(t, a, "query", arguments)
		if got.Error == nil || got.Error.Code != badParams || !strings.Contains(got.Error.Message, want) || len(a.asked) != 0 {
			t.Errorf("%s: %+v, want an error that names %s; the API was asked %v", arguments, got.Error, want, a.asked)
		}
	}
}

// TestNotifications are accepted without an answer.
func TestNotifications(t *testing.T) {
	t.Parallel()
	for _, body := range []string{`{"jsonrpc":"2.0","method":"notifications/initialized"}`, `{"jsonrpc":"2.0","id":null,"method":"ping"}`} {
		if rec := post(t, &api{}, "good", body); rec.Code != http.StatusAccepted || rec.Body.Len() != 0 {
			t.Errorf("%s: %d %s", body, rec.Code, rec.Body)
		}
	}
}

// TestTooLong: a body over the limit is refused, one at the limit is read.
func TestTooLong(t *testing.T) {
	t.Parallel()
	ping := `{"jsonrpc":"2.0","id":1,"method":"ping"}`
	for more, want := range map[int]int{0: 200, 1: 413} {
		body := ping + strings.Repeat(" ", maxBody-len(ping)+more)
		if rec := post(t, &api{}, "good", body); rec.Code != want {
			t.Errorf("%d bytes: %d, want %d", len(body), rec.Code, want)
		}
	}
}

// TestInitialize: a version that is spoken is agreed on, any other is answered
// with the newest.
func TestInitialize(t *testing.T) {
	t.Parallel()
	for params, want := range map[string]string{
		`{"protocolVersion":"2025-03-26"}`: "2025-03-26",
		`{"protocolVersion":"2025-06-18"}`: "2025-06-18",
		`{"protocolVersion":"1999-01-01"}`: protocolVersion,
		`{}`:                               protocolVersion,
		`7`:                                protocolVersion,
	} {
		rec := post(t, &api{}, "good", `{"jsonrpc":"2.0","id":1,"method":"initialize","params":`+params+`}`)
		var got struct {
			Result struct {
				ProtocolVersion string
				Capabilities    map[string]any
				ServerInfo      struct{ Name, Version string }
			}
		}
		if err := json.Unmarshal(rec.Body.Bytes(), &got); err != nil {
			t.Fatal(err)
		}
		if r := got.Result; r.ProtocolVersion != want || r.ServerInfo.Name != "tidemark" || r.ServerInfo.Version != "1.2.3" || r.Capabilities["tools"] == nil {
			t.Errorf("%s: %+v", params, r)
		}
	}
}

// TestToolsAreDescribed: each tool that is listed can be called, is marked as
// one that changes nothing, and describes all its arguments.
func TestToolsAreDescribed(t *testing.T) {
	t.Parallel()
	rec := post(t, &api{}, "good", `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`)
	var got struct {
		Result struct {
			Tools []struct {
				Name, Description string
				Annotations       struct{ ReadOnlyHint bool }
				InputSchema       struct {
					Properties           map[string]struct{ Type, Description string }
					Required             []string
					AdditionalProperties *bool
				}
			}
		}
	}
	if err := json.Unmarshal(rec.Body.Bytes(), &got); err != nil {
		t.Fatal(err)
	}
	if len(got.Result.Tools) != len(runs) {
		t.Errorf("%d tools are listed, %d can be called", len(got.Result.Tools), len(runs))
	}
	for _, tool := range got.Result.Tools {
		schema := tool.InputSchema
		if runs[tool.Name] == nil || tool.Description == "" || !tool.Annotations.ReadOnlyHint || schema.AdditionalProperties == nil || *schema.AdditionalProperties {
			t.Errorf("%+v", tool)
		}
		for _, name := range schema.Required {
			if _, ok := schema.Properties[name]; !ok {
				t.Errorf("%s requires %s, which it does not describe", tool.Name, name)
			}
		}
		for name, p := range schema.Properties {
			if p.Type == "" || p.Description == "" {
				t.Errorf("%s: %s is not described", tool.Name, name)
			}
		}
	}
}

// fired are incidents of which the last began at 10000.
const fired = `{"incidents":[{"triggered_at":10000},{"triggered_at":5}]}`

// TestToolsAsk: what each tool asks the API for, with the caller's token and
// address, and without cookies.
func TestToolsAsk(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, tool, arguments string
		answers               map[string]string
		want                  []string
		body                  string // of the last request
	}{
		{name: "all metrics", tool: "search_metrics", arguments: `{}`, want: []string{"GET /v1/metrics?"}},
		{name: "some metrics", tool: "search_metrics", arguments: `{"query":"a&b","limit":5,"offset":10}`, want: []string{"GET /v1/metrics?length=5&name=a%26b&offset=10"}},
		{name: "the last hour", tool: "query", arguments: `{"compose":"s(\"a\")"}`, want: []string{"GET /v1/measurements?compose=s%28%22a%22%29&duration=3600&resolution=60"}},
		{name: "a time", tool: "query", arguments: `{"compose":"x","start":100,"end":200,"resolution":10}`, want: []string{"GET /v1/measurements?compose=x&end_time=200&resolution=10&start_time=100"}},
		{name: "alerts", tool: "list_alerts", arguments: `{}`, want: []string{"GET /v1/alerts?length=100", "GET /v1/alerts/status?"}},
		{
			name: "an alert that never fired", tool: "incident", arguments: `{"alert":7}`, answers: map[string]string{"/v1/alerts/7/incidents": `{"incidents":[]}`},
			want: []string{"GET /v1/alerts/7?", "GET /v1/alerts/7/incidents?length=5"},
		},
		{
			name: "an incident", tool: "incident", arguments: `{"alert":7}`,
			answers: map[string]string{"/v1/alerts/7/incidents": fired, "/v1/annotations": `{"annotations":[{"name":"deploys"},{"name":"a/b c"}]}`},
			want: []string{
				"GET /v1/alerts/7?", "GET /v1/alerts/7/incidents?length=5", "GET /v1/annotations?length=100",
				"GET /v1/annotations/deploys?end_time=13600&start_time=6400", "GET /v1/annotations/a%2Fb%20c?end_time=13600&start_time=6400",
				"GET /v1/changes?end_time=10900&start_time=9100",
			},
		},
		{
			name: "a backtest", tool: "backtest_alert", arguments: `{"conditions":[{"type":"above"}],"start":5}`,
			want: []string{"POST /v1/alerts/preview"}, body: `{"alert":{"conditions":[{"type":"above"}]},"start_time":5}`,
		},
		{
			name: "a backtest of a span", tool: "backtest_alert", arguments: `{"conditions":[],"start":5,"end":9}`,
			want: []string{"POST /v1/alerts/preview"}, body: `{"alert":{"conditions":[]},"end_time":9,"start_time":5}`,
		},
	}
	for _, tt := range tests {
		a := &api{answers: tt.answers}
		got := use(t, a, tt.tool, tt.arguments)
		if got.Error != nil || got.Result.IsError || len(got.Result.Content) != 1 || !json.Valid([]byte(got.Result.Content[0].Text)) {
			t.Errorf("%s: %+v %v", tt.name, got.Result, got.Error)
		}
		if diff := gocmp.Diff(tt.want, a.asked); diff != "" {
			t.Errorf("%s: asked (-want +got):\n%s", tt.name, diff)
		}
		if a.body != tt.body {
			t.Errorf("%s: sent %s, want %s", tt.name, a.body, tt.body)
		}
		for _, h := range a.headers {
			if h.Get("Authorization") != "Bearer good" || h.Get("X-Forwarded-For") != "192.0.2.7" || h.Get("Cookie") != "" {
				t.Errorf("%s: headers %v", tt.name, h)
			}
		}
	}
}

// TestIncidentOfLongAgo: one of which no measurements are kept any more is told
// with all else, and with why there are none.
func TestIncidentOfLongAgo(t *testing.T) {
	t.Parallel()
	a := &api{refuses: "/v1/changes", status: http.StatusBadRequest, answers: map[string]string{"/v1/alerts/1/incidents": fired, "/v1/annotations": `{"annotations":[]}`}}
	got := use(t, a, "incident", `{"alert":1}`)
	if got.Error != nil || got.Result.IsError || len(got.Result.Content) != 1 {
		t.Fatalf("%+v %v", got.Result, got.Error)
	}
	want := `{"alert":{},"changed_around_the_last":{"annotations":[],"streams_and_saves":"400 Bad Request: slow down"},"incidents":` + fired + `}`
	if diff := gocmp.Diff(want, got.Result.Content[0].Text); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestRefusals: what the API refuses is a result that the assistant reads,
// wherever in a tool it happens.
func TestRefusals(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ tool, arguments, path string }{
		{"search_metrics", `{}`, "/v1/metrics"},
		{"query", `{"compose":"x"}`, "/v1/measurements"},
		{"list_alerts", `{}`, "/v1/alerts"},
		{"list_alerts", `{}`, "/v1/alerts/status"},
		{"incident", `{"alert":1}`, "/v1/alerts/1"},
		{"incident", `{"alert":1}`, "/v1/alerts/1/incidents"},
		{"incident", `{"alert":1}`, "/v1/annotations"},
		{"incident", `{"alert":1}`, "/v1/annotations/d"},
		{"incident", `{"alert":1}`, "/v1/changes"},
		{"backtest_alert", `{"conditions":[]}`, "/v1/alerts/preview"},
	} {
		a := &api{refuses: tt.path, answers: map[string]string{"/v1/alerts/1/incidents": fired, "/v1/annotations": `{"annotations":[{"name":"d"}]}`}}
		got := use(t, a, tt.tool, tt.arguments)
		if got.Error != nil || !got.Result.IsError || len(got.Result.Content) != 1 || got.Result.Content[0].Text != "429 Too Many Requests: slow down" {
			t.Errorf("%s, refused at %s: %+v %v", tt.tool, tt.path, got.Result, got.Error)
		}
	}
}
