package auth

import (
	"errors"
	"sync/atomic"

	"github.com/tidemark-metrics/tidemark"
)

// Outcomes counts what became of tries to sign in.
type Outcomes struct{ good, bad, limited atomic.Int64 }

// Good is how many were let in, or on to the second step.
func (o *Outcomes) Good() int64 { return o.good.Load() }

// Bad is how many had something wrong: a password, a code, a passkey.
func (o *Outcomes) Bad() int64 { return o.bad.Load() }

// Limited is how many were refused since there were too many before them.
func (o *Outcomes) Limited() int64 { return o.limited.Load() }

// count counts a try by its error. Troubles of our own are none of the three.
func (o *Outcomes) count(err error) {
	_, goesOn := errors.AsType[*SecondStep](err)
	if err == nil || goesOn {
		o.good.Add(1)
		return
	}
	if errors.Is(err, ErrNotVouched) || errors.Is(err, ErrNoEmail) {
		o.bad.Add(1)
		return
	}
	switch tidemark.KindOf(err) {
	case tidemark.TooMany:
		o.limited.Add(1)
	case tidemark.Invalid, tidemark.Unauthenticated, tidemark.Forbidden, tidemark.NotFound:
		o.bad.Add(1)
	}
}

// SignIns counts first steps: with a password, a passkey or the issuer.
func (a *Authenticator) SignIns() *Outcomes { return &a.signIns }

// SecondSteps counts second steps: with a code or a passkey.
func (a *Authenticator) SecondSteps() *Outcomes { return &a.secondSteps }
