package api

import (
	"bytes"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/klauspost/compress/gzip"
	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/jsonout"
	"github.com/tidemark-metrics/tidemark/internal/usage"
)

// reply is what an endpoint has to say. At most one of body and stream is set.
type reply struct {
	status   int
	body     any // as JSON
	stream   func(w io.Writer) error
	events   func(w http.ResponseWriter) // an answer without an end
	kind     string                      // content type of a stream; JSON where empty
	location string
	header   map[string]string
	recorded int64 // measurements that were recorded
	sample   usage.Sample
}

func ok(body any) reply { return reply{status: http.StatusOK, body: body} }

func created(body any, location string) reply {
	return reply{status: http.StatusCreated, body: body, location: location}
}

var noContent = reply{status: http.StatusNoContent}

// answer remembers what was answered, for the log and the counters.
type answer struct {
	http.ResponseWriter
	id     string
	route  string
	status int
}

func (a *answer) WriteHeader(status int) {
	if a.status == 0 {
		a.status = status
	}
	a.ResponseWriter.WriteHeader(status)
}

func (a *answer) Write(b []byte) (int, error) {
	if a.status == 0 {
		a.status = http.StatusOK
	}
	return a.ResponseWriter.Write(b)
}

// Unwrap lets http.ResponseController reach what is below.
func (a *answer) Unwrap() http.ResponseWriter { return a.ResponseWriter }

func requestID() string {
	var b [8]byte
	rand.Read(b[:]) // never fails
	return hex.EncodeToString(b[:])
}

var statuses = map[tidemark.Kind]int{
	tidemark.Internal:        http.StatusInternalServerError,
	tidemark.Invalid:         http.StatusBadRequest,
	tidemark.Unauthenticated: http.StatusUnauthorized,
	tidemark.Forbidden:       http.StatusForbidden,
	tidemark.NotFound:        http.StatusNotFound,
	tidemark.Conflict:        http.StatusUnprocessableEntity,
	tidemark.TooLarge:        http.StatusRequestEntityTooLarge,
	tidemark.Unsupported:     http.StatusUnsupportedMediaType,
	tidemark.TooMany:         http.StatusTooManyRequests,
	tidemark.Unavailable:     http.StatusServiceUnavailable,
}

// wireError is an answer in a shape of its own, where the wire has one.
type wireError struct {
	status int
	body   any
	header map[string]string
	says   string // the same in words, for people who watch what arrives
}

func (e *wireError) Error() string { return "answer " + strconv.Itoa(e.status) }

// fail answers with an error: the only place where errors become responses,
// and where those that are our fault are logged.
func (s *Server) fail(w http.ResponseWriter, r *http.Request, err error) {
	if isCancelled(r, err) {
		return // nobody is there to read it
	}
	if special, ok := errors.AsType[*wireError](err); ok {
		s.write(w, r, reply{status: special.status, body: special.body, header: special.header})
		return
	}
	e, known := errors.AsType[*tidemark.Error](err)
	if !known || e.Kind == tidemark.Internal {
		id := w.Header().Get("X-Request-Id")
		s.Logger.LogAttrs(r.Context(), slog.LevelError, "request failed", slog.String("request", id),
			slog.String("method", r.Method), slog.String("path", loggedPath(r)), slog.Any("err", err))
		e = &tidemark.Error{Msg: "internal error (request " + id + ")"}
	}
	rep := reply{status: statuses[e.Kind], body: errorBody(e), header: map[string]string{}}
	switch e.Kind {
	case tidemark.Unauthenticated:
		rep.header["WWW-Authenticate"] = challenge(r)
	case tidemark.TooMany, tidemark.Unavailable:
		rep.header["Retry-After"] = "10"
	}
	s.write(w, r, rep)
}

// loggedPath is the path of r without the key that a link ends in: whoever
// reads the log must not be able to use it.
func loggedPath(r *http.Request) string {
	if key := r.PathValue("key"); key != "" {
		return strings.ReplaceAll(r.URL.Path, key, "{key}")
	}
	return r.URL.Path
}

// challenge says how to prove who one is. A page that a browser shows asks for
// a session itself: challenged with Basic, the browser would put its own
// dialog in front of it.
func challenge(r *http.Request) string {
	if strings.HasPrefix(r.URL.Path, "/ui/api/") || r.Header.Get("Sec-Fetch-Mode") != "" {
		return `Session realm="Tidemark"`
	}
	return `Basic realm="Tidemark"`
}

// statusOf is the status that an endpoint's outcome is answered with.
func statusOf(rep reply, err error) int {
	if err == nil {
		return rep.status
	}
	if special, ok := errors.AsType[*wireError](err); ok {
		return special.status
	}
	return statuses[tidemark.KindOf(err)]
}

// reasonOf is why a request was refused, for people; "" if it was not.
func reasonOf(err error) string {
	if e, ok := errors.AsType[*tidemark.Error](err); ok {
		plain := *e
		plain.Err = nil // the cause is for the log
		return plain.Error()
	}
	if special, ok := errors.AsType[*wireError](err); ok {
		return special.says
	}
	return ""
}

func requestErrors(msg string) map[string]any {
	return map[string]any{"errors": map[string]any{"request": []string{msg}}}
}

