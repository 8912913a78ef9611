package outbound

import (
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/tidemark-metrics/tidemark"
)

func TestForbidden(t *testing.T) {
	t.Parallel()
	f := func(addr string, want bool) {
		t.Helper()
		if got := forbidden(netip.MustParseAddr(addr)) != ""; got != want {
			t.Errorf("forbidden(%s) = %t, want %t", addr, got, want)
		}
	}
	for _, addr := range []string{
		"0.0.0.0", "0.1.2.3", "10.0.0.1", "10.255.255.255", "100.64.0.1", "100.127.255.255", "127.0.0.1", "127.255.255.255",
		"169.254.169.254", "172.16.0.1", "172.31.255.255", "192.0.0.8", "192.0.2.1", "192.88.99.1", "192.168.1.1", "198.18.0.1",
		"198.19.255.255", "198.51.100.7", "203.0.113.9", "224.0.0.1", "239.255.255.255", "240.0.0.1", "255.255.255.255",
		"::", "::1", "::ffff:8.8.8.8", "::ffff:127.0.0.1", "::127.0.0.1", "::8.8.8.8", "::ffff:0:8.8.8.8",
		"64:ff9b::7f00:1", "64:ff9b::8.8.8.8", "64:ff9b:1::1", "64:ff9b:1:ffff:ffff:ffff:ffff:ffff",
		"100::1", "2001::1", "2001:0:53aa:64c:0:fbff:80ff:fffe", "2001:10::1", "2001:db8::1", "2002:7f00:1::", "2002:808:808::1",
		"3fff::1", "5f00::1", "fc00::1", "fd12:3456::1", "fe80::1", "febf::1", "fec0::1", "ff02::1", "ff0e::1", "4000::1", "8000::1",
		"2620:4f:8000::1", "2a00:1450::5efe:10.0.0.1", "2a00:1450::200:5efe:10.0.0.1",
	} {
		f(addr, true)
	}
	for _, addr := range []string{
		"1.1.1.1", "8.8.8.8", "9.255.255.255", "11.0.0.0", "100.63.255.255", "100.128.0.0", "126.255.255.255", "128.0.0.1", "172.15.255.255",
		"172.32.0.0", "192.167.255.255", "192.169.0.0", "198.17.255.255", "198.20.0.0", "223.255.255.255",
		"2001:4860:4860::8888", "2606:4700::1111", "2a00:1450:4001::1", "2003::1", "2001:200::1",
	} {
		f(addr, false)
	}
}

// TestNamedBypasses goes through the ways around a guard that are known, each
// with the three things a user can do: save a URL, send to it, and dial it.
func TestNamedBypasses(t *testing.T) {
	t.Parallel()
	var reached atomic.Int64
	srv := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { reached.Add(1) }))
	defer srv.Close()
	_, port, _ := net.SplitHostPort(srv.Listener.Addr().String())
	ns := &nameServer{answers: map[string][]string{
		"loopback.test.": {"127.0.0.1"}, "six.test.": {"::1"}, "mapped.test.": {"::ffff:127.0.0.1"}, "zero.test.": {"0.0.0.0"},
		"nat64.test.": {"64:ff9b::7f00:1"}, "metadata.test.": {"169.254.169.254"},
		"loopback.test": {"127.0.0.1"}, "six.test": {"::1"}, "mapped.test": {"::ffff:127.0.0.1"}, "zero.test": {"0.0.0.0"},
		"nat64.test": {"64:ff9b::7f00:1"}, "metadata.test": {"169.254.169.254"},
	}}
	c := New(Options{Resolver: ns.resolver(t), Timeout: 5 * time.Second})
	for name, host := range map[string]string{
		"loopback":                   "127.0.0.1",
		"another loopback":           "127.1.2.3",
		"loopback of IPv6":           "[::1]",
		"unspecified":                "0.0.0.0",
		"unspecified of IPv6":        "[::]",
		"private":                    "10.0.0.1",
		"cloud metadata":             "169.254.169.254",
		"IPv4-mapped":                "[::ffff:127.0.0.1]",
		"IPv4-mapped in hexadecimal": "[::ffff:7f00:1]",
		"IPv4-mapped, public":        "[::ffff:8.8.8.8]",
		"IPv4-compatible":            "[::127.0.0.1]",
		"NAT64":                      "[64:ff9b::127.0.0.1]",
		"NAT64 of the local network": "[64:ff9b:1::7f00:1]",
		"6to4":                       "[2002:7f00:1::]",
		"Teredo":                     "[2001:0:4136:e378:8000:63bf:80ff:fffe]",
		"unique local":               "[fd00::1]",
		"with a zone":                "[fe80::1%25lo]",
		"decimal":                    "2130706433",
		"octal":                      "0177.0.0.1",
		"octal with more zeros":      "00000177.0.0.01",
		"hexadecimal":                "0x7f.0.0.1",
		"hexadecimal, one number":    "0x7f000001",
		"short":                      "127.1",
		"with a dot at the end":      "127.0.0.1.",
		"decimal with a dot":         "2130706433.",
		"full-width digits":          "127.0.0.1",
		"circled digits":             "①②⑦.0.0.1",
		"localhost":                  "localhost",
		"below localhost":            "a.localhost",
		"localhost with a dot":       "LOCALHOST.",
		"a name for loopback":        "loopback.test",
		"a name for loopback, IPv6":  "six.test",
		"a name for a mapped":        "mapped.test",
		"a name for 0.0.0.0":         "zero.test",
		"a name for NAT64":           "nat64.test",
		"a name for metadata":        "metadata.test",
		"userinfo before it":         "example.org@127.0.0.1",
		"userinfo with a password":   "example.org:80@127.0.0.1",
		"userinfo twice":             "a@example.org@127.0.0.1",
		"userinfo and a name":        "8.8.8.8@loopback.test",
	} {
		t.Run(name, func(t *testing.T) {
			raw := "http://" + host + ":" + port + "/secret"
			if err := c.CheckURL(t.Context(), raw); tidemark.KindOf(err) != tidemark.Invalid {
				t.Errorf("CheckURL: %v", err)
			}
			// Requests are made by hand, past the parser of URLs.
			u := &url.URL{Scheme: "http", Host: host[strings.LastIndexByte(host, '@')+1:] + ":" + port, Path: "/secret"}
			u.Host = strings.Replace(u.Host, "%25", "%", 1)
			req := (&http.Request{Method: http.MethodGet, URL: u, Header: http.Header{}}).WithContext(t.Context())
			if resp, err := c.Do(req); tidemark.KindOf(err) != tidemark.Invalid {
				t.Errorf("Do: %v, %v", resp, err)
			}
			if conn, err := c.DialContext(t.Context(), "tcp", u.Host); err == nil {
				conn.Close()
				t.Error("DialContext connected")
			}
		})
	}
	if n := reached.Load(); n != 0 {
		t.Errorf("%d requests arrived", n)
	}
}

