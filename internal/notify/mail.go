package notify

import (
	"bytes"
	"context"
	"crypto/rand"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/mail"
	"net/textproto"
	"strconv"
	"strings"
	"time"

	gomail "github.com/wneessen/go-mail"

	"github.com/tidemark-metrics/tidemark"
)

// The ways to encrypt the connection to the mail server.
const (
	TLSRequired      = "starttls"      // the default: STARTTLS, or no mail
	TLSOpportunistic = "opportunistic" // STARTTLS if the server offers it
	TLSImplicit      = "tls"           // encrypted from the first byte, usually port 465
	TLSNone          = "none"
)

const (
	mailTimeout  = 15 * time.Second
	maxAddresses = 100
	pictureCID   = "chart@tidemark"
)

// Mail says how mail leaves the server. Without a host, nothing can be sent to
// services of type mail.
type Mail struct {
	Host     string
	Port     int // by TLS if 0: 587, 465 or 25
	User     string
	Password string
	From     string // "Tidemark <tidemark@example.org>"
	TLS      string // one of the ways above
	Hello    string // the name to introduce ourselves by; the machine's if empty

	// Config, if set, is used for encryption: for a certificate of one's own.
	Config *tls.Config
}

// Validate reports what is wrong with m, or nil.
func (m Mail) Validate() error {
	var p tidemark.Problems
	p.Text("host", m.Host, 1, 253)
	p.Check(m.Port >= 0 && m.Port <= 65535, "port", "must be 1 to 65535")
	_, err := mail.ParseAddress(m.From)
	p.Check(err == nil, "from", "is not an e-mail address")
	switch m.TLS {
	case "", TLSRequired, TLSOpportunistic, TLSImplicit, TLSNone:
	default:
		p.Check(false, "tls", "must be starttls, opportunistic, tls or none")
	}
	return p.Err()
}

func (m Mail) port() int {
	switch {
	case m.Port != 0:
		return m.Port
	case m.TLS == TLSImplicit:
		return 465
	case m.TLS == TLSNone:
		return 25
	}
	return 587
}

// newMail is the notifier of mail: text and HTML, with the picture inside.
func newMail(s settings, o Options) (renderer, error) {
	t, err := templateOf(s)
	if err != nil {
		return nil, err
	}
	to := addresses(s["addresses"])
	return func(n Notification) (message, error) {
		if o.Mail.Host == "" {
			return nil, errNoMail
		}
		text, err := t.textOr(n, n.text())
		if err != nil {
			return nil, err
		}
		html, err := mailHTML(n, t != nil, text)
		if err != nil {
			return nil, err
		}
		return &mailMessage{to: to, n: n, text: text, html: html, subject: "[Tidemark] " + oneLine(n.subject())}, nil
	}, nil
}

// Letter is a mail that is no notification: an invitation, a new password.
type Letter struct {
	To, Subject, Text string
	Key               string // names the letter; two with the same key are one. May be empty
}

// SendMail sends a letter by the server's mail settings, as one attempt. Its
// errors are those of a Notifier, and hold no secret.
func SendMail(ctx context.Context, o Options, l Letter) error {
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Mail.Host == "" {
		return errNoMail
	}
	ctx, cancel := context.WithTimeout(ctx, sendTimeout)
	defer cancel()
	n := Notification{DedupKey: l.Key}
	if n.DedupKey == "" {
		n.DedupKey = rand.Text() // or readers would take two letters for one
	}
	m := &mailMessage{to: addresses(l.To), subject: "[Tidemark] " + oneLine(l.Subject), text: l.Text, n: n}
	if _, err := m.send(ctx, exchanger{kind: "mail", options: o}); err != nil {
		return redactor{o.Mail.Password}.err(err)
	}
	return nil
}

// errNoMail is not final: the operator may set one up.
var errNoMail = &failure{text: "this server has no mail server set up"}

// addresses splits a list of them. What is no address is skipped, so that one
// slip does not silence the others.
func addresses(list string) []string {
	var out []string
	for a := range strings.SplitSeq(list, ",") {
		if parsed, err := mail.ParseAddress(strings.TrimSpace(a)); err == nil && len(out) < maxAddresses {
			out = append(out, parsed.Address)
		}
	}
	return out
}

