package tidemark

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// LimitRates is how much a second organizations were let do, by limit.
type LimitRates map[OrgID]map[LimitName]float64

// limitShares is which part of the limits this server has, where several
// servers share them. Of what flows (measurements, requests) it has all that
// the others do not use, and an equal part at least; of what is under way at
// a time an equal part.
type limitShares struct {
	servers atomic.Int64
	granted sync.Map // limitOf to *grants
	parts   atomic.Pointer[map[limitOf]float64]
	others  atomic.Pointer[map[limitOf]float64] // what they let through a second
	flows   atomic.Pointer[map[limitOf]float64] // what all did when it was last asked
}

// grants is what was let through: since the last report to other servers, and
// since TakeFlows.
type grants struct{ report, flow atomic.Int64 }

type limitOf struct {
	org  OrgID
	name LimitName
}

const (
	// reportedFrom is the part of a limit from which others hear of its use.
	reportedFrom = 0.01
	// maxReported is of how many organizations and limits they do.
	maxReported = 2000
)

// flows are the limits of what is counted by the second.
var flows = []LimitName{LimitRate, LimitRequests}

// Share returns this server's part of a limit of org; 0 is no limit. It is one
// at least: an organization can do something everywhere.
func (l *Limits) Share(org OrgID, name LimitName) int64 {
	limit := l.Of(org, name)
	if l == nil || limit <= 0 {
		return limit
	}
	servers := l.shares.servers.Load()
	if servers <= 1 {
		return limit
	}
	part := 1 / float64(servers)
	if slices.Contains(flows, name) {
		part = l.shares.part(limitOf{org, name})
	}
	return min(limit, max(1, int64(math.Ceil(float64(limit)*part))))
}

// part is all of a flow while others report nothing of it.
func (s *limitShares) part(of limitOf) float64 {
	if parts := s.parts.Load(); parts != nil {
		if part, known := (*parts)[of]; known {
			return part
		}
	}
	return 1
}

// Granted counts n of what a limit of org bounds as let through.
func (l *Limits) Granted(org OrgID, name LimitName, n int64) {
	if l == nil {
		return
	}
	of := limitOf{org, name}
	counted, ok := l.shares.granted.Load(of)
	if !ok {
		counted, _ = l.shares.granted.LoadOrStore(of, new(grants))
	}
	g := counted.(*grants)
	g.flow.Add(n)
	if l.shares.servers.Load() > 1 { // or nobody else has to know
		g.report.Add(n)
	}
}

// TakeGranted returns how much a second was let through since it was last
// called, which was so long ago: what matters to others, the most used first
// where that is a lot.
func (l *Limits) TakeGranted(since time.Duration) LimitRates {
	type use struct {
		limitOf
		rate, part float64
	}
	var all []use
	l.shares.granted.Range(func(key, counted any) bool {
		of, n := key.(limitOf), counted.(*grants).report.Swap(0)
		rate, limit := float64(n)/max(since.Seconds(), 1), l.Of(of.org, of.name)
		if part := rate / float64(limit); limit > 0 && part >= reportedFrom {
			all = append(all, use{of, rate, part})
		}
		return true
	})
	slices.SortFunc(all, func(a, b use) int { return cmp.Compare(b.part, a.part) })
	rates := make(LimitRates)
	for _, u := range all[:min(len(all), maxReported)] {
		if rates[u.org] == nil {
			rates[u.org] = make(map[LimitName]float64)
		}
		rates[u.org][u.name] = u.rate
	}
	return rates
}

// SetOthers says what the other servers, of which there are some, let
// organizations do. A part that has become smaller is so at once, one that has
// become larger grows halfway each time: two servers that see each other leave
// room must not both take all of it.
func (l *Limits) SetOthers(others []LimitRates) {
	parts, elsewhere := make(map[limitOf]float64), make(map[limitOf]float64)
	servers := len(others) + 1
	for _, rates := range others {
		for org, byName := range rates {
			for name, rate := range byName {
				elsewhere[limitOf{org, name}] += rate
				if limit := l.Of(org, name); limit > 0 {
					parts[limitOf{org, name}] += rate / float64(limit)
				}
			}
		}
	}
	l.shares.others.Store(&elsewhere)
	before := make(map[limitOf]float64)
	if old := l.shares.parts.Load(); old != nil {
		maps.Copy(before, *old)
	}
	for of := range before { // those that nobody reports any more grow back
		parts[of] += 0
	}
	for of, used := range parts {
		part, was := max(1/float64(servers), 1-used), l.shares.part(of)
		if part > was {
			part = (was + part) / 2
		}
		parts[of] = part
		if part > 1-reportedFrom {
			delete(parts, of)
		}
	}
	l.shares.parts.Store(&parts)
	l.shares.servers.Store(int64(servers))
}
