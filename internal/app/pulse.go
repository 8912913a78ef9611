package app

import (
	"sync"
	"time"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/api/rest"
)

const (
	// pastMinutes is of how many minutes a server says how late alerts were.
	pastMinutes = 60
	// queryWindow is over how long queries are counted.
	queryWindow = 5 * time.Minute
)

// pulse is how a server did lately. It is felt at every heartbeat.
type pulse struct {
	mu      sync.Mutex
	minute  int64     // of the last of behind
	behind  []float64 // the most of each minute
	queries []queryCount
}

// queryCount is how queries were answered until a time.
type queryCount struct {
	at    time.Time
	until rest.Latencies
}

// add notes how late alerts are, and how queries were answered until now.
func (p *pulse) add(now time.Time, behind float64, queries rest.Latencies) {
	p.mu.Lock()
	defer p.mu.Unlock()
	minute := now.Unix() / 60
	if n := len(p.behind); n > 0 && minute == p.minute {
		p.behind[n-1] = max(p.behind[n-1], behind)
	} else {
		p.behind = append(p.behind[max(0, n-pastMinutes+1):], behind)
	}
	p.minute = minute
	p.queries = append(p.queries, queryCount{now, queries})
	for len(p.queries) > 2 && now.Sub(p.queries[1].at) >= queryWindow {
		p.queries = p.queries[1:]
	}
}

// report adds what was noted to l.
func (p *pulse) report(l *tidemark.MachineLoad) {
	p.mu.Lock()
	defer p.mu.Unlock()
	l.BehindPast = append([]float64{}, p.behind...)
	if len(p.queries) < 2 {
		return
	}
	first, last := p.queries[0], p.queries[len(p.queries)-1]
	during := last.until.Since(first.until)
	l.Queries = float64(during.Count()) / last.at.Sub(first.at).Minutes()
	l.QueryP95 = during.Quantile(0.95)
}
