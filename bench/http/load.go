package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
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

// loadUntil is load that may be ended by its context: what was acknowledged
// until then counts.
func loadUntil(ctx context.Context, s *running, streams []*stream, sh shape, start, end int64) (*loaded, error) {
	l := &loaded{}
	return l, l.send(ctx, s, streams, sh, start, end)
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
	var mu sync.Mutex
	var wg sync.WaitGroup
	for i := range queues {
		queues[i] = make(chan []sample, 4)
		wg.Go(func() {
			client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 1}}
			var body bytes.Buffer
			for batch := range queues[i] {
				took, err := send(ctx, client, s, &body, batch)
				if err != nil {
					cancel(err)
					continue
				}
				mu.Lock()
				l.acks, l.samples = append(l.acks, took), l.samples+len(batch)
				mu.Unlock()
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

// send sends one batch and returns how long the server took to acknowledge it.
func send(ctx context.Context, client *http.Client, s *running, body *bytes.Buffer, batch []sample) (time.Duration, error) {
	body.Reset()
	s.peer.encode(body, batch)
	req, err := http.NewRequestWithContext(ctx, "POST", s.url+s.peer.writePath, bytes.NewReader(body.Bytes()))
	if err != nil {
		return 0, err
	}
	s.peer.prepare(req)
	began := time.Now()
	resp, err := client.Do(req)
	if err != nil {
		return 0, err
	}
	defer resp.Body.Close()
	answer, err := io.ReadAll(resp.Body)
	if err != nil {
		return 0, err
	}
	if resp.StatusCode/100 != 2 || resp.Header.Get("X-Partial-Failure") != "" {
		return 0, fmt.Errorf("%s answers %s: %.300s", s.peer.name, resp.Status, answer)
	}
	return time.Since(began), nil
}
