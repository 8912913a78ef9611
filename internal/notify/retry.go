package notify

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/tidemark-metrics/tidemark"
)

// ErrPermanent marks failures that are not worth a retry.
var ErrPermanent = errors.New("permanent failure")

// ErrGone marks that the destination says it exists no longer. It is permanent.
var ErrGone = errors.New("the destination is gone")

// ErrThrottled marks that the destination asks us to come back later: neither
// it nor the message is at fault.
var ErrThrottled = errors.New("the destination asks us to wait")

// maxRetryAfter is the longest that a destination may ask us to wait.
const maxRetryAfter = time.Hour

// failure is an attempt that did not deliver.
type failure struct {
	text      string
	permanent bool
	gone      bool
	throttled bool
	after     time.Duration // how long the destination asks us to wait, or 0
	err       error
}

func (f *failure) Error() string { return f.text }
func (f *failure) Unwrap() error { return f.err }

func (f *failure) Is(target error) bool {
	return target == ErrPermanent && f.permanent || target == ErrGone && f.gone || target == ErrThrottled && f.throttled
}

// RetryAfter returns how long the destination asked to be left alone, if it did.
func RetryAfter(err error) (time.Duration, bool) {
	f, ok := errors.AsType[*failure](err)
	if !ok || f.permanent || f.after <= 0 {
		return 0, false
	}
	return f.after, true
}

// permanent returns a failure that no retry mends.
func permanent(text string) error { return &failure{text: text, permanent: true} }

// outcome is what follows from an answer.
type outcome uint8

const (
	refused   outcome = iota // the same request would be refused again
	retry                    // later, perhaps
	throttled                // later, since there was too much at once
	delivered
)

// outcomes says what follows from an HTTP status. What is not in it follows
// from its class: 2xx is delivered, 5xx is worth a retry, the rest is refused,
// redirects included: following one would have been the client's work.
var outcomes = map[int]outcome{
	http.StatusRequestTimeout:  retry,     // 408
	http.StatusTooEarly:        retry,     // 425
	http.StatusTooManyRequests: throttled, // 429
}

// exceptions are the kinds of service that mean something else by a status.
var exceptions = map[string]map[int]outcome{
	"pagerduty": {http.StatusForbidden: throttled}, // its way to say 429 in the first events API
	"jira":      {http.StatusConflict: retry},      // somebody else edits the issue
}

// classify says what follows from an answer of a service of a kind.
func classify(kind string, a answer) outcome {
	if o, ok := exceptions[kind][a.code]; ok {
		return o
	}
	if kind == "sns" && a.code/100 == 4 {
		switch {
		case hasCode(a.body, "Throttl", "KMSThrottling"):
			return throttled
		case hasCode(a.body, "RequestExpired", "ServiceUnavailable"):
			return retry
		}
	}
	if o, ok := outcomes[a.code]; ok {
		return o
	}
	switch a.code / 100 {
	case 2:
		return delivered
	case 5:
		return retry
	}
	return refused
}

// hasCode reports whether an error of AWS has a code that begins so. It has
// status 400 also where we are just too quick, or its clock disagrees with
// ours by moments.
func hasCode(body []byte, codes ...string) bool {
	return slices.ContainsFunc(codes, func(code string) bool { return strings.Contains(string(body), "<Code>"+code) })
}

// classifyError turns an error of the exchange itself into a failure. Nearly
// all of them pass; what the guard refuses does not.
func classifyError(err error) error {
	if e, ok := errors.AsType[*tidemark.Error](err); ok && e.Kind == tidemark.Invalid {
		return &failure{text: "the destination " + e.Msg, permanent: true, err: err}
	}
	text := err.Error()
	if errors.Is(err, context.DeadlineExceeded) {
		text = "no answer in time"
	}
	return &failure{text: text, err: err}
}

// retryAfter reads the header of that name: seconds, or a date.
func retryAfter(h http.Header, now time.Time) time.Duration {
	v := strings.TrimSpace(h.Get("Retry-After"))
	if s, err := strconv.ParseFloat(v, 64); err == nil {
		return bounded(time.Duration(min(max(s, 0), maxRetryAfter.Seconds()) * float64(time.Second)))
	}
	if t, err := http.ParseTime(v); err == nil {
		return bounded(t.Sub(now))
	}
	return 0
}

func bounded(d time.Duration) time.Duration { return min(max(d, 0), maxRetryAfter) }
