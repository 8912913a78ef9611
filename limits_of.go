package tidemark

import (
	"maps"
	"sync/atomic"
)

// Limits are the values of all limits: those of the server, and those of
// organizations that have their own. A nil *Limits has the defaults. It is
// safe for concurrent use.
type Limits struct {
	server  map[LimitName]int64
	orgs    atomic.Pointer[map[OrgID]map[LimitName]int64]
	refused map[LimitName]*atomic.Int64
	shares  limitShares
}

// NewLimits returns limits with the server's values; those it leaves out are
// the defaults.
func NewLimits(server map[LimitName]int64) *Limits {
	l := &Limits{server: make(map[LimitName]int64), refused: make(map[LimitName]*atomic.Int64)}
	for _, one := range LimitTable {
		l.server[one.Name] = one.Default
		l.refused[one.Name] = new(atomic.Int64)
	}
	maps.Copy(l.server, server)
	return l
}

// SetOrgs replaces the values of all organizations that have their own.
func (l *Limits) SetOrgs(orgs map[OrgID]map[LimitName]int64) { l.orgs.Store(&orgs) }

// With returns the same limits of the server with those of organizations.
func (l *Limits) With(orgs map[OrgID]map[LimitName]int64) *Limits {
	c := NewLimits(l.server)
	c.SetOrgs(orgs)
	return c
}

// Of returns the value of a limit for org; 0 is no limit.
func (l *Limits) Of(org OrgID, name LimitName) int64 {
	if l == nil {
		one, _ := LimitCalled(name)
		return one.Default
	}
	if orgs := l.orgs.Load(); orgs != nil {
		if v, own := (*orgs)[org][name]; own {
			return v
		}
	}
	return l.server[name]
}

// Server returns the value of a limit where no organization has its own.
func (l *Limits) Server(name LimitName) int64 { return l.Of(0, name) }

// Owners is how many organizations have a value of their own.
func (l *Limits) Owners(name LimitName) (n int) {
	if orgs := l.orgs.Load(); orgs != nil {
		for _, own := range *orgs {
			if _, has := own[name]; has {
				n++
			}
		}
	}
	return n
}

// Check refuses, and counts the refusal, where there would be n of what a
// limit of org bounds and that is too many.
func (l *Limits) Check(org OrgID, name LimitName, n int64) error {
	if limit := l.Of(org, name); limit > 0 && n > limit {
		return l.Refuse(org, name)
	}
	return nil
}

// Refuse counts a refusal and returns its error.
func (l *Limits) Refuse(org OrgID, name LimitName) error {
	one, _ := LimitCalled(name)
	l.Count(name)
	return one.Exceeded(l.Of(org, name))
}

// Count counts a refusal.
func (l *Limits) Count(name LimitName) {
	if l != nil && l.refused[name] != nil {
		l.refused[name].Add(1)
	}
}

// Refused is how often something was refused because of a limit.
func (l *Limits) Refused(name LimitName) int64 {
	if l == nil || l.refused[name] == nil {
		return 0
	}
	return l.refused[name].Load()
}

// LimitUse is a limit of an organization with what is used of it.
type LimitUse struct {
	Name    LimitName  `json:"name"`
	Title   string     `json:"title"`
	Unit    string     `json:"unit"`
	Scope   LimitScope `json:"scope"`
	Effect  string     `json:"effect"`
	Limit   int64      `json:"limit"` // 0 is none
	Default int64      `json:"default"`
	Own     bool       `json:"own"` // the organization has its own
	Use     *int64     `json:"use"` // nil where nothing is counted
	Fixed   bool       `json:"fixed"`
}

// Share is the part of the limit that is used, in percent; -1 where there is no
// limit or nothing is counted.
func (l *LimitUse) Share() float64 {
	if l.Use == nil || l.Limit <= 0 {
		return -1
	}
	return 100 * float64(*l.Use) / float64(l.Limit)
}

// Uses lists the limits of org beside what it uses.
func (l *Limits) Uses(org OrgID, use map[LimitName]int64) []LimitUse {
	list := make([]LimitUse, 0, len(LimitTable))
	for _, one := range LimitTable {
		u := LimitUse{
			Name: one.Name, Title: one.Title, Unit: one.Unit, Scope: one.Scope, Effect: one.Effect,
			Limit: l.Of(org, one.Name), Default: l.Server(one.Name), Fixed: one.Fixed,
		}
		if n, counted := use[one.Name]; counted {
			u.Use = &n
		}
		if l != nil {
			if orgs := l.orgs.Load(); orgs != nil {
				_, u.Own = (*orgs)[org][one.Name]
			}
		}
		list = append(list, u)
	}
	return list
}
