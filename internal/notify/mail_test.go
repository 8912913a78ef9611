package notify

import (
	"bytes"
	"context"
	"errors"
	"io"
	"mime"
	"mime/multipart"
	"mime/quotedprintable"
	"net"
	"net/mail"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/emersion/go-smtp"
	"github.com/google/go-cmp/cmp"

	"github.com/tidemark-metrics/tidemark"
)

func mailTo(t *testing.T, o Options, addresses, template string) *Notifier {
	t.Helper()
	s := &tidemark.Service{Type: "mail", Title: "x", Settings: map[string]string{"addresses": addresses, "template": template}}
	if err := s.Validate(); err != nil {
		t.Fatal(err)
	}
	made, err := New(s, o)
	if err != nil {
		t.Fatal(err)
	}
	return made
}

func TestMailWays(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, server, client, user string
		needAuth, login            bool
		wantTLS                    bool
		wantErr                    string
	}{
		{"required", TLSRequired, TLSRequired, "", false, false, true, ""},
		{"required is the default", TLSRequired, "", "", false, false, true, ""},
		{"required with a password", TLSRequired, TLSRequired, "me", true, false, true, ""},
		{"required, not offered", TLSNone, TLSRequired, "", false, false, false, "STARTTLS"},
		{"required with a password by LOGIN", TLSRequired, TLSRequired, "me", true, true, true, ""},
		{"opportunistic", TLSOpportunistic, TLSOpportunistic, "me", true, false, true, ""},
		{"opportunistic, not offered", TLSNone, TLSOpportunistic, "", false, false, false, ""},
		{"implicit", TLSImplicit, TLSImplicit, "", false, false, true, ""},
		{"implicit with a password", TLSImplicit, TLSImplicit, "me", true, false, true, ""},
		{"none", TLSNone, TLSNone, "", false, false, false, ""},
		{"none with a password", TLSNone, TLSNone, "me", true, false, false, "unencrypted"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			p := &postOffice{needAuth: tt.needAuth, login: tt.login}
			p.open(t, tt.server)
			result, err := mailTo(t, p.options(tt.client, tt.user), "a@example.org", "").Send(t.Context(), stories()["1 trigger"])
			if tt.wantErr != "" {
				if err == nil || !strings.Contains(err.Error(), tt.wantErr) || errors.Is(err, ErrPermanent) || len(p.letters) != 0 {
					t.Errorf("err = %v, want %q, worth a retry", err, tt.wantErr)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if len(p.letters) != 1 || p.letters[0].tls != tt.wantTLS || p.letters[0].user != tt.user {
				t.Errorf("%d letters: %+v", len(p.letters), p.letters)
			}
			if !strings.HasPrefix(result.Status, "250 ") {
				t.Errorf("status is %q", result.Status)
			}
		})
	}
}

func TestMailOutcome(t *testing.T) {
	t.Parallel()
	no := &smtp.SMTPError{Code: 550, EnhancedCode: smtp.EnhancedCode{5, 1, 1}, Message: "No such user here"}
	later := &smtp.SMTPError{Code: 451, EnhancedCode: smtp.EnhancedCode{4, 3, 0}, Message: "Greylisted"}
	tests := []struct {
		name      string
		office    postOffice
		to        string
		wantTo    string // who got it
		status    string
		permanent bool
	}{
		{"two", postOffice{}, "a@example.org,b@example.org", "a@example.org b@example.org", "250 ", false},
		{"unknown", postOffice{refuse: map[string]*smtp.SMTPError{"a@example.org": no}}, "a@example.org", "", "550 5.1.1 No such user here", true},
		{"greylisted", postOffice{refuse: map[string]*smtp.SMTPError{"a@example.org": later}}, "a@example.org", "", "451 4.3.0 Greylisted", false},
		{
			"one of two unknown", postOffice{refuse: map[string]*smtp.SMTPError{"a@example.org": no}},
			"a@example.org,b@example.org", "b@example.org", "1 of 2 addresses refused", false,
		},
		{
			"both unknown", postOffice{refuse: map[string]*smtp.SMTPError{"a@example.org": no, "b@example.org": no}},
			"a@example.org,b@example.org", "", "550", true,
		},
		{
			"one unknown, one later", postOffice{refuse: map[string]*smtp.SMTPError{"a@example.org": no, "b@example.org": later}},
			"a@example.org,b@example.org", "", "451", false,
		},
		{"message refused", postOffice{dataErr: &smtp.SMTPError{Code: 554, Message: "Spam"}}, "a@example.org", "", "554", true},
		{"full", postOffice{dataErr: &smtp.SMTPError{Code: 452, Message: "Disk full"}}, "a@example.org", "", "452", false},
	}
	for i := range tests {
		tt := &tests[i]
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			tt.office.open(t, TLSRequired)
			result, err := mailTo(t, tt.office.options(TLSRequired, ""), tt.to, "").Send(t.Context(), stories()["1 trigger"])
			var got []string
			for _, l := range tt.office.letters {
				got = append(got, l.to...)
			}
			if strings.Join(got, " ") != tt.wantTo || (err == nil) != (tt.wantTo != "") || errors.Is(err, ErrPermanent) != tt.permanent {
				t.Errorf("%v got it, err = %v", got, err)
			}
			if !strings.Contains(result.Status, tt.status) {
				t.Errorf("status is %q, want %q", result.Status, tt.status)
			}
		})
	}
}

