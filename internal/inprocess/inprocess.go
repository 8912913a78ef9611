// Package inprocess asks an HTTP handler of this process, without a connection.
package inprocess

import (
	"bytes"
	"net/http"
)

// Ask has h answer r, and returns the answer as Serve leaves it.
func Ask(h http.Handler, r *http.Request) (status int, body []byte, whole bool) {
	w := &recorder{header: make(http.Header)}
	whole = Serve(h, w, r)
	if w.status == 0 {
		w.status = http.StatusOK
	}
	return w.status, w.body.Bytes(), whole
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
	body   bytes.Buffer
}

func (w *recorder) Header() http.Header { return w.header }

func (w *recorder) WriteHeader(status int) {
	if w.status == 0 {
		w.status = status
	}
}

func (w *recorder) Write(b []byte) (int, error) {
	w.WriteHeader(http.StatusOK)
	return w.body.Write(b)
}
