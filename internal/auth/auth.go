// Package auth turns credentials into identities. It answers from memory, so
// that a request costs no database read, and forgets a token the moment it
// changes: every change to a token goes through here.
package auth

import (
	"cmp"
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/hex"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/store"
	"github.com/tidemark-metrics/tidemark/internal/turns"
)

const (
	// pollEvery bounds how long a change made by another node goes unseen.
	pollEvery = 400 * time.Millisecond
	// pollTimeout is how long the database may take to say whether there is one.
	pollTimeout = 2 * time.Second
	// flushEvery is how often the times of last use are saved.
	flushEvery = 10 * time.Second
	// maxUnknown bounds what is remembered of unknown secrets.
	maxUnknown = 10_000
)

// Authenticator finds out who a secret belongs to. It is safe for concurrent
// use.
type Authenticator struct {
	// Cost is what new password hashes cost, DefaultCost unless changed before
	// the first use.
	Cost Cost
	// Turns is how hashing shares the processors with organizations; nil if it
	// does not. It is set before the first use.
	Turns *turns.Turns

	store *store.Store
	now   func() time.Time
	known atomic.Pointer[cache]
	mu    sync.Mutex
	used  map[int64]int64 // guarded by mu; token id -> time of last use, not yet saved

	signIns, secondSteps Outcomes

	passwordsOff bool // people sign in with the issuer alone

	hashing hashing
	wrong   tries // passwords of people who sign in
	codes   tries // of people at the second step
	current tries // passwords and codes of people who are signed in and have to give one
	resets  tries // asked for by mail
	starts  tries // of signing in elsewhere
	invites tries // sent by mail
	notices tries // of sign-ins, by mail
	looks   tries // at what the link of a notification is about
	notes   tries // that somebody with the link of a notification writes
	calls   tries // of heartbeats
}

// cache is what is known of secrets since the last change to any token. A
// change replaces it whole: changes are rare and reading again is cheap.
type cache struct {
	version int64 // of the tokens, where it was asked for before the first of them was read; or anyVersion
	mu      sync.RWMutex
	entries map[[sha256.Size]byte]*entry
}

const anyVersion = -1

func newCache(version int64) *cache {
	return &cache{version: version, entries: make(map[[sha256.Size]byte]*entry)}
}

type entry struct {
	hash    string
	who     tidemark.Identity // Org is 0 for an unknown secret
	expires int64             // 0 if never
	// networks are where the token may be used from; none means anywhere.
	networks tidemark.Networks
}

// New returns an Authenticator over st. now may be nil.
func New(st *store.Store, now func() time.Time) *Authenticator {
	if now == nil {
		now = time.Now
	}
	a := &Authenticator{
		store: st, now: now, used: make(map[int64]int64),
		Cost:    DefaultCost(),
		hashing: newHashing(),
		// Two minutes is what errTooManyTries says; only a name that is tried from
		// many addresses waits longer.
		wrong: tries{perPair: limit{5, 2 * time.Minute}, perName: limit{20, 10 * time.Minute}, perHost: limit{50, 2 * time.Minute}},
		// A code has six digits, and somebody who is asked for one has the password:
		// the limit of a name is what keeps them from trying them all.
		codes:   tries{perName: limit{20, time.Hour}},
		current: tries{perName: limit{5, 2 * time.Minute}},
		resets:  tries{perName: limit{3, 15 * time.Minute}, perHost: limit{20, 15 * time.Minute}},
		starts:  tries{perHost: limit{100, time.Minute}},
		invites: tries{perName: limit{3, 15 * time.Minute}, perHost: limit{30, 15 * time.Minute}},
		notices: tries{perName: limit{5, time.Hour}},
		// Whoever has the link of a notification needs no account. Each note is kept,
		// and is an entry of the audit log: a link is for a few of them.
		looks: tries{perName: limit{60, time.Minute}, perHost: limit{240, time.Minute}},
		notes: tries{perName: limit{20, time.Hour}, perHost: limit{120, 10 * time.Minute}},
		// Every call of a heartbeat is written down. The shortest interval is half a
		// minute, with a start and an end, and some jobs run on many machines.
		calls: tries{perName: limit{120, time.Minute}},
	}
	a.forget()
	return a
}

// forget drops all that is known. Lookups under way put what they find into
// the cache they began with, which is not read any more.
func (a *Authenticator) forget() { a.known.Store(newCache(anyVersion)) }

var errUnknown = tidemark.Errorf(tidemark.Unauthenticated, "Authorization Required")