func TestMailTroubleIsWorthARetry(t *testing.T) {
	t.Parallel()
	p := &postOffice{needAuth: true}
	p.open(t, TLSRequired)
	n := stories()["1 trigger"]
	wrong := p.options(TLSRequired, "me")
	wrong.Mail.Password = "s3cr3t-wrong"
	stranger := p.options(TLSRequired, "me")
	stranger.Mail.Config = nil
	nobody := p.options(TLSRequired, "")
	nobody.Dial = func(context.Context, string, string) (net.Conn, error) { return nil, errors.New("connection refused") }
	unset := p.options(TLSRequired, "")
	unset.Mail = Mail{}
	for name, o := range map[string]Options{
		"a wrong password": wrong, "an unknown certificate": stranger, "no connection": nobody, "no mail server": unset,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			result, err := mailTo(t, o, "a@example.org", "").Send(t.Context(), n)
			if err == nil || errors.Is(err, ErrPermanent) || strings.Contains(err.Error()+result.Status, hidden) {
				t.Errorf("%q, %v", result.Status, err)
			}
		})
	}
}

func TestMailIsCanceled(t *testing.T) {
	t.Parallel()
	p := &postOffice{hang: make(chan struct{})}
	p.open(t, TLSRequired)
	defer close(p.hang)
	ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
	defer cancel()
	_, err := mailTo(t, p.options(TLSRequired, ""), "a@example.org", "").Send(ctx, stories()["1 trigger"])
	if !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("err = %v", err)
	}
}

func TestMailContent(t *testing.T) {
	t.Parallel()
	p := &postOffice{}
	p.open(t, TLSRequired)
	subjects := map[string]string{
		"1 trigger": "[Tidemark] Alert prod.checkout.latency.high has triggered!", "2 reminder": "[Tidemark] Alert prod.checkout.latency.high has triggered!",
		"3 clear": "[Tidemark] Alert prod.checkout.latency.high has cleared.", "4 test": "[Tidemark] [Test] Alert prod.checkout.latency.high has triggered!",
		"5 escalation": "[Tidemark] Alert prod.checkout.latency.high has triggered!",
	}
	for name, n := range stories() {
		p.letters = nil
		if _, err := mailTo(t, p.options(TLSRequired, ""), "a@example.org, b@example.org", "").Send(t.Context(), n); err != nil {
			t.Fatal(err)
		}
		m := open(t, p.letters[0].raw)
		if m.header.Get("Subject") != subjects[name] {
			t.Errorf("%s: subject is %q", name, m.header.Get("Subject"))
		}
		for key, want := range map[string]string{
			"From": `"Tidemark" <tidemark@example.org>`, "To": "<a@example.org>, <b@example.org>", "Message-Id": "<" + n.DedupKey + "@example.org>",
			"References": "<tidemark-4711-88@example.org>", "Auto-Submitted": "auto-generated", "Date": "Tue, 14 Nov 2023 22:21:10 +0000",
		} {
			if got := m.header.Get(key); got != want {
				t.Errorf("%s: %s is %q, want %q", name, key, got, want)
			}
		}
		n = n.complete("https://tidemark.example.org")
		if diff := cmp.Diff(strings.TrimSpace(n.text()), strings.TrimSpace(m.text)); diff != "" {
			t.Errorf("%s: text differs:\n%s", name, diff)
		}
		if pictured := name == "1 trigger" || name == "2 reminder" || name == "5 escalation"; pictured != (len(m.png) > 0) || pictured != strings.Contains(m.html, "cid:chart@tidemark") {
			t.Errorf("%s: %d bytes of picture", name, len(m.png))
		}
		if len(m.png) > 0 && m.cid != "<"+pictureCID+">" {
			t.Errorf("%s: the picture is called %q", name, m.cid)
		}
		for _, want := range []string{"prod.checkout.latency.high", "https://tidemark.example.org/o/7/alerts/4711", "&lt;customers&gt;"} {
			if !strings.Contains(m.html, want) {
				t.Errorf("%s: the HTML lacks %q", name, want)
			}
		}
		golden(t, "mail_"+name[2:], []byte(m.text+"\n=== html\n"+m.html))
	}
}

