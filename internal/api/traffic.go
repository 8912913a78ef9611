package api

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"sync"
	"time"

	"github.com/tidemark-metrics/tidemark"
)

const (
	maxSenders   = 10_000 // that are remembered between two saves
	maxNamed     = 1000   // senders of one token that have a name of their own, on one day
	maxArrivals  = 1000   // kinds of sender of one organization in the last hour
	maxProblems  = 50     // refused requests that are remembered
	maxListeners = 1000
	saveEvery    = 10 * time.Second
	daySeconds   = 24 * 3600
	keepSenders  = 90 * daySeconds
)

// traffic remembers who sends what, for the pages that show it: who uses a
// token, what arrived in the last hour, what was refused, as it happens.
type traffic struct {
	mu        sync.Mutex
	senders   map[senderKey]*tidemark.Sender
	uses      map[useKey]int64
	named     map[int64]map[senderKey]bool // by token, of one day
	namedOn   int64
	arrivals  map[tidemark.OrgID]map[arrivalKey]*arrival
	problems  []problem // latest last
	listeners map[chan happening]listener
}

type senderKey struct {
	token         int64
	agent, sender string
	day           int64
}

type arrivalKey struct{ protocol, agent string }

// arrival counts what one kind of sender sent, by minute of the last hour.
type arrival struct {
	minutes [60]int64
	latest  int64 // minute
	last    int64 // second
}

// problem is a request that was refused.
type problem struct {
	org    tidemark.OrgID // 0 if nobody knows whose it was
	At     int64          `json:"at"`
	Status int            `json:"status"`
	Reason string         `json:"reason"`
	Agent  string         `json:"user_agent"`
	Ends   string         `json:"token_ends"` // of a token that nobody has
}

// happening is one request or measurement, as watchers are told of it.
type happening struct {
	kind string // request or measurement
	body any
}

// listener says what somebody wants to hear of.
type listener struct {
	org   tidemark.OrgID
	token int64 // 0 for all
}

// seen is what is known of one request after its answer.
type seen struct {
	who    tidemark.Identity
	r      *http.Request
	status int
	reason string
	count  int64 // measurements recorded
	sample sample
	action tidemark.Action
	noun   string
	ends   string
}

// needs is the least role that may do what was refused; "" for anything else.
func (v seen) needs() string {
	if v.status != http.StatusForbidden {
		return ""
	}
	for _, role := range []tidemark.Role{tidemark.RecordOnly, tidemark.ViewOnly} {
		if role.Allows(v.action) {
			return role.Title()
		}
	}
	return tidemark.FullAccess.Title()
}

func newTraffic() *traffic {
	return &traffic{
		senders: make(map[senderKey]*tidemark.Sender), uses: make(map[useKey]int64), named: make(map[int64]map[senderKey]bool), arrivals: make(map[tidemark.OrgID]map[arrivalKey]*arrival),
		listeners: make(map[chan happening]listener),
	}
}

func (t *traffic) note(v seen, now int64) {
	if v.who.User != 0 {
		return // people at the interface are not senders
	}
	agent, sender, day := cutText(v.r.UserAgent(), 200), senderOf(v.r, v.sample), now/daySeconds*daySeconds
	t.mu.Lock()
	defer t.mu.Unlock()
	if v.who.Token != 0 && v.status != http.StatusForbidden { // what a role refuses is no use of it
		t.addSender(senderKey{v.who.Token, agent, sender, day}, v, now)
		t.addUse(useKey{v.who.Token, v.action, v.noun, day})
	}
	if v.count > 0 {
		t.addArrival(v.who.Org, arrivalKey{protocolOf(v.r), agent}, v.count, now)
	}
	if v.status >= 400 {
		t.problems = append(t.problems, problem{v.who.Org, now, v.status, v.reason, agent, v.ends})
		t.problems = t.problems[max(0, len(t.problems)-maxProblems):]
	}
	if v.who.Org == 0 {
		sender = "" // of everybody who might have meant it, only the one who did should learn where it came from
	}
	t.tell(v.who, happening{"request", map[string]any{
		"at": now, "user_agent": agent, "sender": sender, "status": v.status, "method": v.r.Method, "path": v.r.URL.Path, "reason": v.reason,
		"needs": v.needs(), "token_ends": v.ends,
	}})
}

