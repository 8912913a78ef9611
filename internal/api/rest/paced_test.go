package rest

import (
	"bytes"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"
)

// serveLarge serves answers of 64 MiB at a pace, and tells how writing each
// ended.
func serveLarge(t *testing.T, grace time.Duration) (address string, ended <-chan error) {
	t.Helper()
	tell := make(chan error, 2)
	piece := bytes.Repeat([]byte("x"), 1<<20)
	srv := httptest.NewServer(Pace{Grace: grace, Bytes: 1 << 40}.Handler(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var err error
		for i := 0; i < 64 && err == nil; i++ {
			_, err = w.Write(piece)
		}
		tell <- err
	})))
	t.Cleanup(srv.Close)
	return srv.Listener.Addr().String(), tell
}

// TestUnreadAnswersAreCut: a client that does not read does not keep its
// answer's memory.
func TestUnreadAnswersAreCut(t *testing.T) {
	t.Parallel()
	address, ended := serveLarge(t, 200*time.Millisecond)
	conn, err := net.Dial("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	if _, err := io.WriteString(conn, "GET / HTTP/1.1\r\nHost: x\r\n\r\n"); err != nil {
		t.Fatal(err)
	}
	if err := <-ended; err == nil {
		t.Error("an answer that nobody reads was written whole")
	}
}

// TestReadAnswersAreWhole: a client that reads gets all of it, and again on
// the same connection.
func TestReadAnswersAreWhole(t *testing.T) {
	t.Parallel()
	address, ended := serveLarge(t, 10*time.Minute)
	for range 2 {
		resp, err := http.Get("http://" + address)
		if err != nil {
			t.Fatal(err)
		}
		n, err := io.Copy(io.Discard, resp.Body)
		resp.Body.Close()
		if n != 64<<20 || err != nil || <-ended != nil {
			t.Errorf("a client that reads got %d bytes, %v", n, err)
		}
	}
}

// TestSlowAnswersAreWhole: an answer of which the second half takes long to be
// made is not cut, as long as its client reads.
func TestSlowAnswersAreWhole(t *testing.T) {
	t.Parallel()
	const grace = 200 * time.Millisecond
	srv := httptest.NewServer(Pace{Grace: grace, Bytes: 1 << 40}.Handler(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.WriteString(w, "first")
		_ = http.NewResponseController(w).Flush()
		time.Sleep(2 * grace)
		_, _ = io.WriteString(w, " and second")
	})))
	defer srv.Close()
	resp, err := http.Get(srv.URL)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if all, err := io.ReadAll(resp.Body); string(all) != "first and second" || err != nil {
		t.Errorf("got %q, %v", all, err)
	}
}
