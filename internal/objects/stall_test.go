package objects

import (
	"context"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

// TestStalled: a server that hangs is given up, whether it takes no more of an
// object or sends no more of one; one that is slow is not.
func TestStalled(t *testing.T) {
	t.Parallel()
	const patience = time.Second
	slow := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		for range 12 {
			_, _ = io.CopyN(io.Discard, r.Body, 1<<20)
			_, _ = io.WriteString(w, "x")
			_ = http.NewResponseController(w).Flush()
			time.Sleep(patience / 8)
		}
	}))
	defer slow.Close()
	hanging, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer hanging.Close() // connections are taken by the kernel, and what is sent until its buffer is full
	half := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.WriteString(w, "x")
		_ = http.NewResponseController(w).Flush()
		<-r.Context().Done()
	}))
	defer half.Close()
	at := func(endpoint string) *s3 {
		s, err := newS3("b", "", Options{Endpoint: endpoint, AccessKey: "k", SecretKey: "s"})
		if err != nil {
			t.Fatal(err)
		}
		s.pause, s.http = time.Millisecond, &http.Client{Transport: transport(patience)}
		return s
	}
	large := content(strings.Repeat("x", 12<<20))
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	if err := at("http://"+hanging.Addr().String()).Put(ctx, "a", large); err == nil || !strings.Contains(err.Error(), "timeout") {
		t.Errorf("a server that takes nothing: %v", err)
	}
	if text, err := get(ctx, at(half.URL)); text != "x" || err == nil || !strings.Contains(err.Error(), "timeout") {
		t.Errorf("a server that sends nothing: %q, %v", text, err)
	}
	if err := at(slow.URL).Put(ctx, "a", large); err != nil {
		t.Errorf("a slow server: %v", err)
	}
	if text, err := get(ctx, at(slow.URL)); text != strings.Repeat("x", 12) || err != nil {
		t.Errorf("a slow server: %q, %v", text, err)
	}
}

func get(ctx context.Context, s *s3) (string, error) {
	r, err := s.Get(ctx, "a")
	if err != nil {
		return "", err
	}
	defer r.Close()
	text, err := io.ReadAll(r)
	return string(text), err
}