// Recipients is how many people a notification of s is mailed to.
func Recipients(s *tidemark.Service) int {
	if s.Type != "mail" {
		return 0
	}
	return len(addresses(s.Settings["addresses"]))
}

// oneLine keeps a text from ending a header.
func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

// mailMessage is a message that goes by SMTP.
type mailMessage struct {
	to                  []string
	subject, text, html string
	n                   Notification
}

func (m *mailMessage) preview() Preview {
	return Preview{Type: "text/plain", Body: []byte(m.text), Subject: m.subject, HTML: m.html}
}

// send delivers to all addresses at once. If the server refuses some of them,
// the others get the message one by one.
func (m *mailMessage) send(ctx context.Context, x exchanger) (string, error) {
	if len(m.to) == 0 {
		return "", permanent("there is no valid address")
	}
	if x.options.Dial == nil {
		return "", &failure{text: "this server has no way out"}
	}
	client, err := newMailClient(ctx, x.options)
	if err != nil {
		return "", err
	}
	conn, err := client.DialToSMTPClientWithContext(ctx)
	if err != nil {
		return "", mailFailure(ctx, err)
	}
	defer func() { _ = client.CloseWithSMTPClient(conn) }() // the answer is in already
	try := func(to []string) (string, error) {
		msg, err := m.build(x.options, to)
		if err != nil {
			return "", err
		}
		if err := client.SendWithSMTPClient(conn, msg); err != nil {
			return "", err
		}
		return msg.ServerResponse(), nil
	}
	status, err := try(m.to)
	if e, ok := errors.AsType[*gomail.SendError](err); ok && e.Reason == gomail.ErrSMTPRcptTo && len(m.to) > 1 {
		return m.oneByOne(ctx, try)
	}
	if err != nil {
		return "", mailFailure(ctx, err)
	}
	return mailStatus(status), nil
}

// oneByOne tries every address on its own. It has delivered if one of them
// took the message: a retry would send it there twice.
func (m *mailMessage) oneByOne(ctx context.Context, try func([]string) (string, error)) (string, error) {
	var last error
	var taken, status string
	refusals := 0
	for _, to := range m.to {
		answer, err := try([]string{to})
		if err == nil {
			taken, status = to, answer
			continue
		}
		// Trying again is worth it if it is for any of them.
		if f := mailFailure(ctx, err); last == nil || !errors.Is(f, ErrPermanent) {
			last = f
		}
		refusals++
	}
	if taken == "" {
		return "", last
	}
	return fmt.Sprintf("%s; %d of %d addresses refused: %s", mailStatus(status), refusals, len(m.to), last), nil
}

func mailStatus(answer string) string {
	return shorten(oneLine("250 "+strings.TrimPrefix(answer, "250 ")), maxSnippet)
}

// build writes the message. Its id is the deduplication key, and all
// mail about one incident is one thread.
func (m *mailMessage) build(o Options, to []string) (*gomail.Msg, error) {
	msg := gomail.NewMsg(gomail.WithNoDefaultUserAgent())
	if err := msg.From(o.Mail.From); err != nil {
		return nil, &failure{text: "the server's sender address is not valid"}
	}
	if err := msg.To(to...); err != nil {
		return nil, permanent("there is no valid address")
	}
	domain := "tidemark"
	if _, after, ok := strings.Cut(msg.GetFrom()[0].Address, "@"); ok {
		domain = after
	}
	msg.Subject(m.subject)
	msg.SetDateWithValue(o.Now())
	msg.SetMessageIDWithValue(messageID(m.n.dedup(), domain))
	if m.n.IncidentKey != "" {
		thread := "<" + messageID(m.n.IncidentKey, domain) + ">"
		msg.SetGenHeader("References", thread)
		msg.SetGenHeader("In-Reply-To", thread)
	}
	msg.SetGenHeader("Auto-Submitted", "auto-generated")
	msg.SetGenHeader("X-Auto-Response-Suppress", "All")
	msg.SetBodyString(gomail.TypeTextPlain, m.text)
	if m.html != "" {
		msg.AddAlternativeString(gomail.TypeTextHTML, m.html)
	}
	if png := m.n.upload(); png != nil {
		msg.EmbedReadSeeker(pictureName, bytes.NewReader(png),
			gomail.WithFileContentType("image/png"), gomail.WithFileContentID("<"+pictureCID+">"))
	}
	return msg, nil
}

