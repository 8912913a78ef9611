package clickhouse_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/tsdb"
	"github.com/tidemark-metrics/tidemark/internal/tsdb/clickhouse"
)

// proxy stands in front of ClickHouse and spoils what goes through.
type proxy struct {
	*httptest.Server
	to string
	// spoil is given each statement; it returns false once it has answered.
	mu    sync.Mutex
	spoil func(w http.ResponseWriter, sql string, forward func() (status int, body []byte)) (goOn bool)
}

func newProxy(t *testing.T, to string) *proxy {
	t.Helper()
	p := &proxy{to: to}
	p.Server = httptest.NewServer(p)
	t.Cleanup(p.Close)
	return p
}

func (p *proxy) set(spoil func(w http.ResponseWriter, sql string, forward func() (int, []byte)) bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.spoil = spoil
}

func (p *proxy) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	forward := func() (int, []byte) {
		req, err := http.NewRequest(r.Method, p.to+"/?"+r.URL.RawQuery, bytes.NewReader(body))
		if err != nil {
			return http.StatusBadGateway, []byte(err.Error())
		}
		req.Header = r.Header
		resp, err := http.DefaultClient.Do(req)
		if err != nil {
			return http.StatusBadGateway, []byte(err.Error())
		}
		defer resp.Body.Close()
		answer, _ := io.ReadAll(resp.Body)
		return resp.StatusCode, answer
	}
	sql := r.URL.Query().Get("query")
	if sql == "" {
		sql = string(body)
	}
	p.mu.Lock()
	spoil := p.spoil
	p.mu.Unlock()
	if spoil != nil && !spoil(w, sql, forward) {
		return
	}
	status, answer := forward()
	w.WriteHeader(status)
	_, _ = w.Write(answer)
}

// spoiled opens an engine behind a proxy, that tries to write for so long.
func spoiled(t *testing.T, patience time.Duration) (*clickhouse.Engine, *proxy, *ledger) {
	t.Helper()
	o := options(t)
	open(t, o) // its tables are made by all addresses
	l := newLedger()
	p := newProxy(t, o.URLs[0])
	o.URLs, o.Ledger, o.WriteWait = []string{p.URL}, l, patience
	return open(t, o), p, l
}

func batch(metric string, n int) *tsdb.Batch {
	var b tsdb.Batch
	for i := range n {
		b.Add(metric, tidemark.Tags{{Name: "n", Value: strconv.Itoa(i)}}, time.Now().Unix()/day*day, 1)
	}
	return &b
}

// total is the sum of everything in a metric.
func total(t *testing.T, e tsdb.Reader, metric string) (sum float64, err error) {
	t.Helper()
	q := &tsdb.Query{Metric: metric, Start: 0, End: time.Now().Unix() + day, Step: 60, Function: tsdb.Sum}
	for s, err := range e.Select(t.Context(), org, q) {
		if err != nil {
			return sum, err
		}
		for _, v := range s.Values {
			sum += v
		}
	}
	return sum, nil
}

// TestInsertUnknown has inserts arrive of which the server does not hear: they
// are sent again, and count once even in a metric that folds.
func TestInsertUnknown(t *testing.T) {
	t.Parallel()
	e, p, _ := spoiled(t, time.Minute)
	if err := e.SetMode(t.Context(), org, "hits", tsdb.Mode{Fold: true, Period: 60}); err != nil {
		t.Fatal(err)
	}
	var n atomic.Int64
	p.set(func(w http.ResponseWriter, sql string, forward func() (int, []byte)) bool {
		if !strings.HasPrefix(sql, "INSERT") || n.Add(1)%2 == 0 {
			return true
		}
		forward()
		panic(http.ErrAbortHandler) // the connection breaks
	})
	for range 4 {
		if err := e.Write(t.Context(), org, batch("hits", 3)); err != nil {
			t.Fatal(err)
		}
	}
	if sum, err := total(t, e, "hits"); err != nil || sum != 12 {
		t.Errorf("got %v, %v, want 12 of what was sent more than once", sum, err)
	}
}

