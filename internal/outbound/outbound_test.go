package outbound

import (
	"context"
	"errors"
	"io"
	"log"
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

var loopback = []Network{{Prefix: netip.MustParsePrefix("127.0.0.0/8")}}

func TestAllow(t *testing.T) {
	t.Parallel()
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		user, _, _ := r.BasicAuth()
		_, _ = io.WriteString(w, "hello "+user)
	}))
	defer srv.Close()
	c := New(Options{Allow: loopback})
	if err := c.CheckURL(t.Context(), srv.URL); err != nil {
		t.Errorf("CheckURL: %v", err)
	}
	resp, err := c.Do(get(t, strings.Replace(srv.URL, "//", "//me:pw@", 1)))
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if body, _ := io.ReadAll(resp.Body); string(body) != "hello me" {
		t.Errorf("body = %q", body)
	}
	for _, other := range []string{"http://10.0.0.1/", "http://[::1]/", "http://[::ffff:127.0.0.1]/", "http://0.0.0.0/"} {
		if err := c.CheckURL(t.Context(), other); tidemark.KindOf(err) != tidemark.Invalid {
			t.Errorf("CheckURL(%s): %v", other, err)
		}
	}
}

// TestLocalhost has an address that is allowed and, on most machines, one that
// is not.
func TestLocalhost(t *testing.T) {
	t.Parallel()
	srv := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	defer srv.Close()
	c := New(Options{Allow: loopback})
	to := strings.Replace(srv.URL, "127.0.0.1", "localhost", 1)
	if err := c.CheckURL(t.Context(), to); err != nil {
		t.Errorf("CheckURL: %v", err)
	}
	resp, err := c.Do(get(t, to))
	if err != nil {
		t.Fatal(err)
	}
	resp.Body.Close()
}

func TestCheckURL(t *testing.T) {
	t.Parallel()
	ns := &nameServer{answers: map[string][]string{"good.test": {"8.8.8.8"}}}
	c := New(Options{Resolver: ns.resolver(t)})
	tests := []struct {
		raw  string
		kind tidemark.Kind // Internal stands for no error
		want string
	}{
		{"https://8.8.8.8/hook", tidemark.Internal, ""},
		{"https://[2606:4700::1111]:8443/hook", tidemark.Internal, ""},
		{"https://good.test/hook", tidemark.Internal, ""},
		{"https://nowhere.test/hook", tidemark.Unavailable, "no such host"},
		{"ftp://good.test/", tidemark.Invalid, "is not an http or https URL"},
		{"javascript:alert(1)", tidemark.Invalid, "is not an http or https URL"},
		{"https://", tidemark.Invalid, "has no host"},
		{"https:good.test", tidemark.Invalid, "has no host"},
		{"https://good.test:0/", tidemark.Invalid, "has no valid port"},
		{"https://good.test:99999/", tidemark.Invalid, "has no valid port"},
		{"https://go od.test/", tidemark.Invalid, "is not a valid URL"},
		{"http://127.0.0.1\\@good.test/", tidemark.Invalid, "is not a valid URL"},
		{"http://good..test/", tidemark.Invalid, "has no valid host name"},
		{"http://gööd.test/", tidemark.Invalid, "has no valid host name"},
		{"http://10.0.0.1/", tidemark.Invalid, "points to a private address, which this server may not contact"},
		{"http://0x7f000001/", tidemark.Invalid, "writes its address in an unusual way"},
	}
	for _, tt := range tests {
		err := c.CheckURL(t.Context(), tt.raw)
		if tt.kind == tidemark.Internal && err == nil {
			continue
		}
		e, ok := errors.AsType[*tidemark.Error](err)
		if !ok || e.Kind != tt.kind || e.Msg != tt.want {
			t.Errorf("CheckURL(%s) = %v, want %q", tt.raw, err, tt.want)
		}
	}
}

func TestResponseLimit(t *testing.T) {
	t.Parallel()
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.WriteString(w, strings.Repeat("x", len(r.URL.Path)-1))
	}))
	defer srv.Close()
	c := New(Options{Allow: loopback, MaxResponse: 10})
	for n, want := range map[int]error{0: nil, 9: nil, 10: nil, 11: ErrTooLarge, 5000: ErrTooLarge} {
		resp, err := c.Do(get(t, srv.URL+"/"+strings.Repeat("y", n)))
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(resp.Body)
		resp.Body.Close()
		if !errors.Is(err, want) || len(body) != min(n, 10) {
			t.Errorf("%d bytes: read %d, %v", n, len(body), err)
		}
	}
}

func TestTimeLimits(t *testing.T) {
	t.Parallel()
	stop := make(chan struct{})
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/body" {
			w.WriteHeader(http.StatusOK)
			_ = http.NewResponseController(w).Flush()
		}
		<-stop
	}))
	defer srv.Close()
	defer close(stop)
	c := New(Options{Allow: loopback, Timeout: 100 * time.Millisecond})
	if _, err := c.Do(get(t, srv.URL+"/secret")); err == nil || err.Error() != "no answer in time" {
		t.Errorf("no header: %v", err)
	}
	// On a slow machine the time may be up before the header is there.
	resp, err := c.Do(get(t, srv.URL+"/body"))
	if err == nil {
		defer resp.Body.Close()
		_, err = io.ReadAll(resp.Body)
	}
	if err == nil {
		t.Error("the body ended")
	}
}

