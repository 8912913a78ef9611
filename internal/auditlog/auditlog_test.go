package auditlog

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/client"
)

func entry(id int64) *tidemark.AuditEntry {
	return &tidemark.AuditEntry{ID: id, At: 5, Org: 3, Actor: "user:ann@example.org", Address: "192.0.2.7", Action: "alert.update",
		Object: `alert 1 "a<b"`, Detail: map[string]any{}, After: map[string]any{"name": "a<b"}}
}

const first = `{"id":1,"at":5,"actor":"user:ann@example.org","address":"192.0.2.7","action":"alert.update","object":"alert 1 \"a<b\"",` +
	`"detail":{},"after":{"name":"a<b"},"org":3}` + "\n"

// TestFile: a line an entry, and on with a new file when the old one is moved.
func TestFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "audit.jsonl")
	f, err := OpenFile(path)
	if err != nil {
		t.Fatal(err)
	}
	add := func(id int64) {
		t.Helper()
		if err := f.Add(entry(id)); err != nil {
			t.Fatal(err)
		}
	}
	add(1)
	if err := os.Rename(path, path+".1"); err != nil {
		t.Fatal(err)
	}
	add(2) // where it was, until told
	if err := f.Reopen(); err != nil {
		t.Fatal(err)
	}
	add(3)
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	old, _ := os.ReadFile(path + ".1")
	if text := string(old); !strings.HasPrefix(text, first) || strings.Count(text, "\n") != 2 {
		t.Errorf("the old file: %s", text)
	}
	fresh, _ := os.ReadFile(path)
	if text := string(fresh); !strings.HasPrefix(text, `{"id":3,`) || strings.Count(text, "\n") != 1 {
		t.Errorf("the new file: %s", text)
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v, %v", info.Mode(), err)
	}
	if _, err := OpenFile(filepath.Join(path, "nosuch")); err == nil {
		t.Error("a file inside a file was opened")
	}
}

// TestFileCutLine: what a full disk or a crash cut stays a line of its own, and
// the entries after it are whole.
func TestFileCutLine(t *testing.T) {
	path := filepath.Join(t.TempDir(), "audit.jsonl")
	if err := os.WriteFile(path, []byte(`{"id":`), 0o600); err != nil {
		t.Fatal(err)
	}
	f, err := OpenFile(path)
	if err != nil {
		t.Fatal(err)
	}
	disk := &crampedFile{file: f.f, room: 1 << 20}
	f.f = disk
	add := func(id int64, room int) error { disk.room = room; return f.Add(entry(id)) }
	for _, step := range []struct {
		id   int64
		room int
	}{{1, 1000}, {2, 10}, {3, 0}, {4, 1}, {5, 1000}, {6, 1000}} {
		if err := add(step.id, step.room); (err != nil) != (step.room < 1000) {
			t.Errorf("entry %d: %v", step.id, err)
		}
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var whole []int64
	for line := range strings.Lines(string(text)) {
		var e struct{ ID int64 }
		if json.Unmarshal([]byte(line), &e) == nil {
			whole = append(whole, e.ID)
		}
	}
	if !slices.Equal(whole, []int64{1, 5, 6}) {
		t.Errorf("whole entries %v in:\n%s", whole, text)
	}
}

// crampedFile is on a disk that has room for so many bytes.
type crampedFile struct {
	file
	room int
}

func (f *crampedFile) Write(b []byte) (int, error) {
	if len(b) <= f.room {
		return f.file.Write(b)
	}
	n, _ := f.file.Write(b[:f.room])
	return n, syscall.ENOSPC
}

// TestWebhook: entries arrive in order, also when the receiver fails for a
// while.
func TestWebhook(t *testing.T) {
	var failures atomic.Int64
	failures.Store(3)
	got := make(chan string, 10)
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		if err := client.VerifySignature(r.Header.Get("Tidemark-Signature"), body, "s3cret", time.Now()); err != nil {
			t.Error(err)
		}
		if failures.Add(-1) >= 0 {
			w.WriteHeader(http.StatusBadGateway)
			return
		}
		got <- string(body)
	}))
	defer srv.Close()
	var told atomic.Int64
	w := NewWebhook(srv.URL, srv.Client(), func(error) { told.Add(1) })
	w.Signing = &tidemark.Signing{Secret: "s3cret"}
	var waited []time.Duration
	w.sleep = func(_ context.Context, d time.Duration) { waited = append(waited, d) }
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error)
	for id := int64(1); id <= 2; id++ {
		if err := w.Add(entry(id)); err != nil {
			t.Fatal(err)
		}
	}
	go func() { ended <- w.Run(ctx) }()
	if one := <-got; one != first {
		t.Errorf("got %s", one)
	}
	var second struct{ ID int64 }
	if err := json.Unmarshal([]byte(<-got), &second); err != nil || second.ID != 2 {
		t.Errorf("then %+v, %v", second, err)
	}
	stop()
	if err := <-ended; err != nil {
		t.Error(err)
	}
	if len(waited) != 3 || waited[2] != 4*time.Second || told.Load() != 3 || w.Dropped() != 0 {
		t.Errorf("waited %v, told of %d, dropped %d", waited, told.Load(), w.Dropped())
	}
}

// TestWebhookDrops: a receiver that is away for good costs entries, which are
// counted, and nobody's time.
func TestWebhookDrops(t *testing.T) {
	srv := httptest.NewServer(http.NotFoundHandler())
	defer srv.Close()
	var told atomic.Int64
	w := NewWebhook(srv.URL, srv.Client(), func(error) { told.Add(1) })
	w.sleep = func(context.Context, time.Duration) {}
	for id := range int64(maxQueued) {
		if err := w.Add(entry(id)); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Add(entry(maxQueued)); err == nil || w.Dropped() != 1 {
		t.Errorf("one too many: %v, %d dropped", err, w.Dropped())
	}
	w.send(t.Context(), <-w.queue)
	if w.Dropped() != 2 || told.Load() != maxAttempts {
		t.Errorf("%d dropped, told of %d", w.Dropped(), told.Load())
	}
}
