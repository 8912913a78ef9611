package mcp

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
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
		New(api, "").ServeHTTP(w, r)
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
		}), "")
		r := httptest.NewRequest(http.MethodPost, "/mcp", nil)
		r.Header.Set("Authorization", "Bearer good")
		if got, body := s.ask(r, http.MethodPost, "/v1/alerts/preview", []byte("{}")); got != want || string(body) != "{}" {
			t.Errorf("%d: %d %s", status, got, body)
		}
	}
	r := httptest.NewRequest(http.MethodPost, "/mcp", nil)
	r.Header.Set("Authorization", "Bearer good")
	if status, _ := New(http.NotFoundHandler(), "").ask(r, "GET", "://no address", nil); status != http.StatusBadRequest {
		t.Errorf("what is no address is asked for: %d", status)
	}
}
