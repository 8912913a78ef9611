package rest_test

import (
	"bytes"
	"crypto/tls"
	"log/slog"
	"net/http/httptest"
	"net/netip"
	"strings"
	"testing"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/api/apitest"
	"github.com/tidemark-metrics/tidemark/internal/api/rest"
)

// behindProxies is a site whose operator named proxies.
func behindProxies() (*rest.Site, *bytes.Buffer) {
	log := &bytes.Buffer{}
	return &rest.Site{
		Logger:         slog.New(slog.NewTextHandler(log, nil)),
		TrustedProxies: []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8"), netip.MustParsePrefix("fd00::/8")},
	}, log
}

// TestAddresses: what proxies report is believed from the end, as far as they
// are trusted; what a client puts before that is its own invention.
func TestAddresses(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		peer      string
		forwarded []string
		want      string
	}{
		{"192.0.2.1:1000", nil, "192.0.2.1"},
		{"10.0.0.1:1000", nil, "10.0.0.1"},
		{"192.0.2.1:1000", []string{"198.51.100.7"}, "192.0.2.1"}, // nobody's proxy
		{"10.0.0.1:1000", []string{"198.51.100.7"}, "198.51.100.7"},
		{"10.0.0.1:1000", []string{"1.1.1.1, 198.51.100.7"}, "198.51.100.7"},
		{"10.0.0.1:1000", []string{"1.1.1.1", "198.51.100.7", "10.0.0.2"}, "198.51.100.7"},
		{"10.0.0.1:1000", []string{"10.0.0.3,10.0.0.2"}, "10.0.0.3"},
		{"10.0.0.1:1000", []string{"198.51.100.7:4711"}, "198.51.100.7"},
		{"10.0.0.1:1000", []string{"[2001:db8::7]:4711"}, "2001:db8::7"},
		{"10.0.0.1:1000", []string{"[2001:db8::7]"}, "2001:db8::7"},
		{"10.0.0.1:1000", []string{"2001:db8::7%eth0"}, "2001:db8::7"},
		{"10.0.0.1:1000", []string{"unknown"}, "10.0.0.1"},
		{"10.0.0.1:1000", []string{"198.51.100.7, unknown, 10.0.0.2"}, "10.0.0.2"},
		{"10.0.0.1:1000", []string{""}, "10.0.0.1"},
		{"[::ffff:10.0.0.1]:1000", []string{"::ffff:198.51.100.7"}, "198.51.100.7"},
		{"[fd00::1]:1000", []string{"198.51.100.7"}, "198.51.100.7"},
		{"@", []string{"198.51.100.7"}, "@"}, // a socket
	} {
		s, _ := behindProxies()
		r := httptest.NewRequest("GET", "/", nil)
		r.RemoteAddr = c.peer
		r.Header["X-Forwarded-For"] = c.forwarded
		if got := s.Address(r); got != c.want {
			t.Errorf("%s via %q is %s, want %s", c.peer, c.forwarded, got, c.want)
		}
	}
}

// TestUnnamedProxies: a proxy that the settings do not name is warned of, once.
func TestUnnamedProxies(t *testing.T) {
	t.Parallel()
	s, log := behindProxies()
	r := httptest.NewRequest("GET", "/", nil)
	r.RemoteAddr = "192.0.2.1:1000"
	if s.Address(r); log.Len() != 0 {
		t.Errorf("a client is warned of: %s", log)
	}
	r.Header.Set("X-Forwarded-For", "198.51.100.7")
	for range 3 {
		s.Address(r)
	}
	if text := log.String(); strings.Count(text, "\n") != 1 || !strings.Contains(text, "sender=192.0.2.1") || !strings.Contains(text, "trusted_proxies") {
		t.Errorf("logged %q", text)
	}
}

