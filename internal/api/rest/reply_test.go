package rest_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/klauspost/compress/gzip"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/api/rest"
	"github.com/tidemark-metrics/tidemark/internal/jsonout"
)

// replies is an endpoint that answers with rep.
func replies(rep rest.Reply) rest.Endpoint {
	return func(*http.Request, tidemark.Identity) (rest.Reply, error) { return rep, nil }
}

// unpacked is what a gzip stream holds.
func unpacked(t *testing.T, r io.Reader) string {
	t.Helper()
	z, err := gzip.NewReader(r)
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestBodies: JSON has no line at its end and leaves < as it is; an answer
// without a body says so, but for 204, which has none by itself.
func TestBodies(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name   string
		rep    rest.Reply
		status int
		body   string
		header map[string]string
	}{
		{"object", rest.OK(map[string]string{"a": "<&>"}), 200, `{"a":"<&>"}`, map[string]string{"Content-Type": rest.ContentJSON, "Content-Length": "11"}},
		{"created", rest.Created(5, "/v1/alerts/5"), 201, "5", map[string]string{"Location": "/v1/alerts/5"}},
		{"elsewhere", rest.Reply{Status: 302, Location: "https://issuer.example/a?b"}, 302, "", map[string]string{"Location": "https://issuer.example/a?b", "Content-Length": "0"}},
		{"nothing", rest.NoContent, 204, "", map[string]string{"Content-Length": "", "Content-Type": ""}},
		{"accepted", rest.Reply{Status: 202}, 202, "", map[string]string{"Content-Length": "0"}},
		{"a text", rest.Text(418, "text/plain", []byte("short and stout"), map[string]string{"X-Pot": "tea"}), 418, "short and stout",
			map[string]string{"Content-Type": "text/plain", "Content-Length": "15", "X-Pot": "tea"}},
		{"a header", rest.Reply{Status: 200, Body: "a", Header: map[string]string{"Cache-Control": "private"}}, 200, `"a"`, map[string]string{"Cache-Control": "private"}},
	} {
		w := newService(admin, nil, rest.On("GET /a", tidemark.View, replies(c.rep))).ask("GET", "/a")
		if w.Code != c.status || w.Body.String() != c.body {
			t.Errorf("%s: %d %s", c.name, w.Code, w.Body)
		}
		for name, want := range c.header {
			if got := w.Header().Get(name); got != want {
				t.Errorf("%s: %s is %q, want %q", c.name, name, got, want)
			}
		}
	}
}

// TestCompression: what does not fit a packet is compressed for clients that
// take gzip, and for no other.
func TestCompression(t *testing.T) {
	t.Parallel()
	long, short := strings.Repeat("x", 1398), strings.Repeat("x", 1397) // and two quotes
	s := newService(admin, nil, rest.On("GET /long", tidemark.View, says(long)), rest.On("GET /short", tidemark.View, says(short)))
	for accept, want := range map[string]bool{
		"gzip": true, "br, gzip": true, "gzip;q=0.5, br": true, "deflate , gzip ; q=1": true,
		"": false, "br": false, "gzip;q=0": false, "gzip; q=0": false, "gzip;q=0.0, br": false, "gzip; q=0.000": false, "gzipped": false,
	} {
		w := s.ask("GET", "/long", "Accept-Encoding", accept)
		text := ""
		if w.Header().Get("Content-Encoding") == "gzip" {
			text = unpacked(t, w.Body)
		}
		if got := text != ""; got != want || got && (text != `"`+long+`"` || w.Header().Get("Vary") != "Accept-Encoding" || w.Header().Get("Content-Length") != "") {
			t.Errorf("%q: compressed %v, %v", accept, got, w.Header())
		}
		if w := s.ask("GET", "/short", "Accept-Encoding", accept); w.Header().Get("Content-Encoding") != "" || w.Body.Len() != 1399 {
			t.Errorf("%q: what fits a packet is compressed", accept)
		}
	}
}

// TestStreams: an answer that is made while it is sent has its own kind of
// content, and is compressed where it is JSON.
func TestStreams(t *testing.T) {
	t.Parallel()
	stream := func(kind string) rest.Reply {
		return rest.Reply{Status: 200, Kind: kind, Stream: func(w io.Writer) error {
			_, err := io.WriteString(w, "[1]")
			return err
		}}
	}
	for kind, packed := range map[string]bool{"": true, "application/json": true, "image/png": false, "text/csv; charset=utf-8": false} {
		s := newService(admin, nil, rest.On("GET /a", tidemark.View, replies(stream(kind))))
		w := s.ask("GET", "/a", "Accept-Encoding", "gzip")
		want := kind
		if kind == "" {
			want = rest.ContentJSON
		}
		if got := w.Header().Get("Content-Encoding") == "gzip"; got != packed || w.Header().Get("Content-Type") != want {
			t.Errorf("%q: compressed %v, %v", kind, got, w.Header())
		}
		if text := s.ask("GET", "/a").Body.String(); text != "[1]" {
			t.Errorf("%q: without gzip it is %s", kind, text)
		}
	}
}

