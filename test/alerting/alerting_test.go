package alerting

import (
	"errors"
	"fmt"
	"io"
	"mime"
	"mime/multipart"
	"net"
	"net/http"
	"net/http/httptest"
	"net/mail"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/emersion/go-smtp"
)

// watch makes a metric, a webhook and an alert on both.
func (s *server) watch(r *receiver, more string) {
	s.t.Helper()
	s.must("PUT", "/v1/metrics/cpu", `{"type":"gauge","attributes":{"display_units_short":"%"}}`)
	s.must("POST", "/v1/services", fmt.Sprintf(`{"type":"webhook","title":"hook","settings":{"url":"%s/hook"}}`, r.URL))
	s.must("POST", "/v1/alerts", `{"name":"cpu.high","services":[1`+more+`],`+cpuHigh+`}`)
}

const cpuHigh = `"conditions":[{"type":"above","metric_name":"cpu","threshold":90}]`

// TestTold is one incident, by webhook and by mail.
func TestTold(t *testing.T) {
	t.Parallel()
	post := newPostOffice(t)
	host, port, _ := net.SplitHostPort(post.addr)
	s := newServer(t, "TIDEMARK_SMTP_HOST="+host, "TIDEMARK_SMTP_PORT="+port, "TIDEMARK_SMTP_TLS=none", "TIDEMARK_SMTP_FROM=Tidemark <alerts@example.org>")
	r := newReceiver(t)
	s.must("PUT", "/v1/metrics/cpu", `{"type":"gauge","attributes":{"display_units_short":"%"}}`)
	s.must("POST", "/v1/services", `{"type":"mail","title":"ops","settings":{"addresses":"ops@example.org"}}`)
	s.must("POST", "/v1/services", fmt.Sprintf(`{"type":"webhook","title":"hook","settings":{"url":"%s/hook"}}`, r.URL))
	s.must("POST", "/v1/alerts", `{"name":"cpu.high","services":[1,2],"conditions":[{"type":"above","metric_name":"cpu","threshold":90}]}`)
	start := time.Now()
	s.measure(95.5)
	eventually(t, "the webhook to be notified", func() bool { return len(r.take()) == 1 })
	if took := time.Since(start); took > 5*time.Second {
		t.Logf("it took %v on this machine", took)
	}
	p := r.take()[0]
	if p.IncidentKey != "tidemark-1-1" || p.Clear != "" || p.Test || p.Violations["host=web-1"][0]["value"] != 95.5 {
		t.Errorf("notified %+v", p)
	}
	s.measure(20)
	eventually(t, "the webhook to be notified of the end", func() bool { return len(r.take()) == 2 })
	if p := r.take()[1]; p.IncidentKey != "tidemark-1-1" || p.Clear != "normal" {
		t.Errorf("notified %+v", p)
	}
	eventually(t, "two mails", func() bool { return len(post.take()) == 2 })
	fired, cleared := post.take()[0], post.take()[1]
	if !strings.Contains(fired.subject, "cpu.high has triggered!") || !strings.Contains(cleared.subject, "cpu.high has cleared") {
		t.Errorf("subjects %q and %q", fired.subject, cleared.subject)
	}
	for _, kind := range []string{"text/plain", "text/html", "image/png"} {
		if !strings.Contains(fired.parts, kind) {
			t.Errorf("the mail has no %s part: %s", kind, fired.parts)
		}
	}
	s.must("POST", "/v1/alerts/1/test", "")
	eventually(t, "a test", func() bool { got := r.take(); return len(got) == 3 && got[2].Test })
	if body := s.must("GET", "/v1/services/2/deliveries", ""); strings.Count(body, `"status":"delivered"`) != 3 {
		t.Errorf("deliveries: %s", body)
	}
}

// TestKilledBeforeDelivery kills the server when an alert has fired and its
// webhook has refused to hear of it.
func TestKilledBeforeDelivery(t *testing.T) {
	t.Parallel()
	s, r := newServer(t), newReceiver(t)
	s.watch(r, "")
	r.answer(http.StatusServiceUnavailable)
	s.measure(95)
	eventually(t, "a first try", func() bool { return r.tried() > 0 })
	s.kill()
	r.answer(http.StatusOK)
	if n := len(r.take()); n != 0 {
		t.Fatalf("notified %d times already", n)
	}
	s.start()
	eventually(t, "the next process to tell", func() bool { return len(r.take()) > 0 })
	if p := r.take()[0]; p.IncidentKey != "tidemark-1-1" {
		t.Errorf("notified %+v", p)
	}
	s.measure(10)
	eventually(t, "the clear", func() bool { got := r.take(); return got[len(got)-1].Clear == "normal" })
	for _, p := range r.take() {
		if p.IncidentKey != "tidemark-1-1" {
			t.Errorf("notified of another incident: %+v", p)
		}
	}
}