// name keeps senders of which there are too many from filling the database:
// what has more hosts than people read counts as one.
func (t *traffic) name(k senderKey) senderKey {
	if k.day != t.namedOn {
		clear(t.named)
		t.namedOn = k.day
	}
	known := t.named[k.token]
	if known == nil {
		known = make(map[senderKey]bool)
		t.named[k.token] = known
	}
	if !known[k] {
		if len(known) >= maxNamed {
			k.agent, k.sender = "", otherSenders
		}
		known[k] = true
	}
	return k
}

// otherSenders is the name of those that have none of their own.
const otherSenders = "others"

func (t *traffic) addSender(k senderKey, v seen, now int64) {
	k = t.name(k)
	s := t.senders[k]
	if s == nil {
		if len(t.senders) >= maxSenders {
			return
		}
		s = &tidemark.Sender{Token: k.token, UserAgent: k.agent, Sender: k.sender, Day: k.day, Sends: v.sample.sends()}
		t.senders[k] = s
	}
	s.Requests++
	s.LastAt, s.Old = now, v.who.Old
}

func (t *traffic) addArrival(org tidemark.OrgID, k arrivalKey, n, now int64) {
	kinds := t.arrivals[org]
	if kinds == nil {
		kinds = make(map[arrivalKey]*arrival)
		t.arrivals[org] = kinds
	}
	a := kinds[k]
	if a == nil {
		if len(kinds) >= maxArrivals {
			return
		}
		a = &arrival{}
		kinds[k] = a
	}
	minute := now / 60
	for m := max(a.latest+1, minute-59); m <= minute; m++ {
		a.minutes[m%60] = 0
	}
	a.minutes[minute%60] += n
	a.latest, a.last = minute, now
}

// total is what arrived in the hour before now.
func (a *arrival) total(now int64) (n int64) {
	for m := now/60 - 59; m <= a.latest; m++ {
		n += a.minutes[m%60]
	}
	return n
}

// tell tells those who listen. Whoever is too slow misses something rather
// than holding up requests.
func (t *traffic) tell(who tidemark.Identity, h happening) {
	for c, l := range t.listeners {
		if (l.org == who.Org || who.Org == 0) && (l.token == 0 || l.token == who.Token) {
			select {
			case c <- h:
			default:
			}
		}
	}
}

func (t *traffic) listen(l listener) (c chan happening, stop func(), ok bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(t.listeners) >= maxListeners {
		return nil, nil, false
	}
	c = make(chan happening, 64)
	t.listeners[c] = l
	return c, func() {
		t.mu.Lock()
		defer t.mu.Unlock()
		delete(t.listeners, c)
	}, true
}

func (t *traffic) listening(org tidemark.OrgID) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, l := range t.listeners {
		if l.org == org && l.token == 0 {
			return true
		}
	}
	return false
}

func (t *traffic) takeSenders() []*tidemark.Sender {
	t.mu.Lock()
	defer t.mu.Unlock()
	list := make([]*tidemark.Sender, 0, len(t.senders))
	for _, s := range t.senders {
		list = append(list, s)
	}
	clear(t.senders)
	return list
}

// protocolOf names how measurements were sent.
func protocolOf(r *http.Request) string {
	if r.URL.Path == "/v1/metrics" {
		return "Librato metrics"
	}
	return "measurements"
}

func cutText(s string, n int) string {
	return string([]rune(s)[:min(len([]rune(s)), n)])
}

