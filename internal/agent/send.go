package agent

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"strconv"
	"time"

	"github.com/tidemark-metrics/tidemark/internal/clock"
)

// Backoff between tries while the server does not answer.
const (
	minBackoff  = time.Second
	maxBackoff  = 30 * time.Second
	sendTimeout = 30 * time.Second
	maxAnswer   = 1 << 20

	maxRedirects = 5
)

// forwarder empties the spool into the server, oldest first.
type forwarder struct {
	*Agent
	http    *http.Client
	backoff time.Duration
}

func newForwarder(a *Agent) *forwarder {
	return &forwarder{Agent: a, http: &http.Client{Timeout: sendTimeout, Transport: a.cfg.transport(), CheckRedirect: samePost}}
}

// samePost follows only redirects that ask for the same request elsewhere. The
// others would turn it into a GET, whose answer says nothing about the
// measurements.
func samePost(req *http.Request, via []*http.Request) error {
	if req.Method != http.MethodPost || len(via) >= maxRedirects {
		return http.ErrUseLastResponse
	}
	return nil
}

func (f *forwarder) run(ctx context.Context) {
	for {
		e := f.spool.oldest()
		if e == nil {
			select {
			case <-f.spool.wake:
				continue
			case <-ctx.Done():
				return
			}
		}
		if wait := f.handle(ctx, e); wait > 0 && !clock.Sleep(ctx, wait) || ctx.Err() != nil {
			return
		}
	}
}

// handle sends a request, and returns how long to wait before the next.
func (f *forwarder) handle(ctx context.Context, e *entry) time.Duration {
	data, err := e.read()
	if errors.Is(err, fs.ErrNotExist) {
		f.spool.remove(e) // dropped meanwhile, or by hand
		return 0
	}
	if err != nil {
		f.warn(e.path, "a file of the spool cannot be read; it is set aside as "+unreadable, err)
		f.spool.setAside(e)
		return 0
	}
	out, err := f.post(ctx, e.to, data)
	switch {
	case err != nil:
		f.warn("send", "cannot send; measurements wait in the spool", err)
		return f.wait(out.retryAfter)
	case out.refusal != "":
		f.warn("refused", "the server refused measurements", errors.New(out.refusal))
		f.count(counters{refused: int64(e.count)})
	default:
		f.answered()
		f.count(counters{sent: int64(e.count - out.failed), refused: int64(out.failed)})
	}
	f.spool.remove(e)
	if f.backoff > 0 {
		f.log.Info("the server answers again", slog.Int("waiting", f.spool.len()))
	}
	f.backoff = 0
	return 0
}

// wait is how long to wait after a failure: longer each time, and not the same
// for all agents of a server that comes back.
func (f *forwarder) wait(least time.Duration) time.Duration {
	f.backoff = min(max(2*f.backoff, minBackoff), maxBackoff)
	return max(least, f.backoff/2+rand.N(f.backoff/2))
}

// outcome is what the server said.
type outcome struct {
	failed     int    // measurements, of a request that was taken
	refusal    string // why a request will never be taken
	retryAfter time.Duration
}

// request is one to the server, with the agent's token.
func (a *Agent) request(ctx context.Context, path string, body []byte) (*http.Request, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, a.cfg.Server+path, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("User-Agent", a.cfg.userAgent())
	req.Header.Set("Authorization", "Bearer "+a.cfg.Token.Reveal())
	return req, nil
}

// post sends a request. An error means that it may be sent again.
func (f *forwarder) post(ctx context.Context, path string, data []byte) (out outcome, err error) {
	req, err := f.request(ctx, path, data)
	if err != nil {
		return out, err
	}
	req.Header.Set("Content-Encoding", "gzip")
	resp, err := f.http.Do(req)
	if err != nil {
		return out, err
	}
	defer resp.Body.Close()
	answer, err := io.ReadAll(io.LimitReader(resp.Body, maxAnswer))
	if err != nil {
		return out, err
	}
	switch code := resp.StatusCode; {
	case isFinal(path, code):
		out.refusal = fmt.Sprintf("%s: %s", resp.Status, clip(answer))
		return out, nil
	case code == http.StatusOK || code == http.StatusAccepted || code == http.StatusNoContent:
		out.failed = failures(answer)
		return out, nil
	}
	if seconds, err := strconv.Atoi(resp.Header.Get("Retry-After")); err == nil && seconds > 0 {
		out.retryAfter = min(time.Duration(seconds)*time.Second, maxBackoff)
	}
	return out, fmt.Errorf("%s: %s", resp.Status, clip(answer))
}

// isFinal reports whether a request will never be taken. A server that takes
// no findings, or none with this token, does not hold up measurements.
func isFinal(path string, code int) bool {
	switch code {
	case http.StatusBadRequest, http.StatusRequestEntityTooLarge, http.StatusUnprocessableEntity:
		return true
	case http.StatusNotFound, http.StatusForbidden, http.StatusMethodNotAllowed:
		return path == findingsPath
	}
	return false
}

// failures is how many measurements or findings of a request that was taken
// were not.
func failures(answer []byte) int {
	var a struct {
		Measurements struct{ Summary struct{ Failed int } }
		Refused      []json.RawMessage
	}
	if json.Unmarshal(answer, &a) != nil {
		return 0
	}
	return a.Measurements.Summary.Failed + len(a.Refused)
}

// clip is the beginning of an answer, for the log.
func clip(answer []byte) string { return string(answer[:min(len(answer), 300)]) }
