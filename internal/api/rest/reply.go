package rest

import (
	"bytes"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"strconv"
	"strings"
	"sync"

	"github.com/klauspost/compress/gzip"
	"github.com/tidemark-metrics/tidemark/internal/jsonout"
	"github.com/tidemark-metrics/tidemark/internal/nonnil"
	"github.com/tidemark-metrics/tidemark/internal/usage"
)

// Reply is what an endpoint has to say. At most one of Body, Stream, Events and
// Serve is set.
type Reply struct {
	Status   int
	Body     any // as JSON
	Stream   func(w io.Writer) error
	Events   func(w http.ResponseWriter) // an answer without an end
	Serve    func(w http.ResponseWriter) // an answer that is somebody else's, status and all
	Kind     string                      // content type of a stream; JSON where empty
	Location string
	Header   map[string]string
	Cookies  []string // beside the one in Header
	Recorded int64    // measurements that were recorded
	Sample   usage.Sample
}

// OK is the answer 200.
func OK(body any) Reply { return Reply{Status: http.StatusOK, Body: body} }

// Created is the answer 201.
func Created(body any, location string) Reply {
	return Reply{Status: http.StatusCreated, Body: body, Location: location}
}

// Text is an answer that is no JSON, or JSON that was written already.
func Text(status int, kind string, text []byte, header map[string]string) Reply {
	return Reply{Status: status, Header: header, Serve: func(w http.ResponseWriter) {
		w.Header().Set("Content-Type", kind)
		w.Header().Set("Content-Length", strconv.Itoa(len(text)))
		w.WriteHeader(status)
		_, _ = w.Write(text)
	}}
}

// NoContent is the answer 204.
var NoContent = Reply{Status: http.StatusNoContent}

// answer remembers what was answered, for the log and the counters.
type answer struct {
	http.ResponseWriter
	id     string
	route  string
	status int
	body   *sizedBody // of the request, where it takes turns
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
	// Clients may be slow to read.
	had := a.body != nil && a.body.work.Pause()
	n, err := a.ResponseWriter.Write(b)
	if had && err == nil {
		err = a.body.begin()
	}
	return n, err
}

// Unwrap lets http.ResponseController reach what is below.
func (a *answer) Unwrap() http.ResponseWriter { return a.ResponseWriter }

func requestID() string {
	var b [8]byte
	rand.Read(b[:]) // never fails
	return hex.EncodeToString(b[:])
}

// write sends a reply. A failure to write is not reported: the client is gone.
func (s *Server) write(w http.ResponseWriter, r *http.Request, rep Reply) {
	if rep.Status == http.StatusRequestEntityTooLarge {
		// Most clients send all they have before they look at the answer; one
		// whose connection is closed meanwhile never learns what was wrong.
		Idle(r)
		_, _ = io.CopyN(io.Discard, r.Body, maxIgnored)
	}
	h := w.Header()
	for name, value := range rep.Header {
		h.Set(name, value)
	}
	for _, c := range rep.Cookies {
		h.Add("Set-Cookie", c)
	}
	if rep.Location != "" {
		h.Set("Location", s.Site.location(rep.Location))
	}
	switch {
	case rep.Serve != nil:
		rep.Serve(w)
	case rep.Events != nil:
		h.Set("Content-Type", rep.Kind)
		h.Set("Cache-Control", "no-store")
		h.Set("X-Accel-Buffering", "no") // nginx would keep events to itself until it has a bufferful
		w.WriteHeader(rep.Status)
		Idle(r)
		rep.Events(w)
	case rep.Stream != nil:
		s.writeStream(w, r, rep)
	case rep.Body != nil:
		writeJSON(w, r, rep)
	default:
		if rep.Status != http.StatusNoContent {
			h.Set("Content-Length", "0")
		}
		w.WriteHeader(rep.Status)
	}
}

const (
	ContentJSON = "application/json;charset=utf-8"
	minGzip     = 1400     // what fits a packet is not worth compressing
	maxIgnored  = 64 << 20 // of a body that is too long, before the connection is closed
)

func writeJSON(w http.ResponseWriter, r *http.Request, rep Reply) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(nonnil.Of(rep.Body)); err != nil {
		panic(err) // our own types: a bug
	}
	body := bytes.TrimSuffix(b.Bytes(), []byte("\n"))
	w.Header().Set("Content-Type", ContentJSON)
	if len(body) >= minGzip && acceptsGzip(r) {
		w.Header().Set("Content-Encoding", "gzip")
		w.Header().Add("Vary", "Accept-Encoding")
		w.WriteHeader(rep.Status)
		z := gzip.NewWriter(w)
		_, _ = z.Write(body)
		_ = z.Close()
		return
	}
	w.Header().Set("Content-Length", strconv.Itoa(len(body)))
	w.WriteHeader(rep.Status)
	_, _ = w.Write(body)
}

// writeStream sends an answer that is made while it is sent. An error after
// the first byte can only cut the answer short, so that the client sees that
// it is not whole.
func (s *Server) writeStream(w http.ResponseWriter, r *http.Request, rep Reply) {
	kind := rep.Kind
	if kind == "" {
		kind = ContentJSON
	}
	w.Header().Set("Content-Type", kind)
	out := &streamed{Writer: w, control: http.NewResponseController(w)}
	if acceptsGzip(r) && strings.HasPrefix(kind, "application/json") {
		w.Header().Set("Content-Encoding", "gzip")
		w.Header().Add("Vary", "Accept-Encoding")
		out.packed, _ = gzip.NewWriterLevel(w, gzip.BestSpeed)
		out.Writer = out.packed
	}
	w.WriteHeader(rep.Status)
	if err := rep.Stream(out); err != nil {
		if !isCancelled(r, err) {
			s.Site.Logger.LogAttrs(r.Context(), slog.LevelError, "response aborted", slog.String("request", w.Header().Get("X-Request-Id")),
				slog.String("path", loggedPath(r)), slog.Any("err", err))
		}
		panic(http.ErrAbortHandler)
	}
	if out.packed != nil {
		_ = out.packed.Close()
	}
}

// streamed is where an answer is written of which the beginning may be sent
// before the end is made.
type streamed struct {
	io.Writer
	packed  *gzip.Writer // nil where the client does not take gzip
	control *http.ResponseController
}

// Flush sends what was written so far.
func (s *streamed) Flush() error {
	if s.packed != nil {
		if err := s.packed.Flush(); err != nil {
			return err
		}
	}
	_ = s.control.Flush() // a connection that is gone tells when it is written to
	return nil
}

func acceptsGzip(r *http.Request) bool {
	for part := range strings.SplitSeq(r.Header.Get("Accept-Encoding"), ",") {
		name, params, _ := strings.Cut(strings.ReplaceAll(part, " ", ""), ";")
		if name == "gzip" {
			weight, isNumber := Number(strings.TrimPrefix(params, "q="))
			return !isNumber || weight > 0
		}
	}
	return false
}

// Writers make answers that are written piece by piece. They are used again:
// their memory is most of what short answers need.
type Writers struct{ pool sync.Pool }

// Streamed is an answer that write writes.
func (ws *Writers) Streamed(write func(out *jsonout.Writer) error) Reply {
	return Reply{Status: http.StatusOK, Stream: func(w io.Writer) error {
		out, ok := ws.pool.Get().(*jsonout.Writer)
		if !ok {
			out = jsonout.New(w)
		}
		out.Reset(w)
		defer ws.pool.Put(out)
		if err := write(out); err != nil {
			return err
		}
		return out.Flush()
	}}
}
