package people

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/api/apitest"
	"github.com/tidemark-metrics/tidemark/internal/api/rest"
	"github.com/tidemark-metrics/tidemark/internal/api/shared"
)

const rightPassword = "correct horse battery"

// signInAt signs Ann in from a browser that has a cookie, and returns the one it
// has then.
func signInAt(t *testing.T, c *apitest.Client, agent string, cookie *http.Cookie) *http.Cookie {
	t.Helper()
	headers := []string{"User-Agent", agent}
	if cookie != nil {
		headers = append(headers, "Cookie", cookie.Name+"="+cookie.Value)
	}
	rec := c.Ask("POST /ui/api/session", `{"email":"ann@example.org","password":"`+rightPassword+`"}`, headers...)
	for _, got := range rec.Result().Cookies() {
		if strings.HasSuffix(got.Name, "tidemark_browser") {
			if !got.HttpOnly || !got.Secure || got.SameSite != http.SameSiteLaxMode || got.MaxAge < 300*shared.DaySeconds || !strings.HasPrefix(got.Name, "__Host-") {
				t.Errorf("the cookie is %v", got)
			}
			return got
		}
	}
	t.Fatalf("%d %s, without a cookie for the browser", rec.Code, rec.Body)
	return nil
}

// TestNewBrowserMail: a person is mailed about a sign-in from a browser that
// was not seen before, with a link that begins with the public URL; not about
// the first, not about one that is known, and not without end.
func TestNewBrowserMail(t *testing.T) {
	t.Parallel()
	mails := make(chan string, 20)
	w, s, c := newClient(t, func(o *shared.Options) {
		o.PublicURL, o.SendMail = "https://t.example/", func(to, subject, text string) { mails <- to + "\n" + subject + "\n" + text }
	})
	settle := func() { // what is under way is over when all places are free
		for range cap(s.Under) {
			s.Under <- struct{}{}
		}
		for range cap(s.Under) {
			<-s.Under
		}
	}
	withPassword(t, w, c, rightPassword)
	const firefox = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"
	phone := signInAt(t, c, firefox+" see https://evil.example", nil) // after the one of the account's first session
	settle()
	if len(mails) != 1 {
		t.Fatalf("%d mails", len(mails))
	}
	mail := <-mails
	if !strings.HasPrefix(mail, "ann@example.org\nSign-in from a new browser\n") || !strings.Contains(mail, "https://t.example/settings/sessions") ||
		!strings.Contains(mail, "Browser: Firefox on Linux\n") || !strings.Contains(mail, "Address: 192.0.2.1\n") || strings.Contains(mail, "evil") {
		t.Errorf("%s", mail)
	}
	if again := signInAt(t, c, firefox, phone); again.Value != phone.Value {
		t.Error("a browser that is known gets another cookie")
	}
	settle()
	if len(mails) != 0 {
		t.Errorf("a browser that is known: %s", <-mails)
	}
	if odd := signInAt(t, c, "", &http.Cookie{Name: phone.Name, Value: "short"}); odd.Value == "short" {
		t.Error("a cookie that is not ours is kept")
	}
	for range 10 {
		signInAt(t, c, "curl/8", nil)
	}
	settle()
	if len(mails) != 4 { // with the first five in an hour
		t.Errorf("%d mails", len(mails))
	}
	log, err := w.Store.AuditLog(t.Context(), w.Org, tidemark.AuditQuery{Action: "session.open"})
	if err != nil || log[0].Detail["new_browser"] != true {
		t.Errorf("the audit log has %v, %v", log[0].Detail, err)
	}
}

// TestNoMailOfFirstBrowser: neither the first sign-in of an account nor any on
// a server without mail is told.
func TestNoMailOfFirstBrowser(t *testing.T) {
	t.Parallel()
	_, s, c := newClient(t, func(o *shared.Options) {
		o.PublicURL, o.SendMail = "https://t.example/", func(string, string, string) { t.Error("mailed") }
	})
	r, v := httptest.NewRequest("POST", "/ui/api/session", nil), &tidemark.Session{User: c.Who.User, Org: 1}
	s.withSignIn(r, rest.NoContent, "secret", v)
	s.SendMail, v.NewBrowser = nil, true
	s.withSignIn(r, rest.NoContent, "secret", v)
	for range cap(s.Under) {
		s.Under <- struct{}{}
	}
}

// TestBrowserNames: browsers are called what people call them, and by nothing
// that they could choose themselves.
func TestBrowserNames(t *testing.T) {
	t.Parallel()
	for agent, want := range map[string]string{
		"Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36 Edg/140.0":        "Edge on Windows",
		"Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Safari/605.1.15":            "Safari on macOS",
		"Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile Safari/604.1": "Safari on iOS",
		"Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Mobile Safari/537.36":                         "Chrome on Android",
		"Firefox/1": "Firefox", "curl/8": "not a browser that Tidemark knows", "": "not a browser that Tidemark knows",
	} {
		if got := browserName(agent); got != want {
			t.Errorf("%s is %q, want %q", agent, got, want)
		}
	}
}
