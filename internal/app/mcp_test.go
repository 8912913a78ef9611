package app

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"
)

// mcpCall sends a request to /mcp.
func mcpCall(t *testing.T, s *server, token, body string) (int, string) {
	t.Helper()
	authorization := ""
	if token != "" {
		authorization = "Bearer " + token
	}
	return s.ask(t, http.MethodPost, "/mcp", body, "Authorization", authorization)
}

// TestMCP talks to /mcp as an assistant does, with the example of docs/mcp.md
// among it, by a View Only token.
func TestMCP(t *testing.T) {
	t.Parallel()
	s := start(t, settings(t, nil))
	defer s.end(t)
	admin := s.Secret.Reveal()
	post := func(path, body string) string {
		t.Helper()
		req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, s.URL+path, strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		req.SetBasicAuth(admin, "")
		req.Header.Set("Content-Type", "application/json")
		res, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		defer res.Body.Close()
		text, err := io.ReadAll(res.Body)
		if err != nil || res.StatusCode >= 300 {
			t.Fatalf("%s: %d %s %v", path, res.StatusCode, text, err)
		}
		return string(text)
	}
	post("/v1/measurements", `{"tags":{"host":"a"},"measurements":[{"name":"hello.tide","value":42}]}`)
	post("/v1/alerts", `{"name":"high","conditions":[{"type":"above","metric_name":"hello.tide","threshold":100}]}`)
	var made struct{ Token string }
	if err := json.Unmarshal([]byte(post("/v1/api_tokens", `{"name":"assistant","role":"viewer"}`)), &made); err != nil {
		t.Fatal(err)
	}
	doc, err := os.ReadFile("../../docs/mcp.md")
	if err != nil {
		t.Fatal(err)
	}
	example := regexp.MustCompile(`/mcp -d '(.*)'`).FindSubmatch(doc)
	if example == nil {
		t.Fatal("no example in the document")
	}
	tool := func(name, arguments string) string {
		return `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"` + name + `","arguments":` + arguments + `}}`
	}
	for _, c := range []struct {
		token, body string
		status      int
		want        string
	}{
		{"", `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`, 401, "send a token"},
		{"wrong", `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`, 401, "send a token"},
		{made.Token, `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-03-26"}}`, 200, `"protocolVersion":"2025-03-26"`},
		{made.Token, `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"1999-01-01"}}`, 200, `"protocolVersion":"2025-06-18"`},
		{made.Token, `{"jsonrpc":"2.0","method":"notifications/initialized"}`, 202, ""},
		{made.Token, `{"jsonrpc":"2.0","id":"x","method":"ping"}`, 200, `"id":"x","result":{}`},
		{made.Token, `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`, 200, `"name":"search_metrics"`},
		{made.Token, string(example[1]), 200, `42`},
		{made.Token, tool("search_metrics", `{"query":"tide"}`), 200, `hello.tide`},
		{made.Token, tool("list_alerts", `{}`), 200, `high`},
		{made.Token, tool("incident", `{"alert":1}`), 200, `incidents`},
		{made.Token, tool("incident", `{"alert":99}`), 200, `"isError":true`},
		{made.Token, tool("query", `{"compose":"nonsense("}`), 200, `"isError":true`},
		{made.Token, tool("query", `{}`), 200, `compose is missing`},
		{made.Token, tool("query", `{"compose":3}`), 200, `-32602`},
		{made.Token, tool("delete_everything", `{}`), 200, `there is no tool delete_everything`},
		{made.Token, tool("backtest_alert", `{"conditions":[{"type":"above","metric_name":"hello.tide","threshold":1}]}`), 200, `fired`},
		{made.Token, `{"jsonrpc":"2.0","id":1,"method":"tools/burn"}`, 200, `-32601`},
		{made.Token, `{"id":1,"method":"ping"}`, 200, `-32600`},
		{made.Token, `[`, 200, `-32700`},
	} {
		status, text := mcpCall(t, s, c.token, c.body)
		if status != c.status || !strings.Contains(text, c.want) {
			t.Errorf("%s: %d %.300s, want %d %s", c.body, status, text, c.status, c.want)
		}
	}
	if text := fetchText(t, s.URL+"/mcp", http.StatusMethodNotAllowed); !strings.Contains(text, "JSON-RPC") {
		t.Error(text)
	}
}

// TestMCPNetworks: a token that is narrowed to networks is looked at where the
// trusted proxy says that a request comes from.
func TestMCPNetworks(t *testing.T) {
	t.Parallel()
	s := start(t, settings(t, map[string]string{"trusted_proxies": "127.0.0.1/32"}))
	defer s.end(t)
	status, text := s.ask(t, http.MethodPost, "/v1/api_tokens", `{"name":"narrow","role":"viewer","networks":["198.51.100.0/24"]}`,
		"Authorization", "Bearer "+s.Secret.Reveal())
	var made struct{ Token string }
	if err := json.Unmarshal([]byte(text), &made); err != nil || made.Token == "" {
		t.Fatalf("%d %s", status, text)
	}
	for from, want := range map[string]int{"198.51.100.7": http.StatusOK, "203.0.113.9": http.StatusForbidden, "198.51.100.7, 203.0.113.9": http.StatusForbidden, "": http.StatusForbidden} {
		status, text := s.ask(t, http.MethodPost, "/mcp", `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`,
			"Authorization", "Bearer "+made.Token, "X-Forwarded-For", from)
		if status != want {
			t.Errorf("from %q: %d %s", from, status, text)
		}
	}
}

