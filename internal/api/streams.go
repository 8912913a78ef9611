package api

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"sync"
	"time"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/api/rest"
	"github.com/tidemark-metrics/tidemark/internal/inprocess"
)

// maxJoined is how many streams one connection may carry.
const maxJoined = 64

// streamSaid is an event of one of the streams of a connection.
type streamSaid struct {
	Stream int    `json:"stream"` // in the order they were asked for, from 0
	Event  string `json:"event"`  // its name
	Data   string `json:"data"`   // its data, as text
}

// streamEnded says that a stream ended, or never began.
type streamEnded struct {
	Stream int `json:"stream"` // in the order they were asked for, from 0
	Status int `json:"status"` // what it was answered with
}

// streamsRoute is about the API as a whole: what it carries are other routes.
func (s *Server) streamsRoute() rest.Route {
	rt := rest.On("GET    /ui/api/streams", tidemark.ViewMetrics, s.streams).About(rest.OnePerson).
		Answers(rest.Events{"said": streamSaid{}, "ended": streamEnded{}})
	return rest.ForPeople([]rest.Route{rt})[0]
}

// streams answers GET /ui/api/streams: the streams of the interface that the
// parameters "of" name, on one connection. Browsers have six of them for a
// host, whatever the number of tabs. Each stream is a request of its own, so
// that it is refused, counted and ended like one.
func (s *Server) streams(r *http.Request, _ tidemark.Identity) (rest.Reply, error) {
	all, err := s.toJoin(r)
	if err != nil {
		return rest.Reply{}, err
	}
	return rest.Reply{Status: http.StatusOK, Kind: "text/event-stream", Events: func(w http.ResponseWriter) {
		ctx, cancel := context.WithCancel(r.Context())
		events := make(chan []byte)
		var open sync.WaitGroup
		for n, one := range all {
			open.Go(func() { s.join(one.WithContext(ctx), n, events) })
		}
		go func() {
			open.Wait()
			close(events)
		}()
		passOn(w, events)
		cancel()
		for range events { // until all have ended
		}
	}}, nil
}

// passOn writes what comes, until all streams have ended or the caller is gone.
func passOn(w http.ResponseWriter, events <-chan []byte) {
	control := http.NewResponseController(w)
	_ = control.SetReadDeadline(time.Time{}) // an open stream is not a slow request
	for control.Flush() == nil {
		text, more := <-events
		if !more {
			return
		}
		_, _ = w.Write(text) // what could not be written cannot be flushed
	}
}

// toJoin returns the requests for the streams that r asks for.
func (s *Server) toJoin(r *http.Request) ([]*http.Request, error) {
	named := r.URL.Query()["of"]
	if len(named) == 0 || len(named) > maxJoined {
		return nil, tidemark.Errorf(tidemark.Invalid, "of: give 1 to %d addresses of streams", maxJoined)
	}
	all := make([]*http.Request, len(named))
	for i, address := range named {
		one, err := s.forStream(r, address)
		if err != nil {
			return nil, err
		}
		all[i] = one
	}
	return all, nil
}

// forStream is r for a stream of the interface at an address.
func (s *Server) forStream(r *http.Request, address string) (*http.Request, error) {
	u, err := url.ParseRequestURI(address)
	if err != nil || u.Host != "" {
		return nil, notStream(address)
	}
	one := r.Clone(r.Context())
	one.URL, one.RequestURI, one.Body, one.Pattern = u, address, http.NoBody, ""
	name := s.Match(one)
	at := slices.IndexFunc(s.Table, func(rt rest.Route) bool { return rt.Name() == name })
	if at < 0 {
		return nil, notStream(address)
	}
	rt := s.Table[at]
	if _, isStream := rt.Answer.(rest.Events); !isStream || rt.Name() == s.streamsRoute().Name() {
		return nil, notStream(address)
	}
	return one, nil
}

func notStream(address string) error {
	return tidemark.Errorf(tidemark.Invalid, "of: %q is no stream of the interface", address)
}

// join sends the events of a stream to a connection that has others, too.
func (s *Server) join(r *http.Request, n int, to chan<- []byte) {
	j := &joined{ctx: r.Context(), n: n, to: to, header: make(http.Header), status: http.StatusOK}
	if !inprocess.Serve(s.Server, j, r) {
		j.status = http.StatusInternalServerError
	}
	_ = j.send(eventOf("ended", streamEnded{Stream: n, Status: j.status})) // who does not hear it is gone
}

// joined is the answer of one of the streams.
type joined struct {
	ctx    context.Context
	n      int
	to     chan<- []byte
	header http.Header
	status int
	text   bytes.Buffer // what was not flushed
}

func (j *joined) Header() http.Header { return j.header }

func (j *joined) WriteHeader(status int) { j.status = status }

func (j *joined) Write(b []byte) (int, error) { return j.text.Write(b) }

// FlushError sends on what was written, comments as they are: they keep the
// connection open.
func (j *joined) FlushError() error {
	for {
		one, _, whole := bytes.Cut(j.text.Bytes(), []byte("\n\n"))
		if !whole {
			return j.ctx.Err()
		}
		text := bytes.Clone(j.text.Next(len(one) + len("\n\n")))
		event, data, _ := bytes.Cut(text[:len(one)], []byte("\ndata: "))
		if name, ok := bytes.CutPrefix(event, []byte("event: ")); ok {
			text = eventOf("said", streamSaid{Stream: j.n, Event: string(name), Data: string(data)})
		}
		if err := j.send(text); err != nil {
			return err
		}
	}
}

func (j *joined) send(text []byte) error {
	select {
	case j.to <- text:
		return nil
	case <-j.ctx.Done():
		return j.ctx.Err()
	}
}

func eventOf(name string, v any) []byte {
	body, _ := json.Marshal(v)
	return fmt.Appendf(nil, "event: %s\ndata: %s\n\n", name, body)
}
