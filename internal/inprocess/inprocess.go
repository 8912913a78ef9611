// Package inprocess asks an HTTP handler of this process, without a connection.
package inprocess

import (
	"io"
	"net/http"
)

// Ask has h answer r, and writes the body of the answer into body. The answer is
// not whole when Serve says so, or when body did not take all of it: then h is
// told so, as by a client that has gone.
func Ask(h http.Handler, r *http.Request, body io.Writer) (status int, whole bool) {
	w := &recorder{header: make(http.Header), body: body}
	whole = Serve(h, w, r) && w.err == nil
	if w.status == 0 {
		w.status = http.StatusOK
	}
	return w.status, whole
}

// Serve has h answer r by w, which is a connection of nobody. The answer is not
// whole when h broke it off with http.ErrAbortHandler.
func Serve(h http.Handler, w http.ResponseWriter, r *http.Request) (whole bool) {
	defer func() {
		if p := recover(); p != nil && p != any(http.ErrAbortHandler) {
			panic(p)
		}
	}()
	h.ServeHTTP(w, r)
	return true
}

// recorder keeps what a handler answers.
type recorder struct {
	header http.Header
	status int
	body   io.Writer
	err    error // the first of body
}

func (w *recorder) Header() http.Header { return w.header }

func (w *recorder) WriteHeader(status int) {
	if w.status == 0 {
		w.status = status
	}
}

func (w *recorder) Write(b []byte) (int, error) {
	w.WriteHeader(http.StatusOK)
	if w.err != nil {
		return 0, w.err
	}
	n, err := w.body.Write(b)
	w.err = err
	return n, err
}
