package protocol

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strconv"

	"github.com/tidemark-metrics/tidemark"
)

// ParseFloat reads a number as protocols of text have it. One that is too
// large for a float64 is infinite, which is for AddValue to leave out.
func ParseFloat(s string) (float64, bool) {
	v, err := strconv.ParseFloat(s, 64)
	return v, err == nil || errors.Is(err, strconv.ErrRange)
}

// Millis returns a number of units as whole milliseconds, of which there are
// perUnit. It reports false for a time that is before 1970, or too late for
// anyone to mean it.
func Millis(units, perUnit float64) (int64, bool) {
	ms := math.Floor(units * perUnit)
	if !(ms >= 0 && ms < 1<<53) {
		return 0, false
	}
	return int64(ms), true
}

// SkipLine counts a line that is not understood.
func (b *Batch) SkipLine(line int, format string, args ...any) {
	for i := range b.Skipped {
		if b.Skipped[i].Reason == NotUnderstood {
			b.Skipped[i].Count++
			return
		}
	}
	b.Skip(NotUnderstood, fmt.Sprintf("line %d: ", line)+fmt.Sprintf(format, args...))
}

// Refused returns an error where nothing of a request could be understood;
// then it is likely not what it was taken for.
func (b *Batch) Refused() error {
	if len(b.Points) > 0 {
		return nil
	}
	for _, s := range b.Skipped {
		if s.Reason == NotUnderstood {
			return tidemark.Errorf(tidemark.Invalid, "nothing of %d could be understood; the first: %s", s.Count, s.Example)
		}
	}
	return nil
}

// Names makes names of two texts, a.b, and remembers them: the same ones come
// again with every request. It belongs to one decoder.
type Names struct{ known map[[2]string]string }

// maxKnown bounds how many names are remembered.
const maxKnown = 10_000

// Join returns a.b in the API's alphabet. The texts are not kept.
func (n *Names) Join(b *Batch, first, second string) string {
	if s, ok := n.known[[2]string{first, second}]; ok {
		return s
	}
	if n.known == nil || len(n.known) >= maxKnown {
		n.known = make(map[[2]string]string)
	}
	joined := first + "." + second
	name := b.MetricName(joined)
	n.known[[2]string{joined[:len(first)], joined[len(first)+1:]}] = name
	return name
}

// Number is a number in JSON, which may be a text or null; null is NaN.
type Number float64

// UnmarshalJSON reads a number.
func (n *Number) UnmarshalJSON(b []byte) error {
	text := string(b)
	if text == "null" {
		*n = Number(math.NaN())
		return nil
	}
	if len(text) > 1 && text[0] == '"' {
		text = text[1 : len(text)-1]
	}
	v, ok := ParseFloat(text)
	if !ok {
		return fmt.Errorf("%.40s is no number", b)
	}
	*n = Number(v)
	return nil
}

// EachJSON decodes the elements of a JSON array one after the other into what
// element returns, and calls do after each. An array is never in memory as a
// whole: of elements that are next to nothing there may be millions.
func EachJSON(array json.RawMessage, element func() any, do func() error) error {
	if len(array) == 0 || string(array) == "null" {
		return nil
	}
	d := json.NewDecoder(bytes.NewReader(array))
	if t, err := d.Token(); err != nil || t != json.Delim('[') {
		return fmt.Errorf("%.20s is no list", array)
	}
	for i := 0; d.More(); i++ {
		err := d.Decode(element())
		if err == nil {
			err = do()
		}
		if err != nil {
			return inElement(i, err)
		}
	}
	return nil
}

// inElement says where in an array something is wrong. Where in the body is
// not known there.
func inElement(i int, err error) error {
	if tidemark.KindOf(err) != tidemark.Internal {
		return err
	}
	if typ, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		return fmt.Errorf("element %d: %s is a %s", i, typ.Field, typ.Value)
	}
	return fmt.Errorf("element %d: %w", i, err)
}

// NotJSON returns the error for a body that is not the JSON it should be, and
// any other error as it is.
func NotJSON(what string, err error) error {
	if err == nil || tidemark.KindOf(err) != tidemark.Internal {
		return err // what was done with the elements failed
	}
	var syntax *json.SyntaxError
	var typ *json.UnmarshalTypeError
	switch {
	case errors.As(err, &syntax):
		return tidemark.Errorf(tidemark.Invalid, "the body is not JSON, at byte %d: %v", syntax.Offset, err)
	case errors.As(err, &typ):
		return tidemark.Errorf(tidemark.Invalid, "the body is not %s, at byte %d: %s is a %s", what, typ.Offset, typ.Field, typ.Value)
	}
	return tidemark.Errorf(tidemark.Invalid, "the body is not %s: %v", what, err)
}