// TestAnswerBreaksOff cuts answers short, and puts an exception in the middle
// of them, as ClickHouse does: there is an error each time.
func TestAnswerBreaksOff(t *testing.T) {
	t.Parallel()
	e, p, _ := spoiled(t, time.Minute)
	if err := e.Write(t.Context(), org, batch("cpu", 500)); err != nil {
		t.Fatal(err)
	}
	cut := func(keep int, then string) {
		p.set(func(w http.ResponseWriter, sql string, forward func() (int, []byte)) bool {
			if !strings.Contains(sql, "FROM records") {
				return true
			}
			_, answer := forward()
			_, _ = w.Write(answer[:min(len(answer), keep)])
			_, _ = io.WriteString(w, then)
			return false
		})
	}
	const exception = "Code: 241. DB::Exception: Memory limit exceeded"
	for _, keep := range []int{1, 100, 2000} {
		for _, then := range []string{"", exception} {
			cut(keep, then)
			if sum, err := total(t, e, "cpu"); err == nil {
				t.Errorf("cut after %d bytes, then %q: got %v and no error", keep, then, sum)
			} else if tidemark.KindOf(err) != tidemark.Unavailable {
				t.Errorf("cut after %d bytes: %v", keep, err)
			}
		}
	}
	p.set(func(w http.ResponseWriter, sql string, forward func() (int, []byte)) bool {
		if !strings.Contains(sql, "FROM records") {
			return true
		}
		_, answer := forward()
		_, _ = w.Write(answer)
		_, _ = io.WriteString(w, exception)
		return false
	})
	if sum, err := total(t, e, "cpu"); err == nil {
		t.Errorf("an exception after all blocks: got %v and no error", sum)
	}
	p.set(nil)
	if sum, err := total(t, e, "cpu"); err != nil || sum != 500 {
		t.Errorf("got %v, %v, want 500", sum, err)
	}
}

// TestAway has ClickHouse refuse everything: writes are refused after a while,
// with the reason in words, and taken again once it is back.
func TestAway(t *testing.T) {
	t.Parallel()
	e, p, l := spoiled(t, 2*time.Second)
	var told []int
	e.SetUnknown(func(code int, _ error) { told = append(told, code) }) // before whoever waits goes on
	for text, want := range map[string]string{
		"Code: 242. DB::Exception: Table is in readonly mode":   "the replica is read-only",
		"Code: 243. DB::Exception: Cannot reserve":              "the disk of ClickHouse is full",
		"Code: 285. DB::Exception: Number of alive replicas":    "too few replicas",
		"Code: 497. DB::Exception: default: Not enough rights":  "may not do that",
		"Code: 252. DB::Exception: Too many parts (300)":        "than ClickHouse can merge",
		"Code: 516. DB::Exception: x: Authentication failed":    "does not know clickhouse.user",
		"Code: 9999. DB::Exception: something nobody heard of.": "ClickHouse reports an error",
	} {
		p.set(func(w http.ResponseWriter, sql string, _ func() (int, []byte)) bool {
			w.WriteHeader(http.StatusInternalServerError)
			_, _ = io.WriteString(w, text)
			return false
		})
		err := e.Write(t.Context(), org, batch("cpu", 1))
		if tidemark.KindOf(err) != tidemark.Unavailable || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, want %q in it", text, err, want)
		}
		if err := e.Ready(t.Context()); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: ready is %v, want %q in it", text, err, want)
		}
	}
	p.set(nil)
	if !slices.Equal(slices.Compact(told), []int{9999}) {
		t.Errorf("the operator is told of %v, want 9999 alone", told)
	}
	l.mu.Lock()
	l.fail = errors.New("PostgreSQL is away")
	l.mu.Unlock()
	err := e.Write(t.Context(), org, batch("cpu", 1))
	if tidemark.KindOf(err) != tidemark.Unavailable || !strings.Contains(err.Error(), "the database is not available") {
		t.Errorf("without a ledger: %v", err)
	}
	l.mu.Lock()
	l.fail = nil
	l.mu.Unlock()
	if err := e.Write(t.Context(), org, batch("cpu", 2)); err != nil {
		t.Fatal(err)
	}
	if err := e.Ready(t.Context()); err != nil {
		t.Errorf("ready: %v", err)
	}
	if sum, err := total(t, e, "cpu"); err != nil || sum != 2 {
		t.Errorf("got %v, %v, want 2", sum, err)
	}
}

// TestBackPressure has a ClickHouse that does not answer: what does not fit
// into the queue is refused at once, and a caller who gives up is let go.
func TestBackPressure(t *testing.T) {
	t.Parallel()
	e, p, _ := spoiled(t, time.Minute)
	release := make(chan struct{})
	p.set(func(_ http.ResponseWriter, sql string, _ func() (int, []byte)) bool {
		if strings.HasPrefix(sql, "INSERT") {
			<-release
		}
		return true
	})
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var wg sync.WaitGroup
	var refused, stored atomic.Int64
	for i := range 80 { // more than fit into the queue and the commit under way
		wg.Go(func() {
			switch err := e.Write(ctx, org, batch(fmt.Sprint("m", i), 10_000)); {
			case err == nil, errors.Is(err, context.Canceled):
				stored.Add(1)
			case strings.Contains(err.Error(), "more come in than can be stored"):
				if refused.Add(1) == 1 {
					cancel() // it is full: those who wait are let go
				}
			default:
				t.Errorf("Write: %v", err)
			}
		})
	}
	wg.Wait()
	close(release)
	if refused.Load() == 0 {
		t.Error("no write was refused")
	}
}

