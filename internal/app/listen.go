package app

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"sync"
	"syscall"
	"time"

	"github.com/tidemark-metrics/tidemark/internal/config"
)

// doors are where requests come in.
type doors struct {
	outer, admin net.Listener
	cert         *certificate // nil for plain HTTP
}

func openDoors(cfg *config.Config, log *slog.Logger) (*doors, error) {
	cert, err := newCertificate(cfg.TLSCert, cfg.TLSKey, log)
	if err != nil {
		return nil, err
	}
	outer, err := net.Listen("tcp", cfg.Listen)
	if err != nil {
		return nil, fmt.Errorf("listen on %s: %w", cfg.Listen, err)
	}
	admin, err := listenAdmin(cfg.Data)
	if err != nil {
		outer.Close()
		return nil, err
	}
	return &doors{outer: &acceptor{Listener: outer, log: log}, admin: admin, cert: cert}, nil
}

// close closes both; a server that ran has closed them already.
func (d *doors) close() {
	d.outer.Close()
	d.admin.Close()
}

// acceptor is a listener that says in the log when connections cannot be
// accepted: the HTTP server only waits and tries again.
type acceptor struct {
	net.Listener
	log *slog.Logger

	mu   sync.Mutex
	last time.Time
}

// acceptReport is how often the log repeats that connections wait.
const acceptReport = 10 * time.Second

// Accept accepts a connection.
func (a *acceptor) Accept() (net.Conn, error) {
	c, err := a.Listener.Accept()
	if errors.Is(err, syscall.EMFILE) || errors.Is(err, syscall.ENFILE) {
		a.report(err)
	}
	return c, err
}

func (a *acceptor) report(err error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if now := time.Now(); now.Sub(a.last) >= acceptReport {
		a.last = now
		a.log.Error("cannot accept connections: raise the limit of open files (LimitNOFILE, ulimit -n)", slog.Any("err", err))
	}
}

// address is where the server can be reached from this machine.
func address(cfg *config.Config, l net.Listener) string {
	if cfg.PublicURL != "" {
		return cfg.PublicURL
	}
	scheme := "http"
	if cfg.TLSCert != "" {
		scheme = "https"
	}
	host, port, _ := net.SplitHostPort(l.Addr().String())
	if ip := net.ParseIP(host); ip == nil || ip.IsUnspecified() {
		host = "127.0.0.1"
	}
	return scheme + "://" + net.JoinHostPort(host, port)
}

const (
	// shutdownTimeout is how long requests under way may take to finish.
	shutdownTimeout = 20 * time.Second
	readTimeout     = 2 * time.Minute
	idleTimeout     = 2 * time.Minute
)

// serve answers HTTP until ctx is done, then lets the requests under way
// finish.
func serve(ctx context.Context, l net.Listener, h http.Handler, cert *certificate, log *slog.Logger) error {
	srv := &http.Server{
		Handler: h, ReadHeaderTimeout: 10 * time.Second, ReadTimeout: readTimeout, IdleTimeout: idleTimeout,
		MaxHeaderBytes: 64 << 10, ErrorLog: slog.NewLogLogger(log.Handler(), slog.LevelDebug),
	}
	drained := make(chan error, 1)
	go func() {
		<-ctx.Done()
		grace, cancel := context.WithTimeout(context.WithoutCancel(ctx), shutdownTimeout)
		defer cancel()
		drained <- srv.Shutdown(grace)
	}()
	var err error
	if cert != nil {
		srv.TLSConfig = &tls.Config{GetCertificate: cert.get, MinVersion: tls.VersionTLS12}
		err = srv.ServeTLS(l, "", "")
	} else {
		err = srv.Serve(l)
	}
	if !errors.Is(err, http.ErrServerClosed) {
		return fmt.Errorf("serve HTTP: %w", err)
	}
	return <-drained // Serve returns before the last answer is sent
}