// TestAnswerChanges checks a name that is public when it is checked and
// private when it is used.
func TestAnswerChanges(t *testing.T) {
	t.Parallel()
	var reached atomic.Int64
	srv := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { reached.Add(1) }))
	defer srv.Close()
	_, port, _ := net.SplitHostPort(srv.Listener.Addr().String())
	ns := &nameServer{answers: map[string][]string{"rebind.test": {"8.8.8.8", "127.0.0.1"}}}
	c := New(Options{Resolver: ns.resolver(t)})
	to := "http://rebind.test:" + port + "/"
	if err := c.CheckURL(t.Context(), to); err != nil {
		t.Fatalf("CheckURL: %v", err)
	}
	_, err := c.Do(get(t, to))
	if tidemark.KindOf(err) != tidemark.Invalid || !strings.Contains(err.Error(), "loopback") {
		t.Errorf("Do: %v", err)
	}
	if reached.Load() != 0 {
		t.Error("the request arrived")
	}
}

func TestRedirects(t *testing.T) {
	t.Parallel()
	var reached atomic.Int64
	inside := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { reached.Add(1) }))
	defer inside.Close()
	mux := http.NewServeMux()
	srv := httptest.NewServer(mux)
	defer srv.Close()
	mux.HandleFunc("/to", func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, r.URL.Query().Get("url"), http.StatusTemporaryRedirect)
	})
	mux.HandleFunc("/found", func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/ok", http.StatusFound) })
	mux.HandleFunc("/ok", func(w http.ResponseWriter, r *http.Request) { _, _ = io.Copy(w, r.Body) })
	mux.HandleFunc("/loop", func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, "/loop", http.StatusTemporaryRedirect)
	})
	// Only the first server may be reached, by its full address.
	c := New(Options{Allow: loopback})

	tests := []struct {
		name, path string
		want       string // in the error, or the body
		status     int
	}{
		{"to a path of the same host", "/to?url=/ok", "hello", 200},
		{"to another port", "/to?url=" + url.QueryEscape(inside.URL), "another host", 0},
		{"to another host", "/to?url=http://10.0.0.1/", "another host", 0},
		{"to another protocol", "/to?url=" + url.QueryEscape(strings.Replace(srv.URL, "http:", "https:", 1)), "another host", 0},
		{"to a file", "/to?url=file:///etc/passwd", "another host", 0},
		{"without the message", "/found", "", 302},
		{"in a circle", "/loop", "too often", 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, srv.URL+tt.path, strings.NewReader("hello"))
			if err != nil {
				t.Fatal(err)
			}
			resp, err := c.Do(req)
			if tt.status == 0 {
				if tidemark.KindOf(err) != tidemark.Invalid || !strings.Contains(err.Error(), tt.want) {
					t.Errorf("err = %v, want %q", err, tt.want)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			defer resp.Body.Close()
			body, err := io.ReadAll(resp.Body)
			if err != nil || resp.StatusCode != tt.status || string(body) != tt.want {
				t.Errorf("%d %q, %v", resp.StatusCode, body, err)
			}
		})
	}
	if reached.Load() != 0 {
		t.Error("a redirect was followed to another host")
	}
}

// TestRedirectIntoThePrivate has a public server (allowed here by its address)
// send its visitor to a name that is private.
func TestRedirectIntoThePrivate(t *testing.T) {
	t.Parallel()
	ns := &nameServer{answers: map[string][]string{"same.test": {"127.0.0.1", "127.0.0.2"}}}
	hops := 0
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		hops++
		http.Redirect(w, r, "/again", http.StatusTemporaryRedirect)
	}))
	defer srv.Close()
	_, port, _ := net.SplitHostPort(srv.Listener.Addr().String())
	c := New(Options{Resolver: ns.resolver(t), Allow: []Network{{Prefix: netip.MustParsePrefix("127.0.0.1/32")}}})
	_, err := c.Do(get(t, "http://same.test:"+port+"/"))
	if tidemark.KindOf(err) != tidemark.Invalid || !strings.Contains(err.Error(), "loopback") {
		t.Errorf("err = %v", err)
	}
	if hops != 1 {
		t.Errorf("%d hops, want 1: every hop is looked up and checked anew", hops)
	}
}
