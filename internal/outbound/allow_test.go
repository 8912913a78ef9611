package outbound

import (
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/tidemark-metrics/tidemark"
)

func TestParseNetwork(t *testing.T) {
	for text, want := range map[string]string{
		"10.0.0.0/8": "10.0.0.0/8", "10.1.2.3/8": "10.0.0.0/8", "127.0.0.1/32:8025": "127.0.0.1/32:8025", "::1/128": "::1/128",
		"[::1]/128:8025": "[::1]/128:8025", "[fd00::]/8": "fd00::/8", "10.0.0.0/8:65535": "10.0.0.0/8:65535",
	} {
		n, err := ParseNetwork(text)
		if err != nil || n.String() != want {
			t.Errorf("%s: %s, %v, want %s", text, n, err, want)
		}
		if again, err := ParseNetwork(n.String()); err != nil || again != n {
			t.Errorf("%s is read back as %s, %v", n, again, err)
		}
	}
	for text, want := range map[string]string{
		"home": "is not a network", "": "is not a network", "10.0.0.0": "write 10.0.0.0/32", "10.0.0.0:80": "is not a network",
		"10.0.0.0/8:": "has no valid port", "10.0.0.0/8:0": "has no valid port", "10.0.0.0/8:65536": "has no valid port",
		"10.0.0.0/8:smtp": "has no valid port", "10.0.0.0/33:25": "is not a network", "[10.0.0.0/8": "is not a network", "[::1]:25": "is not a network",
	} {
		if n, err := ParseNetwork(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %s, %v, want %q", text, n, err, want)
		}
	}
}

// neighbours starts two servers on this machine and returns their URLs.
func neighbours(t *testing.T) (one, other *url.URL) {
	t.Helper()
	start := func() *url.URL {
		srv := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
		t.Cleanup(srv.Close)
		u, err := url.Parse(srv.URL)
		if err != nil {
			t.Fatal(err)
		}
		return u
	}
	return start(), start()
}

// reaches expects that c contacts u, or that its guard refuses to in every way.
func reaches(t *testing.T, c *Client, u *url.URL, want bool) {
	t.Helper()
	check := func(how string, err error) {
		if (err == nil) != want || err != nil && tidemark.KindOf(err) != tidemark.Invalid {
			t.Errorf("%s by %s: %v, want reached %v", u.Host, how, err, want)
		}
	}
	check("check", c.CheckURL(t.Context(), u.String()))
	resp, err := c.Do(get(t, u.String()))
	if err == nil {
		resp.Body.Close()
	}
	check("request", err)
	conn, err := c.DialContext(t.Context(), "tcp", u.Host)
	if err == nil {
		conn.Close()
	}
	check("connection", err)
}

// TestAllowPort: a network that is allowed on one port is not on another.
func TestAllowPort(t *testing.T) {
	one, other := neighbours(t)
	n, err := ParseNetwork("127.0.0.1/32:" + one.Port())
	if err != nil {
		t.Fatal(err)
	}
	c := New(Options{Allow: []Network{n}})
	reaches(t, c, one, true)
	reaches(t, c, other, false)
}

// TestAllowHost: a host that was named may be anywhere, on its port alone.
func TestAllowHost(t *testing.T) {
	one, other := neighbours(t)
	c := New(Options{})
	reaches(t, c, one, false)
	c.AllowURL(one)
	reaches(t, c, one, true)
	reaches(t, c, other, false)

	byName := *one
	byName.Host = net.JoinHostPort("localhost", one.Port())
	reaches(t, c, &byName, false) // another name
	c.AllowHost("LOCALHOST.", one.Port())
	reaches(t, c, &byName, true)
	byName.Host = net.JoinHostPort("localhost", other.Port())
	reaches(t, c, &byName, false)
}
