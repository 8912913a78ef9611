package auditlog

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/tidemark-metrics/tidemark"
)

// receiver answers posts without a network, so that time can be a test's own.
type receiver func(r *http.Request) (*http.Response, error)

func (f receiver) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

func answers(status int) *http.Response {
	return &http.Response{StatusCode: status, Status: http.StatusText(status), Body: io.NopCloser(strings.NewReader("thanks"))}
}

// TestWebhookWaits: pauses double up to a minute, an entry that is refused for a
// quarter of an hour is dropped, and the next one is sent at once.
func TestWebhookWaits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var at []time.Duration
		begun := time.Now()
		refused := maxAttempts
		var failures []string
		w := NewWebhook("https://siem.example.org/audit", &http.Client{Transport: receiver(func(r *http.Request) (*http.Response, error) {
			at = append(at, time.Since(begun))
			if len(at) <= refused {
				return answers(http.StatusInternalServerError), nil
			}
			return answers(http.StatusNoContent), nil
		})}, func(err error) { failures = append(failures, err.Error()) })
		ctx, stop := context.WithCancel(t.Context())
		ended := make(chan error)
		go func() { ended <- w.Run(ctx) }()
		for id := range int64(2) {
			if err := w.Add(entry(id)); err != nil {
				t.Fatal(err)
			}
		}
		time.Sleep(time.Hour)
		stop()
		if err := <-ended; err != nil {
			t.Error(err)
		}
		if len(at) != maxAttempts+1 || at[0] != 0 || at[1] != time.Second || at[6]-at[5] != 32*time.Second || at[8]-at[7] != time.Minute || at[maxAttempts] != at[maxAttempts-1] {
			t.Errorf("sent after %v", at)
		}
		if last := at[maxAttempts-1]; last < 10*time.Minute || last > 20*time.Minute {
			t.Errorf("given up after %s", last)
		}
		if len(failures) != maxAttempts || failures[0] != "send an audit entry: the receiver answers Internal Server Error" ||
			failures[maxAttempts-1] != "an audit entry was not sent after 20 attempts: the receiver answers Internal Server Error" || w.Dropped() != 1 {
			t.Errorf("%d dropped, told of %d, the last %q", w.Dropped(), len(failures), failures[len(failures)-1])
		}
	})
}

// TestWebhookTimeout: a receiver that never answers is left after ten seconds,
// and the server's end does not wait for it.
func TestWebhookTimeout(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := NewWebhook("https://siem.example.org/audit", &http.Client{Transport: receiver(func(r *http.Request) (*http.Response, error) {
			<-r.Context().Done()
			return nil, r.Context().Err()
		})}, func(error) {})
		begun := time.Now()
		if err := w.post(t.Context(), nil); !errors.Is(err, context.DeadlineExceeded) || time.Since(begun) != postTimeout {
			t.Errorf("%v after %s", err, time.Since(begun))
		}
		ctx, stop := context.WithCancel(t.Context())
		ended := make(chan struct{})
		go func() { w.send(ctx, nil); close(ended) }()
		synctest.Wait()
		begun = time.Now()
		stop()
		<-ended
		if time.Since(begun) != 0 || w.Dropped() != 0 {
			t.Errorf("ended after %s, %d dropped", time.Since(begun), w.Dropped())
		}
	})
}

// TestWebhookRequest: entries are posted as JSON, unsigned where there is no
// secret, and a URL that is none is reported as any failure.
func TestWebhookRequest(t *testing.T) {
	t.Parallel()
	var got *http.Request
	client := &http.Client{Transport: receiver(func(r *http.Request) (*http.Response, error) { got = r; return answers(http.StatusOK), nil })}
	if err := NewWebhook("https://siem.example.org/audit", client, nil).post(t.Context(), []byte("{}")); err != nil {
		t.Fatal(err)
	}
	if got.Method != http.MethodPost || got.Header.Get("Content-Type") != "application/json" || got.Header.Get("User-Agent") != "tidemark-audit" || got.Header.Get(tidemark.SignatureHeader) != "" {
		t.Errorf("%s %v", got.Method, got.Header)
	}
	if err := NewWebhook("https://siem example.org", client, nil).post(t.Context(), nil); err == nil {
		t.Error("a URL with a blank is posted to")
	}
	for status, fails := range map[int]bool{200: false, 204: false, 299: false, 304: true, 400: true, 429: true, 503: true} {
		client.Transport = receiver(func(*http.Request) (*http.Response, error) { return answers(status), nil })
		if err := NewWebhook("https://siem.example.org/audit", client, nil).post(t.Context(), nil); (err != nil) != fails {
			t.Errorf("an answer of %d: %v", status, err)
		}
	}
}

// TestFileAtOnce: lines of many writers do not mix, also while the file is
// opened again, and none is lost.
func TestFileAtOnce(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "audit.jsonl")
	f, err := OpenFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	for i := range int64(4) {
		wg.Go(func() {
			for j := range int64(50) {
				if err := f.Add(entry(50*i + j)); err != nil {
					t.Error(err)
				}
				if j%10 == 0 {
					if err := f.Reopen(); err != nil {
						t.Error(err)
					}
				}
			}
		})
	}
	wg.Wait()
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	seen := make(map[int64]bool)
	for one := range strings.Lines(string(text)) {
		var e tidemark.AuditEntry
		if err := json.Unmarshal([]byte(one), &e); err != nil {
			t.Fatalf("%q: %v", one, err)
		}
		seen[e.ID] = true
	}
	if len(seen) != 200 {
		t.Errorf("%d entries of 200", len(seen))
	}
	if err := f.Add(entry(1)); !errors.Is(err, os.ErrClosed) || !strings.HasPrefix(err.Error(), "write the audit file: ") {
		t.Errorf("after the end: %v", err)
	}
}

// TestReopenFails: where the file cannot be opened again, entries go on to the
// one from before.
func TestReopenFails(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "log")
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	f, err := OpenFile(filepath.Join(dir, "audit.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(dir, dir+".old"); err != nil {
		t.Fatal(err)
	}
	if err := f.Reopen(); !errors.Is(err, os.ErrNotExist) || !strings.HasPrefix(err.Error(), "open the audit file: ") {
		t.Errorf("in a folder that is gone: %v", err)
	}
	if err := errors.Join(f.Add(entry(1)), f.Close()); err != nil {
		t.Fatal(err)
	}
	if text, _ := os.ReadFile(filepath.Join(dir+".old", "audit.jsonl")); string(text) != first {
		t.Errorf("the file from before has %q", text)
	}
}
