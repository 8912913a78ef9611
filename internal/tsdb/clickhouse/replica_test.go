package clickhouse

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/tidemark-metrics/tidemark/internal/testdeps"
)

// modelReplicas is a model of three replicas and their keeper. A row is a
// number. It is a http.RoundTripper, so that what is tested is the client.
type modelReplicas struct {
	mu      sync.Mutex
	random  *rand.Rand
	keeper  bool // is there
	log     []string
	all     [3]modelReplica
	unheard float64 // how likely an answer is lost
	late    func()  // called before a row is stored, if it is set
}

type modelReplica struct {
	away, frozen bool
	rows         map[string]bool
	pulled       int // of the log
}

func newModelReplicas(seed uint64) *modelReplicas {
	m := &modelReplicas{random: rand.New(rand.NewPCG(seed, 1)), keeper: true}
	for i := range m.all {
		m.all[i].rows = make(map[string]bool)
	}
	return m
}

// pause lasts for a while, by chance.
func (m *modelReplicas) pause(longest time.Duration) {
	m.mu.Lock()
	d := time.Duration(m.random.Int64N(int64(longest)))
	m.mu.Unlock()
	time.Sleep(d)
}

func (m *modelReplicas) chance(p float64) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.random.Float64() < p
}

// isUnheard reports whether an answer is lost.
func (m *modelReplicas) isUnheard() bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.random.Float64() < m.unheard
}

// state reads or changes what there is.
func (m *modelReplicas) state(do func()) {
	m.mu.Lock()
	defer m.mu.Unlock()
	do()
}

var errAway = errors.New("connection refused")

func (m *modelReplicas) RoundTrip(req *http.Request) (*http.Response, error) {
	at := int(req.URL.Host[1] - '1')
	row, _ := io.ReadAll(req.Body)
	sql := req.URL.Query().Get("query")
	if sql == "" {
		sql, row = string(row), nil
	}
	m.pause(20 * time.Millisecond)
	for {
		var away, frozen bool
		m.state(func() { away, frozen = m.all[at].away, m.all[at].frozen })
		if away {
			return nil, errAway
		}
		if req.Context().Err() != nil {
			return nil, req.Context().Err()
		}
		if !frozen {
			break
		}
		time.Sleep(100 * time.Millisecond)
	}
	if row != nil && m.late != nil {
		m.late()
	}
	answer := m.answer(at, sql, string(row))
	m.pause(20 * time.Millisecond)
	if m.isUnheard() {
		return nil, errors.New("connection reset")
	}
	status := http.StatusOK
	if strings.HasPrefix(answer, "Code:") {
		status = http.StatusInternalServerError
	}
	return &http.Response{StatusCode: status, Header: http.Header{}, Body: io.NopCloser(strings.NewReader(answer))}, nil
}

func (m *modelReplicas) answer(at int, sql, row string) string {
	m.mu.Lock()
	defer m.mu.Unlock()
	r := &m.all[at]
	switch {
	case strings.HasPrefix(sql, "SELECT"):
		return strings.Join(slices.Sorted(maps.Keys(r.rows)), " ")
	case !m.keeper:
		return "Code: 242. DB::Exception: read-only"
	case strings.HasPrefix(sql, "SYSTEM SYNC"):
		m.pull(at)
		return ""
	}
	r.rows[row] = true // before most have it
	for _, i := range m.random.Perm(len(m.all)) {
		if i != at && !m.all[i].away && !m.all[i].frozen {
			m.log = append(m.log, row)
			m.pull(i)
			return ""
		}
	}
	m.log = append(m.log, row)
	return "Code: 285. DB::Exception: too few replicas"
}

// pull has a replica take what it has not got yet. m.mu is held.
func (m *modelReplicas) pull(at int) {
	for _, row := range m.log[m.all[at].pulled:] {
		m.all[at].rows[row] = true
	}
	m.all[at].pulled = len(m.log)
}

// replicate has replicas follow, each late.
func (m *modelReplicas) replicate(ctx context.Context) {
	for ctx.Err() == nil {
		m.pause(3 * time.Second)
		m.state(func() {
			at := m.random.IntN(3)
			if m.keeper && !m.all[at].away && !m.all[at].frozen {
				m.pull(at)
			}
		})
	}
}

// spoil has one thing after another go wrong.
func (m *modelReplicas) spoil(ctx context.Context) {
	for ctx.Err() == nil {
		m.pause(5 * time.Second)
		var mend func()
		m.state(func() {
			r := &m.all[m.random.IntN(3)]
			switch m.random.IntN(4) {
			case 0:
				r.away, mend = true, func() { r.away = false }
			case 1:
				r.frozen, mend = true, func() { r.frozen = false }
			case 2:
				m.keeper, mend = false, func() { m.keeper = true }
			default:
				m.unheard, mend = 0.3, func() { m.unheard = 0 }
			}
		})
		m.pause(8 * time.Second)
		m.state(mend)
	}
}

// modelLedger keeps marks. Others wait for it a little, and for long where it
// is away.
type modelLedger struct {
	m     *modelReplicas
	marks map[string]int64
}

var errLedger = errors.New("the ledger is away")

func (l *modelLedger) EngineMark(_ context.Context, name string) (mark int64, err error) {
	l.m.pause(3 * time.Millisecond)
	if l.m.chance(0.02) {
		return 0, errLedger
	}
	l.m.state(func() { mark = l.marks[name] })
	l.m.pause(3 * time.Millisecond)
	return mark, nil
}

func (l *modelLedger) SwapEngineMark(_ context.Context, name string, from, to int64) (swapped bool, err error) {
	l.m.pause(3 * time.Millisecond)
	l.m.state(func() {
		if swapped = l.marks[name] == from; swapped {
			l.marks[name] = to
		}
	})
	if l.m.chance(0.02) {
		return false, errLedger // done or not
	}
	return swapped, nil
}

