// Package usage tracks who sends what: which programs use a token and what
// for, what arrived in the last hour, what was refused, and how much each
// organization sends a day. Pages that show it can listen as they
// happen. A Tracker keeps its counters in memory and saves them regularly.
package usage

import (
	"context"
	"fmt"
	"iter"
	"net/http"
	"sync"
	"time"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/store"
	"github.com/tidemark-metrics/tidemark/internal/tsdb"
)

const (
	saveEvery  = 10 * time.Second
	daySeconds = 24 * 3600
	// keepSeconds is for how long it is stored who used a token.
	keepSeconds  = 90 * daySeconds
	maxUserAgent = 200
)

// Options are what a Tracker works with.
type Options struct {
	Store  *store.Store
	Engine tsdb.Reader
	Limits *tidemark.Limits // whose use is kept by day; none where nil
	Now    func() time.Time // time.Now where nil
	// OnError is called when saving fails; the next save tries again.
	OnError func(ctx context.Context, err error)
}

// Tracker tracks usage. It is safe for concurrent use.
type Tracker struct {
	Options
	listeners *listeners

	mu       sync.Mutex
	senders  senders  // guarded by mu
	arrivals arrivals // guarded by mu
	refused  []Refusal
}

// New returns a Tracker.
func New(o Options) *Tracker {
	if o.Now == nil {
		o.Now = time.Now
	}
	return &Tracker{Options: o, listeners: newListeners(), senders: newSenders(), arrivals: make(arrivals)}
}

// Request is what is known of a request once it has been answered.
type Request struct {
	Who          tidemark.Identity
	UserAgent    string
	RemoteHost   string
	Method, Path string
	Protocol     string // how measurements were sent, for people
	Status       int
	Reason       string // why it was refused, for people; "" if it was not
	Measurements int64  // that were recorded
	Sample       Sample
	Action       tidemark.Action
	Noun         string // what the route is about
	TokenEnds    string // last characters of an unknown token
}

// needs is the least role that may do what was refused for lack of a right;
// "" for anything else.
func (q *Request) needs() string {
	if q.Status != http.StatusForbidden {
		return ""
	}
	for _, role := range []tidemark.Role{tidemark.RecordOnly, tidemark.ViewOnly} {
		if role.Allows(q.Action) {
			return role.Title()
		}
	}
	return tidemark.FullAccess.Title()
}

// sender is where the request comes from: what its body says, else its
// address.
func (q *Request) sender() string {
	if name := q.Sample.sender(); name != "" {
		return name
	}
	return q.RemoteHost
}

// Note counts a request. People at the interface are not senders.
func (t *Tracker) Note(q Request) {
	if q.Who.User != 0 {
		return
	}
	now := t.Now().Unix()
	q.UserAgent = cutText(q.UserAgent, maxUserAgent)
	t.count(&q, now)
	t.listeners.publish(q.Who, Activity{Kind: "request", Body: newRequestActivity(&q, now)})
}

func (t *Tracker) count(q *Request, now int64) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if q.Who.Token != 0 && q.Status != http.StatusForbidden { // a request that the role refuses does not use the token
		t.senders.add(q, now)
	}
	if q.Measurements > 0 {
		t.arrivals.add(q.Who.Org, arrivalKey{q.Protocol, q.UserAgent}, q.Measurements, now)
	}
	if q.Status >= http.StatusBadRequest {
		t.refuse(q, now)
	}
}

// Wrote publishes that metrics have new measurements. It is for the recorder
// to call; metrics is not read without listeners.
func (t *Tracker) Wrote(org tidemark.OrgID, metrics iter.Seq[string]) {
	if !t.listeners.wanted(org) {
		return
	}
	now, left := t.Now().Unix(), maxPublishedMetrics
	for name := range metrics {
		t.listeners.publish(tidemark.Identity{Org: org}, Activity{Kind: "measurement", Body: MeasurementActivity{At: now, Name: name}})
		if left--; left == 0 {
			return
		}
	}
}

// maxPublishedMetrics is how many metrics of one write are published.
const maxPublishedMetrics = 10

// Run saves regularly what was counted until ctx is done.
func (t *Tracker) Run(ctx context.Context) error {
	ticker := time.NewTicker(saveEvery)
	defer ticker.Stop()
	counted := make(map[tidemark.OrgID]int64)
	t.samplesSince(ctx, counted) // the starting point
	days := &limitDays{Tracker: t, flowsAt: t.Now()}
	for {
		select {
		case <-ctx.Done():
			t.saveAll(context.WithoutCancel(ctx), counted)
			return nil
		case <-ticker.C:
			t.saveAll(ctx, counted)
			if t.Limits != nil {
				t.report(ctx, "save the use of limits", days.save(ctx))
			}
		}
	}
}

// report tells of an error, unless it is that the server stops.
func (t *Tracker) report(ctx context.Context, doing string, err error) {
	if err != nil && ctx.Err() == nil && t.OnError != nil {
		t.OnError(ctx, fmt.Errorf("%s: %w", doing, err))
	}
}

func (t *Tracker) saveAll(ctx context.Context, counted map[tidemark.OrgID]int64) {
	now := t.Now().Unix()
	t.report(ctx, "save token usage", t.Save(ctx))
	if sent := t.samplesSince(ctx, counted); len(sent) > 0 {
		t.report(ctx, "save usage", t.Store.AddUsage(ctx, now/daySeconds*daySeconds, sent))
	}
	t.report(ctx, "delete old senders", t.Store.DeleteSenders(ctx, now-keepSeconds))
	t.report(ctx, "delete old token usage", t.Store.DeleteTokenUses(ctx, now-keepSeconds))
}

// Save saves who used tokens, and what for.
func (t *Tracker) Save(ctx context.Context) error {
	t.mu.Lock()
	senders, uses := t.senders.take()
	t.mu.Unlock()
	if len(senders) > 0 {
		if err := t.Store.AddSenders(ctx, senders); err != nil {
			return err
		}
	}
	if len(uses) > 0 {
		return t.Store.AddTokenUses(ctx, uses)
	}
	return nil
}

// samplesSince returns what organizations sent since counted was last filled.
func (t *Tracker) samplesSince(ctx context.Context, counted map[tidemark.OrgID]int64) map[tidemark.OrgID]int64 {
	st, err := t.Engine.Stats(ctx)
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

func cutText(s string, n int) string {
	runes := []rune(s)
	return string(runes[:min(len(runes), n)])
}
