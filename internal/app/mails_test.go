package app

import (
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/cookiejar"
	"path"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/emersion/go-smtp"

	"github.com/tidemark-metrics/tidemark/internal/config"
)

// postOffice is a mail server that counts recipients.
type postOffice struct{ recipients atomic.Int64 }

func (p *postOffice) open(t *testing.T) (port string) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	srv := smtp.NewServer(p)
	t.Cleanup(func() { srv.Close() })
	go func() { _ = srv.Serve(l) }()
	return strconv.Itoa(l.Addr().(*net.TCPAddr).Port)
}

// NewSession is for package smtp.
func (p *postOffice) NewSession(*smtp.Conn) (smtp.Session, error) { return visit{p}, nil }

type visit struct{ *postOffice }

func (visit) Reset()                                 {}
func (visit) Logout() error                          { return nil }
func (visit) Mail(string, *smtp.MailOptions) error   { return nil }
func (visit) Data(r io.Reader) error                 { _, err := io.Copy(io.Discard, r); return err }
func (v visit) Rcpt(string, *smtp.RcptOptions) error { v.recipients.Add(1); return nil }

// mailing are the settings of a server that mails, within a limit.
func mailing(t *testing.T, port, limit, value string) *config.Config {
	t.Helper()
	cfg := settings(t, map[string]string{
		"bootstrap_token": bootstrap, "public_url": "http://tidemark.example.org", "smtp.host": "127.0.0.1", "smtp.port": port, "smtp.from": "tidemark@example.org", "smtp.tls": "none", "limits." + limit: value,
	})
	cfg.PublicURL = "" // the server is asked at its own address
	return cfg
}

// made sends a request and returns the id of what was made.
func (s *server) made(t *testing.T, path, body string) (id int64) {
	t.Helper()
	status, text := s.ask(t, http.MethodPost, path, body, "Content-Type", "application/json")
	var one struct{ ID int64 }
	if err := json.Unmarshal([]byte(text), &one); err != nil || status != http.StatusCreated || one.ID == 0 {
		t.Fatalf("%s: %d %s", path, status, text)
	}
	return one.ID
}

// record records a measurement that alerts of these tests are about.
func (s *server) record(t *testing.T) {
	t.Helper()
	if status, text := s.ask(t, http.MethodPost, "/v1/measurements", `{"measurements":[{"name":"m","value":5}]}`); status != http.StatusAccepted {
		t.Fatalf("%d %s", status, text)
	}
}

// owner makes the owner of the first organization, who is signed in with the
// client that is returned.
func (s *server) owner(t *testing.T) *http.Client {
	t.Helper()
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	c := &http.Client{Jar: jar}
	body := `{"org_name":"Harbour","email":"owner@example.org","password":"correct horse battery"}`
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, s.URL+"/ui/api/setup/"+path.Base(s.Setup), strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	res, err := c.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	if res.StatusCode/100 != 2 {
		t.Fatalf("%s: %s", s.Setup, res.Status)
	}
	return c
}

func mailTo(n int) string {
	to := make([]string, n)
	for i := range to {
		to[i] = fmt.Sprintf("a%d@example.org", i)
	}
	return fmt.Sprintf(`{"type":"mail","title":"mail to %d","settings":{"addresses":%q}}`, n, strings.Join(to, ","))
}

