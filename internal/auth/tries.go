package auth

import (
	"net/netip"
	"sync"
	"time"
)

const (
	maxTracked   = 50_000
	maxTriedName = 320 // bytes of a name that tell it from others
)

// limit is how many tries may be made within a time, counted from the first.
// What is refused does not count: anyone who goes on trying delays nobody any
// further.
type limit struct {
	most   int
	within time.Duration
}

// tries slows down those who try something again and again. A try takes from
// three limits, of which one that is zero does not count: one name from one
// address, one name from anywhere, and one address for all names. The
// first is the tightest, so that nobody can keep somebody else out from afar
// with a few tries.
type tries struct {
	perPair, perName, perHost limit

	mu   sync.Mutex
	used map[tried]use // guarded by mu
}

// tried is what a limit is about; an empty part stands for any.
type tried struct{ name, host string }

// use is how many tries were made since the first of them.
type use struct {
	n     int
	since time.Time
}

// at returns u as of now, when it may be over.
func (u use) at(now time.Time, l limit) use {
	if now.Sub(u.since) >= l.within {
		return use{since: now}
	}
	return u
}

func (t *tries) each(name, address string, f func(tried, limit)) {
	name, host := cut(name, maxTriedName), network(address)
	if t.perPair.most > 0 && name != "" && host != "" {
		f(tried{name, host}, t.perPair)
	}
	if t.perName.most > 0 && name != "" {
		f(tried{name, ""}, t.perName)
	}
	if t.perHost.most > 0 && host != "" {
		f(tried{"", host}, t.perHost)
	}
}

// network is what of an address belongs to one client: of IPv6 everybody has
// at least 64 bits to choose from.
func network(address string) string {
	addr, err := netip.ParseAddr(address)
	if err != nil || !addr.Is6() {
		return address
	}
	p, _ := addr.WithZone("").Prefix(64)
	return p.String()
}

// take counts a try, and reports whether it may be made. It counts before the
// outcome is known, since many may be under way at once; giveBack undoes it.
func (t *tries) take(name, address string, now time.Time) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	allowed := true
	t.each(name, address, func(key tried, l limit) {
		allowed = allowed && t.used[key].at(now, l).n < l.most
	})
	if !allowed {
		return false
	}
	t.makeRoom(now)
	t.each(name, address, func(key tried, l limit) {
		u := t.used[key].at(now, l)
		t.used[key] = use{u.n + 1, u.since}
	})
	return true
}

// open reports whether an address may try anything at all now.
func (t *tries) open(address string, now time.Time) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	host := tried{"", network(address)}
	return t.perHost.most == 0 || t.used[host].at(now, t.perHost).n < t.perHost.most
}

// giveBack undoes a try that was no guess. The name starts again at this
// address.
func (t *tries) giveBack(name, address string, now time.Time) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.each(name, address, func(key tried, l limit) {
		if key.name != "" && key.host != "" {
			delete(t.used, key)
		} else if u := t.used[key].at(now, l); u.n > 0 {
			t.used[key] = use{u.n - 1, u.since}
		}
	})
}

// makeRoom bounds what is remembered: first what is over is forgotten, and if
// that is not enough, everything.
func (t *tries) makeRoom(now time.Time) {
	if t.used == nil {
		t.used = make(map[tried]use)
	}
	if len(t.used) < maxTracked {
		return
	}
	longest := max(t.perPair.within, t.perName.within, t.perHost.within)
	for key, u := range t.used {
		if now.Sub(u.since) >= longest {
			delete(t.used, key)
		}
	}
	if len(t.used) >= maxTracked {
		clear(t.used) // better to forget than to run out of memory
	}
}
