package notify

import (
	"cmp"
	"context"
	"encoding/base64"
	"errors"
	"net/url"
	"slices"
	"strings"

	"github.com/tidemark-metrics/tidemark"
)

// mask stands for a secret.
const mask = tidemark.MaskedSetting

// minSecret is the shortest text that is worth hiding: shorter ones would
// blot out half of every message and are guessed anyway.
const minSecret = 4

// redactor takes secrets out of texts. Destinations like to repeat what they
// were sent, so answers are as suspect as our own errors.
type redactor []string

// secretsOf returns everything secret about s, in all the forms in which it
// may turn up.
func secretsOf(s *tidemark.Service, o Options) redactor {
	t, _ := tidemark.LookupServiceType(s.Type)
	values := append(t.Secrets(s.Settings), s.Signing.Secrets()...)
	if s.Type == "mail" {
		values = append(values, o.Mail.Password)
	}
	var r redactor
	for _, v := range values {
		r.add(v)
		if user := s.Settings["user"]; user != "" {
			r.add(basic(user, v))
		}
		u, err := url.Parse(v)
		if err != nil || u.Host == "" {
			continue
		}
		// The host of a URL is no secret, and says where things went wrong.
		r.add(strings.TrimPrefix(u.EscapedPath(), "/"))
		r.add(u.RequestURI())
		r.add(u.RawQuery)
		for _, values := range u.Query() {
			for _, v := range values {
				r.add(v)
			}
		}
		if password, ok := u.User.Password(); ok {
			r.add(password)
			r.add(basic(u.User.Username(), password))
		}
	}
	// The longest first: a secret may be part of another.
	slices.SortFunc(r, func(a, b string) int { return cmp.Compare(len(b), len(a)) })
	return slices.Compact(r)
}

// add adds v as it is, and as JSON, forms and paths write it.
func (r *redactor) add(v string) {
	for _, form := range []string{v, quoted(v), url.QueryEscape(v), url.PathEscape(v)} {
		if len(form) >= minSecret && form != "/" && !slices.Contains(*r, form) {
			*r = append(*r, form)
		}
	}
}

// basic is a password as Basic authentication sends it.
func basic(user, password string) string {
	return base64.StdEncoding.EncodeToString([]byte(user + ":" + password))
}

func quoted(v string) string {
	b, err := marshal(v)
	if err != nil {
		return v
	}
	return strings.Trim(string(b), `"`)
}

func (r redactor) redact(s string) string {
	for _, secret := range r {
		if secret != "" {
			s = strings.ReplaceAll(s, secret, mask)
		}
	}
	return s
}

// err returns err as a failure without secrets. Of its causes only those stay
// that callers ask for: the others may hold the URL somewhere down the chain.
func (r redactor) err(err error) error {
	f, ok := errors.AsType[*failure](err)
	if !ok {
		f = &failure{text: err.Error(), err: err}
	}
	return &failure{text: r.redact(f.text), permanent: f.permanent, gone: f.gone, throttled: f.throttled, after: f.after, err: r.known(f.err)}
}

// known returns the part of err that callers ask for, without secrets.
func (r redactor) known(err error) error {
	if e, ok := errors.AsType[templateError](err); ok {
		return templateError{errors.New(r.redact(e.Error()))}
	}
	for _, sentinel := range []error{context.Canceled, context.DeadlineExceeded} {
		if errors.Is(err, sentinel) {
			return sentinel
		}
	}
	if e, ok := errors.AsType[*tidemark.Error](err); ok {
		return &tidemark.Error{Kind: e.Kind, Msg: e.Msg, Fields: e.Fields}
	}
	return nil
}
