package probe

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"fmt"
	"math"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/tidemark-metrics/tidemark"
)

// ending and lasting are certificates for this machine that end in ten days
// and in two years.
var ending, lasting tls.Certificate

// TestMain has the probes of this package trust these certificates: theirs are
// the roots of the system, which are read once.
func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "probe")
	must(err)
	var roots []byte
	for days, into := range map[int]*tls.Certificate{10: &ending, 730: &lasting} {
		*into = certificate(days)
		roots = append(roots, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: into.Certificate[0]})...)
	}
	file := filepath.Join(dir, "roots.pem")
	must(os.WriteFile(file, roots, 0o600))
	must(os.Setenv("SSL_CERT_FILE", file))
	code := m.Run()
	_ = os.RemoveAll(dir)
	os.Exit(code)
}

// certificate returns one that signed itself and ends in some days and an hour.
func certificate(days int) tls.Certificate {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	must(err)
	plan := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: fmt.Sprint("days ", days)}, NotBefore: time.Now().Add(-time.Hour),
		NotAfter: time.Now().Add(time.Duration(24*days+1) * time.Hour), IsCA: true, BasicConstraintsValid: true, IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)},
	}
	der, err := x509.CreateCertificate(rand.Reader, plan, plan, &key.PublicKey, key)
	must(err)
	return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key}
}

// secured is a site with a certificate.
func secured(t *testing.T, c tls.Certificate) *httptest.Server {
	t.Helper()
	s := httptest.NewUnstartedServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	s.TLS = &tls.Config{Certificates: []tls.Certificate{c}}
	s.StartTLS()
	t.Cleanup(s.Close)
	return s
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}

// TestCertificates: a certificate that is trusted is up while it goes on for
// as many days as asked, and says when it ends either way.
func TestCertificates(t *testing.T) {
	t.Parallel()
	long, short := secured(t, lasting), secured(t, ending)
	plain := httptest.NewServer(http.NotFoundHandler())
	defer plain.Close()
	ends := "the certificate ends " + short.Certificate().NotAfter.UTC().Format("2 Jan 2006")
	for _, c := range []struct {
		kind, target string
		days         int64
		up           bool
		said         string
		least, most  float64
	}{
		{"tls", long.Listener.Addr().String(), 365, true, "the certificate ends " + long.Certificate().NotAfter.UTC().Format("2 Jan 2006"), 730, 732},
		{"tls", short.Listener.Addr().String(), 10, true, ends, 10, 10.1},
		{"tls", short.Listener.Addr().String(), 11, false, ends, 10, 10.1},
		{"tls", plain.Listener.Addr().String(), 0, false, "tls: first record does not look like a TLS handshake", math.NaN(), 0},
		{"http", short.URL, 365, true, "200 OK", 10, 10.1},
	} {
		check := tidemark.NewCheck()
		check.Kind, check.Target, check.Days = c.kind, c.target, c.days
		got := Run(t.Context(), home(t), check)
		if got.Up != c.up || got.Said != c.said {
			t.Errorf("%s with %d days: %v %q, want %v %q", c.kind, c.days, got.Up, got.Said, c.up, c.said)
		}
		if math.IsNaN(c.least) != math.IsNaN(got.Days) || got.Days < c.least || got.Days > c.most && c.most > 0 {
			t.Errorf("%s with %d days: it goes on for %v days", c.kind, c.days, got.Days)
		}
	}
}