func TestCertificatesAreChecked(t *testing.T) {
	t.Parallel()
	srv := httptest.NewTLSServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { t.Error("the request arrived") }))
	srv.Config.ErrorLog = log.New(io.Discard, "", 0)
	defer srv.Close()
	_, err := New(Options{Allow: loopback}).Do(get(t, srv.URL+"/secret"))
	if err == nil || !strings.Contains(err.Error(), "certificate") || strings.Contains(err.Error(), "secret") {
		t.Errorf("err = %v", err)
	}
}

func TestHeadersAreBounded(t *testing.T) {
	t.Parallel()
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("X-Long", strings.Repeat("x", 2*maxHeader))
	}))
	defer srv.Close()
	if _, err := New(Options{Allow: loopback}).Do(get(t, srv.URL)); err == nil {
		t.Error("the answer was taken")
	}
}

// TestLookUpsEnd asks a name server that never answers.
func TestLookUpsEnd(t *testing.T) {
	t.Parallel()
	silent := &net.Resolver{PreferGo: true, Dial: func(ctx context.Context, _, _ string) (net.Conn, error) {
		<-ctx.Done()
		return nil, ctx.Err()
	}}
	c := New(Options{Resolver: silent, ConnectTimeout: 50 * time.Millisecond})
	if err := c.CheckURL(t.Context(), "https://slow.test/"); tidemark.KindOf(err) != tidemark.Unavailable {
		t.Errorf("CheckURL: %v", err)
	}
	if _, err := c.Do(get(t, "https://slow.test/")); err == nil {
		t.Error("Do: no error")
	}
}

// TestNoConnectionIsReused counts connections: each request has its own, so
// that each passes the guard.
func TestNoConnectionIsReused(t *testing.T) {
	t.Parallel()
	var conns atomic.Int64
	srv := httptest.NewUnstartedServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	srv.Config.ConnState = func(_ net.Conn, s http.ConnState) {
		if s == http.StateNew {
			conns.Add(1)
		}
	}
	srv.Start()
	defer srv.Close()
	c := New(Options{Allow: loopback})
	for range 3 {
		resp, err := c.Do(get(t, srv.URL))
		if err != nil {
			t.Fatal(err)
		}
		_, _ = io.ReadAll(resp.Body)
		resp.Body.Close()
	}
	if n := conns.Load(); n != 3 {
		t.Errorf("%d connections for 3 requests", n)
	}
}

func TestNoProxyFromEnvironment(t *testing.T) {
	var reached atomic.Int64
	proxy := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { reached.Add(1) }))
	defer proxy.Close()
	for _, name := range []string{"HTTP_PROXY", "http_proxy", "HTTPS_PROXY", "ALL_PROXY"} {
		t.Setenv(name, proxy.URL)
	}
	ns := &nameServer{answers: map[string][]string{"loopback.test": {"127.0.0.1"}}}
	c := New(Options{Resolver: ns.resolver(t), Allow: loopback, Timeout: time.Second})
	_, _ = c.Do(get(t, "http://loopback.test:1/"))
	if reached.Load() != 0 {
		t.Error("the proxy was used")
	}
}

func TestErrorsHoldNoURL(t *testing.T) {
	t.Parallel()
	srv := httptest.NewServer(nil)
	srv.Close() // nobody listens
	canceled, cancel := context.WithCancel(t.Context())
	cancel()
	ns := &nameServer{answers: map[string][]string{"private.test": {"10.1.2.3"}}}
	c := New(Options{Resolver: ns.resolver(t), Allow: loopback})
	for name, err := range map[string]error{
		"refused":  do(t.Context(), c, srv.URL+"/secret"),
		"canceled": do(canceled, c, srv.URL+"/secret"),
		"unknown":  do(t.Context(), c, "http://nowhere.test/secret"),
		"guarded":  do(t.Context(), c, "http://private.test/secret"),
	} {
		if err == nil || strings.Contains(err.Error(), "secret") || strings.Contains(err.Error(), "10.1.2.3") || strings.Contains(err.Error(), "127.0.0.1") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestOtherNetworks(t *testing.T) {
	t.Parallel()
	c := New(Options{Allow: loopback})
	for _, network := range []string{"unix", "udp", "ip4:icmp", ""} {
		if _, err := c.DialContext(t.Context(), network, "127.0.0.1:80"); tidemark.KindOf(err) != tidemark.Invalid {
			t.Errorf("%q: %v", network, err)
		}
	}
}

func FuzzCheckURL(f *testing.F) {
	for _, s := range []string{"http://127.0.0.1/", "http://0x7f.1/", "http://a@b@127.1/", "http://[::ffff:1.2.3.4%25a]:1/", "http://%31/", "http://1.2.3.4.5/"} {
		f.Add(s)
	}
	offline := &net.Resolver{PreferGo: true, Dial: func(context.Context, string, string) (net.Conn, error) { return nil, errors.New("offline") }}
	c := New(Options{Resolver: offline})
	// Without a name server nothing but a public address may pass.
	f.Fuzz(func(t *testing.T, raw string) {
		if c.CheckURL(t.Context(), raw) != nil {
			return
		}
		u, err := url.Parse(raw)
		if err != nil {
			t.Fatalf("%q passed and does not parse", raw)
		}
		if a, err := netip.ParseAddr(u.Hostname()); err != nil || forbidden(a) != "" {
			t.Fatalf("%q passed", raw)
		}
	})
}

func get(t *testing.T, to string) *http.Request {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, to, nil)
	if err != nil {
		t.Fatal(err)
	}
	return req
}

func do(ctx context.Context, c *Client, to string) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, to, nil)
	if err != nil {
		return err
	}
	resp, err := c.Do(req)
	if err == nil {
		resp.Body.Close()
	}
	return err
}
