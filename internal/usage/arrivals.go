package usage

import (
	"cmp"
	"slices"

	"github.com/tidemark-metrics/tidemark"
)

const (
	maxArrivals = 1000 // kinds of sender of one organization in the last hour
	maxRefusals = 50   // refused requests that are remembered
)

// Arrival is what one kind of sender sent in the last hour.
type Arrival struct {
	Protocol     string `json:"protocol"`
	UserAgent    string `json:"user_agent"`
	Measurements int64  `json:"measurements"`
	LastAt       int64  `json:"last_at"`
}

// Refusal is a request that was refused.
type Refusal struct {
	org    tidemark.OrgID // 0 if it is not known whose it was
	At     int64          `json:"at"`
	Status int            `json:"status"`
	Reason string         `json:"reason"`
	Agent  string         `json:"user_agent"`
	Ends   string         `json:"token_ends"` // the last four characters of an unknown token
}

// Arrivals returns what arrived at org in the last hour and what was refused
// lately, each with the latest first; unowned adds what was refused because
// nobody has its token.
func (t *Tracker) Arrivals(org tidemark.OrgID, unowned bool) ([]Arrival, []Refusal) {
	now := t.Now().Unix()
	t.mu.Lock()
	defer t.mu.Unlock()
	refused := []Refusal{}
	for _, r := range slices.Backward(t.refused) {
		if r.org == org || r.org == 0 && unowned {
			refused = append(refused, r)
		}
	}
	return t.arrivals.lastHour(org, now), refused
}

func (t *Tracker) refuse(q *Request, now int64) {
	t.refused = append(t.refused, Refusal{q.Who.Org, now, q.Status, q.Reason, q.UserAgent, q.TokenEnds})
	t.refused = t.refused[max(0, len(t.refused)-maxRefusals):]
}

type arrivalKey struct{ protocol, agent string }

// arrivals counts what kinds of sender sent, by organization.
type arrivals map[tidemark.OrgID]map[arrivalKey]*minutes

// minutes counts measurements by minute of the last hour.
type minutes struct {
	counts [60]int64
	latest int64 // minute
	last   int64 // second
}

func (a arrivals) add(org tidemark.OrgID, k arrivalKey, n, now int64) {
	kinds := a[org]
	if kinds == nil {
		kinds = make(map[arrivalKey]*minutes)
		a[org] = kinds
	}
	m := kinds[k]
	if m == nil {
		if len(kinds) >= maxArrivals {
			forgetOld(kinds, now)
		}
		if len(kinds) >= maxArrivals {
			return
		}
		m = &minutes{}
		kinds[k] = m
	}
	m.add(n, now)
}

// forgetOld makes room for new kinds of sender.
func forgetOld(kinds map[arrivalKey]*minutes, now int64) {
	for k, m := range kinds {
		if m.total(now) == 0 {
			delete(kinds, k)
		}
	}
}

func (a arrivals) lastHour(org tidemark.OrgID, now int64) []Arrival {
	list := []Arrival{}
	for k, m := range a[org] {
		if n := m.total(now); n > 0 {
			list = append(list, Arrival{Protocol: k.protocol, UserAgent: k.agent, Measurements: n, LastAt: m.last})
		}
	}
	slices.SortFunc(list, func(a, b Arrival) int { return cmp.Compare(b.LastAt, a.LastAt) })
	return list
}

func (m *minutes) add(n, now int64) {
	minute := now / 60
	if minute <= m.latest-60 { // the clock was ahead
		clear(m.counts[:])
	}
	for at := max(m.latest+1, minute-59); at <= minute; at++ {
		m.counts[at%60] = 0
	}
	m.counts[minute%60] += n
	m.latest, m.last = minute, now
}

// total is what arrived in the hour before now, or before the last of it where
// the clock was ahead.
func (m *minutes) total(now int64) (n int64) {
	for at := max(now/60, m.latest) - 59; at <= m.latest; at++ {
		n += m.counts[at%60]
	}
	return n
}