// acknowledged are the rows that somebody was told of that they are stored.
type acknowledged struct {
	mu   sync.Mutex
	rows []string
}

func (a *acknowledged) add(row string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.rows = append(a.rows, row)
}

func (a *acknowledged) until() int {
	a.mu.Lock()
	defer a.mu.Unlock()
	return len(a.rows)
}

// missing are those of the first n that are not among the rows of an answer.
func (a *acknowledged) missing(n int, answer string) (rows []string) {
	have := make(map[string]bool)
	for row := range strings.FieldsSeq(answer) {
		have[row] = true
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	return slices.DeleteFunc(slices.Clone(a.rows[:n]), func(row string) bool { return have[row] })
}

// server is one that writes and reads, and notes what it misses.
type modelServer struct {
	name  int
	c     *client
	acked *acknowledged
	reads int
	fails int
	wrong []string
}

func newModelServer(t *testing.T, name int, m *modelReplicas, l markLedger, acked *acknowledged) *modelServer {
	t.Helper()
	c, err := newClient(&Options{URLs: []string{"http://r1:1", "http://r2:1", "http://r3:1"}, Transport: m})
	if err != nil {
		t.Fatal(err)
	}
	if name == 2 { // addresses in another order
		slices.Reverse(c.urls)
	}
	c.agreement = newAgreement(l, func(ctx context.Context, at int) error {
		return c.run(ctx, at, &statement{sql: "SYSTEM SYNC REPLICA"})
	})
	return &modelServer{name: name, c: c, acked: acked}
}

// write writes one row until it is acknowledged.
func (s *modelServer) write(ctx context.Context, row string) {
	for ctx.Err() == nil {
		one, cancel := context.WithTimeout(ctx, 15*time.Second)
		err := s.c.exec(one, &statement{sql: "INSERT", body: []byte(row)})
		cancel()
		if err == nil {
			s.acked.add(row)
			return
		}
		time.Sleep(50 * time.Millisecond)
	}
}

func (s *modelServer) read(ctx context.Context) {
	n := s.acked.until()
	one, cancel := context.WithTimeout(ctx, 15*time.Second)
	defer cancel()
	body, err := s.c.ask(one, &statement{sql: "SELECT"})
	if err != nil {
		s.fails++
		return
	}
	answer, _ := io.ReadAll(body)
	s.reads++
	if missing := s.acked.missing(n, string(answer)); len(missing) > 0 {
		s.wrong = append(s.wrong, fmt.Sprintf("server %d misses %v at %s", s.name, missing, s.c.urls[s.c.inUse()]))
	}
}

// simulateReplicas plays a minute of faults.
func simulateReplicas(t *testing.T, seed uint64) (acked, reads, fails int) {
	t.Helper()
	m := newModelReplicas(seed)
	l := &modelLedger{m: m, marks: make(map[string]int64)}
	var all acknowledged
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	var wg sync.WaitGroup
	wg.Go(func() { m.replicate(ctx) })
	wg.Go(func() { m.spoil(ctx) })
	servers := make([]*modelServer, 3)
	for i := range servers {
		s := newModelServer(t, i, m, l, &all)
		servers[i] = s
		wg.Go(func() {
			for n := 0; ctx.Err() == nil; n++ {
				s.write(ctx, strconv.Itoa(i)+"-"+strconv.Itoa(n))
				m.pause(2 * time.Second)
			}
		})
		wg.Go(func() {
			for ctx.Err() == nil {
				s.read(ctx)
				m.pause(time.Second)
			}
		})
	}
	wg.Wait()
	for _, s := range servers {
		reads, fails = reads+s.reads, fails+s.fails
		for _, text := range s.wrong {
			t.Errorf("seed %d: %s", seed, text)
		}
	}
	return all.until(), reads, fails
}

// TestWriteAcrossMove: a write that ends after others have gone to another
// replica, and that replica has caught up, is done there too.
func TestWriteAcrossMove(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		m := newModelReplicas(1)
		l := &modelLedger{m: m, marks: make(map[string]int64)}
		var all acknowledged
		writer, reader := newModelServer(t, 0, m, l, &all), newModelServer(t, 1, m, l, &all)
		writer.write(t.Context(), "first")
		m.late = func() {
			m.late = nil
			m.all[0].away = true
			for range 2 { // it goes on to the next replica, which catches up
				reader.read(t.Context())
			}
			m.all[0].away, m.all[1].frozen = false, true // so that the third has the row
			time.AfterFunc(time.Second, func() { m.state(func() { m.all[1].frozen = false }) })
		}
		writer.write(t.Context(), "late")
		reader.read(t.Context())
		if reader.reads != 3 || len(reader.wrong) > 0 {
			t.Errorf("%d answers; %v", reader.reads, reader.wrong)
		}
		if at := writer.c.replicaOf(l.marks[replicaMark]); at != 1 {
			t.Errorf("replica %d is in use", at)
		}
	})
}

// TestReplicasAgree: whatever fails, an answer has all that any server
// acknowledged before the question, or is an error.
func TestReplicasAgree(t *testing.T) {
	t.Parallel()
	runs := testdeps.Amount("TIDEMARK_REPLICA_RUNS", 30, 3000)
	var acked, reads, fails int
	for seed := range uint64(runs) {
		synctest.Test(t, func(t *testing.T) {
			a, r, f := simulateReplicas(t, seed)
			acked, reads, fails = acked+a, reads+r, fails+f
		})
	}
	if reads == 0 || acked == 0 {
		t.Fatal("nothing was read or written")
	}
	t.Logf("%d runs: %d rows acknowledged, %d answers, %d errors", runs, acked, reads, fails)
}
