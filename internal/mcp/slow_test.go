package mcp

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/tidemark-metrics/tidemark/internal/query"
	"github.com/tidemark-metrics/tidemark/internal/tsdb/memory"
)

// pipes is a network of connections that keep nothing: what is written was read.
type pipes chan net.Conn

func (p pipes) Accept() (net.Conn, error) {
	c, ok := <-p
	if !ok {
		return nil, net.ErrClosed
	}
	return c, nil
}
func (p pipes) Close() error   { return nil }
func (p pipes) Addr() net.Addr { return &net.TCPAddr{} }

// TestSlowReaders: an answer counts as memory of queries for as long as it is
// not read, and no longer than its connection.
func TestSlowReaders(t *testing.T) {
	t.Parallel()
	const size = 900_000
	q := query.New(query.Options{Engine: memory.New()})
	api := &api{answers: map[string]string{"/v1/metrics": strings.Repeat("x", size)}}
	srv := &http.Server{Handler: New(api, "", func(r *http.Request) (*query.Holding, error) { return q.HoldAnswer(r.Context(), 1), nil })}
	network := make(pipes)
	go func() { _ = srv.Serve(network) }()
	defer srv.Close()
	defer close(network)

	const body = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"search_metrics","arguments":{}}}`
	begin := func() net.Conn {
		t.Helper()
		ours, theirs := net.Pipe()
		network <- theirs
		if _, err := fmt.Fprintf(ours, "POST /mcp HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer good\r\nConnection: close\r\nContent-Length: %d\r\n\r\n%s", len(body), body); err != nil {
			t.Fatal(err)
		}
		if _, err := io.ReadFull(ours, make([]byte, 1)); err != nil { // the answer is being sent
			t.Fatal(err)
		}
		if held := q.Load().Points; held < size/16 || q.Load().Queries != 0 {
			t.Errorf("%+v is held for %d bytes", q.Load(), size)
		}
		return ours
	}
	released := func() {
		t.Helper()
		for end := time.Now().Add(time.Minute); q.Load().Points != 0; time.Sleep(time.Millisecond) {
			if time.Now().After(end) {
				t.Fatalf("%+v", q.Load())
			}
		}
	}
	c := begin()
	if text, err := io.ReadAll(c); err != nil || strings.Count(string(text), "x") < size {
		t.Errorf("%d bytes, %v", len(text), err)
	}
	released()
	begin().Close()
	released()
}
