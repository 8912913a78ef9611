package ingest

import (
	"bytes"
	"errors"
	"strings"

	"github.com/tidemark-metrics/tidemark"
)

// Summary counts what became of the measurements of a request.
type Summary struct {
	Total    int `json:"total"`
	Accepted int `json:"accepted"`
	Failed   int `json:"failed"`
	Filtered int `json:"filtered"` // said that there was nothing to record
}

// Problem is why one measurement was not recorded.
type Problem struct {
	Index  int    `json:"index"` // of the measurement in its request
	Name   string `json:"name,omitempty"`
	Param  string `json:"param"`
	Value  string `json:"value,omitempty"`
	Reason string `json:"reason"`
}

// MaxProblems is how many problems of one request are listed; all are
// counted.
const MaxProblems = 100

// maxShown bounds how much of a wrong value is repeated to its sender.
const maxShown = 80

// The ways in which a whole request fails. Errors wrap them; their text is
// for the sender.
var (
	ErrNotJSON = errors.New("not JSON")
	ErrEmpty   = errors.New("no measurements")
)

// Rejected is the error of a request without a single usable measurement. It
// is a *tidemark.Error of kind Invalid, or TooMany where a limit was all that
// was wrong.
type Rejected struct {
	Err      error
	Summary  Summary
	Problems []Problem
}

func (r *Rejected) Error() string { return r.Err.Error() }
func (r *Rejected) Unwrap() error { return r.Err }

// flaw is what can be wrong with a measurement.
type flaw uint8

const (
	flawNone flaw = iota
	flawEmpty
	notObject
	tooLong
	noName
	badName
	notNumber
	noValue
	valueAndSum
	noSum
	noCount
	countSmall
	negative
	minOverMax
	overflow
	tagsNotObject
	badTagName
	badTagValue
	tooManyTags
	timeNotNumber
	tooOld
	tooNew
	isComposite
	overStreams
	overTagBytes
	overTagNames
	overMetrics
	overStreamBytes
	sourceWrong
	sourceReserved
	counterNegative
	hugeNumber
	badSketch
	notDistribution
	valueAndDistribution
	outOfScope
	serverOwned
)

// flaws says each of them; where param is empty the field of the measurement
// that is wrong is named.
var flaws = [...]struct{ param, reason string }{
	flawNone:        {},
	flawEmpty:       {},
	notObject:       {"measurements", "is not an object"},
	tooLong:         {"measurements", "is longer than any real one"},
	noName:          {"name", "is not present"},
	badName:         {"name", "must be 1 to 255 letters, digits and . : - _"},
	notNumber:       {"", "is not a number"},
	noValue:         {"value", "is not present, nor are count and sum"},
	valueAndSum:     {"value", "cannot accompany count and sum"},
	noSum:           {"sum", "is not present, but count is"},
	noCount:         {"count", "is not present, but sum is"},
	countSmall:      {"count", "must be 1 or more"},
	negative:        {"", "must not be negative"},
	minOverMax:      {"min", "is larger than max"},
	overflow:        {"", "is too large for what it is multiplied with"},
	tagsNotObject:   {"tags", "is not an object"},
	badTagName:      {"tags", "the name of a tag must be 1 to 64 letters, digits and - . : _"},
	badTagValue:     {"tags", `the value of a tag must be 1 to 255 letters, digits, blanks and - . : _ ? \ /`},
	tooManyTags:     {"tags", "has more than 50 tags"},
	timeNotNumber:   {"time", "is not a number of seconds"},
	tooOld:          {"time", "is too far in the past"},
	tooNew:          {"time", "is too far in the future"},
	isComposite:     {"name", "is a composite, which cannot be recorded"},
	overStreams:     {"tags", "is over a limit"},
	overTagBytes:    {"tags", "is over a limit"},
	overTagNames:    {"tags", "is over a limit"},
	overMetrics:     {"name", "is over a limit"},
	overStreamBytes: {"tags", "is over a limit"},
	sourceWrong:     {"source", "must be 1 to 255 letters, digits and . : - _"},
	sourceReserved:  {"source", "is reserved"},
	counterNegative: {"value", "must be positive"},
	hugeNumber:      {"value", "has an exponent over 126"},
	badSketch:       {"distribution", "is none that can be read"},

	notDistribution:      {"distribution", "must be a list of up to 10000 values, each a number, or a number and how often it was"},
	valueAndDistribution: {"distribution", "cannot accompany value, count, sum and the like, which follow from it"},
	outOfScope:           {"name", "is outside the scope of token"},
	serverOwned:          {"name", "is recorded by the server alone"},
}

// explain says what is wrong with it.
func (d *intake) explain(it *item) (param, reason string) {
	f := flaws[it.flaw]
	if it.flaw == outOfScope {
		return f.param, f.reason + " " + d.token
	}
	if name, limited := limitOf(it.flaw); limited {
		l, _ := tidemark.LimitCalled(name)
		return f.param, l.Exceeded(d.limits.Of(d.orgID, name)).Error()
	}
	if f.param == "" {
		return numericNames[it.field], f.reason
	}
	return f.param, f.reason
}

// refuse counts item i as failed and lists why.
func (d *intake) refuse(i int) {
	d.summary.Failed++
	if len(d.problems) == MaxProblems {
		return
	}
	it := &d.items[i]
	param, reason := d.explain(it)
	d.problems = append(d.problems, Problem{
		Index: i, Name: shown(it.name.of(d.arena)), Param: param, Reason: reason, Value: shown(it.raw.of(d.b)),
	})
}

// shown returns text as an answer can repeat it.
func shown(text []byte) string {
	text = bytes.TrimSpace(text)
	if len(text) > maxShown {
		return cut(string(text), maxShown) + "..."
	}
	return cut(string(text), maxShown)
}

// cut returns the beginning of text, without what is no text.
func cut(text string, most int) string {
	return strings.ToValidUTF8(text[:min(len(text), most)], "")
}

func invalid(cause error, format string, args ...any) error {
	return &tidemark.Error{Kind: tidemark.Invalid, Msg: errorText(format, args...), Err: cause}
}