func messageID(key, domain string) string {
	clean := strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '-' || r == '.' || r == '_' {
			return r
		}
		return '-'
	}, key)
	return clean + "@" + domain
}

// newMailClient returns a client that dials as the options say. The
// connection ends with ctx, even in the middle of a message.
func newMailClient(ctx context.Context, o Options) (*gomail.Client, error) {
	m := o.Mail
	config := &tls.Config{}
	if m.Config != nil {
		config = m.Config.Clone()
	}
	config.ServerName = m.Host
	config.MinVersion = max(config.MinVersion, tls.VersionTLS12)
	options := []gomail.Option{
		gomail.WithPort(m.port()), gomail.WithTimeout(mailTimeout), gomail.WithTLSConfig(config), gomail.WithTLSPolicy(mailPolicy(m.TLS)),
		gomail.WithoutNoop(), gomail.WithDialContextFunc(func(dialing context.Context, network, addr string) (net.Conn, error) {
			conn, err := o.Dial(dialing, network, addr)
			if err != nil {
				return nil, err
			}
			context.AfterFunc(ctx, func() { conn.Close() })
			if m.TLS == TLSImplicit {
				return tls.Client(conn, config), nil
			}
			return conn, nil
		}),
	}
	if m.Hello != "" {
		options = append(options, gomail.WithHELO(m.Hello))
	}
	if m.User != "" {
		options = append(options, gomail.WithUsername(m.User), gomail.WithPassword(m.Password), gomail.WithOpportunisticSMTPAuth(
			gomail.SMTPAuthSCRAMSHA256, gomail.SMTPAuthSCRAMSHA1, gomail.SMTPAuthPlain, gomail.SMTPAuthLogin, gomail.SMTPAuthCramMD5))
	}
	client, err := gomail.NewClient(m.Host, options...)
	if err != nil {
		return nil, &failure{text: "the server's mail settings are not valid", err: err}
	}
	return client, nil
}

func mailPolicy(mode string) gomail.TLSPolicy {
	switch mode {
	case TLSOpportunistic:
		return gomail.TLSOpportunistic
	case TLSImplicit, TLSNone:
		return gomail.NoTLS
	}
	return gomail.TLSMandatory
}

// mailFailure sorts what can go wrong. Only what the server says about this
// very message is final: that the connection, the certificate or the password
// is no good is the operator's to mend, and the message waits for it.
func mailFailure(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return classifyError(ctx.Err())
	}
	if _, ok := errors.AsType[*failure](err); ok {
		return err
	}
	text := "the mail server: " + oneLine(err.Error())
	if reply, ok := errors.AsType[*textproto.Error](err); ok {
		text = "the mail server answered " + strconv.Itoa(reply.Code) + " " + oneLine(reply.Msg)
	}
	e, sending := errors.AsType[*gomail.SendError](err)
	if !sending {
		return &failure{text: text, err: err}
	}
	switch e.Reason {
	case gomail.ErrSMTPMailFrom, gomail.ErrSMTPRcptTo, gomail.ErrSMTPData, gomail.ErrSMTPDataClose:
		return &failure{text: "the mail server answered " + sendErrorText(e), permanent: !e.IsTemp() && e.ErrorCode()/100 == 5, err: err}
	}
	return &failure{text: text, err: err}
}

// sendErrorText is the server's answer without the words around it.
func sendErrorText(e *gomail.SendError) string {
	text := oneLine(e.Error())
	if i := strings.Index(text, strconv.Itoa(e.ErrorCode())); e.ErrorCode() > 0 && i >= 0 {
		text = text[i:]
	}
	text, _, _ = strings.Cut(text, ", affected")
	return shorten(strings.ReplaceAll(text, `"`, ""), maxSnippet)
}
