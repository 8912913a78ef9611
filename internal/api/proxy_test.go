package api

import (
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"testing"

	"github.com/tidemark-metrics/tidemark/internal/api/rest"
)

// from is a request of a peer, with X-Forwarded-For and X-Forwarded-Proto.
func from(peer, proto string, forwarded ...string) *http.Request {
	r := httptest.NewRequest("GET", "/", nil)
	r.RemoteAddr = peer
	for _, f := range forwarded {
		r.Header.Add("X-Forwarded-For", f)
	}
	if proto != "" {
		r.Header.Set("X-Forwarded-Proto", proto)
	}
	return r
}

// TestAddress: only what trusted proxies say counts, and of that only the last
// address that is not one of theirs.
func TestAddress(t *testing.T) {
	w := newWorld(t)
	w.TrustedProxies = []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8"), netip.MustParsePrefix("2001:db8:f::/48")}
	tests := []struct {
		name string
		r    *http.Request
		want string
	}{
		{"nobody in between", from("192.0.2.1:99", ""), "192.0.2.1"},
		{"a stranger who says so", from("192.0.2.1:99", "", "198.51.100.7"), "192.0.2.1"},
		{"a proxy", from("10.0.0.1:99", "", "198.51.100.7"), "198.51.100.7"},
		{"a proxy that says nothing", from("10.0.0.1:99", ""), "10.0.0.1"},
		{"what the client made up before", from("10.0.0.1:99", "", "203.0.113.9, 198.51.100.7"), "198.51.100.7"},
		{"in several headers", from("10.0.0.1:99", "", "203.0.113.9", "198.51.100.7", "10.2.3.4"), "198.51.100.7"},
		{"two proxies", from("10.0.0.1:99", "", "198.51.100.7, 10.0.0.2"), "198.51.100.7"},
		{"proxies only", from("10.0.0.1:99", "", "10.0.0.3, 10.0.0.2"), "10.0.0.3"},
		{"with a port", from("10.0.0.1:99", "", "198.51.100.7:4711"), "198.51.100.7"},
		{"IPv6", from("[2001:db8:f::1]:99", "", "[2001:db8::7]:4711"), "2001:db8::7"},
		{"IPv4 inside IPv6", from("[::ffff:10.0.0.1]:99", "", "::ffff:198.51.100.7"), "198.51.100.7"},
		{"nonsense", from("10.0.0.1:99", "", "198.51.100.7, unknown"), "10.0.0.1"},
		{"a socket", from("@", "", "198.51.100.7"), "@"},
	}
	for _, tt := range tests {
		if got := w.Address(tt.r); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}

// TestSecureBehindProxy: the cookie is Secure where a trusted proxy says that
// the browser came by TLS.
func TestSecureBehindProxy(t *testing.T) {
	w := newWorld(t)
	w.TrustedProxies = []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8")}
	for _, tt := range []struct {
		r    *http.Request
		want bool
	}{
		{from("10.0.0.1:99", "https"), true},
		{from("10.0.0.1:99", "HTTPS, http"), true},
		{from("10.0.0.1:99", "http"), false},
		{from("10.0.0.1:99", ""), false},
		{from("192.0.2.1:99", "https"), false},
	} {
		rep := w.WithCookie(tt.r, rest.NoContent, "secret")
		if got := strings.Contains(rep.Header["Set-Cookie"], "Secure"); got != tt.want {
			t.Errorf("%s from %s: %s", tt.r.Header.Get("X-Forwarded-Proto"), tt.r.RemoteAddr, rep.Header["Set-Cookie"])
		}
	}
}

// TestOwnAddressBehindProxy: behind a proxy each client has its own limit on
// signing in, and its own address in the list of sessions.
func TestOwnAddressBehindProxy(t *testing.T) {
	w := ownWorld(t)
	w.stopClock()
	w.TrustedProxies = []netip.Prefix{netip.MustParsePrefix("192.0.2.1/32")} // httptest's peer
	good := pages["POST /ui/api/session"]
	w.tryOften(50, "203.0.113.9")
	if rec := w.ask("nobody", "POST", "/ui/api/session", good, "X-Forwarded-For", "203.0.113.9"); rec.Code != http.StatusTooManyRequests {
		t.Errorf("after 50 tries: %d %s", rec.Code, rec.Body)
	}
	rec := w.ask("nobody", "POST", "/ui/api/session", good, "X-Forwarded-For", "198.51.100.7")
	if rec.Code != http.StatusOK {
		t.Fatalf("somebody else: %d %s", rec.Code, rec.Body)
	}
	if rec := w.ask("Admin", "GET", "/ui/api/sessions", ""); !strings.Contains(rec.Body.String(), `"address":"198.51.100.7"`) {
		t.Errorf("sessions: %s", rec.Body)
	}
}

// TestMailLinks: the link in a mail begins with the public URL, whatever the
// request says its host is.
func TestMailLinks(t *testing.T) {
	w := ownWorld(t)
	mails := make(chan string, 2)
	w.SendMail = func(_, _, text string) { mails <- text }
	ask := func() {
		t.Helper()
		r := httptest.NewRequest("POST", "/ui/api/reset", strings.NewReader(pages["POST /ui/api/reset"]))
		r.Host = "attacker.example"
		rec := httptest.NewRecorder()
		w.ServeHTTP(rec, r)
		if rec.Code != http.StatusAccepted {
			t.Errorf("%d %s", rec.Code, rec.Body)
		}
	}
	ask()
	w.PublicURL = "https://metrics.example.org/"
	ask()
	if mail := <-mails; strings.Contains(mail, "attacker") || !strings.Contains(mail, " https://metrics.example.org/reset/") {
		t.Errorf("mail: %q", mail)
	}
	if len(mails) != 0 {
		t.Errorf("without a public URL there is a mail: %s", <-mails)
	}
}
