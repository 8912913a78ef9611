package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"slices"
	"sync"
	"time"
)

// connections is how many requests are under way at once.
const connections = 2

// loaded is what sending took.
type loaded struct {
	samples int
	took    time.Duration
	cpu     time.Duration // of the server, with what it does afterwards
	acks    []time.Duration
	mu      sync.Mutex // of samples and acks, while there is sending
	rss     int64
	size    int64
	answers []answered
}

// percentile returns the ack that p percent were quicker than.
func (l *loaded) percentile(p int) time.Duration {
	if len(l.acks) == 0 {
		return 0
	}
	return l.acks[min(len(l.acks)-1, len(l.acks)*p/100)]
}

// forget leaves out the acks so far.
func (l *loaded) forget() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.acks = l.acks[:0]
}

// load sends batches to a server over its connections, each request when the
// one before it on that connection is answered.
func load(ctx context.Context, s *running, streams []*stream, sh shape, start, end int64) (*loaded, error) {
	l := &loaded{}
	cpu, began := s.cpu(), time.Now()
	if err := l.send(ctx, s, streams, sh, start, end); err != nil {
		return nil, err
	}
	l.took = time.Since(began)
	time.Sleep(s.peer.holds)
	s.settle()
	l.cpu = s.cpu() - cpu
	slices.Sort(l.acks)
	return l, nil
}

func (l *loaded) send(ctx context.Context, s *running, streams []*stream, sh shape, start, end int64) error {
	// A stream keeps to one connection, so that its samples stay in order.
	var queues [connections]chan []sample
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var wg sync.WaitGroup
	for i := range queues {
		queues[i] = make(chan []sample, 4)
		wg.Go(func() {
			if err := l.sendQueue(ctx, s, queues[i]); err != nil {
				cancel(err)
			}
		})
	}
	batches(streams, sh, start, end, func(group int, batch []sample) bool {
		select {
		case queues[group%connections] <- batch:
			return true
		case <-ctx.Done():
			return false
		}
	})
	for _, queue := range queues {
		close(queue)
	}
	wg.Wait()
	return context.Cause(ctx)
}

// sendQueue sends what is queued over a connection of its own, and returns when
// the server has taken it.
func (l *loaded) sendQueue(ctx context.Context, s *running, queue <-chan []sample) error {
	to, err := s.connect()
	if err != nil {
		return err
	}
	var body bytes.Buffer
	for batch := range queue {
		body.Reset()
		s.peer.encode(&body, batch)
		began := time.Now()
		if err := to.send(ctx, body.Bytes()); err != nil {
			return err
		}
		l.mu.Lock()
		l.acks, l.samples = append(l.acks, time.Since(began)), l.samples+len(batch)
		l.mu.Unlock()
	}
	return to.finish()
}

// connection is one over which batches go to a server.
type connection interface {
	send(ctx context.Context, body []byte) error // returns when it is acknowledged, if it is
	finish() error                               // returns when the server has taken everything
}

func (s *running) connect() (connection, error) {
	if s.port == "" {
		return &requests{s, &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 1}}}, nil
	}
	c, err := net.Dial("tcp", s.port)
	if err != nil {
		return nil, err
	}
	return lines{c.(*net.TCPConn)}, nil
}

// requests are requests over HTTP, each with an answer.
type requests struct {
	to     *running
	client *http.Client
}

func (r *requests) send(ctx context.Context, body []byte) error {
	p := r.to.peer
	req, err := http.NewRequestWithContext(ctx, "POST", r.to.url+p.writePath, bytes.NewReader(body))
	if err != nil {
		return err
	}
	p.prepare(req)
	resp, err := r.client.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	answer, err := io.ReadAll(resp.Body)
	if err != nil {
		return err
	}
	if resp.StatusCode/100 != 2 || resp.Header.Get("X-Partial-Failure") != "" {
		return fmt.Errorf("%s answers %s: %.300s", p.name, resp.Status, answer)
	}
	return nil
}

func (r *requests) finish() error { return nil }

// lines go to a port that answers nothing; a server closes its end when it has
// taken all of them.
type lines struct{ *net.TCPConn }

func (l lines) send(_ context.Context, body []byte) error {
	_, err := l.Write(body)
	return err
}

func (l lines) finish() error {
	defer l.Close()
	if err := l.CloseWrite(); err != nil {
		return err
	}
	_, err := io.Copy(io.Discard, l)
	return err
}
