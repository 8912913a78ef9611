// Package mcp answers the Model Context Protocol over HTTP, so that assistants
// can read what is measured. Each tool is one or a few requests to the API,
// with the caller's own token: who may do what, the limits and the tenant are
// decided there, and nothing can be changed from here.
package mcp

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"

	"github.com/tidemark-metrics/tidemark/internal/query"
)

// protocolVersion is the newest version of the protocol that is spoken.
const protocolVersion = "2025-06-18"

// versions are those that clients may ask for.
var versions = map[string]bool{protocolVersion: true, "2025-03-26": true}

// maxBody is how many bytes a request may have, and maxID how many the id of it,
// which the answer repeats.
const (
	maxBody = 256 << 10
	maxID   = 256
)

// Server answers POST /mcp.
type Server struct {
	api     http.Handler
	version string
	hold    func(*http.Request) (*query.Holding, error)
}

// New returns a server that asks api. What the tools of a request answer is in
// the memory that hold begins for it until it was sent.
func New(api http.Handler, version string, hold func(*http.Request) (*query.Holding, error)) *Server {
	return &Server{api, version, hold}
}

// call is a request of JSON-RPC; one without an id wants no answer.
type call struct {
	Version string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id"`
	Method  string          `json:"method"`
	Params  json.RawMessage `json:"params"`
}

// answer is what a call is answered with.
type answer struct {
	Version string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id"`
	Result  any             `json:"result,omitempty"`
	Error   *fault          `json:"error,omitempty"`
}

// fault is an error of JSON-RPC.
type fault struct {
	Code    int    `json:"code"`
	Message string `json:"message"`
}

// Codes of JSON-RPC.
const (
	notJSON    = -32700
	notRequest = -32600
	noMethod   = -32601
	badParams  = -32602
	failed     = -32603
)

// ServeHTTP answers one call. There are no streams and no sessions: every
// call stands for itself.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("X-Content-Type-Options", "nosniff")
	if r.Method != http.MethodPost {
		w.Header().Set("Allow", http.MethodPost)
		http.Error(w, "Model Context Protocol: send JSON-RPC with POST", http.StatusMethodNotAllowed)
		return
	}
	// Tokens that may not read metrics learn nothing, not even which tools there are.
	if status, _ := s.ask(r, http.MethodGet, "/v1/metrics?length=1", nil, io.Discard); status == http.StatusUnauthorized || status == http.StatusForbidden {
		w.Header().Set("WWW-Authenticate", `Bearer realm="Tidemark"`)
		http.Error(w, "send a token that may view: Authorization: Bearer TOKEN", status)
		return
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
	if err != nil {
		http.Error(w, "the request is too long", http.StatusRequestEntityTooLarge)
		return
	}
	var c call
	if err := json.Unmarshal(body, &c); err != nil {
		write(w, answer{ID: json.RawMessage("null"), Error: &fault{notJSON, "this is not one JSON-RPC request: " + err.Error()}})
		return
	}
	if len(c.ID) == 0 || string(c.ID) == "null" {
		w.WriteHeader(http.StatusAccepted) // a notification
		return
	}
	if len(c.ID) > maxID {
		write(w, answer{ID: json.RawMessage("null"), Error: &fault{notRequest, fmt.Sprintf("id has more than %d characters", maxID)}})
		return
	}
	result, wrong := s.do(r, &c)
	if text, ok := result.(*toolText); ok {
		text.write(w, c.ID)
		return
	}
	write(w, answer{ID: c.ID, Result: result, Error: wrong})
}

func write(w http.ResponseWriter, a answer) {
	a.Version = "2.0"
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(a) // the client is gone
}

type object = map[string]any

func (s *Server) do(r *http.Request, c *call) (any, *fault) {
	if c.Version != "2.0" {
		return nil, &fault{notRequest, `jsonrpc must be "2.0"`}
	}
	switch c.Method {
	case "initialize":
		return s.initialize(c.Params), nil
	case "ping":
		return object{}, nil
	case "tools/list":
		return object{"tools": tools}, nil
	case "tools/call":
		return s.callTool(r, c.Params)
	}
	return nil, &fault{noMethod, "there is no method " + c.Method}
}

func (s *Server) initialize(params json.RawMessage) any {
	var p struct {
		Version string `json:"protocolVersion"`
	}
	_ = json.Unmarshal(params, &p) // then it is ours
	if !versions[p.Version] {
		p.Version = protocolVersion
	}
	return object{
		"protocolVersion": p.Version,
		"capabilities":    object{"tools": object{}},
		"serverInfo":      object{"name": "tidemark", "version": s.version},
		"instructions":    "Read-only access to metrics, alerts and incidents of one organization. Times are seconds since 1970.",
	}
}

// callTool runs a tool. What goes wrong in it is a result, for the assistant
// to read.
func (s *Server) callTool(r *http.Request, params json.RawMessage) (any, *fault) {
	var p struct {
		Name      string          `json:"name"`
		Arguments json.RawMessage `json:"arguments"`
	}
	if err := json.Unmarshal(params, &p); err != nil {
		return nil, &fault{badParams, "params must be an object with name and arguments"}
	}
	if len(p.Arguments) == 0 {
		p.Arguments = json.RawMessage("{}")
	}
	run, ok := runs[p.Name]
	if !ok {
		return nil, &fault{badParams, "there is no tool " + p.Name}
	}
	memory, err := s.hold(r)
	if err != nil {
		return nil, &fault{failed, "there is no memory for an answer: try again"}
	}
	a := &asker{s: s, r: r, memory: memory}
	parts, err := run(a, p.Arguments)
	if err == nil {
		return &toolText{memory: memory, parts: parts}, nil
	}
	memory.Release()
	refused, isRefusal := errors.AsType[*refusal](err)
	switch {
	case errors.Is(err, errTooLong):
		refused = &refusal{http.StatusRequestEntityTooLarge, fmt.Sprintf("the answer is longer than %d bytes: narrow it, %s", maxAnswer, narrower[p.Name])}
	case a.full != nil:
		refused = &refusal{http.StatusServiceUnavailable, err.Error()}
	case !isRefusal:
		return nil, &fault{badParams, err.Error()}
	}
	return &toolText{parts: [][]byte{[]byte(refused.Error())}, refused: true}, nil
}
