// Package probe looks at what a check says, once: a web address, a port, a
// certificate, a name. Servers and agents use it alike.
package probe

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"math"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strings"
	"time"

	"github.com/tidemark-metrics/tidemark"
)

// Way is how probes leave the machine.
type Way interface {
	DialContext(ctx context.Context, network, addr string) (net.Conn, error)
	Do(req *http.Request) (*http.Response, error)
	LookUp(ctx context.Context, host string) ([]netip.Addr, error)
}

// Result is what a probe found.
type Result struct {
	Up       bool
	Duration time.Duration
	Said     string  // what was wrong, or what was found
	Days     float64 // until the certificate ends; NaN where there is none
}

// maxPage is how much of a page is searched for words.
const maxPage = 1 << 20

// UserAgent is how probes name themselves.
const UserAgent = "tidemark-check"

// Run looks at what c says, once.
func Run(ctx context.Context, way Way, c *tidemark.Check) Result {
	ctx, cancel := context.WithTimeout(ctx, time.Duration(c.Timeout)*time.Second)
	defer cancel()
	begin := time.Now()
	said, days, err := look(ctx, way, c)
	r := Result{Up: err == nil, Duration: time.Since(begin), Said: said, Days: days}
	if err != nil {
		if r.Said = err.Error(); errors.Is(err, context.DeadlineExceeded) {
			r.Said = fmt.Sprintf("no answer within %d s", c.Timeout)
		}
	}
	return r
}

func look(ctx context.Context, way Way, c *tidemark.Check) (said string, days float64, err error) {
	switch c.Kind {
	case tidemark.CheckHTTP:
		return lookHTTP(ctx, way, c)
	case tidemark.CheckTCP:
		conn, err := way.DialContext(ctx, "tcp", c.Target)
		if err != nil {
			return "", math.NaN(), err
		}
		return "it accepts connections", math.NaN(), conn.Close()
	case tidemark.CheckTLS:
		return lookTLS(ctx, way, c)
	case tidemark.CheckDNS:
		said, err := lookDNS(ctx, way, c)
		return said, math.NaN(), err
	}
	return "", math.NaN(), fmt.Errorf("a check of kind %s is not run", c.Kind)
}

func lookHTTP(ctx context.Context, way Way, c *tidemark.Check) (said string, days float64, err error) {
	days = math.NaN()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, c.Target, nil)
	if err != nil {
		return "", days, errors.New("the address is none")
	}
	req.Header.Set("User-Agent", UserAgent)
	resp, err := way.Do(req)
	if err != nil {
		return "", days, err
	}
	defer resp.Body.Close()
	if resp.TLS != nil && len(resp.TLS.PeerCertificates) > 0 {
		days = time.Until(resp.TLS.PeerCertificates[0].NotAfter).Hours() / 24
	}
	page, err := io.ReadAll(io.LimitReader(resp.Body, maxPage))
	switch {
	case err != nil:
		return "", days, err
	case resp.StatusCode < 200 || resp.StatusCode > 299:
		return "", days, fmt.Errorf("it answers %s", resp.Status)
	case c.Expect != "" && !strings.Contains(string(page), c.Expect):
		return "", days, errors.New("the page lacks the words")
	}
	return resp.Status, days, nil
}

func lookTLS(ctx context.Context, way Way, c *tidemark.Check) (said string, days float64, err error) {
	days = math.NaN()
	raw, err := way.DialContext(ctx, "tcp", c.Target)
	if err != nil {
		return "", days, err
	}
	defer raw.Close()
	host, _, _ := net.SplitHostPort(c.Target)
	conn := tls.Client(raw, &tls.Config{ServerName: host, MinVersion: tls.VersionTLS12})
	if err := conn.HandshakeContext(ctx); err != nil {
		return "", days, err
	}
	ends := conn.ConnectionState().PeerCertificates[0].NotAfter
	days = time.Until(ends).Hours() / 24
	if days < float64(c.Days) {
		return "", days, fmt.Errorf("the certificate ends %s", ends.UTC().Format("2 Jan 2006"))
	}
	return "the certificate ends " + ends.UTC().Format("2 Jan 2006"), days, nil
}

func lookDNS(ctx context.Context, way Way, c *tidemark.Check) (string, error) {
	found, err := way.LookUp(ctx, c.Target)
	if err != nil {
		return "", err
	}
	if c.Expect != "" && !slices.ContainsFunc(found, func(a netip.Addr) bool { return isAddress(c.Expect, a) }) {
		return "", errors.New("the name has other addresses than expected")
	}
	return fmt.Sprintf("%d addresses", len(found)), nil
}

// isAddress reports whether a text is an address, in any way to write it.
func isAddress(text string, a netip.Addr) bool {
	want, err := netip.ParseAddr(strings.TrimSpace(text))
	return err == nil && want.Unmap() == a.Unmap()
}