// TestBaseURLs: links begin with the public URL or, without one, with what the
// client reached: by TLS where it ends here or a trusted proxy says so.
func TestBaseURLs(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, public, peer, proto string
		tls                       bool
		want                      string
	}{
		{"plain", "", "192.0.2.1:1", "", false, "http://example.com"},
		{"TLS", "", "192.0.2.1:1", "", true, "https://example.com"},
		{"a proxy says so", "", "10.0.0.1:1", "https", false, "https://example.com"},
		{"in capitals", "", "10.0.0.1:1", " HTTPS , http", false, "https://example.com"},
		{"the client came by http", "", "10.0.0.1:1", "http,https", false, "http://example.com"},
		{"anybody says so", "", "192.0.2.1:1", "https", false, "http://example.com"},
		{"no address", "", "@", "https", false, "http://example.com"},
		{"public", "https://t.example/", "192.0.2.1:1", "", false, "https://t.example"},
		{"public with a path", "https://t.example/tidemark/", "192.0.2.1:1", "", false, "https://t.example/tidemark"},
		{"public over http", "http://t.example", "192.0.2.1:1", "https", true, "http://t.example"},
	} {
		s, _ := behindProxies()
		s.PublicURL = c.public
		r := httptest.NewRequest("GET", "/v1/a", nil)
		r.RemoteAddr = c.peer
		r.Header.Set("X-Forwarded-Proto", c.proto)
		if c.tls {
			r.TLS = &tls.ConnectionState{}
		}
		if got := s.BaseURL(r); got != c.want || s.OverTLS(r) != strings.HasPrefix(c.want, "https:") {
			t.Errorf("%s: %s, over TLS %v, want %s", c.name, got, s.OverTLS(r), c.want)
		}
	}
}

// TestCookies: a session's cookie is for this site and no script, and goes over
// TLS alone where browsers reach the server so; an empty one ends it.
func TestCookies(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		public string
		secret tidemark.Secret
		want   string
	}{
		{"https://t.example", "s3cret", "__Host-tidemark_session=s3cret; Path=/; Max-Age=2592000; HttpOnly; Secure; SameSite=Lax"},
		{"http://t.example", "s3cret", "tidemark_session=s3cret; Path=/; Max-Age=2592000; HttpOnly; SameSite=Lax"},
		{"https://t.example", "", "__Host-tidemark_session=; Path=/; Max-Age=0; HttpOnly; Secure; SameSite=Lax"},
	} {
		s := &rest.Site{PublicURL: c.public}
		rep := s.WithCookie(httptest.NewRequest("POST", "/", nil), rest.Reply{Status: 200, Header: map[string]string{"X-Other": "kept"}}, c.secret)
		if rep.Header["Set-Cookie"] != c.want || rep.Header["X-Other"] != "kept" {
			t.Errorf("%s %q: %v, want %s", c.public, c.secret, rep.Header, c.want)
		}
	}
	if (&rest.Site{}).WithCookie(httptest.NewRequest("POST", "/", nil), rest.NoContent, "s"); rest.NoContent.Header != nil {
		t.Error("the cookie of one answer is in that of all")
	}
}

// TestSameSite: what a browser sends because of another site's page is refused;
// programs, and pages of our own, are not.
func TestSameSite(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		method, site, origin string
		want                 bool
	}{
		{"POST", "", "", true}, {"POST", "same-origin", "", true}, {"POST", "none", "", true}, {"GET", "cross-site", "", true},
		{"POST", "cross-site", "", false}, {"POST", "same-site", "", false}, {"DELETE", "cross-site", "", false},
		{"POST", "", "https://evil.example", false}, {"POST", "", "http://example.com", true},
	} {
		r := httptest.NewRequest(c.method, "/ui/api/session", nil)
		for name, v := range map[string]string{"Sec-Fetch-Site": c.site, "Origin": c.origin} {
			if v != "" {
				r.Header.Set(name, v)
			}
		}
		err := (&rest.Site{}).SameSite(r)
		if (err == nil) != c.want || err != nil && apitest.Said(err) != "403 This request comes from another site." {
			t.Errorf("%s from %q %q: %v", c.method, c.site, c.origin, err)
		}
	}
}
