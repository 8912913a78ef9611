package notify

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"
	"unicode"

	"github.com/tidemark-metrics/tidemark"
)

const (
	userAgent    = "Tidemark"
	maxAnswer    = 64 << 10 // bytes of an answer that are looked at
	maxSnippet   = 200      // characters of it that the delivery log keeps
	maxExchanges = 4        // requests that one message may take
	maxBody      = 8 << 20  // bytes of a message; pictures included
)

// request is a message that goes by HTTP.
type request struct {
	method      string // POST if empty
	url         string
	contentType string
	header      map[string]string
	body        []byte
	user        *url.Userinfo // for Basic authentication

	// sign, if set, adds what proves who we are.
	sign func(ctx context.Context, r *http.Request, body []byte, now time.Time) error

	// then, if set, says what to send next after an answer; nil means that
	// the answer is the last word. It is asked about refusals, too.
	then func(a answer) *request

	// shown replaces the body in previews: for a message that starts with a
	// question.
	shown *request
}

// answer is what came back.
type answer struct {
	code   int
	status string
	header http.Header
	body   []byte
}

// exchanger sends requests on behalf of one kind of service.
type exchanger struct {
	kind    string
	options Options
	signing *tidemark.Signing // nil: not signed
}

// send makes the exchanges of r, one after the other, until one is the last or
// fails.
func (r *request) send(ctx context.Context, x exchanger) (string, error) {
	status := ""
	for range maxExchanges {
		a, err := x.exchange(ctx, r)
		if err != nil {
			return status, err
		}
		status = a.words()
		if r.then != nil {
			if next := r.then(a); next != nil {
				r = next
				continue
			}
		}
		return status, x.outcome(a)
	}
	return status, &failure{text: "the destination needs too many requests"}
}

// outcome turns an answer into nil or a failure.
func (x exchanger) outcome(a answer) error {
	switch classify(x.kind, a) {
	case delivered:
		return nil
	case retry:
		// Whoever says when to come back is not down, whatever the status.
		after := retryAfter(a.header, x.options.Now())
		return &failure{text: "the service answered " + a.words(), after: after, throttled: after > 0}
	case throttled:
		return &failure{text: "the service answered " + a.words(), after: retryAfter(a.header, x.options.Now()), throttled: true}
	}
	return &failure{text: "the service answered " + a.words(), permanent: true, gone: isGone(x.kind, a)}
}

// exchange sends one request and reads the answer, as far as it matters.
func (x exchanger) exchange(ctx context.Context, r *request) (answer, error) {
	now := x.options.Now()
	req, err := r.build(ctx, now)
	if err != nil {
		return answer{}, err
	}
	if x.signing != nil {
		req.Header.Set(tidemark.SignatureHeader, x.signing.Sign(r.body, now))
	}
	if x.options.Client == nil {
		return answer{}, &failure{text: "this server has no way out"}
	}
	resp, err := x.options.Client.Do(req)
	if err != nil {
		// The error of a plain HTTP client holds the URL, and with it secrets.
		if e, ok := errors.AsType[*url.Error](err); ok {
			err = e.Err
		}
		return answer{}, classifyError(err)
	}
	defer resp.Body.Close()
	// What cannot be read of an answer does not undo it: the status counts.
	body, _ := io.ReadAll(io.LimitReader(resp.Body, maxAnswer))
	return answer{code: resp.StatusCode, status: resp.Status, header: resp.Header, body: body}, nil
}

func (r *request) build(ctx context.Context, now time.Time) (*http.Request, error) {
	if len(r.body) > maxBody {
		return nil, permanent("the message is too large")
	}
	method := r.method
	if method == "" {
		method = http.MethodPost
	}
	req, err := http.NewRequestWithContext(ctx, method, r.url, bytes.NewReader(r.body))
	if err != nil {
		return nil, permanent("the URL is not valid")
	}
	req.Header.Set("User-Agent", userAgent)
	if r.contentType != "" {
		req.Header.Set("Content-Type", r.contentType)
	}
	for key, v := range r.header {
		req.Header.Set(key, v)
	}
	if r.user != nil {
		password, _ := r.user.Password()
		req.SetBasicAuth(r.user.Username(), password)
	}
	if r.sign != nil {
		if err := r.sign(ctx, req, r.body, now); err != nil {
			return nil, fmt.Errorf("sign the request: %w", err)
		}
	}
	return req, nil
}

func (r *request) preview() Preview {
	if r.shown != nil {
		return r.shown.preview()
	}
	return Preview{Type: r.contentType, Body: r.body}
}

// words are an answer in the destination's own words: the status, and the
// beginning of the body where it is text.
func (a answer) words() string {
	status := strings.TrimSpace(a.status)
	kind := a.header.Get("Content-Type")
	if strings.HasPrefix(kind, "text/html") || !isText(a.body) {
		return status
	}
	if text := shorten(strings.Join(strings.Fields(string(a.body)), " "), maxSnippet); text != "" {
		return status + ": " + text
	}
	return status
}

func isText(b []byte) bool {
	return !bytes.ContainsFunc(b, func(r rune) bool {
		return r == unicode.ReplacementChar || unicode.IsControl(r) && !unicode.IsSpace(r)
	})
}

// jsonRequest is a request whose body is v in JSON.
func jsonRequest(to string, v any) (*request, error) {
	body, err := marshal(v)
	if err != nil {
		return nil, fmt.Errorf("write the message: %w", err)
	}
	return &request{url: to, contentType: "application/json", body: body}, nil
}

// formRequest is a request whose body is a form.
func formRequest(to string, fields url.Values) *request {
	return &request{url: to, contentType: "application/x-www-form-urlencoded", body: []byte(fields.Encode())}
}

// splitUser takes the user and password out of a URL, for the header: in the
// URL they would end up in logs on the way.
func splitUser(raw string) (string, *url.Userinfo) {
	u, err := url.Parse(raw)
	if err != nil || u.User == nil {
		return raw, nil
	}
	user := u.User
	u.User = nil
	return u.String(), user
}
