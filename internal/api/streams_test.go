package api

import (
	"bufio"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/usage"
)

// liveWorld is ownWorld behind a connection, with streams that go on.
func liveWorld(t *testing.T) (*world, *httptest.Server) {
	t.Helper()
	w := ownWorld(t)
	stop := make(chan struct{})
	w.Server.Stopping = stop
	server := httptest.NewServer(w)
	t.Cleanup(server.Close)
	t.Cleanup(func() { close(stop) }) // before it waits for what is open
	return w, server
}

// event is one of a connection that carries several streams.
type event struct {
	kind string
	streamSaid
	Status int
}

// listens opens one connection for streams, and returns what it brings.
func (w *world) listens(t *testing.T, server *httptest.Server, who string, streams ...string) (next func() event) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), "GET", server.URL+"/ui/api/streams?"+url.Values{"of": streams}.Encode(), nil)
	if err != nil {
		t.Fatal(err)
	}
	r.AddCookie(&http.Cookie{Name: w.CookieName(r), Value: w.people[who]})
	res, err := server.Client().Do(r)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { res.Body.Close() })
	if kind := res.Header.Get("Content-Type"); res.StatusCode != http.StatusOK || kind != "text/event-stream" {
		t.Fatalf("%s: %s", res.Status, kind)
	}
	lines := bufio.NewScanner(res.Body)
	return func() (h event) {
		t.Helper()
		for lines.Scan() {
			name, text, _ := strings.Cut(lines.Text(), ": ")
			switch name {
			case "":
				if text != "" {
					return event{kind: text} // a comment
				}
			case "event":
				h.kind = text
			case "data":
				if err := json.Unmarshal([]byte(text), &h); err != nil {
					t.Fatal(err)
				}
				return h
			}
		}
		return event{kind: "end"}
	}
}

// TestStreamsShareAConnection: what two organizations' pages hear comes on one
// connection, each event with the stream it is of; a stream that is refused
// leaves the others alone.
func TestStreamsShareAConnection(t *testing.T) {
	t.Parallel()
	w, server := liveWorld(t)
	w.joinTheirs(t, "admin@example.org")
	firing := fmt.Sprintf("/o/%d/ui/api/watch", w.ours)
	arrivals := fmt.Sprintf("/o/%d/ui/api/arrivals/watch", w.theirs)
	next := w.listens(t, server, "Admin", firing, arrivals, "/o/12345/ui/api/watch")
	first := map[int]string{}
	for listening := false; !listening || len(first) < 2; {
		if h := next(); h.kind == "listening" {
			listening = true
		} else {
			first[h.Stream] = fmt.Sprintf("%s %s %s %d", h.kind, h.Event, h.Data, h.Status)
		}
	}
	if first[0] != `said firing {"count":1} 0` || first[2] != "ended   403" {
		t.Errorf("heard at first: %v", first)
	}
	w.Usage.Note(usage.Request{Who: tidemark.Identity{Org: w.ours, Token: 1}, Status: 202})
	w.Usage.Note(usage.Request{Who: tidemark.Identity{Org: w.theirs, Token: 2}, Method: "POST", Path: "/v1/measurements", Status: 202})
	if h := next(); h.Stream != 1 || h.Event != "request" || !strings.Contains(h.Data, `"/v1/measurements"`) {
		t.Errorf("heard of a request: %+v", h)
	}
}

// TestEditorsShareAConnection: two editors on one connection are two, each of
// whom hears of the other, and both are gone with it.
func TestEditorsShareAConnection(t *testing.T) {
	t.Parallel()
	w, server := liveWorld(t)
	const editors = "/ui/api/history/alert/1/editors"
	next := w.listens(t, server, "Admin", editors, editors)
	others := map[int]bool{}
	for !others[0] || !others[1] {
		h := next()
		if h.kind == "end" {
			t.Fatalf("the connection ended; who hears of another: %v", others)
		}
		if h.Event == "editors" {
			others[h.Stream] = strings.Contains(h.Data, "admin@example.org")
		}
	}
	k := tidemark.VersionsOf("alert", 1)
	if all, err := w.Store.Editors(t.Context(), w.ours, k, 0); err != nil || len(all) != 2 {
		t.Errorf("%d editors, %v", len(all), err)
	}
	server.CloseClientConnections()
	for range 1000 {
		all, err := w.Store.Editors(t.Context(), w.ours, k, 0)
		if err != nil {
			t.Fatal(err)
		}
		if len(all) == 0 {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Error("an editor outlives its connection")
}

// TestNoStreamsNoConnection: a connection ends with the last of its streams.
func TestNoStreamsNoConnection(t *testing.T) {
	t.Parallel()
	w, server := liveWorld(t)
	next := w.listens(t, server, "Viewer", "/ui/api/tokens/1/watch", "/ui/api/history/alert/1/editors")
	for range 2 {
		if h := next(); h.kind != "ended" || h.Status != http.StatusForbidden {
			t.Errorf("heard: %+v", h)
		}
	}
	if h := next(); h.kind != "end" {
		t.Errorf("heard after all have ended: %+v", h)
	}
}
