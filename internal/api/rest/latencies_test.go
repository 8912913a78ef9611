package rest

import (
	"math"
	"testing"
	"time"
)

// TestLatencies: only the routes that are asked for and what came since count.
func TestLatencies(t *testing.T) {
	read, write := On("GET /v1/read", Anyone, nil), On("POST /v1/write", Anyone, nil)
	s := &Server{observed: newObserved([]Route{read, write})}
	add := func(rt Route, n int, took time.Duration) {
		for range n {
			s.observed.add(rt.Name(), 200, took)
		}
	}
	add(read, 100, time.Minute)
	before := s.Latencies(read.Name())
	add(write, 1000, time.Minute)
	add(read, 90, 8*time.Millisecond)
	add(read, 10, 80*time.Millisecond)
	got := s.Latencies(read.Name(), "GET /nowhere").Since(before)
	near := func(q, want float64) {
		t.Helper()
		if v := got.Quantile(q); math.Abs(v-want) > 1e-9 {
			t.Errorf("quantile %v is %v, want %v", q, v, want)
		}
	}
	if got.Count() != 100 {
		t.Errorf("%d requests, want 100", got.Count())
	}
	near(0.9, 0.01)
	near(0.95, 0.075) // half way from 50 to 100 ms
	near(1, 0.1)
	add(read, 1000, time.Minute)
	got = s.Latencies(read.Name()).Since(before)
	near(0.95, 10) // nothing is known beyond the longest bound
	got = Latencies{}
	near(0.95, 0)
}
