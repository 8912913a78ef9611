package tidemark

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"
	"unicode/utf8"
)

// Kind classifies an error by what the caller can do about it.
type Kind uint8

const (
	Internal        Kind = iota // our fault or not yet classified: log it, show nothing
	Invalid                     // the request makes no sense as written
	Unauthenticated             // no usable token
	Forbidden                   // a usable token with the wrong role
	NotFound                    // no such thing in this organization
	Conflict                    // the thing exists already, or changed meanwhile
	TooLarge                    // over a documented limit
	Unsupported                 // a kind of body this endpoint does not take
	TooMany                     // over a rate: try again later, more slowly
	Unavailable                 // not now: try again later
	Stale                       // based on an older version than there is
)

// Kinds are all kinds there are.
var Kinds = []Kind{Internal, Invalid, Unauthenticated, Forbidden, NotFound, Conflict, TooLarge, Unsupported, TooMany, Unavailable, Stale}

// Error is the only error type that carries meaning across packages.
// Everything else is wrapped with %w on the way up and counts as Internal.
type Error struct {
	Kind   Kind
	Msg    string              // for the caller: no secrets, no file names, no SQL
	Fields map[string][]string // for Invalid and Conflict: what is wrong with each field; "a.b" is field b of object a
	Code   string              // what the interface goes by, where it has to do something about it
	Err    error               // for the log: the cause, if there is one
	After  time.Duration       // when to try again, where that is known
}

func (e *Error) Error() string {
	var b strings.Builder
	b.WriteString(e.Msg)
	for _, field := range slices.Sorted(maps.Keys(e.Fields)) {
		fmt.Fprintf(&b, "; %s %s", field, strings.Join(e.Fields[field], ", "))
	}
	if e.Err != nil {
		fmt.Fprintf(&b, ": %v", e.Err)
	}
	return b.String()
}

func (e *Error) Unwrap() error { return e.Err }

// Errorf returns an *Error of kind k. The text is shown to the caller.
func Errorf(k Kind, format string, args ...any) error {
	return &Error{Kind: k, Msg: fmt.Sprintf(format, args...)}
}

// InvalidField returns an Invalid error about one field.
func InvalidField(field, format string, args ...any) error {
	var p Problems
	p.Check(false, field, format, args...)
	return p.Err()
}

// KindOf returns the kind of err: that of the outermost *Error in its chain,
// or Internal if there is none.
func KindOf(err error) Kind {
	if e, ok := errors.AsType[*Error](err); ok {
		return e.Kind
	}
	return Internal
}

// Problems collects what is wrong with a value, field by field, so that the
// caller learns everything at once. The zero value is ready to use.
type Problems struct {
	fields map[string][]string
}

// Check records a problem with field unless ok. A problem is recorded once.
func (p *Problems) Check(ok bool, field, format string, args ...any) {
	if ok {
		return
	}
	if p.fields == nil {
		p.fields = make(map[string][]string)
	}
	msg := fmt.Sprintf(format, args...)
	if !slices.Contains(p.fields[field], msg) {
		p.fields[field] = append(p.fields[field], msg)
	}
}

// Text checks that a text has between low and high characters and no control
// characters but line breaks and tabs.
func (p *Problems) Text(field, s string, low, high int) {
	switch n := utf8.RuneCountInString(s); {
	case n == 0 && low > 0:
		p.Check(false, field, "is not present")
	case n < low:
		p.Check(false, field, "is shorter than %d characters", low)
	case n > high:
		p.Check(false, field, "is longer than %d characters", high)
	}
	p.Check(utf8.ValidString(s) && !strings.ContainsFunc(s, isControl), field, "has characters that cannot be stored")
}

func isControl(r rune) bool { return r < ' ' && r != '\n' && r != '\t' && r != '\r' || r == 0x7f }

// Add takes over the problems of err, each field below prefix, and reports
// whether err was an Invalid error with fields.
func (p *Problems) Add(prefix string, err error) bool {
	e, ok := errors.AsType[*Error](err)
	if !ok || e.Fields == nil {
		return false
	}
	for field, msgs := range e.Fields {
		for _, msg := range msgs {
			p.Check(false, prefix+field, "%s", msg)
		}
	}
	return true
}

// Err returns nil if nothing was recorded, and otherwise an Invalid error.
func (p *Problems) Err() error {
	if p.fields == nil {
		return nil
	}
	return &Error{Kind: Invalid, Msg: "invalid parameters", Fields: p.fields}
}
