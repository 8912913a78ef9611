package mcp

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"

	"github.com/tidemark-metrics/tidemark/internal/inprocess"
)

// forwarded are the headers that say who asks, and from where.
var forwarded = []string{"Authorization", "User-Agent", "Forwarded", "X-Forwarded-For", "X-Forwarded-Host", "X-Forwarded-Proto", "X-Real-Ip"}

// ask sends a request to the API, with the token of r; no cookie counts.
func (s *Server) ask(r *http.Request, method, target string, body []byte) (int, []byte) {
	req, err := http.NewRequestWithContext(r.Context(), method, target, io.NopCloser(bytes.NewReader(body)))
	if err != nil {
		return http.StatusBadRequest, []byte(err.Error())
	}
	req.RequestURI, req.RemoteAddr, req.Host, req.TLS = target, r.RemoteAddr, r.Host, r.TLS
	for _, name := range forwarded {
		if values := r.Header.Values(name); len(values) > 0 {
			req.Header[name] = values
		}
	}
	if body != nil {
		req.Header.Set("Content-Type", "application/json")
	}
	if req.Header.Get("Authorization") == "" {
		return http.StatusUnauthorized, nil
	}
	status, answer, whole := inprocess.Ask(s.api, req)
	if !whole {
		return http.StatusInternalServerError, []byte("the answer broke off")
	}
	return status, answer
}

// asker is the API as one caller sees it.
type asker struct {
	s *Server
	r *http.Request
}

// refusal is what the API said no with.
type refusal struct {
	status int
	text   string
}

func (e *refusal) Error() string {
	return fmt.Sprintf("%d %s: %s", e.status, http.StatusText(e.status), e.text)
}

// get asks for a path with parameters; those that are empty are left out.
func (a *asker) get(path string, params map[string]string) (json.RawMessage, error) {
	q := url.Values{}
	for name, v := range params {
		if v != "" {
			q.Set(name, v)
		}
	}
	return a.send(http.MethodGet, path+"?"+q.Encode(), nil)
}

func (a *asker) send(method, target string, body []byte) (json.RawMessage, error) {
	status, answer := a.s.ask(a.r, method, target, body)
	if status >= 400 {
		return nil, &refusal{status, string(bytes.TrimSpace(answer))}
	}
	return bytes.TrimSpace(answer), nil
}
