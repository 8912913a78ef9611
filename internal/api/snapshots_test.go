package api

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/tidemark-metrics/tidemark"
)

// TestSnapshotCloses: an image can be opened without credentials for a while,
// and after that with credentials only.
func TestSnapshotCloses(t *testing.T) {
	w := ownWorld(t)
	open := w.keys["/ui/api/snapshots/"]
	if rec := w.ask("nobody", "GET", "/ui/api/snapshots/"+open, ""); rec.Code != http.StatusOK || rec.Header().Get("Content-Type") != "image/png" {
		t.Fatalf("%d %s", rec.Code, rec.Header().Get("Content-Type"))
	}
	w.Now = func() time.Time { return time.Now().Add(tidemark.SnapshotOpen.Duration() + time.Minute) }
	if rec := w.ask("nobody", "GET", "/ui/api/snapshots/"+open, ""); rec.Code != http.StatusNotFound {
		t.Errorf("after it is closed: %d", rec.Code)
	}
	if text := w.must(t, http.StatusOK, "GET", "/v1/snapshots/1", ""); !strings.Contains(text, `/v1/snapshots/1/image"`) {
		t.Errorf("after it is closed: %s", text)
	}
	w.must(t, http.StatusOK, "GET", "/v1/snapshots/1/image", "")
}