// Identify returns who secret belongs to, which came from an address. A secret
// that is unknown, inactive or expired is an Unauthenticated error, and nothing
// tells them apart; one that may not be used from there is Forbidden.
func (a *Authenticator) Identify(ctx context.Context, secret tidemark.Secret, address string) (tidemark.Identity, error) {
	sum := sha256.Sum256([]byte(secret))
	c := a.known.Load()
	c.mu.RLock()
	e := c.entries[sum]
	c.mu.RUnlock()
	if e == nil {
		var err error
		if e, err = a.lookup(ctx, c, sum); err != nil {
			return tidemark.Identity{}, err
		}
	}
	now := a.now().Unix()
	same := subtle.ConstantTimeCompare([]byte(e.hash), []byte(hex.EncodeToString(sum[:]))) == 1
	if !same || e.who.Org == 0 || e.expires != 0 && now >= e.expires {
		return tidemark.Identity{}, errUnknown
	}
	if !e.networks.Admit(address) {
		return e.who, tidemark.Errorf(tidemark.Forbidden, "token %s may not be used from %s", e.who.Name, cmp.Or(address, "an address that is not known"))
	}
	a.touch(e.who.Token, now)
	return e.who, nil
}

// know takes over what is known of an active token.
func (e *entry) know(c *store.Credential) {
	t := c.Token
	e.who = tidemark.Identity{Org: c.Org, Role: t.Role, Token: t.ID, Old: c.Old, Name: t.Name}
	e.expires = earliest(t.ExpiresAt, c.ExpiresAt)
	if !t.Scope.IsWhole() {
		e.who.Scope = &t.Scope
	}
	e.networks = tidemark.ParseNetworks(t.Networks)
}

func (a *Authenticator) lookup(ctx context.Context, c *cache, sum [sha256.Size]byte) (*entry, error) {
	e := &entry{hash: hex.EncodeToString(sum[:])}
	cred, err := a.store.TokenByHash(ctx, e.hash)
	switch {
	case tidemark.KindOf(err) == tidemark.NotFound && err != nil:
	case err != nil:
		return nil, fmt.Errorf("look up token: %w", err)
	case cred.Token.Active:
		e.know(cred)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.entries) >= maxUnknown && e.who.Org == 0 {
		clear(c.entries) // somebody is guessing: remember nothing rather than everything
	}
	c.entries[sum] = e
	return e, nil
}

// earliest returns the earlier of two times of which 0 is never.
func earliest(a, b int64) int64 {
	if a == 0 || b != 0 && b < a {
		return b
	}
	return a
}

func (a *Authenticator) touch(token, now int64) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.used[token] = now
}

// LastUsed returns when a token was last used, as far as memory knows: the
// later of saved and what is not yet saved.
func (a *Authenticator) LastUsed(token, saved int64) int64 {
	a.mu.Lock()
	defer a.mu.Unlock()
	return max(saved, a.used[token])
}

// Run watches for changes that other nodes make and saves times of last use,
// until ctx is done.
func (a *Authenticator) Run(ctx context.Context) error {
	version, err := a.begin(ctx)
	if err != nil && ctx.Err() == nil { // else it is stopped before it began
		return fmt.Errorf("watch tokens: %w", err)
	}
	poll, flush := time.NewTicker(pollEvery), time.NewTicker(flushEvery)
	defer poll.Stop()
	defer flush.Stop()
	// Two loops, so that a database that is slow to write does not keep the
	// node from hearing that a token was taken back.
	var watching sync.WaitGroup
	watching.Go(func() { a.watch(ctx, version, poll.C) })
	defer watching.Wait()
	for {
		select {
		case <-ctx.Done():
			// The last uses are worth the moment it takes to save them.
			return a.Flush(context.WithoutCancel(ctx))
		case <-flush.C:
			_ = a.Flush(ctx) // kept and tried again
		}
	}
}

// begin returns the version from which on changes are watched for, and forgets
// what may be of an older one.
func (a *Authenticator) begin(ctx context.Context) (int64, error) {
	version, err := a.store.TokenVersion(ctx)
	if err != nil || version != a.known.Load().version {
		a.forget()
	}
	return version, err
}

// watch looks, at every tick, whether any token has changed since version.
func (a *Authenticator) watch(ctx context.Context, version int64, ticks <-chan time.Time) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticks:
			version = a.look(ctx, version)
		}
	}
}

// look forgets what is known if the tokens' version is another now. A database
// that does not answer must not end the server; while it is away, what is
// known stays known.
func (a *Authenticator) look(ctx context.Context, version int64) int64 {
	ctx, cancel := context.WithTimeout(ctx, pollTimeout)
	defer cancel()
	now, err := a.store.TokenVersion(ctx)
	if err != nil || now == version {
		return version
	}
	a.forget()
	return now
}

// Flush saves the times of last use.
func (a *Authenticator) Flush(ctx context.Context) error {
	a.mu.Lock()
	used := a.used
	a.used = make(map[int64]int64, len(used))
	a.mu.Unlock()
	if len(used) == 0 {
		return nil
	}
	err := a.store.TouchTokens(ctx, used)
	if err != nil {
		a.mu.Lock()
		defer a.mu.Unlock()
		for id, at := range used {
			a.used[id] = max(a.used[id], at)
		}
		return fmt.Errorf("save last use of tokens: %w", err)
	}
	return nil
}
