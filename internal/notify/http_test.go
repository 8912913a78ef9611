package notify

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"pgregory.net/rapid"

	"github.com/tidemark-metrics/tidemark"
)

// exchangeWith sends a request by a way out of the test's own.
func exchangeWith(r *request, do exchangeFunc) (string, error) {
	return r.send(context.Background(), exchanger{kind: "webhook", options: Options{Client: &http.Client{Transport: do}, Now: time.Now}})
}

// TestRequestsThatCannotBeSent: what is wrong with a request before it leaves
// is said, and is final where no retry mends it.
func TestRequestsThatCannotBeSent(t *testing.T) {
	t.Parallel()
	never := func(*http.Request) (*http.Response, error) { return nil, errors.New("it was sent") }
	for want, c := range map[string]struct {
		r     *request
		final bool
	}{
		"the URL is not valid":     {&request{url: "https://a b/"}, true},
		"the message is too large": {&request{url: "https://a.example.org", body: make([]byte, maxBody+1)}, true},
		"sign the request: no key": {&request{url: "https://a.example.org", sign: func(context.Context, *http.Request, []byte, time.Time) error { return errors.New("no key") }}, false},
		"it was sent":              {&request{url: "https://a.example.org", body: make([]byte, maxBody)}, false},
	} {
		status, err := exchangeWith(c.r, never)
		if err == nil || err.Error() != want || errors.Is(err, ErrPermanent) != c.final || status != "" {
			t.Errorf("%q, %v; want %s, final %v", status, err, want, c.final)
		}
	}
	if _, err := (&request{url: "https://a.example.org"}).send(t.Context(), exchanger{options: Options{Now: time.Now}}); err == nil || err.Error() != "this server has no way out" || errors.Is(err, ErrPermanent) {
		t.Errorf("without a way out: %v", err)
	}
	if _, err := New(&tidemark.Service{Type: "pigeon"}, Options{}); err == nil || err.Error() != `no notifier for services of type "pigeon"` {
		t.Errorf("an unknown type: %v", err)
	}
}

// TestExchangesEnd: a destination that answers every request with another
// question is given up on, and worth another try.
func TestExchangesEnd(t *testing.T) {
	t.Parallel()
	asked := 0
	r := &request{url: "https://a.example.org"}
	r.then = func(answer) *request { return r }
	status, err := exchangeWith(r, func(r *http.Request) (*http.Response, error) { asked++; return respond(r, 200, nil, "more"), nil })
	if err == nil || err.Error() != "the destination needs too many requests" || errors.Is(err, ErrPermanent) || asked != maxExchanges || status != "200 OK: more" {
		t.Errorf("%d requests, %q, %v", asked, status, err)
	}
}

// TestAnswersThatBreakOff: an answer whose body cannot be read counts by its
// status.
func TestAnswersThatBreakOff(t *testing.T) {
	t.Parallel()
	for code, delivered := range map[int]bool{200: true, 503: false} {
		status, err := exchangeWith(&request{url: "https://a.example.org"}, func(r *http.Request) (*http.Response, error) {
			a := respond(r, code, nil, "")
			a.Body = io.NopCloser(io.MultiReader(strings.NewReader("half an ans"), iotest.ErrReader(io.ErrUnexpectedEOF)))
			return a, nil
		})
		if (err == nil) != delivered || !strings.HasSuffix(status, ": half an ans") {
			t.Errorf("%d: %q, %v", code, status, err)
		}
	}
}

// TestUserInURL: a user and password in a URL go into the header, and not into
// the address that is asked for.
func TestUserInURL(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ raw, to, header string }{
		{"https://me:p%20w@a.example.org/x?y=1", "https://a.example.org/x?y=1", "me:p w"},
		{"https://me@a.example.org/", "https://a.example.org/", "me:"},
		{"https://a.example.org/", "https://a.example.org/", ""},
		{"https://a b/", "https://a b/", ""},
	} {
		to, user := splitUser(c.raw)
		if to != c.to || (user != nil) != (c.header != "") {
			t.Errorf("%s: %s, %v", c.raw, to, user)
		}
		if user == nil {
			continue
		}
		req, err := (&request{url: to, user: user}).build(t.Context(), time.Now())
		if err != nil {
			t.Fatal(err)
		}
		if got := req.Header.Get("Authorization"); got != "Basic "+base64.StdEncoding.EncodeToString([]byte(c.header)) {
			t.Errorf("%s: %s", c.raw, got)
		}
	}
}

// TestSecretsInAnyForm: a setting that is secret is found in a text however
// its letters were written on the way: plain, in JSON, in a form, in a path,
// and with a user as Basic authentication.
func TestSecretsInAnyForm(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		secret := rapid.StringMatching(`[ -~é]{4,12}`).Draw(t, "secret")
		s := &tidemark.Service{Type: "jira", Settings: map[string]string{"url": "https://jira.example.org", "user": "ops", "api_token": secret, "project": "OPS"}}
		r := secretsOf(s, Options{})
		for _, form := range []string{secret, quoted(secret), url.QueryEscape(secret), url.PathEscape(secret), basic("ops", secret)} {
			if got := r.redact("<<" + form + ">>"); strings.Contains(got, form) && form != mask {
				t.Fatalf("%q stays in %q", form, got)
			}
		}
	})
}

// TestErrorsWithoutSecrets: an error keeps what callers ask it for, and loses
// the chain of causes that may hold a URL.
func TestErrorsWithoutSecrets(t *testing.T) {
	t.Parallel()
	r := redactor{"s3cr3t"}
	cause := &url.Error{Op: "Post", URL: "https://a/s3cr3t", Err: context.DeadlineExceeded}
	for _, c := range []struct {
		err   error
		text  string
		is    error
		after time.Duration
	}{
		{fmt.Errorf("plain s3cr3t: %w", context.Canceled), "plain " + mask + ": context canceled", context.Canceled, 0},
		{&failure{text: "at s3cr3t", after: time.Minute, err: cause}, "at " + mask, context.DeadlineExceeded, time.Minute},
		{&failure{text: "no s3cr3t", permanent: true, after: time.Minute}, "no " + mask, ErrPermanent, 0},
	} {
		got := r.err(c.err)
		wait, _ := RetryAfter(got)
		if got.Error() != c.text || !errors.Is(got, c.is) || wait != c.after {
			t.Errorf("%v became %v, to wait %s", c.err, got, wait)
		}
		if e, ok := errors.AsType[*url.Error](got); ok {
			t.Errorf("%v still holds %v", got, e)
		}
	}
	refused := r.err(&failure{text: "x", err: tidemark.Errorf(tidemark.Invalid, "is private")})
	if tidemark.KindOf(refused) != tidemark.Invalid {
		t.Errorf("the kind of %v is %v", refused, tidemark.KindOf(refused))
	}
}