// TestKilledAtAnyMoment kills the server at some moment after a measurement
// was acknowledged that makes an alert fire, again and again. Whenever that
// is, the webhook is notified of the incident; what is sent twice carries the same key.
func TestKilledAtAnyMoment(t *testing.T) {
	t.Parallel()
	s, r := newServer(t), newReceiver(t)
	s.watch(r, "")
	notified := map[notification]bool{} // in rounds before: what a crash left half done is sent again half a minute later
	for round, pause := range []time.Duration{0, 3, 30, 300, 450, 520, 600, 900} {
		s.measure(95)
		time.Sleep(pause * time.Millisecond) // the moment of the crash, not a wait for anything
		s.kill()
		s.start()
		var key string
		eventually(t, fmt.Sprintf("the trigger of round %d", round), func() bool {
			for _, p := range r.takeNew(notified) {
				if p.Clear == "" {
					key = p.IncidentKey
				}
			}
			return key != ""
		})
		s.measure(10)
		eventually(t, fmt.Sprintf("the clear of round %d", round), func() bool {
			got := r.takeNew(notified)
			return len(got) > 0 && got[len(got)-1].Clear == "normal"
		})
		for _, p := range r.takeNew(notified) {
			if p.IncidentKey != key {
				t.Errorf("round %d: notified of %s and of %s", round, key, p.IncidentKey)
			}
			notified[p.notification()] = true
		}
	}
}

// postOffice is a mail server on this machine.
type postOffice struct {
	addr string
	mu   sync.Mutex
	got  []letter
}

type letter struct{ subject, parts string }

func newPostOffice(t *testing.T) *postOffice {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	p := &postOffice{addr: l.Addr().String()}
	srv := smtp.NewServer(p)
	srv.Domain = "localhost"
	go func() { _ = srv.Serve(l) }()
	t.Cleanup(func() { srv.Close() })
	return p
}

func (p *postOffice) take() []letter {
	p.mu.Lock()
	defer p.mu.Unlock()
	return append([]letter{}, p.got...)
}

// NewSession is for package smtp.
func (p *postOffice) NewSession(*smtp.Conn) (smtp.Session, error) { return &visit{p}, nil }

// visit is one connection of a sender.
type visit struct{ office *postOffice }

func (*visit) Mail(string, *smtp.MailOptions) error { return nil }
func (*visit) Rcpt(string, *smtp.RcptOptions) error { return nil }
func (*visit) Reset()                               {}
func (*visit) Logout() error                        { return nil }

func (v *visit) Data(r io.Reader) error {
	m, err := mail.ReadMessage(r)
	if err != nil {
		return err
	}
	subject, err := new(mime.WordDecoder).DecodeHeader(m.Header.Get("Subject"))
	if err != nil {
		return err
	}
	parts, err := kinds(m.Header.Get("Content-Type"), m.Body)
	if err != nil {
		return err
	}
	v.office.mu.Lock()
	defer v.office.mu.Unlock()
	v.office.got = append(v.office.got, letter{subject, parts})
	return nil
}

// kinds lists the content types in a message, at any depth.
func kinds(contentType string, body io.Reader) (string, error) {
	kind, params, err := mime.ParseMediaType(contentType)
	if err != nil || !strings.HasPrefix(kind, "multipart/") {
		return kind, err
	}
	all := kind
	for parts := multipart.NewReader(body, params["boundary"]); ; {
		part, err := parts.NextPart()
		if errors.Is(err, io.EOF) {
			return all, nil
		}
		if err != nil {
			return all, err
		}
		below, err := kinds(part.Header.Get("Content-Type"), part)
		if err != nil {
			return all, err
		}
		all += " " + below
	}
}

// TestEndedByHand deletes an alert that fires, and switches one off: what is
// open elsewhere must be closed.
func TestEndedByHand(t *testing.T) {
	t.Parallel()
	for name, end := range map[string]func(*server){
		"deleted": func(s *server) { s.must("DELETE", "/v1/alerts/1", "") },
		"switched off": func(s *server) {
			s.must("PUT", "/v1/alerts/1", `{"name":"cpu.high","active":false,"services":[1],`+cpuHigh+`}`)
		},
	} {
		t.Run(name, func(t *testing.T) {
			s, r := newServer(t), newReceiver(t)
			s.watch(r, "")
			s.measure(95)
			eventually(t, "the webhook to be notified", func() bool { return len(r.take()) == 1 })
			end(s)
			eventually(t, "the webhook to be notified of the end", func() bool { return len(r.take()) == 2 })
			if p := r.take()[1]; p.IncidentKey != "tidemark-1-1" || p.Clear != "normal" {
				t.Errorf("notified %+v", p)
			}
		})
	}
}

