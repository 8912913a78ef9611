package probe

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/outbound"
)

// home lets probes reach this machine.
func home(t *testing.T) *outbound.Client {
	t.Helper()
	n, err := outbound.ParseNetwork("127.0.0.0/8")
	if err != nil {
		t.Fatal(err)
	}
	return outbound.New(outbound.Options{Allow: []outbound.Network{n}})
}

func TestRun(t *testing.T) {
	t.Parallel()
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/broken" {
			w.WriteHeader(http.StatusBadGateway)
		}
		fmt.Fprint(w, "Your basket is empty")
	}))
	defer site.Close()
	secure := httptest.NewTLSServer(http.NotFoundHandler())
	defer secure.Close()
	closed, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	nobody := closed.Addr().String()
	_ = closed.Close()
	way := home(t)
	for _, c := range []struct {
		kind, target, expect string
		up                   bool
		said                 string
	}{
		{"http", site.URL, "", true, "200 OK"},
		{"http", site.URL, "basket", true, "200 OK"},
		{"http", site.URL, "checkout", false, "the page lacks the words"},
		{"http", site.URL + "/broken", "", false, "it answers 502 Bad Gateway"},
		{"http", "http://" + nobody, "", false, "connection refused"},
		{"http", "http://10.0.0.5/", "", false, "private address"},
		{"tcp", site.Listener.Addr().String(), "", true, "it accepts connections"},
		{"tcp", nobody, "", false, "connection refused"},
		{"tcp", "169.254.169.254:80", "", false, "may not contact"},
		{"tls", secure.Listener.Addr().String(), "", false, "certificate"},
		{"dns", "10.0.0.5", "", false, "private address"},
		{"heartbeat", "", "", false, "is not run"},
	} {
		check := tidemark.NewCheck()
		check.Kind, check.Target, check.Expect = c.kind, c.target, c.expect
		got := Run(t.Context(), way, check)
		if got.Up != c.up || !strings.Contains(got.Said, c.said) {
			t.Errorf("%s %s: %v %q, want %v %q", c.kind, c.target, got.Up, got.Said, c.up, c.said)
		}
	}
}

// names is a way out on which names have made-up addresses.
type names struct{ *outbound.Client }

func (names) LookUp(_ context.Context, host string) ([]netip.Addr, error) {
	if host != "example.org" {
		return nil, errors.New("no such host")
	}
	return []netip.Addr{netip.MustParseAddr("192.0.2.1"), netip.MustParseAddr("2001:db8::1")}, nil
}

func TestDNS(t *testing.T) {
	t.Parallel()
	for want, c := range map[string]tidemark.Check{
		"2 addresses": {Target: "example.org", Expect: "2001:db8::1"},
		"the name has other addresses than expected": {Target: "example.org", Expect: "192.0.2.9"},
		"no such host": {Target: "example.com"},
	} {
		c.Kind, c.Timeout = tidemark.CheckDNS, 5
		if got := Run(t.Context(), names{home(t)}, &c); got.Said != want || got.Up != (want == "2 addresses") {
			t.Errorf("%s: %+v", want, got)
		}
	}
}

// TestAddressesInAnySpelling: an address that a name has to have may be
// written in capitals, with zeros, or as IPv4 within IPv6.
func TestAddressesInAnySpelling(t *testing.T) {
	t.Parallel()
	for expect, up := range map[string]bool{
		"2001:DB8:0:0::1": true, "2001:db8::1": true, "::ffff:192.0.2.1": true, " 192.0.2.1 ": true, "": true,
		"192.0.2.10": false, "192.0.2": false, "example.org": false,
	} {
		c := &tidemark.Check{Kind: tidemark.CheckDNS, Target: "example.org", Expect: expect, Timeout: 5}
		if got := Run(t.Context(), names{home(t)}, c); got.Up != up {
			t.Errorf("%q: %v %s", expect, got.Up, got.Said)
		}
	}
}

// silent is a way out on which nobody answers.
type silent struct{ *outbound.Client }

func (silent) DialContext(ctx context.Context, _, _ string) (net.Conn, error) {
	<-ctx.Done()
	return nil, fmt.Errorf("dial: %w", ctx.Err())
}

func (s silent) Do(req *http.Request) (*http.Response, error) {
	_, err := s.DialContext(req.Context(), "", "")
	return nil, err
}

// TestNoAnswer: a probe ends when its time is over, and says so in the words
// of the check, whatever it waited for.
func TestNoAnswer(t *testing.T) {
	t.Parallel()
	for kind, target := range map[string]string{"http": "http://example.org/", "tcp": "example.org:80", "tls": "example.org:443"} {
		synctest.Test(t, func(t *testing.T) {
			got := Run(t.Context(), silent{}, &tidemark.Check{Kind: kind, Target: target, Timeout: 7})
			if got.Up || got.Said != "no answer within 7 s" || got.Duration != 7*time.Second {
				t.Errorf("%s: %+v", kind, got)
			}
		})
	}
	got := Run(t.Context(), silent{}, &tidemark.Check{Kind: "http", Target: "http://a b/", Timeout: 7})
	if got.Up || got.Said != "the address is none" {
		t.Errorf("%+v", got)
	}
}
