// Package app puts the rooms together: it opens, wires, starts and stops
// everything. Only it knows them all.
package app

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"time"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/api"
	"github.com/tidemark-metrics/tidemark/internal/auth"
	"github.com/tidemark-metrics/tidemark/internal/config"
	"github.com/tidemark-metrics/tidemark/internal/ingest"
	"github.com/tidemark-metrics/tidemark/internal/query"
	"github.com/tidemark-metrics/tidemark/internal/store"
	"github.com/tidemark-metrics/tidemark/internal/tsdb"
	"github.com/tidemark-metrics/tidemark/internal/tsdb/memory"
	"golang.org/x/sync/errgroup"
)

// Started is what a server tells whoever started it, once it answers.
type Started struct {
	URL string
	// Secret is the first Full Access token, on the first start only and
	// unless the operator chose its value.
	Secret tidemark.Secret
}

// rooms are everything that is open while the server runs.
type rooms struct {
	store    *store.Store
	engine   tsdb.Engine
	auth     *auth.Authenticator
	recorder *ingest.Recorder
	querier  *query.Querier
	api      *api.Server
}

// Run opens the stores, starts everything that runs, calls ready, and returns
// when ctx is done or something fails. What is opened first is closed last.
func Run(ctx context.Context, cfg *config.Config, log *slog.Logger, ready func(Started)) error {
	unlock, err := Lock(cfg.Data)
	if err != nil {
		return err
	}
	defer unlock()
	rm, err := open(ctx, cfg, log)
	if err != nil {
		return err
	}
	defer rm.close(log)
	secret, err := Bootstrap(ctx, rm.store, cfg.Bootstrap)
	if err != nil {
		return err
	}
	if cfg.Bootstrap != "" {
		secret = "" // whoever chose it knows it
	}
	return rm.run(ctx, cfg, log, func(url string) { ready(Started{URL: url, Secret: secret}) })
}

func open(ctx context.Context, cfg *config.Config, log *slog.Logger) (*rooms, error) {
	st, err := store.Open(ctx, cfg.DatabaseURL())
	if err != nil {
		return nil, err
	}
	engine := memory.New()
	rm := &rooms{store: st, engine: engine, auth: auth.New(st, nil)}
	rm.recorder = ingest.New(ingest.Options{
		Engine: engine, Metrics: st,
		Limits: ingest.Limits{Streams: int(cfg.Limits.Streams), Rate: int(cfg.Limits.Rate)},
	})
	rm.querier = query.New(query.Options{Engine: engine, Catalog: st})
	rm.api = api.New(api.Options{
		Store: st, Auth: rm.auth, Recorder: rm.recorder, Querier: rm.querier, Engine: engine,
		Logger: log, PublicURL: cfg.PublicURL,
	})
	return rm, nil
}

func (rm *rooms) close(log *slog.Logger) {
	if err := errors.Join(rm.engine.Close(), rm.store.Close()); err != nil {
		log.Error("close", slog.Any("err", err))
	}
}

// run starts what runs and waits for its end.
func (rm *rooms) run(ctx context.Context, cfg *config.Config, log *slog.Logger, ready func(url string)) error {
	listener, err := net.Listen("tcp", cfg.Listen)
	if err != nil {
		return fmt.Errorf("listen on %s: %w", cfg.Listen, err)
	}
	socket, err := listenAdmin(cfg.Data)
	if err != nil {
		listener.Close()
		return err
	}
	g, ctx := errgroup.WithContext(ctx)
	g.Go(func() error { return serve(ctx, listener, rm.handler(cfg), cfg.TLSCert, cfg.TLSKey, log) })
	g.Go(func() error { return serve(ctx, socket, rm.api.Admin(), "", "", log) })
	g.Go(func() error { return rm.auth.Run(ctx) })
	ready(address(cfg, listener))
	return g.Wait()
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
func serve(ctx context.Context, l net.Listener, h http.Handler, cert, key string, log *slog.Logger) error {
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
	if cert != "" {
		err = srv.ServeTLS(l, cert, key)
	} else {
		err = srv.Serve(l)
	}
	if !errors.Is(err, http.ErrServerClosed) {
		return fmt.Errorf("serve HTTP: %w", err)
	}
	return <-drained // Serve returns before the last answer is sent
}