// TestRateLimited: a receiver that takes one request a second is sent all that
// fires at once, and no notification counts what it was refused as a try.
func TestRateLimited(t *testing.T) {
	t.Parallel()
	var mu sync.Mutex
	var last time.Time
	taken := 0
	r := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		if now := time.Now(); now.Sub(last) >= time.Second {
			last, taken = now, taken+1
			return
		}
		w.Header().Set("Retry-After", "1")
		w.WriteHeader(http.StatusTooManyRequests)
	}))
	defer r.Close()
	s := newServer(t)
	s.must("PUT", "/v1/metrics/cpu", `{"type":"gauge"}`)
	s.must("POST", "/v1/services", fmt.Sprintf(`{"type":"webhook","title":"hook","settings":{"url":"%s/hook"}}`, r.URL))
	const alerts = 6
	for i := range alerts {
		s.must("POST", "/v1/alerts", fmt.Sprintf(`{"name":"cpu.high.%d","services":[1],%s}`, i, cpuHigh))
	}
	s.measure(95)
	delivered := ""
	eventually(t, "all notifications to be taken", func() bool {
		delivered = s.must("GET", "/v1/services/1/deliveries", "")
		return strings.Count(delivered, `"status":"delivered"`) == alerts
	})
	mu.Lock()
	defer mu.Unlock()
	if strings.Count(delivered, `"tries":1,`) != alerts || !strings.Contains(delivered, "429 Too Many Requests") || taken != alerts {
		t.Errorf("%d were taken: %s", taken, delivered)
	}
}

// TestFirstIsATrigger: what fires while its alert is snoozed is no reminder to
// those who hear of it when the snooze is over.
func TestFirstIsATrigger(t *testing.T) {
	t.Parallel()
	var mu sync.Mutex
	var got []string
	r := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, req *http.Request) {
		body, _ := io.ReadAll(req.Body)
		mu.Lock()
		defer mu.Unlock()
		got = append(got, string(body))
	}))
	defer r.Close()
	s := newServer(t)
	s.must("PUT", "/v1/metrics/cpu", `{"type":"gauge"}`)
	s.must("POST", "/v1/services", fmt.Sprintf(`{"type":"webhook_json","title":"hook","settings":{"url":"%s/hook"}}`, r.URL))
	s.must("POST", "/v1/alerts", `{"name":"cpu.high","services":[1],`+cpuHigh+`}`)
	s.must("POST", "/v1/alerts/1/snooze", `{}`)
	s.measure(95)
	eventually(t, "the alert to fire", func() bool { return strings.Contains(s.must("GET", "/v1/alerts/1/status", ""), "triggered") })
	s.must("DELETE", "/v1/alerts/1/snooze", "")
	eventually(t, "the webhook to be notified", func() bool {
		mu.Lock()
		defer mu.Unlock()
		return len(got) > 0
	})
	mu.Lock()
	defer mu.Unlock()
	for _, want := range []string{`"state":"triggered"`, `"repeat":false`, `"dedup_key":"tidemark-1-1-trigger-`} {
		if !strings.Contains(got[0], want) {
			t.Errorf("no %s in %s", want, got[0])
		}
	}
}

// TestLateClear: the end of an incident that could not be delivered does not
// come after the alert has fired again.
func TestLateClear(t *testing.T) {
	t.Parallel()
	s, r := newServer(t), newReceiver(t)
	s.watch(r, "")
	s.measure(95)
	eventually(t, "the webhook to be notified", func() bool { return len(r.take()) == 1 })
	r.answer(http.StatusServiceUnavailable)
	s.measure(20)
	eventually(t, "the webhook to refuse the end", func() bool { return r.tried() > 1 })
	s.measure(95)
	eventually(t, "the end to be superseded", func() bool {
		return strings.Contains(s.must("GET", "/v1/services/1/deliveries", ""), `"status":"superseded"`)
	})
	r.answer(http.StatusOK)
	eventually(t, "the webhook to be notified of the next incident", func() bool { return len(r.take()) == 2 })
	s.measure(20)
	eventually(t, "the webhook to be notified of the end", func() bool { return len(r.take()) == 3 })
	got := ""
	for _, p := range r.take() {
		got += p.IncidentKey + " " + p.Clear + ", "
	}
	if want := "tidemark-1-1 , tidemark-1-2 , tidemark-1-2 normal, "; got != want {
		t.Errorf("notified %s, want %s", got, want)
	}
}
