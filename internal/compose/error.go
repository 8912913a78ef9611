package compose

import (
	"errors"
	"fmt"

	"github.com/tidemark-metrics/tidemark"
)

// Error says what is wrong with a text, and where. It counts as an Invalid
// *tidemark.Error wherever one is looked for; In names the field it is about.
type Error struct {
	Offset, Length int    // in bytes; Length is 0 at the end of the text
	Msg            string // without the place
	Suggestion     string // what may have been meant instead of the part at Offset, or ""
}

// Errorf returns an *Error about a part of the text.
func Errorf(at Span, format string, args ...any) *Error {
	return &Error{Offset: at.Offset, Length: at.Length, Msg: fmt.Sprintf(format, args...)}
}

// Suggest sets what may have been meant. It returns e.
func (e *Error) Suggest(word string) *Error {
	e.Suggestion = word
	return e
}

func (e *Error) Error() string {
	s := fmt.Sprintf("at offset %d: %s", e.Offset, e.Msg)
	if e.Suggestion != "" {
		s += "; did you mean " + e.Suggestion + "?"
	}
	return s
}

// Unwrap makes e an Invalid error for those who know nothing of positions.
func (e *Error) Unwrap() error {
	return &tidemark.Error{Kind: tidemark.Invalid, Msg: e.Error()}
}

// In returns e as an Invalid error about a field of a request. The *Error can
// still be found in it.
func (e *Error) In(field string) error {
	return &tidemark.Error{
		Kind: tidemark.Invalid, Msg: "invalid parameters",
		Fields: map[string][]string{field: {e.Error()}}, Err: e,
	}
}

// InField returns err with what is wrong with a text put down to a field of a
// request. Errors of other kinds, and nil, stay as they are.
func InField(err error, field string) error {
	if e, ok := errors.AsType[*Error](err); ok {
		return e.In(field)
	}
	return err
}
