package app

import (
	"crypto/tls"
	"fmt"
	"log/slog"
	"os"
	"sync"
	"time"
)

// certificateCheck is how often the files of a certificate are looked at, at
// most: once for all the handshakes of that time.
const certificateCheck = time.Second

// certificate is a TLS certificate that follows its files: anyone who renews it
// need not restart the server.
type certificate struct {
	cert, key string
	log       *slog.Logger
	now       func() time.Time

	mu       sync.Mutex
	current  *tls.Certificate
	loaded   stamp // of the files that current is from
	checked  time.Time
	reported string // what is wrong with the files now
}

// stamp tells whether a certificate or its key were written since.
type stamp struct {
	certTime, keyTime time.Time
	certSize, keySize int64
}

// newCertificate reads a certificate; nil where there is none.
func newCertificate(cert, key string, log *slog.Logger) (*certificate, error) {
	if cert == "" {
		return nil, nil
	}
	c := &certificate{cert: cert, key: key, log: log, now: time.Now}
	return c, c.Reload()
}

// Reload reads the files. If they cannot be used, the certificate stays as it
// was.
func (c *certificate) Reload() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	s, err := c.stat()
	if err != nil {
		return err
	}
	return c.load(s)
}

// load reads the files, which looked like s before.
func (c *certificate) load(s stamp) error {
	pair, err := tls.LoadX509KeyPair(c.cert, c.key)
	if err != nil {
		return fmt.Errorf("tls_cert %s, tls_key %s: %w", c.cert, c.key, err)
	}
	c.current, c.loaded, c.reported, c.checked = &pair, s, "", c.now()
	return nil
}

func (c *certificate) stat() (stamp, error) {
	cert, err := os.Stat(c.cert)
	if err != nil {
		return stamp{}, fmt.Errorf("tls_cert: %w", err)
	}
	key, err := os.Stat(c.key)
	if err != nil {
		return stamp{}, fmt.Errorf("tls_key: %w", err)
	}
	return stamp{cert.ModTime(), key.ModTime(), cert.Size(), key.Size()}, nil
}

// get is the certificate for a handshake, read again if its files changed.
func (c *certificate) get(*tls.ClientHelloInfo) (*tls.Certificate, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if now := c.now(); now.Sub(c.checked) >= certificateCheck {
		c.checked = now
		c.refresh()
	}
	return c.current, nil
}

// refresh reads files that changed. Certificate and key are two files: between
// the writes of one and the other they do not belong together, so what fails
// is tried again, and reported once.
func (c *certificate) refresh() {
	s, err := c.stat()
	if err == nil && s == c.loaded {
		return
	}
	if err == nil {
		err = c.load(s)
	}
	switch {
	case err == nil:
		c.log.Info("the TLS certificate was reloaded", slog.String("file", c.cert))
	case err.Error() != c.reported:
		c.reported = err.Error()
		c.log.Error("the TLS certificate was not reloaded: the previous one stays in use", slog.Any("err", err))
	}
}
