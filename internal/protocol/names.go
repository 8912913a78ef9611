package protocol

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/cespare/xxhash/v2"
	"github.com/tidemark-metrics/tidemark"
)

// The API knows fewer characters in names and labels than other products do.
// A character that it does not know becomes _xHH_, where HH is its number in
// Unicode, hexadecimal: "cpu/load" is cpu_x2f_load. What looks like that
// already has its first _ written so. Everything else stays as it is, and
// Unescape brings back what was sent.
//
// What is longer than the API allows is cut, and ends in _h and 16 digits
// that are a hash of the whole: different texts stay different.

// alphabet has a bit for every byte: allowed, and an x that may start an
// escape.
type alphabet struct {
	class [256]uint8
	most  int
	at    bool // may have an @ first
}

const (
	foreign = 1
	isX     = 2
)

var (
	metricNames = makeAlphabet(tidemark.IsMetricName, tidemark.MaxName, false)
	labelNames  = makeAlphabet(tidemark.IsMetricName, tidemark.MaxTagName, true)
	labelValues = makeAlphabet(tidemark.IsTagValue, tidemark.MaxTagValue, false)
)

func makeAlphabet(allowed func(string) bool, most int, at bool) *alphabet {
	a := &alphabet{most: most, at: at}
	for c := range a.class {
		if c >= utf8.RuneSelf || !allowed(string(rune(c))) {
			a.class[c] = foreign
		}
	}
	a.class['x'], a.class['X'] = isX, isX
	return a
}

// MetricName returns s as the API can have it as the name of a metric.
func (b *Batch) MetricName(s string) string { return b.mapText(metricNames, s) }

// LabelName returns s as the API can have it as the name of a tag.
func (b *Batch) LabelName(s string) string { return b.mapText(labelNames, s) }

// LabelValue returns s as the API can have it as the value of a tag.
func (b *Batch) LabelValue(s string) string { return b.mapText(labelValues, s) }

// MetricName returns s as the API can have it as the name of a metric.
func MetricName(s string) string { return metricNames.mapped(s) }

// LabelName returns s as the API can have it as the name of a tag.
func LabelName(s string) string { return labelNames.mapped(s) }

// LabelValue returns s as the API can have it as the value of a tag.
func LabelValue(s string) string { return labelValues.mapped(s) }

func (a *alphabet) mapped(s string) string {
	if a.fits(s) {
		return s
	}
	return a.escape(s)
}

type escapeKey struct {
	a *alphabet
	s string
}

// mapText is escape with a memory: those texts that need it come again.
func (b *Batch) mapText(a *alphabet, s string) string {
	if a.fits(s) {
		return s
	}
	if t, ok := b.escaped[escapeKey{a, s}]; ok {
		return t
	}
	t := a.escape(s)
	if b.escaped == nil {
		b.escaped = make(map[escapeKey]string)
	}
	b.escaped[escapeKey{a, s}] = t
	return t
}

// fits reports whether s can stay as it is.
func (a *alphabet) fits(s string) bool {
	if len(s) > a.most {
		return false
	}
	seen := uint8(0)
	for i := range len(s) {
		seen |= a.class[s[i]]
	}
	switch {
	case seen == 0:
		return true
	case seen&foreign != 0:
		return false
	}
	return !hasEscape(s)
}

func hasEscape(s string) bool {
	for i := 0; i+3 < len(s); i++ {
		if s[i] != '_' || s[i+1]|0x20 != 'x' {
			continue
		}
		if _, n := escapeAt(s[i:]); n > 0 {
			return true
		}
	}
	return false
}

// escapeAt returns the character that s starts with the escape of, and the
// length of that. Letters may be of either case: the API lowers tags.
func escapeAt(s string) (rune, int) {
	const most = len("_x10ffff_")
	if len(s) < len("_x2_") || s[0] != '_' || s[1]|0x20 != 'x' {
		return 0, 0
	}
	digits, _, found := strings.Cut(s[2:min(len(s), most)], "_")
	code, err := strconv.ParseUint(digits, 16, 32)
	if !found || err != nil || digits[0] == '0' && len(digits) > 1 || !utf8.ValidRune(rune(code)) {
		return 0, 0
	}
	return rune(code), len(digits) + 3
}

// startsEscape reports whether s starts like an escape. Its end does not
// matter: what follows may be escaped too, and that starts with the _ that
// would end it.
func startsEscape(s string) bool {
	const hex = "0123456789abcdefABCDEF"
	return len(s) > 2 && s[0] == '_' && s[1]|0x20 == 'x' && strings.IndexByte(hex, s[2]) >= 0
}

func (a *alphabet) escape(s string) string {
	out := make([]byte, 0, len(s)+16)
	for i, r := range s { // what is not UTF-8 comes as U+FFFD
		switch {
		case startsEscape(s[i:]), r >= utf8.RuneSelf, a.class[byte(r)] == foreign && !(r == '@' && i == 0 && a.at && len(s) > 1):
			out = append(out, "_x"...)
			out = strconv.AppendUint(out, uint64(r), 16)
			out = append(out, '_')
		default:
			out = append(out, byte(r))
		}
		if len(out) > a.most {
			return shorten(string(out), s, a.most)
		}
	}
	return string(out)
}

// shorten cuts an escaped text, not within an escape, and adds a hash of the
// whole.
func shorten(escaped, s string, most int) string {
	const suffix = len("_h") + 16
	end, at := 0, 0
	for at <= most-suffix {
		end = at
		_, n := escapeAt(escaped[at:])
		at += max(n, 1)
	}
	return escaped[:end] + fmt.Sprintf("_h%016x", xxhash.Sum64String(s))
}

// Unescape returns the text that was sent for one that the API has.
func Unescape(s string) string {
	if !hasEscape(s) {
		return s
	}
	var out strings.Builder
	for i := 0; i < len(s); {
		if r, n := escapeAt(s[i:]); n > 0 {
			out.WriteRune(r)
			i += n
			continue
		}
		out.WriteByte(s[i])
		i++
	}
	return out.String()
}
