// Package tidemark holds the vocabulary of the product: the things a user can
// name (alerts, metrics, services, spaces...), the rules that make each of them
// valid, who may do what, and the one error type that crosses package
// boundaries. It knows nothing about HTTP, SQL or files, and imports only the
// standard library.
package tidemark

import "time"

// OrgID identifies an organization. Every stored thing belongs to one, and
// every function that reads or writes stored things takes one, so that
// forgetting the tenant does not compile.
type OrgID int64

// Seconds is a duration as the API writes it.
type Seconds int64

// Duration returns s as the standard library writes it.
func (s Seconds) Duration() time.Duration { return time.Duration(s) * time.Second }

// Org is an organization: the tenant that owns everything else.
type Org struct {
	ID        OrgID  `json:"id"`
	Name      string `json:"name"`
	CreatedAt int64  `json:"created_at"`
	// ShortName is what addresses of pages name the organization by; "" for its
	// ID, by which it can always be named.
	ShortName string `json:"short_name"`
	// AlertsBeforeMetrics lets alerts name metrics that do not exist yet.
	AlertsBeforeMetrics bool `json:"alerts_before_metrics"`
	// TokenMaxDays is for how long new tokens may be valid at most; 0 is for
	// ever.
	TokenMaxDays int64 `json:"token_max_days"`
	// SecondFactor says that members need a second factor to sign in.
	SecondFactor bool `json:"second_factor"`
}

const (
	maxTokenDays = 3650
	maxShortName = 40
)

// checkShortName records what is wrong with a short name. It begins with a
// letter, so that no ID looks like one.
func checkShortName(p *Problems, s string) {
	isLetter := func(c byte) bool { return c >= 'a' && c <= 'z' }
	ok := s == "" || len(s) > 1 && isLetter(s[0]) &&
		isText(s, maxShortName, func(c byte) bool { return isLetter(c) || c >= '0' && c <= '9' || c == '-' })
	p.Check(ok, "short_name", "must be 2 to %d small letters, digits and hyphens, and begin with a letter", maxShortName)
}

// Validate reports what is wrong with o, or nil.
func (o *Org) Validate() error {
	var p Problems
	p.Text("name", o.Name, 1, maxTitle)
	checkShortName(&p, o.ShortName)
	p.Check(o.TokenMaxDays >= 0 && o.TokenMaxDays <= maxTokenDays, "token_max_days", "must be 0 to %d", maxTokenDays)
	return p.Err()
}

// OrgUpdate is a change to an organization.
type OrgUpdate struct {
	Name                Opt[string] `json:"name"`
	ShortName           Opt[string] `json:"short_name"`
	AlertsBeforeMetrics Opt[bool]   `json:"alerts_before_metrics"`
	TokenMaxDays        Opt[int64]  `json:"token_max_days"`
}

// Apply makes the change to o.
func (u OrgUpdate) Apply(o *Org) {
	u.Name.To(&o.Name)
	u.ShortName.To(&o.ShortName)
	u.AlertsBeforeMetrics.To(&o.AlertsBeforeMetrics)
	u.TokenMaxDays.To(&o.TokenMaxDays)
}

// Identity is the outcome of authentication: in which organization a request
// acts, as what, and who is behind it. It is passed as an argument, never in a
// context. Exactly one of Token and User is set.
type Identity struct {
	Org   OrgID
	Role  Role
	Token int64 // the token's id, or 0
	// Old says that the token's secret is one that a rotation left behind.
	Old  bool
	User int64 // the user's id, or 0
	// Session is the id of the user's session, or 0.
	Session int64
	Name    string // the token's name or the user's e-mail, for the audit log
	Address string // where the request came from, for the audit log
	// Scope narrows what the token may send or, of a View Only one, read; nil
	// for everybody else. Whoever has one may do that and nothing else.
	Scope *TokenScope
	// Recent says that the person proved within the last minutes who they are.
	Recent bool
	// MustEnrol says that the organization demands a second factor and that the
	// person has none.
	MustEnrol bool
	// Operator says that the person is an operator of the server.
	Operator bool
}

// Opt is a field of a partial change: absent, null, or a value. Absent leaves
// things as they are; null clears what can be cleared.
type Opt[T any] struct {
	Set  bool // the field was there
	Null bool // and it was null
	V    T
}

// Some returns an Opt that holds v.
func Some[T any](v T) Opt[T] { return Opt[T]{Set: true, V: v} }

// IsOptional marks every Opt, whatever it holds, for those who read bodies.
func (o *Opt[T]) IsOptional() {}

// To sets dst if there is a value; null leaves dst alone.
func (o Opt[T]) To(dst *T) {
	if o.Set && !o.Null {
		*dst = o.V
	}
}

// ToPtr sets *dst to the value, or to nil where null was given.
func (o Opt[T]) ToPtr(dst **T) {
	switch {
	case o.Set && o.Null:
		*dst = nil
	case o.Set:
		v := o.V
		*dst = &v
	}
}