// TestTestsAreNoMailbomb: whoever presses "Send test" again and again mails
// nobody more than once in ten seconds, nor more than the limits let, and reads
// when the next may be sent.
func TestTestsAreNoMailbomb(t *testing.T) {
	t.Parallel()
	office := &postOffice{}
	s := start(t, mailing(t, office.open(t), "test_mails", "5"))
	defer s.end(t)
	first, second := s.made(t, "/v1/services", mailTo(3)), s.made(t, "/v1/services", mailTo(4))
	person := s.owner(t)
	test := func(to, body string, want int, says string) {
		t.Helper()
		r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, s.URL+to, strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		client := person
		if strings.HasPrefix(to, "/v1/") {
			r.SetBasicAuth("token", bootstrap)
			client = http.DefaultClient
		}
		r.Header.Set("Content-Type", "application/json")
		res, err := client.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		defer res.Body.Close()
		text, err := io.ReadAll(res.Body)
		if err != nil || res.StatusCode != want || !strings.Contains(string(text), says) {
			t.Errorf("%s: %d %s %v", to, res.StatusCode, text, err)
		}
		if after, err := strconv.Atoi(res.Header.Get("Retry-After")); want == http.StatusTooManyRequests && (err != nil || after < 1 || after > 3600) {
			t.Errorf("%s: Retry-After %q", to, res.Header.Get("Retry-After"))
		}
	}
	one := fmt.Sprintf("/ui/api/services/%d/test", first)
	test(one, "", http.StatusOK, `"ok":true`)
	test(one, "", http.StatusTooManyRequests, `service \"mail to 3\" was sent a test just now: one in 10 seconds, the next in `)
	s.record(t)
	alert := s.made(t, "/v1/alerts", fmt.Sprintf(`{"name":"high","services":[%d],"conditions":[{"type":"above","metric_name":"m","threshold":1}]}`, first))
	test(fmt.Sprintf("/v1/alerts/%d/test", alert), "", http.StatusTooManyRequests, "one in 10 seconds")
	test(fmt.Sprintf("/ui/api/services/%d/test", second), "", http.StatusTooManyRequests, "the limit test_mails is reached: 5 mails of tests of a person an hour")
	test("/ui/api/services/test", mailTo(2), http.StatusOK, `"ok":true`)
	test("/ui/api/services/test", mailTo(1), http.StatusTooManyRequests, "one in 10 seconds")
	if n := office.recipients.Load(); n != 3+2 {
		t.Errorf("%d were mailed", n)
	}
}

// TestPagesBeyondTheLimit: a notification that is over the limit of mails waits,
// with the reason in its log, and is delivered once the operator raises it.
func TestPagesBeyondTheLimit(t *testing.T) {
	t.Parallel()
	office := &postOffice{}
	port := office.open(t)
	narrow, wide := mailing(t, port, "mails", "4"), mailing(t, port, "mails", "100")
	wide.Data = narrow.Data
	s := start(t, narrow)
	defer func() { s.end(t) }()
	first, second := s.made(t, "/v1/services", mailTo(3)), s.made(t, "/v1/services", mailTo(2))
	s.record(t)
	alert := s.made(t, "/v1/alerts", fmt.Sprintf(`{"name":"high","services":[%d,%d],"conditions":[{"type":"above","metric_name":"m","threshold":1}]}`, first, second))
	s.record(t)
	type delivery struct {
		ID       int64
		Status   string
		Attempts []struct{ Answer string }
	}
	until := func(fits func([]delivery) bool) []delivery {
		t.Helper()
		var text string
		for end := time.Now().Add(time.Minute); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
			_, text = s.ask(t, http.MethodGet, fmt.Sprintf("/v1/alerts/%d/deliveries", alert), "")
			var list struct{ Deliveries []delivery }
			if err := json.Unmarshal([]byte(text), &list); err != nil {
				t.Fatal(err)
			}
			if fits(list.Deliveries) {
				return list.Deliveries
			}
		}
		t.Fatalf("deliveries: %s", text)
		return nil
	}
	one := func(list []delivery, status string) (found []delivery) {
		for _, d := range list {
			if d.Status == status {
				found = append(found, d)
			}
		}
		return found
	}
	// Which of the two comes first is nobody's promise.
	waits := one(until(func(list []delivery) bool {
		waiting := one(list, "waiting")
		return len(one(list, "delivered")) == 1 && len(waiting) == 1 && len(waiting[0].Attempts) > 0
	}), "waiting")[0]
	if answer := waits.Attempts[0].Answer; !strings.Contains(answer, "the limit mails is reached: 4 mails to services an hour") || !strings.Contains(answer, "mails leave again in ") {
		t.Errorf("the log says %q", answer)
	}
	if n := office.recipients.Load(); n > 3 {
		t.Errorf("%d were mailed", n)
	}
	s.end(t)
	s = start(t, wide)
	if status, text := s.ask(t, http.MethodPost, fmt.Sprintf("/v1/deliveries/%d/retry", waits.ID), ""); status >= 300 {
		t.Fatalf("%d %s", status, text)
	}
	until(func(list []delivery) bool { return len(one(list, "delivered")) == 2 })
	if n := office.recipients.Load(); n != 3+2 {
		t.Errorf("%d were mailed", n)
	}
}
