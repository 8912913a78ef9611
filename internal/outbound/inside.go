package outbound

import (
	"bytes"
	"io"
	"net/http"
	"strconv"
)

// Inside hands requests to a handler in this process: no connection is made.
type Inside struct{ http.Handler }

// RoundTrip returns what the handler answers to req. As over a connection there
// is no answer to who does not wait for it, nor one that was cut off: a handler
// writes nothing where nobody reads, which must not pass for success.
func (t Inside) RoundTrip(req *http.Request) (*http.Response, error) {
	in := req.Clone(req.Context())
	if in.Body == nil {
		in.Body = http.NoBody
	}
	defer in.Body.Close()
	w := &written{header: make(http.Header), status: http.StatusOK}
	whole := w.fill(t.Handler, in)
	if err := req.Context().Err(); err != nil {
		return nil, err
	}
	if !whole {
		return nil, io.ErrUnexpectedEOF
	}
	return &http.Response{
		Status: strconv.Itoa(w.status) + " " + http.StatusText(w.status), StatusCode: w.status, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header: w.header, Body: io.NopCloser(&w.body), ContentLength: int64(w.body.Len()), Request: req,
	}, nil
}

// written is an answer as a handler writes it.
type written struct {
	header http.Header
	status int
	begun  bool
	body   bytes.Buffer
}

// fill has h answer r, and reports whether it did to the end.
func (w *written) fill(h http.Handler, r *http.Request) (whole bool) {
	defer func() {
		if p := recover(); p != nil && p != any(http.ErrAbortHandler) {
			panic(p)
		}
	}()
	h.ServeHTTP(w, r)
	return true
}

func (w *written) Header() http.Header { return w.header }

func (w *written) WriteHeader(status int) {
	if !w.begun {
		w.status, w.begun = status, true
	}
}

func (w *written) Write(b []byte) (int, error) {
	w.begun = true
	return w.body.Write(b)
}
