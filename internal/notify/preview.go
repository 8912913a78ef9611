package notify

import (
	"context"
	"errors"
	"net"
	"net/http"
	"strings"
	"time"

	"github.com/tidemark-metrics/tidemark"
)

// Preview is what a service would be sent, secrets masked.
type Preview struct {
	Type string `json:"content_type"`
	Body []byte `json:"-"`
	// Subject and HTML are of mail only.
	Subject string `json:"subject,omitempty"`
	HTML    string `json:"html,omitempty"`
}

// MakePreview returns what s would be sent to tell of n, without sending it.
// What is wrong with the service's template is an Invalid error.
func MakePreview(s *tidemark.Service, n Notification, baseURL string) (Preview, error) {
	made, err := New(s, Options{Client: nobody{}, Dial: nobody{}.dial, Mail: Mail{Host: "mail", From: "Tidemark <tidemark@localhost>"}, BaseURL: baseURL})
	if err != nil {
		return Preview{}, err
	}
	out, err := made.(*sender).message(n)
	if err != nil {
		return Preview{}, aboutTemplate(made.(*sender).secrets.err(err))
	}
	p := out.preview()
	secrets := made.(*sender).secrets
	p.Body = []byte(secrets.redact(string(p.Body)))
	p.Subject, p.HTML = secrets.redact(p.Subject), secrets.redact(p.HTML)
	return p, nil
}

// Guard says whether the server may contact a URL: package outbound's client.
type Guard interface {
	CheckURL(ctx context.Context, url string) error
}

// Check reports what is wrong with s beyond the form of its settings: a
// template that does not parse, or fails on a notification of any sort, and an
// address that the server may not contact. It is an Invalid error about the
// settings. Whoever saves or tests a service asks.
//
// An address that cannot be looked up just now is let through: the guard acts
// on every connection anyway, and a name server's trouble should not keep
// anybody from saving. The guard may be nil.
func Check(ctx context.Context, s *tidemark.Service, guard Guard) error {
	triggered := Sample(1, "owner@example.org", time.Unix(1700000000, 0))
	cleared := triggered
	cleared.Test, cleared.Clear = false, "normal"
	for _, n := range []Notification{triggered, cleared} {
		if _, err := MakePreview(s, n, "https://tidemark.example.org"); err != nil {
			return err
		}
	}
	if guard == nil {
		return nil
	}
	var p tidemark.Problems
	t, _ := tidemark.LookupServiceType(s.Type)
	for setting, to := range t.Addresses(s.Settings) {
		e, refused := errors.AsType[*tidemark.Error](guard.CheckURL(ctx, to))
		p.Check(!refused || e.Kind != tidemark.Invalid, setting, "%s", messageOf(e))
	}
	return p.Err()
}

func messageOf(e *tidemark.Error) string {
	if e == nil {
		return ""
	}
	return e.Msg
}

// aboutTemplate makes the failure of a template the caller's business.
func aboutTemplate(err error) error {
	if text, ok := strings.CutPrefix(err.Error(), "the message template "); ok {
		return tidemark.InvalidField("template", "%s", text)
	}
	if e, ok := errors.AsType[*tidemark.Error](err); ok {
		return e
	}
	return err
}

// nobody is where previews are sent: nowhere.
type nobody struct{}

var errNobody = errors.New("a preview is not sent")

func (nobody) Do(*http.Request) (*http.Response, error) { return nil, errNobody }

func (nobody) dial(context.Context, string, string) (net.Conn, error) { return nil, errNobody }