func TestManyMailsAtOnce(t *testing.T) {
	t.Parallel()
	p := &postOffice{}
	p.open(t, TLSRequired)
	s := mailTo(t, p.options(TLSRequired, ""), "a@example.org", "{{.title}}")
	var wg sync.WaitGroup
	for _, n := range stories() {
		wg.Go(func() {
			if _, err := s.Send(t.Context(), n); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.letters) != len(stories()) {
		t.Errorf("%d letters", len(p.letters))
	}
}

func TestMailTemplate(t *testing.T) {
	t.Parallel()
	p := &postOffice{}
	p.open(t, TLSRequired)
	s := mailTo(t, p.options(TLSRequired, ""), "a@example.org", "Hello <b>{{.alert.name}}</b>")
	if _, err := s.Send(t.Context(), stories()["1 trigger"]); err != nil {
		t.Fatal(err)
	}
	m := open(t, p.letters[0].raw)
	if strings.TrimSpace(m.text) != "Hello <b>prod.checkout.latency.high</b>" || !strings.Contains(m.html, "Hello &lt;b&gt;prod.checkout.latency.high&lt;/b&gt;") {
		t.Errorf("%q, %s", m.text, m.html)
	}
}

func TestSendMail(t *testing.T) {
	t.Parallel()
	p := &postOffice{}
	p.open(t, TLSRequired)
	l := Letter{To: "a@example.org", Subject: "Set your password", Text: "Follow https://tidemark.example.org/reset/abc", Key: "reset-1"}
	if err := SendMail(t.Context(), p.options(TLSRequired, ""), l); err != nil {
		t.Fatal(err)
	}
	m := open(t, p.letters[0].raw)
	if m.header.Get("Subject") != "[Tidemark] Set your password" || strings.TrimSpace(m.text) != l.Text || m.html != "" {
		t.Errorf("%v %q %q", m.header, m.text, m.html)
	}
	if m.header.Get("Message-Id") != "<reset-1@example.org>" || m.header.Get("References") != "" {
		t.Errorf("header is %v", m.header)
	}
	l.Key = ""
	for range 2 {
		if err := SendMail(t.Context(), p.options(TLSRequired, ""), l); err != nil {
			t.Fatal(err)
		}
	}
	if a, b := open(t, p.letters[1].raw), open(t, p.letters[2].raw); a.header.Get("Message-Id") == b.header.Get("Message-Id") {
		t.Errorf("two letters are one: %s", a.header.Get("Message-Id"))
	}
	if err := SendMail(t.Context(), Options{}, l); err == nil || errors.Is(err, ErrPermanent) {
		t.Errorf("without a mail server: %v", err)
	}
	l.To = "nobody"
	if err := SendMail(t.Context(), p.options(TLSRequired, ""), l); !errors.Is(err, ErrPermanent) {
		t.Errorf("to nobody: %v", err)
	}
}

// TestMailHeadersCannotBeForged tries to end a header in an alert's name.
func TestMailHeadersCannotBeForged(t *testing.T) {
	t.Parallel()
	p := &postOffice{}
	p.open(t, TLSRequired)
	n := stories()["1 trigger"]
	n.Alert.Name = "x\r\nBcc: other@example.org\r\n\r\nbody"
	n.DedupKey = "a>\r\nX: y"
	if _, err := mailTo(t, p.options(TLSRequired, ""), "a@example.org", "").Send(t.Context(), n); err != nil {
		t.Fatal(err)
	}
	m := open(t, p.letters[0].raw)
	if m.header.Get("Bcc") != "" || m.header.Get("X") != "" || m.header.Get("Subject") != "[Tidemark] Alert x Bcc: other@example.org body has triggered!" {
		t.Errorf("header is %v", m.header)
	}
}

type openedMail struct {
	header     mail.Header
	text, html string
	png        []byte
	cid        string // of the picture
}

// open takes a mail apart.
func open(t *testing.T, raw []byte) openedMail {
	t.Helper()
	m, err := mail.ReadMessage(bytes.NewReader(raw))
	if err != nil {
		t.Fatal(err)
	}
	out := openedMail{header: m.Header}
	walk(t, m.Header.Get("Content-Type"), m.Header.Get("Content-Transfer-Encoding"), m.Body, &out)
	return out
}

func walk(t *testing.T, contentType, encoding string, body io.Reader, out *openedMail) {
	t.Helper()
	kind, params, err := mime.ParseMediaType(contentType)
	if err != nil {
		t.Fatal(err)
	}
	if strings.HasPrefix(kind, "multipart/") {
		parts := multipart.NewReader(body, params["boundary"])
		for {
			p, err := parts.NextRawPart()
			if err == io.EOF {
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if cid := p.Header.Get("Content-Id"); cid != "" {
				out.cid = cid
			}
			walk(t, p.Header.Get("Content-Type"), p.Header.Get("Content-Transfer-Encoding"), p, out)
		}
	}
	if encoding == "quoted-printable" {
		body = quotedprintable.NewReader(body)
	}
	content, err := io.ReadAll(body)
	if err != nil {
		t.Fatal(err)
	}
	text := strings.ReplaceAll(string(content), "\r\n", "\n")
	switch kind {
	case "text/plain":
		out.text = text
	case "text/html":
		out.html = text
	case "image/png":
		out.png = content
	default:
		t.Fatalf("a part of type %q", kind)
	}
}