// TestMCPScope: a token with a scope that sends reads nothing here either, not
// even what it may send; one that reads has the metrics of its scope here, too,
// and nothing else.
func TestMCPScope(t *testing.T) {
	t.Parallel()
	s := start(t, settings(t, nil))
	defer s.end(t)
	admin := []string{"Authorization", "Bearer " + s.Secret.Reveal()}
	status, text := s.ask(t, http.MethodPost, "/v1/api_tokens", `{"name":"edge","role":"recorder","scope":{"metrics":["edge.*"]}}`, admin...)
	var made struct{ Token string }
	if err := json.Unmarshal([]byte(text), &made); err != nil || made.Token == "" {
		t.Fatalf("%d %s", status, text)
	}
	if status, text := s.ask(t, http.MethodPost, "/v1/measurements", `{"measurements":[{"name":"edge.load","value":42}]}`, "Authorization", "Bearer "+made.Token); status != http.StatusAccepted {
		t.Fatalf("%d %s", status, text)
	}
	for name, arguments := range map[string]string{"search_metrics": `{}`, "query": `{"compose":"s(\"edge.load\")"}`, "list_alerts": `{}`} {
		status, text := mcpCall(t, s, made.Token, `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"`+name+`","arguments":`+arguments+`}}`)
		if status != http.StatusForbidden || strings.Contains(text, "edge.load") {
			t.Errorf("%s: %d %s", name, status, text)
		}
	}
	status, text = s.ask(t, http.MethodPost, "/v1/api_tokens", `{"name":"reader","role":"viewer","scope":{"metrics":["edge.*"]}}`, admin...)
	if err := json.Unmarshal([]byte(text), &made); err != nil || status != http.StatusCreated {
		t.Fatalf("%d %s", status, text)
	}
	if status, text := s.ask(t, http.MethodPost, "/v1/measurements", `{"measurements":[{"name":"secret.load","value":1}]}`, admin...); status != http.StatusAccepted {
		t.Fatalf("%d %s", status, text)
	}
	_, list := mcpCall(t, s, made.Token, `{"jsonrpc":"2.0","id":7,"method":"tools/list"}`)
	tried := 0
	for _, c := range []struct{ name, arguments, want string }{
		{"search_metrics", `{}`, "edge.load"}, {"search_metrics", `{"query":"load"}`, "edge.load"},
		{"query", `{"compose":"s(\"edge.load\")"}`, `\"value\":42`},
		{"query", `{"compose":"s(\"billing\")"}`, "billing is outside the scope of token reader"},
		{"list_alerts", `{}`, "This token has a scope"}, {"incident", `{"alert":1}`, "This token has a scope"},
		{"backtest_alert", `{"conditions":[{"type":"above","metric_name":"edge.load","threshold":1}]}`, "This token has a scope"},
	} {
		status, text := mcpCall(t, s, made.Token, `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"`+c.name+`","arguments":`+c.arguments+`}}`)
		if status != http.StatusOK || !strings.Contains(text, c.want) || strings.Contains(text, "secret") {
			t.Errorf("%s %s: %d %s", c.name, c.arguments, status, text)
		}
		if name := fmt.Sprintf(`"name":%q`, c.name); strings.Contains(list, name) {
			list = strings.Replace(list, name, "", 1)
			tried++
		}
	}
	if all := strings.Count(list, `"inputSchema"`); tried != all {
		t.Errorf("%d of %d tools were tried: %s", tried, all, list)
	}
}

// fillLong records so many measurements of mcp.long, a second apart.
func fillLong(t *testing.T, s *server, n int) (from int64) {
	t.Helper()
	from = time.Now().Unix() - int64(n) - 60
	for first := 0; first < n; first += 10_000 {
		var body strings.Builder
		body.WriteString(`{"measurements":[`)
		for i := first; i < min(n, first+10_000); i++ {
			if i > first {
				body.WriteString(",")
			}
			fmt.Fprintf(&body, `{"name":"mcp.long","value":%d.5,"time":%d}`, i, from+int64(i))
		}
		body.WriteString("]}")
		if status, text := s.ask(t, http.MethodPost, "/v1/measurements", body.String(), "Authorization", "Bearer "+s.Secret.Reveal()); status != http.StatusAccepted {
			t.Fatalf("%d %.300s", status, text)
		}
	}
	return from
}

func longQuery(from int64, resolution int) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"query","arguments":{"compose":"s(\"mcp.long\")","start":%d,"resolution":%d}}}`, from, resolution)
}

// TestMCPLongAnswer: an answer that no assistant could read is none, but says
// what to ask for instead; that is answered. Nobody keeps answers on the way.
func TestMCPLongAnswer(t *testing.T) {
	t.Parallel()
	s := start(t, settings(t, nil))
	defer s.end(t)
	from, token := fillLong(t, s, 40_000), s.viewOnly(t)
	if _, text := mcpCall(t, s, token, longQuery(from, 1)); len(text) > 1000 || !strings.Contains(text, `"isError":true`) ||
		!strings.Contains(text, "the answer is longer than 1048576 bytes: narrow it, ask for a coarser resolution, a shorter time") {
		t.Errorf("too long: %.1000s", text)
	}
	if _, text := mcpCall(t, s, token, longQuery(from, 60)); !strings.Contains(text, `"isError":false`) || !strings.Contains(text, `\"value\"`) {
		t.Errorf("coarser: %.1000s", text)
	}
	for _, method := range []string{http.MethodPost, http.MethodGet} {
		r, err := http.NewRequestWithContext(t.Context(), method, s.URL+"/mcp", strings.NewReader(longQuery(from, 60)))
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Authorization", "Bearer "+token)
		res, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		res.Body.Close()
		if res.Header.Get("Cache-Control") != "no-store" || res.Header.Get("X-Content-Type-Options") != "nosniff" {
			t.Errorf("%s: %v", method, res.Header)
		}
	}
}
