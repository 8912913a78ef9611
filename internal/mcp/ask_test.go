package mcp

import (
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/tidemark-metrics/tidemark/internal/query"
	"github.com/tidemark-metrics/tidemark/internal/tsdb/memory"
)

// TestAnswersThatBreakOff: an assistant reads of an answer of the API that was
// cut short that it was, and nothing of it.
func TestAnswersThatBreakOff(t *testing.T) {
	t.Parallel()
	half := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/v1/measurements" {
			_, _ = io.WriteString(w, `{"series":[1,`)
			panic(http.ErrAbortHandler)
		}
	})
	call := func(api http.Handler) *httptest.ResponseRecorder {
		r := httptest.NewRequest(http.MethodPost, "/mcp", strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"query","arguments":{"compose":"s(\"a\")"}}}`))
		r.Header.Set("Authorization", "Bearer good")
		w := httptest.NewRecorder()
		New(api, "", hold).ServeHTTP(w, r)
		return w
	}
	if got, want := strings.TrimSpace(call(half).Body.String()), `{"jsonrpc":"2.0","id":1,"result":{"content":[{"text":"500 Internal Server Error: the answer broke off","type":"text"}],"isError":true}}`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	defer func() {
		if p := recover(); p != "a bug" {
			t.Errorf("a bug became %v", p)
		}
	}()
	call(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { panic("a bug") }))
}

// TestStatusOfAnswers: without a status an answer is fine, as net/http has it.
func TestStatusOfAnswers(t *testing.T) {
	t.Parallel()
	for status, want := range map[int]int{0: 200, 204: 204, 404: 404} {
		s := New(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if status != 0 {
				w.Header().Set("X-Kept", "by the writer")
				w.WriteHeader(status)
			}
			_, _ = io.Copy(w, r.Body)
		}), "", hold)
		r := httptest.NewRequest(http.MethodPost, "/mcp", nil)
		r.Header.Set("Authorization", "Bearer good")
		var body strings.Builder
		if got, whole := s.ask(r, http.MethodPost, "/v1/alerts/preview", []byte("{}"), &body); got != want || body.String() != "{}" || !whole {
			t.Errorf("%d: %d %s %v", status, got, body.String(), whole)
		}
	}
	r := httptest.NewRequest(http.MethodPost, "/mcp", nil)
	r.Header.Set("Authorization", "Bearer good")
	if status, _ := New(http.NotFoundHandler(), "", hold).ask(r, "GET", "://no address", nil, io.Discard); status != http.StatusBadRequest {
		t.Errorf("what is no address is asked for: %d", status)
	}
}

// TestLongAnswers: an answer of more than 1 MiB, in one part or in several, is
// a result that says how to ask for less; the API is not read to its end.
func TestLongAnswers(t *testing.T) {
	t.Parallel()
	line := strings.Repeat("x", 1<<10)
	for _, tt := range []struct {
		tool, arguments string
		each            int // KiB that the API answers each time
		want            string
	}{
		{"query", `{"compose":"x"}`, 1024, ""},
		{"query", `{"compose":"x"}`, 1 << 20, "a coarser resolution, a shorter time from start to end, fewer streams"},
		{"search_metrics", `{}`, 1 << 20, "a smaller limit"},
		{"list_alerts", `{}`, 512, ""},
		{"list_alerts", `{}`, 600, "ask for one with incident"},
	} {
		written := 0
		api := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.URL.RawQuery == "length=1" {
				return
			}
			for range tt.each {
				if _, err := io.WriteString(w, line); err != nil {
					panic(http.ErrAbortHandler)
				}
				written++
			}
		})
		r := httptest.NewRequest(http.MethodPost, "/mcp", strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"`+tt.tool+`","arguments":`+tt.arguments+`}}`))
		r.Header.Set("Authorization", "Bearer good")
		w := httptest.NewRecorder()
		New(api, "", hold).ServeHTTP(w, r)
		var got toolResult
		if err := json.Unmarshal(w.Body.Bytes(), &got); err != nil || len(got.Result.Content) != 1 {
			t.Fatalf("%s: %v", tt.tool, err)
		}
		text := got.Result.Content[0].Text
		if tt.want == "" && (got.Result.IsError || len(text) < 1<<20) {
			t.Errorf("%s of 1 MiB: %v, %d bytes", tt.tool, got.Result.IsError, len(text))
		}
		if tt.want != "" && (!got.Result.IsError || !strings.HasPrefix(text, "413 Request Entity Too Large: the answer is longer than 1048576 bytes: narrow it, ask") || !strings.Contains(text, tt.want)) {
			t.Errorf("%s: %v, %.300s", tt.tool, got.Result.IsError, text)
		}
		if written > 1025 {
			t.Errorf("%s: %d KiB were read", tt.tool, written)
		}
	}
}

// TestTextsOfTools: a text is what the API answered, also where it would not be
// within a text of JSON.
func TestTextsOfTools(t *testing.T) {
	t.Parallel()
	const all = "{\"a\\\\\":\"\x00\x1f\x7f <é> \u2028 🌊\"}"
	got := use(t, &api{answers: map[string]string{"/v1/metrics": all}}, "search_metrics", `{}`)
	if got.Error != nil || got.Result.IsError || got.Result.Content[0].Text != all {
		t.Errorf("%+v", got)
	}
}

// TestNoMemory: while there is no memory for an answer, it says so, and nothing
// of it stays behind; where nobody knows whose memory it would be, nothing is
// asked.
func TestNoMemory(t *testing.T) {
	t.Parallel()
	q := query.New(query.Options{Engine: memory.New(), Limits: query.Limits{Together: 1, Held: 1, Wait: time.Millisecond}})
	long := &api{answers: map[string]string{"/v1/metrics": strings.Repeat("x", 1<<10)}}
	call := func(hold func(*http.Request) (*query.Holding, error)) string {
		r := httptest.NewRequest(http.MethodPost, "/mcp", strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"search_metrics","arguments":{}}}`))
		r.Header.Set("Authorization", "Bearer good")
		w := httptest.NewRecorder()
		New(long, "", hold).ServeHTTP(w, r)
		return w.Body.String()
	}
	taken := q.HoldAnswer(t.Context(), 2)
	if err := taken.Cover(1); err != nil {
		t.Fatal(err)
	}
	got := call(func(r *http.Request) (*query.Holding, error) { return q.HoldAnswer(r.Context(), 1), nil })
	if !strings.Contains(got, `"text":"503 Service Unavailable: the queries under way hold as many points`) || !strings.Contains(got, `"isError":true`) {
		t.Errorf("%s", got)
	}
	taken.Release()
	if load := q.Load(); load.Points != 0 || load.Queries != 0 {
		t.Errorf("%+v", load)
	}
	if got := call(func(*http.Request) (*query.Holding, error) { return nil, errors.New("the store is closed") }); !strings.Contains(got, `"code":-32603`) || strings.Contains(got, "store") {
		t.Errorf("%s", got)
	}
}
