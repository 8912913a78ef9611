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
	"github.com/tidemark-metrics/tidemark/internal/ports"
)

// doors are where requests come in.
type doors struct {
	outer, admin net.Listener
	cert         *certificate // nil for plain HTTP

	// Of other protocols; nil where they are off.
	graphite, statsd *ports.Sockets
	otlp             net.Listener
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
	d := &doors{outer: &acceptor{Listener: outer, log: log}, admin: admin, cert: cert}
	if err := d.openPorts(&cfg.Protocols); err != nil {
		d.close()
		return nil, err
	}
	return d, nil
}

// openPorts opens those of other protocols.
func (d *doors) openPorts(p *config.Protocols) (err error) {
	if p.GraphiteListen != "" {
		if d.graphite, err = ports.Listen(p.GraphiteListen); err != nil {
			return fmt.Errorf("graphite: %w", err)
		}
	}
	if p.StatsDListen != "" {
		if d.statsd, err = ports.Listen(p.StatsDListen); err != nil {
			return fmt.Errorf("statsd: %w", err)
		}
	}
	if p.OTLPListen != "" {
		if d.otlp, err = net.Listen("tcp", p.OTLPListen); err != nil {
			return fmt.Errorf("otlp: listen on %s: %w", p.OTLPListen, err)
		}
	}
	return nil
}

// close closes all; a server that ran has closed them already.
func (d *doors) close() {
	d.outer.Close()
	d.admin.Close()
	for _, s := range []*ports.Sockets{d.graphite, d.statsd} {
		if s != nil {
			s.Close()
		}
	}
	if d.otlp != nil {
		d.otlp.Close()
	}
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
	return serveWith(ctx, l, &http.Server{Handler: h}, cert, log)
}

// serveGRPC is serve for gRPC, which is HTTP/2 from the first byte.
func serveGRPC(ctx context.Context, l net.Listener, h http.Handler, cert *certificate, log *slog.Logger) error {
	srv := &http.Server{Handler: h, Protocols: new(http.Protocols)}
	srv.Protocols.SetHTTP2(true)
	srv.Protocols.SetUnencryptedHTTP2(true)
	return serveWith(ctx, l, srv, cert, log)
}

func serveWith(ctx context.Context, l net.Listener, srv *http.Server, cert *certificate, log *slog.Logger) error {
	srv.ReadHeaderTimeout, srv.ReadTimeout, srv.IdleTimeout = 10*time.Second, readTimeout, idleTimeout
	srv.MaxHeaderBytes, srv.ErrorLog = 64<<10, slog.NewLogLogger(log.Handler(), slog.LevelDebug)
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
