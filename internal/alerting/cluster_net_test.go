package alerting

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"strings"
	"sync"
	"time"
)

var (
	errNetwork = errors.New("the connection broke")
	errKilled  = errors.New("the server is dead")
)

// trouble of a part.
const (
	well     = ""         // now and then something is lost all the same
	away     = "away"     // refuses everything at once
	hanging  = "hanging"  // answers once it is over
	slow     = "slow"     // takes seconds
	unlikely = "unlikely" // loses half of the questions and answers
)

// part is PostgreSQL or ClickHouse, as the servers see it over the network.
type part struct {
	name string

	mu     sync.Mutex
	ails   string
	healed chan struct{} // closed when hanging ends
}

// ail has the part be in trouble, or well.
func (p *part) ail(how string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.healed != nil {
		close(p.healed)
		p.healed = nil
	}
	p.ails = how
	if how == hanging {
		p.healed = make(chan struct{})
	}
}

func (p *part) state() (ails string, healed <-chan struct{}) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.ails, p.healed
}

// trip is how one question and its answer fare.
type trip struct {
	there, back      time.Duration
	noQuestion       bool // it does not arrive
	noAnswer         bool // it does, but the answer is lost
	half             bool // where something can be done in part, it is
	patience         bool // a sleeper finds the answer before it finds that it is late
	sentBeforeKilled bool
}

// plan draws a trip. Times differ in nanoseconds, so that two things do not
// happen at once.
func (p *part) plan(what string, r *rand.Rand) trip {
	ails, _ := p.state()
	t := trip{
		there: time.Duration(r.Int64N(int64(8 * time.Millisecond))), back: time.Duration(r.Int64N(int64(8 * time.Millisecond))),
		half: r.IntN(2) == 0, patience: r.IntN(2) == 0, sentBeforeKilled: r.IntN(2) == 0,
	}
	lost := 200
	switch ails {
	case slow:
		t.there, t.back = time.Duration(r.Int64N(int64(6*time.Second))), time.Duration(r.Int64N(int64(6*time.Second)))
	case unlikely:
		lost = 4
	}
	t.noQuestion, t.noAnswer = r.IntN(lost) == 0, r.IntN(lost) == 0
	if r.IntN(500) == 0 { // overtaken by all that follow
		t.there += time.Duration(r.Int64N(int64(astray(what))))
	}
	return t
}

// astray is how long something may be underway though all is well. Numbers and
// rows matter most.
func astray(what string) time.Duration {
	switch {
	case what == "BeginCommit" || strings.HasPrefix(what, "INSERT"):
		return 40 * time.Second
	case what == "TakeLease":
		return time.Second
	}
	return 8 * time.Second
}

// gate is whether a process runs.
type gate struct {
	mu     sync.Mutex
	thawed chan struct{} // nil while it runs
	dead   chan struct{}
}

func newGate() *gate { return &gate{dead: make(chan struct{})} }

func (g *gate) freeze() {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.thawed == nil {
		g.thawed = make(chan struct{})
	}
}

func (g *gate) thaw() {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.thawed != nil {
		close(g.thawed)
		g.thawed = nil
	}
}

func (g *gate) kill() {
	g.mu.Lock()
	defer g.mu.Unlock()
	if !g.isDead() {
		close(g.dead)
	}
}

func (g *gate) isDead() bool {
	select {
	case <-g.dead:
		return true
	default:
		return false
	}
}

func (g *gate) isFrozen() bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.thawed != nil
}

// pass waits until the process runs, and fails if it never will again.
func (g *gate) pass() error {
	for {
		g.mu.Lock()
		thawed := g.thawed
		g.mu.Unlock()
		if g.isDead() {
			return errKilled
		}
		if thawed == nil {
			return nil
		}
		select {
		case <-thawed:
		case <-g.dead:
			return errKilled
		}
	}
}

// draws gives every question of a process its own random numbers, whatever
// order the questions of different loops come in.
type draws struct {
	seed uint64
	who  string
	mu   sync.Mutex
	n    map[string]int
}

func (d *draws) next(what string) *rand.Rand {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.n[what]++
	h := fnv.New64a()
	fmt.Fprint(h, d.who, what, d.n[what])
	return rand.New(rand.NewPCG(d.seed, h.Sum64()))
}

// ask asks a part something on behalf of a process. What is asked may take
// effect after the process has given up or died.
func ask[T any](ctx context.Context, s *server, to *part, what string, effect func(t *trip) (T, error)) (T, error) {
	type answer struct {
		value T
		err   error
	}
	var none T
	t := to.plan(what, s.draws.next(to.name+what))
	if err := s.gate.pass(); err != nil {
		return none, err
	}
	if err := ctx.Err(); err != nil {
		return none, err
	}
	if t.there > time.Second {
		s.world.stray()
	}
	got := make(chan answer, 1)
	s.world.underway.Go(func() {
		time.Sleep(t.there)
		ails, healed := to.state()
		if healed != nil {
			<-healed
		}
		if ails == away || s.gate.isDead() && !t.sentBeforeKilled {
			got <- answer{none, errNetwork}
			return
		}
		if t.noQuestion {
			if !t.half {
				got <- answer{none, errNetwork}
				return
			}
			t.noAnswer = true
		}
		value, err := effect(&t)
		time.Sleep(t.back)
		if t.noAnswer {
			value, err = none, errNetwork
		}
		got <- answer{value, err}
	})
	var a answer
	select {
	case a = <-got:
	case <-s.gate.dead:
		return none, errKilled
	case <-ctx.Done():
		if !s.gate.isFrozen() || !t.patience {
			return none, ctx.Err()
		}
		select { // its own timers wake up with it
		case a = <-got:
		case <-s.gate.dead:
			return none, errKilled
		}
	}
	if err := s.gate.pass(); err != nil {
		return none, err
	}
	return a.value, a.err
}
