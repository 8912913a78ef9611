package mcp

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"

	"github.com/tidemark-metrics/tidemark/internal/inprocess"
	"github.com/tidemark-metrics/tidemark/internal/query"
)

// forwarded are the headers that say who asks, and from where.
var forwarded = []string{"Authorization", "User-Agent", "Forwarded", "X-Forwarded-For", "X-Forwarded-Host", "X-Forwarded-Proto", "X-Real-Ip"}

// ask sends a request to the API, with the token of r; no cookie counts. It
// reports whether all of the answer is in into.
func (s *Server) ask(r *http.Request, method, target string, body []byte, into io.Writer) (status int, whole bool) {
	req, err := http.NewRequestWithContext(r.Context(), method, target, io.NopCloser(bytes.NewReader(body)))
	if err != nil {
		return http.StatusBadRequest, true
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
		return http.StatusUnauthorized, true
	}
	return inprocess.Ask(s.api, req, into)
}

// asker is the API as one caller sees it, for one call of a tool.
type asker struct {
	s      *Server
	r      *http.Request
	memory *query.Holding // of what the API answered, until that was sent on
	length int            // of it
	full   error          // why there is no memory for more
}

// maxAnswer is how many bytes the API may answer to a call of a tool: far more
// than an assistant can read.
const maxAnswer = 1 << 20

var errTooLong = errors.New("longer than an answer may be")

// part is an answer of the API, as far as there is memory for it.
type part struct {
	asker *asker
	text  bytes.Buffer
}

func (p *part) Write(b []byte) (int, error) {
	if err := p.asker.grow(len(b)); err != nil {
		return 0, err
	}
	return p.text.Write(b)
}

// grow makes room for n bytes more.
func (a *asker) grow(n int) error {
	switch a.length += n; {
	case a.full != nil:
	case a.length > maxAnswer:
		a.full = errTooLong
	default:
		a.full = a.memory.Cover(int64(2*a.length) / 16) // a buffer that grows has up to twice as much
	}
	return a.full
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
	answer := part{asker: a}
	status, whole := a.s.ask(a.r, method, target, body, &answer)
	text := bytes.TrimSpace(answer.text.Bytes())
	switch {
	case a.full != nil:
		return nil, a.full
	case !whole:
		return nil, &refusal{http.StatusInternalServerError, "the answer broke off"}
	case status >= 400:
		return nil, &refusal{status, string(text)}
	}
	return text, nil
}