// TestEvents: an answer without an end is kept by no proxy.
func TestEvents(t *testing.T) {
	t.Parallel()
	rep := rest.Reply{Status: 200, Kind: "text/event-stream", Events: func(w http.ResponseWriter) { fmt.Fprint(w, "event: a\n\n") }}
	w := newService(admin, nil, rest.On("GET /a", tidemark.View, replies(rep))).ask("GET", "/a", "Accept-Encoding", "gzip")
	h := w.Header()
	if w.Body.String() != "event: a\n\n" || h.Get("Content-Type") != "text/event-stream" || h.Get("X-Accel-Buffering") != "no" || h.Get("Content-Encoding") != "" {
		t.Errorf("%s, %v", w.Body, h)
	}
}

// TestCutAnswers: what fails while it is sent reaches the client as an answer
// that is not whole, compressed or not, and is logged unless it was the
// client who left.
func TestCutAnswers(t *testing.T) {
	t.Parallel()
	broken := rest.Reply{Status: 200, Stream: func(w io.Writer) error {
		_, _ = io.WriteString(w, `{"series":[1,2`)
		return errors.New("the disk is gone")
	}}
	s := newService(admin, nil, rest.On("GET /a", tidemark.View, replies(broken)))
	srv := httptest.NewServer(s)
	t.Cleanup(srv.Close)
	for _, accept := range []string{"identity", "gzip"} {
		r, _ := http.NewRequestWithContext(t.Context(), "GET", srv.URL+"/a", nil)
		r.Header.Set("Accept-Encoding", accept)
		resp, err := http.DefaultTransport.RoundTrip(r)
		if err != nil {
			continue // cut before anything was sent
		}
		if text, err := io.ReadAll(resp.Body); err == nil {
			t.Errorf("%s: the client takes %q for whole", accept, text)
		}
		resp.Body.Close()
	}
	srv.Close()
	if log := s.log.String(); strings.Count(log, "response aborted") != 2 || !strings.Contains(log, "the disk is gone") {
		t.Errorf("logged: %s", log)
	}
}

// TestClientsThatLeft: nothing is written or logged for a client that went away.
func TestClientsThatLeft(t *testing.T) {
	t.Parallel()
	gone := func(r *http.Request, _ tidemark.Identity) (rest.Reply, error) {
		<-r.Context().Done()
		return rest.Reply{}, fmt.Errorf("select: %w", r.Context().Err())
	}
	s := newService(admin, nil, rest.On("GET /a", tidemark.View, gone))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	w := httptest.NewRecorder()
	s.ServeHTTP(w, httptest.NewRequestWithContext(ctx, "GET", "/a", nil))
	if w.Body.Len() != 0 || s.log.Len() != 0 {
		t.Errorf("answered %s, logged %s", w.Body, &s.log)
	}
	// What was cancelled for another reason is our fault.
	s = newService(admin, nil, rest.On("GET /a", tidemark.View, fails(context.Canceled)))
	if w := s.ask("GET", "/a"); w.Code != 500 || s.log.Len() == 0 {
		t.Errorf("%d, logged %s", w.Code, &s.log)
	}
}

// TestTooLargeBodiesAreRead: a client that sends all before it reads hears that
// its body is too long.
func TestTooLargeBodiesAreRead(t *testing.T) {
	t.Parallel()
	refuse := func(r *http.Request, _ tidemark.Identity) (rest.Reply, error) {
		_, err := rest.ReadBody(r, 10)
		return rest.Reply{}, err
	}
	s := newService(admin, nil, rest.On("POST /a", tidemark.View, refuse))
	body := strings.NewReader(strings.Repeat("x", 1<<20))
	w := httptest.NewRecorder()
	s.ServeHTTP(w, httptest.NewRequest("POST", "/a", body))
	if w.Code != 413 || body.Len() != 0 || w.Body.String() != `{"errors":{"request":["the body is longer than 10 bytes"]}}` {
		t.Errorf("%d %s with %d bytes left", w.Code, w.Body, body.Len())
	}
}

// TestWriters: a writer that is used again begins anew, and one whose endpoint
// failed leaves nothing for the next.
func TestWriters(t *testing.T) {
	t.Parallel()
	var ws rest.Writers
	one := func(text string, err error) (string, error) {
		var b strings.Builder
		rep := ws.Streamed(func(out *jsonout.Writer) error {
			out.Text(text)
			return err
		})
		failed := rep.Stream(&b)
		return b.String(), failed
	}
	for i := range 20 {
		text := fmt.Sprintf(`{"n":%d}`, i)
		if got, err := one(text, nil); got != text || err != nil {
			t.Fatalf("%q, %v, want %q", got, err, text)
		}
		if _, err := one("half", io.ErrUnexpectedEOF); !errors.Is(err, io.ErrUnexpectedEOF) {
			t.Fatalf("got %v", err)
		}
	}
}
