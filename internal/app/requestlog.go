package app

import (
	"log/slog"
	"net/http"
	"strings"
	"time"
)

// logRequests has a line in the log for every request that h answers. Queries
// are left out, and so is what follows the first part of a path that a link
// with a key has: anyone who reads the log must not be able to use it.
func logRequests(h http.Handler, log *slog.Logger, address func(*http.Request) string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		began, path, from := time.Now(), withoutKey(r.URL.Path), address(r)
		c := &countingWriter{ResponseWriter: w, status: http.StatusOK}
		defer func() { // also of an answer that was cut short
			log.LogAttrs(r.Context(), slog.LevelInfo, "request", slog.String("method", r.Method), slog.String("path", path),
				slog.Int("status", c.status), slog.Int64("bytes", c.bytes), slog.Duration("took", time.Since(began)), slog.String("from", from),
				slog.String("request", w.Header().Get("X-Request-Id")), slog.String("agent", r.UserAgent()))
		}()
		h.ServeHTTP(c, r)
	})
}

// keyed are the beginnings of paths that go on with a key.
var keyed = []string{
	"/heartbeat/", "/setup/", "/acknowledge/", "/ui/api/acknowledge/", "/invite/", "/reset/", "/s/", "/ui/api/setup/", "/ui/api/invite/", "/ui/api/reset/", "/ui/api/pictures/", "/ui/api/snapshots/", "/ui/api/shared/",
}

// withoutKey is path up to a key, wherever that is: below the prefix of the
// public URL, of an organization, and between any number of slashes.
func withoutKey(path string) string {
	for strings.Contains(path, "//") {
		path = strings.ReplaceAll(path, "//", "/")
	}
	end := len(path)
	for _, begin := range keyed {
		if i := strings.Index(path, begin); i >= 0 {
			end = min(end, i+len(begin))
		}
	}
	if end < len(path) {
		return path[:end] + "..."
	}
	return path
}

// countingWriter sees what an answer is.
type countingWriter struct {
	http.ResponseWriter
	status int
	bytes  int64
}

// WriteHeader notes the status.
func (c *countingWriter) WriteHeader(status int) {
	c.status = status
	c.ResponseWriter.WriteHeader(status)
}

// Write counts bytes.
func (c *countingWriter) Write(b []byte) (int, error) {
	n, err := c.ResponseWriter.Write(b)
	c.bytes += int64(n)
	return n, err
}

// Flush sends what was written, for those who ask the writer itself.
func (c *countingWriter) Flush() { _ = http.NewResponseController(c.ResponseWriter).Flush() }

// Unwrap lets http.ResponseController reach the writer below, for live pages.
func (c *countingWriter) Unwrap() http.ResponseWriter { return c.ResponseWriter }
