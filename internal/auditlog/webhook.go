package auditlog

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"sync/atomic"
	"time"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/clock"
)

const (
	maxQueued   = 1000 // entries that wait
	postTimeout = 10 * time.Second
	firstRetry  = time.Second
	longestWait = time.Minute
	maxAttempts = 20 // about a quarter of an hour
)

// Webhook posts entries to a URL, one at a time and in order. While the
// receiver is away they wait; what finds no room, or is refused for long, is
// dropped and counted.
type Webhook struct {
	URL    string
	Client *http.Client
	// Signing is what requests are signed with, or nil.
	Signing *tidemark.Signing
	// Failed is called with attempts that failed, and with what was dropped.
	Failed func(error)

	queue   chan []byte
	dropped atomic.Int64
	sleep   func(context.Context, time.Duration) // other than for tests: until then, or ctx is done
}

// NewWebhook returns a Webhook.
func NewWebhook(url string, client *http.Client, failed func(error)) *Webhook {
	return &Webhook{URL: url, Client: client, Failed: failed, queue: make(chan []byte, maxQueued), sleep: func(ctx context.Context, d time.Duration) { clock.Sleep(ctx, d) }}
}

// Add queues an entry. It never blocks: no change waits for a receiver.
func (w *Webhook) Add(e *tidemark.AuditEntry) error {
	select {
	case w.queue <- encode(e):
		return nil
	default:
		w.dropped.Add(1)
		return fmt.Errorf("audit entry %d was not sent: %d others wait", e.ID, maxQueued)
	}
}

// Dropped is how many entries were not sent.
func (w *Webhook) Dropped() int64 { return w.dropped.Load() }

// Run sends what is queued until ctx is done.
func (w *Webhook) Run(ctx context.Context) error {
	for {
		select {
		case <-ctx.Done():
			return nil
		case body := <-w.queue:
			w.send(ctx, body)
		}
	}
}

// send posts one entry, again and again if it must.
func (w *Webhook) send(ctx context.Context, body []byte) {
	wait := firstRetry
	for attempt := 1; ; attempt++ {
		err := w.post(ctx, body)
		if err == nil || ctx.Err() != nil {
			return
		}
		if attempt == maxAttempts {
			w.dropped.Add(1)
			w.Failed(fmt.Errorf("an audit entry was not sent after %d attempts: %w", attempt, err))
			return
		}
		w.Failed(fmt.Errorf("send an audit entry: %w", err))
		w.sleep(ctx, wait)
		wait = min(2*wait, longestWait)
	}
}

func (w *Webhook) post(ctx context.Context, body []byte) error {
	ctx, cancel := context.WithTimeout(ctx, postTimeout)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, w.URL, bytes.NewReader(body))
	if err != nil {
		return err
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("User-Agent", "tidemark-audit")
	if w.Signing != nil {
		req.Header.Set(tidemark.SignatureHeader, w.Signing.Sign(body, time.Now()))
	}
	resp, err := w.Client.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	_, _ = io.CopyN(io.Discard, resp.Body, 64<<10) // so that the connection can be used again
	if resp.StatusCode >= 300 {
		return fmt.Errorf("the receiver answers %s", resp.Status)
	}
	return nil
}