// errorBody is the error as the wire has it: what is wrong with parameters
// under "params", what is wrong with our side under "system", the rest under
// "request".
func errorBody(e *tidemark.Error) map[string]any {
	switch {
	case e.Fields != nil:
		return map[string]any{"errors": map[string]any{"params": nested(e.Fields)}}
	case e.Kind == tidemark.NotFound:
		return requestErrors("Not Found") // to the letter: a client recreates what it asked for on this text only
	case e.Kind == tidemark.Unavailable:
		return map[string]any{"errors": map[string]any{"system": []string{e.Msg}}}
	}
	return requestErrors(e.Msg)
}

// nested turns "a.b" into b below a. Clients can read one level of objects
// and no more, so deeper names stay as they are below the first dot.
func nested(fields map[string][]string) map[string]any {
	params := make(map[string]any)
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		outer, inner, deep := strings.Cut(name, ".")
		if !deep {
			params[name] = fields[name]
			continue
		}
		below, ok := params[outer].(map[string][]string)
		if !ok {
			below = make(map[string][]string)
			if msgs, had := params[outer].([]string); had {
				below["base"] = msgs
			}
			params[outer] = below
		}
		below[inner] = fields[name]
	}
	return params
}

// write sends a reply. A failure to write means the caller is gone: there is
// nobody left to tell.
func (s *Server) write(w http.ResponseWriter, r *http.Request, rep reply) {
	if rep.status == http.StatusRequestEntityTooLarge {
		// Most clients send all they have before they look at the answer; one
		// whose connection is closed meanwhile never learns what was wrong.
		_, _ = io.CopyN(io.Discard, r.Body, maxIgnored)
	}
	h := w.Header()
	for name, value := range rep.header {
		h.Set(name, value)
	}
	if rep.location != "" {
		h.Set("Location", rep.location)
	}
	switch {
	case rep.events != nil:
		h.Set("Content-Type", rep.kind)
		h.Set("Cache-Control", "no-store")
		h.Set("X-Accel-Buffering", "no") // nginx would keep events to itself until it has a bufferful
		w.WriteHeader(rep.status)
		rep.events(w)
	case rep.stream != nil:
		s.writeStream(w, r, rep)
	case rep.body != nil:
		writeJSON(w, r, rep)
	default:
		if rep.status != http.StatusNoContent {
			h.Set("Content-Length", "0")
		}
		w.WriteHeader(rep.status)
	}
}

const (
	contentJSON = "application/json;charset=utf-8"
	minGzip     = 1400     // what fits a packet is not worth compressing
	maxIgnored  = 64 << 20 // of a body that is too long, before the connection is closed
)

func writeJSON(w http.ResponseWriter, r *http.Request, rep reply) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(rep.body); err != nil {
		panic(err) // our own types: a bug
	}
	body := bytes.TrimSuffix(b.Bytes(), []byte("\n"))
	w.Header().Set("Content-Type", contentJSON)
	if len(body) >= minGzip && acceptsGzip(r) {
		w.Header().Set("Content-Encoding", "gzip")
		w.Header().Add("Vary", "Accept-Encoding")
		w.WriteHeader(rep.status)
		z := gzip.NewWriter(w)
		_, _ = z.Write(body)
		_ = z.Close()
		return
	}
	w.Header().Set("Content-Length", strconv.Itoa(len(body)))
	w.WriteHeader(rep.status)
	_, _ = w.Write(body)
}

// writeStream sends an answer that is made while it is sent. An error after
// the first byte can only cut the answer short, so that the client sees that
// it is not whole.
func (s *Server) writeStream(w http.ResponseWriter, r *http.Request, rep reply) {
	kind := rep.kind
	if kind == "" {
		kind = contentJSON
	}
	w.Header().Set("Content-Type", kind)
	var out io.Writer = w
	var z *gzip.Writer
	if acceptsGzip(r) && strings.HasPrefix(kind, "application/json") {
		w.Header().Set("Content-Encoding", "gzip")
		w.Header().Add("Vary", "Accept-Encoding")
		z, _ = gzip.NewWriterLevel(w, gzip.BestSpeed)
		out = z
	}
	w.WriteHeader(rep.status)
	if err := rep.stream(out); err != nil {
		if !isCancelled(r, err) {
			s.Logger.LogAttrs(r.Context(), slog.LevelError, "answer cut short", slog.String("request", w.Header().Get("X-Request-Id")),
				slog.String("path", loggedPath(r)), slog.Any("err", err))
		}
		panic(http.ErrAbortHandler)
	}
	if z != nil {
		_ = z.Close()
	}
}

func acceptsGzip(r *http.Request) bool {
	for part := range strings.SplitSeq(r.Header.Get("Accept-Encoding"), ",") {
		name, params, _ := strings.Cut(strings.TrimSpace(part), ";")
		if name == "gzip" {
			return strings.ReplaceAll(params, " ", "") != "q=0"
		}
	}
	return false
}

// streamed is an answer that write writes. Writers are used again: their
// memory is most of what short answers need.
func (s *Server) streamed(write func(out *jsonout.Writer) error) reply {
	return reply{status: http.StatusOK, stream: func(w io.Writer) error {
		out, ok := s.writers.Get().(*jsonout.Writer)
		if !ok {
			out = jsonout.New(w)
		}
		out.Reset(w)
		defer s.writers.Put(out)
		if err := write(out); err != nil {
			return err
		}
		return out.Flush()
	}}
}
