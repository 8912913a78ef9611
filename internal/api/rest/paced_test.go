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

// TestUnreadAnswersAreCut: a client that does not read does not keep its
// answer's memory; one that reads gets all of it.
func TestUnreadAnswersAreCut(t *testing.T) {
	t.Parallel()
	ended := make(chan error, 1)
	piece := bytes.Repeat([]byte("x"), 1<<20)
	srv := httptest.NewServer(Pace{Grace: 200 * time.Millisecond, Bytes: 1 << 40}.Handler(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var err error
		for i := 0; i < 64 && err == nil; i++ {
			_, err = w.Write(piece)
		}
		ended <- err
	})))
	defer srv.Close()
	conn, err := net.Dial("tcp", srv.Listener.Addr().String())
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
	for range 2 { // the second on the same connection
		resp, err := http.Get(srv.URL)
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