// Run saves what traffic remembers until ctx is done.
func (s *Server) Run(ctx context.Context) error {
	ticker := time.NewTicker(saveEvery)
	defer ticker.Stop()
	counted := make(map[tidemark.OrgID]int64)
	s.countUsage(ctx, counted) // where we start from
	for {
		select {
		case <-ctx.Done():
			s.saveTraffic(context.WithoutCancel(ctx), counted)
			return nil
		case <-ticker.C:
			s.saveTraffic(ctx, counted)
		}
	}
}

func (s *Server) saveTraffic(ctx context.Context, counted map[tidemark.OrgID]int64) {
	now := s.Now().Unix()
	report := func(what string, err error) {
		if err != nil && ctx.Err() == nil {
			s.Logger.LogAttrs(ctx, slog.LevelWarn, "could not save "+what, slog.Any("err", err))
		}
	}
	report("who uses tokens", s.saveSenders(ctx))
	if sent := s.countUsage(ctx, counted); len(sent) > 0 {
		report("usage", s.Store.AddUsage(ctx, now/daySeconds*daySeconds, sent))
	}
	report("what expired", s.Store.DeleteExpired(ctx, now))
	report("old senders", s.Store.DeleteSenders(ctx, now-keepSenders))
	report("old uses of tokens", s.Store.DeleteTokenUses(ctx, now-keepSenders))
}

// saveSenders saves who used tokens, and what for.
func (s *Server) saveSenders(ctx context.Context) error {
	if list := s.traffic.takeSenders(); len(list) > 0 {
		if err := s.Store.AddSenders(ctx, list); err != nil {
			return err
		}
	}
	if list := s.traffic.takeUses(); len(list) > 0 {
		return s.Store.AddTokenUses(ctx, list)
	}
	return nil
}

// countUsage returns what organizations sent since counted was last filled.
func (s *Server) countUsage(ctx context.Context, counted map[tidemark.OrgID]int64) map[tidemark.OrgID]int64 {
	st, err := s.Engine.Stats(ctx)
	if err != nil {
		return nil
	}
	sent := make(map[tidemark.OrgID]int64)
	for org, o := range st.Orgs {
		if n := o.Samples - counted[org]; n > 0 {
			sent[org] = n
		}
		counted[org] = o.Samples
	}
	return sent
}

// Wrote tells those who watch that metrics have new measurements. It is for
// the recorder to call, and costs nothing while nobody watches.
func (s *Server) Wrote(org tidemark.OrgID, metrics []string) {
	if !s.traffic.listening(org) {
		return
	}
	now := s.Now().Unix()
	s.traffic.mu.Lock()
	defer s.traffic.mu.Unlock()
	for _, name := range metrics[:min(len(metrics), 10)] {
		s.traffic.tell(tidemark.Identity{Org: org}, happening{"measurement", map[string]any{"at": now, "name": name}})
	}
}

// stream answers with what listeners hear, as server-sent events, until the
// caller goes away or the server stops.
func (s *Server) events(r *http.Request, l listener) (reply, error) {
	c, stop, ok := s.traffic.listen(l)
	if !ok {
		return reply{}, tidemark.Errorf(tidemark.TooMany, "too many pages are watching")
	}
	return reply{status: http.StatusOK, kind: "text/event-stream", events: func(w http.ResponseWriter) {
		defer stop()
		s.pump(r, w, c)
	}}, nil
}

const heartbeat = 20 * time.Second

func (s *Server) pump(r *http.Request, w http.ResponseWriter, c <-chan happening) {
	control := http.NewResponseController(w)
	_ = control.SetReadDeadline(time.Time{}) // an open stream is not a slow request
	beat := time.NewTicker(heartbeat)
	defer beat.Stop()
	fmt.Fprint(w, ": listening\n\n")
	for control.Flush() == nil {
		select {
		case <-r.Context().Done():
			return
		case <-s.Stopping:
			return
		case <-beat.C:
			fmt.Fprint(w, ": still here\n\n")
		case h := <-c:
			body, _ := json.Marshal(h.body)
			fmt.Fprintf(w, "event: %s\ndata: %s\n\n", h.kind, body)
		}
	}
}