// TestFailover has the first of two addresses fail and come back.
func TestFailover(t *testing.T) {
	t.Parallel()
	o := options(t)
	open(t, o) // its tables are made by all addresses
	first := newProxy(t, o.URLs[0])
	o.URLs = []string{first.URL, o.URLs[0]}
	e := open(t, o)
	if err := e.Write(t.Context(), org, batch("cpu", 1)); err != nil {
		t.Fatal(err)
	}
	first.set(func(http.ResponseWriter, string, func() (int, []byte)) bool { panic(http.ErrAbortHandler) })
	if sum, err := total(t, e, "cpu"); err != nil || sum != 1 {
		t.Errorf("got %v, %v, want 1 from the second address", sum, err)
	}
	if err := e.Write(t.Context(), org, batch("cpu", 3)); err != nil {
		t.Errorf("write to the second address: %v", err)
	}
	first.set(nil)
	if sum, err := total(t, e, "cpu"); err != nil || sum != 3 {
		t.Errorf("got %v, %v, want 3", sum, err)
	}
}

// TestTwoServers has two engines share what both write, delete and set.
func TestTwoServers(t *testing.T) {
	t.Parallel()
	o := options(t)
	a := open(t, o)
	o.Node = "b"
	b := open(t, o)
	write := func(e *clickhouse.Engine, n int) {
		t.Helper()
		if err := e.Write(t.Context(), org, batch("cpu", n)); err != nil {
			t.Fatal(err)
		}
	}
	check := func(want float64) {
		t.Helper()
		for _, e := range []*clickhouse.Engine{a, b} {
			if err := e.Follow(t.Context()); err != nil {
				t.Fatal(err)
			}
			if sum, err := total(t, e, "cpu"); err != nil || sum != want {
				t.Errorf("got %v, %v, want %v", sum, err, want)
			}
		}
	}
	write(a, 3)
	write(b, 5) // three of them again
	check(5)
	if err := a.Delete(t.Context(), org, "cpu"); err != nil {
		t.Fatal(err)
	}
	write(b, 1) // which has not heard of it until it writes
	check(1)
	if err := b.SetMode(t.Context(), org, "cpu", tsdb.Mode{Fold: true, Period: 60}); err != nil {
		t.Fatal(err)
	}
	write(a, 1)
	write(b, 1)
	check(3)
	for _, e := range []*clickhouse.Engine{a, b} {
		st, err := e.Stats(t.Context())
		if err != nil || st.Streams != 1 || st.Orgs[org].Streams != 1 {
			t.Errorf("statistics %+v, %v", st, err)
		}
	}
}

// TestOpenRefuses has settings that cannot work, with the reason in words.
func TestOpenRefuses(t *testing.T) {
	t.Parallel()
	o := options(t)
	o.URLs, o.Cluster = o.URLs[:1], ""
	for want, spoil := range map[string]func(*clickhouse.Options){
		"is not an address":                      func(o *clickhouse.Options) { o.URLs = []string{"tcp://x"} },
		"clickhouse.urls: is empty":              func(o *clickhouse.Options) { o.URLs = nil },
		"ClickHouse cannot be reached":           func(o *clickhouse.Options) { o.URLs = []string{"http://127.0.0.1:1"} },
		"ClickHouse has no cluster \"nowhere\"":  func(o *clickhouse.Options) { o.Cluster = "nowhere" },
		"does not know clickhouse.user":          func(o *clickhouse.Options) { o.User, o.Password = "nobody", "x" },
		"is not a name of letters, digits and _": func(o *clickhouse.Options) { o.Database = "a; DROP TABLE b" },
		"clickhouse: no ledger":                  func(o *clickhouse.Options) { o.Ledger = nil },
	} {
		bad := o
		spoil(&bad)
		e, err := clickhouse.Open(t.Context(), bad)
		if err == nil {
			e.Close()
		}
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %q in it", err, want)
		}
	}
	if err := clickhouse.Check(t.Context(), o); err != nil {
		t.Errorf("check: %v", err)
	}
	o.URLs = []string{"http://127.0.0.1:1"}
	if err := clickhouse.Check(t.Context(), o); err == nil || !strings.Contains(err.Error(), "cannot be reached") {
		t.Errorf("check of nothing: %v", err)
	}
}
