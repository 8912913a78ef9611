package app

import (
	"bytes"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"log/slog"
	"math/big"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestCertificateFollowsFiles renews a certificate under a server that runs:
// the next handshake after the files changed has the new one, files that do
// not belong together change nothing and are reported once.
func TestCertificateFollowsFiles(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	cert, key := filepath.Join(dir, "cert.pem"), filepath.Join(dir, "key.pem")
	writeCertificate(t, cert, key, "first.example.org")
	var said bytes.Buffer
	c, err := newCertificate(cert, key, slog.New(slog.NewTextHandler(&said, nil)))
	if err != nil {
		t.Fatal(err)
	}
	at := time.Now()
	c.now = func() time.Time { return at }
	shows := func(want string) {
		t.Helper()
		got, err := c.get(nil)
		if err != nil {
			t.Fatal(err)
		}
		if name := got.Leaf.Subject.CommonName; name != want {
			t.Errorf("the certificate is of %s, want %s", name, want)
		}
	}
	shows("first.example.org")

	writeCertificate(t, cert, filepath.Join(dir, "other.pem"), "second, without its key")
	for range 3 {
		at = at.Add(certificateCheck)
		shows("first.example.org")
	}
	if n := strings.Count(said.String(), "was not reloaded"); n != 1 {
		t.Errorf("files that do not belong together are reported %d times:\n%s", n, said.String())
	}

	writeCertificate(t, cert, key, "third.example.org")
	shows("first.example.org") // the files were looked at within this second
	at = at.Add(certificateCheck)
	shows("third.example.org")

	writeCertificate(t, cert, key, "fourth.example.org")
	if err := c.Reload(); err != nil {
		t.Error(err)
	}
	shows("fourth.example.org")

	if err := os.Remove(key); err != nil {
		t.Fatal(err)
	}
	at = at.Add(certificateCheck)
	shows("fourth.example.org")
	if err := c.Reload(); err == nil || !strings.Contains(err.Error(), "tls_key") {
		t.Errorf("without a key: %v", err)
	}
}

// TestServeTLS starts a server with a certificate and shakes hands with it.
func TestServeTLS(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	cert, key := filepath.Join(dir, "cert.pem"), filepath.Join(dir, "key.pem")
	writeCertificate(t, cert, key, "one.example.org")
	s := start(t, settings(t, map[string]string{"tls_cert": cert, "tls_key": key}))
	address := strings.TrimPrefix(s.URL, "https://")
	peer := func() string {
		t.Helper()
		dialer := tls.Dialer{Config: &tls.Config{InsecureSkipVerify: true}}
		conn, err := dialer.DialContext(t.Context(), "tcp", address)
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		return conn.(*tls.Conn).ConnectionState().PeerCertificates[0].Subject.CommonName
	}
	if got := peer(); got != "one.example.org" {
		t.Errorf("the certificate is of %s", got)
	}
	client := &http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{InsecureSkipVerify: true}}}
	for _, path := range []string{"/", "/healthz", "/v1/metrics", "/ui/api/signin", "/docs/", "/mcp"} {
		resp, err := client.Get(s.URL + path)
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		if got := resp.Header.Get("Strict-Transport-Security"); !strings.HasPrefix(got, "max-age=") {
			t.Errorf("%s: Strict-Transport-Security %q", path, got)
		}
	}
	client.CloseIdleConnections()
	writeCertificate(t, cert, key, "two.example.org")
	if err := s.ReloadCertificate(); err != nil {
		t.Error(err)
	}
	if got := peer(); got != "two.example.org" {
		t.Errorf("after a reload the certificate is of %s", got)
	}
	s.end(t)
}

// TestFailedFirstStart: a first start that fails makes nothing, so the next
// one shows the first token.
func TestFailedFirstStart(t *testing.T) {
	t.Parallel()
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { taken.Close() }) // after the subtests
	failures := map[string]map[string]string{
		"port taken":     {"listen": taken.Addr().String()},
		"no certificate": {"tls_cert": "/no/such/cert.pem", "tls_key": "/no/such/key.pem"},
	}
	for name, flags := range failures {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			cfg := settings(t, flags)
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			err := Run(ctx, cfg, slog.New(slog.DiscardHandler), func(Started) { cancel() })
			if err == nil {
				t.Fatal("it started")
			}
			cfg.Listen, cfg.TLSCert, cfg.TLSKey = "127.0.0.1:0", "", ""
			s := start(t, cfg)
			if s.Secret == "" || s.Setup == "" {
				t.Errorf("after a failed start (%v) the first token is lost: %+v", err, s.Started)
			}
			s.end(t)
		})
	}
}

// writeCertificate makes a certificate of its own authority.
func writeCertificate(t *testing.T, certFile, keyFile, name string) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	// Names of other lengths make files of other sizes: the clock of a file
	// system may be too coarse to tell two writes apart.
	template := &x509.Certificate{SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: name}, NotAfter: time.Now().Add(time.Hour)}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	private, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	for file, block := range map[string]*pem.Block{certFile: {Type: "CERTIFICATE", Bytes: der}, keyFile: {Type: "PRIVATE KEY", Bytes: private}} {
		if err := os.WriteFile(file, pem.EncodeToMemory(block), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}
