package checks

import (
	"sync"

	"github.com/tidemark-metrics/tidemark"
)

const (
	// atOnce is how many probes run for all organizations together, mostOfOne
	// how many of these one may have, and leastOfOne how many of one run
	// however many the others have.
	atOnce     = 32
	mostOfOne  = 16
	leastOfOne = 2
)

// slots are where work runs, shared by organizations: those that wait take
// turns, and slow work of one delays its own alone.
type slots struct {
	start func(work func()) // in a goroutine

	mu      sync.Mutex
	waiting map[tidemark.OrgID][]func() // guarded by mu
	turns   []tidemark.OrgID            // those that wait, the next first; guarded by mu
	running map[tidemark.OrgID]int      // guarded by mu
	total   int                         // running, of all; guarded by mu
}

func newSlots(start func(work func())) *slots {
	return &slots{start: start, waiting: make(map[tidemark.OrgID][]func()), running: make(map[tidemark.OrgID]int)}
}

// do runs work of org as soon as there is a slot. It does not wait.
func (p *slots) do(org tidemark.OrgID, work func()) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.waiting[org]) == 0 {
		p.turns = append(p.turns, org)
	}
	p.waiting[org] = append(p.waiting[org], work)
	p.fill()
}

// fill starts what there is a slot for.
func (p *slots) fill() {
	for i := 0; i < len(p.turns); {
		org := p.turns[i]
		if !p.hasSlot(org) {
			i++
			continue
		}
		work := p.waiting[org][0]
		p.waiting[org] = p.waiting[org][1:]
		p.turns = append(p.turns[:i], p.turns[i+1:]...)
		if len(p.waiting[org]) > 0 {
			p.turns = append(p.turns, org) // behind the others
		} else {
			delete(p.waiting, org)
		}
		p.running[org]++
		p.total++
		p.start(func() {
			defer p.leave(org)
			work()
		})
		i = 0 // one that was passed over may be next
	}
}

func (p *slots) hasSlot(org tidemark.OrgID) bool {
	n := p.running[org]
	return n < leastOfOne || n < mostOfOne && p.total < atOnce
}

// leave gives a slot of org back.
func (p *slots) leave(org tidemark.OrgID) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.total--
	if p.running[org]--; p.running[org] == 0 {
		delete(p.running, org)
	}
	p.fill()
}
