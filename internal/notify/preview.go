package notify

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"maps"
	"mime"
	"mime/multipart"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/tidemark-metrics/tidemark"
)

// Preview is what a service would be sent, for people to read: secrets are
// masked, JSON is indented, forms are taken apart.
type Preview struct {
	Type string // of the message itself
	Body []byte
	// Subject and HTML are of mail only.
	Subject string
	HTML    string
}

// MakePreview returns what s would be sent about n, without sending it.
// What is wrong with the service's template is an Invalid error.
func MakePreview(s *tidemark.Service, n Notification, baseURL string) (Preview, error) {
	made, err := New(s, Options{Client: unsent{}, Dial: unsent{}.dial, Mail: Mail{Host: "mail", From: "Tidemark <tidemark@localhost>"}, BaseURL: baseURL})
	if err != nil {
		return Preview{}, err
	}
	out, err := made.message(n)
	if err != nil {
		return Preview{}, aboutTemplate(made.secrets.err(err))
	}
	p := out.preview()
	p.Body = []byte(made.secrets.redact(readable(p.Type, p.Body)))
	p.Subject, p.HTML = made.secrets.redact(p.Subject), made.secrets.redact(p.HTML)
	return p, nil
}

// readable writes a body as people like it.
func readable(contentType string, body []byte) string {
	kind, params, err := mime.ParseMediaType(contentType)
	if err != nil {
		return string(body)
	}
	switch kind {
	case "application/json":
		return indented(string(body))
	case "application/x-www-form-urlencoded":
		fields, err := url.ParseQuery(string(body))
		if err != nil {
			return string(body)
		}
		var b strings.Builder
		for _, name := range slices.Sorted(maps.Keys(fields)) {
			writeField(&b, name, fields.Get(name))
		}
		return b.String()
	case "multipart/form-data":
		return readableParts(body, params["boundary"])
	}
	return string(body)
}

func readableParts(body []byte, boundary string) string {
	var b strings.Builder
	parts := multipart.NewReader(bytes.NewReader(body), boundary)
	for {
		p, err := parts.NextPart()
		if err != nil {
			return b.String() // the end, or not readable
		}
		content, err := io.ReadAll(p)
		if err != nil {
			return b.String()
		}
		value := string(content)
		if p.FileName() != "" {
			value = p.FileName() + ", " + strconv.Itoa(len(content)) + " bytes"
		}
		writeField(&b, p.FormName(), value)
	}
}

func writeField(b *strings.Builder, name, value string) {
	if b.Len() > 0 {
		b.WriteString("\n\n")
	}
	b.WriteString(name + ":\n" + indented(value))
}

// indented returns JSON indented, and anything else as it is.
func indented(s string) string {
	var b bytes.Buffer
	if !strings.HasPrefix(s, "{") || json.Indent(&b, []byte(s), "", "  ") != nil {
		return s
	}
	return b.String()
}

// Guard says whether the server may contact a URL: package outbound's client.
type Guard interface {
	CheckURL(ctx context.Context, url string) error
}

// Check reports what is wrong with s beyond the form of its settings: a
// template that does not parse, or fails on a notification of any sort, and an
// address that the server may not contact. It is an Invalid error about the
// settings. Anyone who saves or tests a service asks.
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
	if e, ok := errors.AsType[templateError](err); ok {
		return tidemark.InvalidField("template", "%s", e.Error())
	}
	if e, ok := errors.AsType[*tidemark.Error](err); ok {
		return e
	}
	return err
}

// unsent is the way out of previews: it sends nothing.
type unsent struct{}

var errUnsent = errors.New("a preview is not sent")

func (unsent) Do(*http.Request) (*http.Response, error) { return nil, errUnsent }

func (unsent) dial(context.Context, string, string) (net.Conn, error) { return nil, errUnsent }
