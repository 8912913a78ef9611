package app

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/api"
	"github.com/tidemark-metrics/tidemark/internal/api/rest"
	"github.com/tidemark-metrics/tidemark/internal/api/shared"
	"github.com/tidemark-metrics/tidemark/internal/auth"
	"github.com/tidemark-metrics/tidemark/internal/config"
	"github.com/tidemark-metrics/tidemark/internal/ingest"
	"github.com/tidemark-metrics/tidemark/internal/outbound"
	"github.com/tidemark-metrics/tidemark/internal/query"
	"github.com/tidemark-metrics/tidemark/internal/spelling"
	"github.com/tidemark-metrics/tidemark/internal/store"
	"github.com/tidemark-metrics/tidemark/internal/usage"
)

// Door is a way to the operator's part of the API: of the server that runs on
// a data directory or, where none runs, of the data itself.
type Door struct {
	Transport http.RoundTripper
	Says      string // which of the two it is, for people
	close     []func()
}

// Close lets go of the data.
func (d *Door) Close() {
	for i := len(d.close) - 1; i >= 0; i-- {
		d.close[i]()
	}
}

// OpenDoor opens the door to cfg's data.
func OpenDoor(ctx context.Context, cfg *config.Config) (*Door, error) { return openDoor(ctx, cfg, nil) }

// OpenDoorToMeasurements opens the door to cfg's data for what is about
// measurements too, which takes longer where no server is running.
func OpenDoorToMeasurements(ctx context.Context, cfg *config.Config) (*Door, error) {
	return openDoor(ctx, cfg, withMeasurements)
}

func openDoor(ctx context.Context, cfg *config.Config, with func(context.Context, *config.Config, *Door, *shared.Options) error) (*Door, error) {
	if err := hasData(cfg); err != nil {
		return nil, err
	}
	unlock, err := Lock(cfg.Data)
	if errors.Is(err, ErrInUse) {
		transport, err := DialAdmin(cfg.Data)
		return &Door{Transport: transport, Says: "Through the server that is running on " + cfg.Data + "."}, err
	}
	if err != nil {
		return nil, err
	}
	d := &Door{Says: "On the data in " + cfg.Data + " itself: no server is running there.", close: []func(){unlock}}
	st, err := store.Open(ctx, cfg.DatabaseURL())
	if err != nil {
		d.Close()
		return nil, err
	}
	d.close = append(d.close, func() { st.Close() })
	if err := openKeys(ctx, cfg, st); err != nil {
		d.Close()
		return nil, err
	}
	o := shared.Options{Store: st, Limits: tidemark.NewLimits(cfg.Limits), Auth: auth.New(st, nil), Usage: usage.New(usage.Options{Store: st}), Site: &rest.Site{Logger: slog.New(slog.DiscardHandler)}}
	if with != nil {
		if err := with(ctx, cfg, d, &o); err != nil {
			d.Close()
			return nil, err
		}
	}
	d.Transport = outbound.Inside{Handler: api.New(o).Admin()}
	return d, nil
}

// withMeasurements opens what measurements are in.
func withMeasurements(ctx context.Context, cfg *config.Config, d *Door, o *shared.Options) error {
	log := slog.New(slog.DiscardHandler)
	e, err := openEngine(ctx, cfg, log, o.Store, nodeID(cfg), &meters{}, nil)
	if err != nil {
		return fmt.Errorf("open the measurements: %w", err)
	}
	d.close = append(d.close, func() { e.Close() })
	o.Store.SetLimits(o.Limits)
	o.Engine, o.Settle = e, settling(e)
	o.Spellings = spelling.New(o.Store, nil)
	o.Recorder = ingest.New(ingest.Options{Engine: e, Metrics: o.Store, Spellings: o.Spellings, Limits: o.Limits})
	o.Querier = query.New(query.Options{Engine: e, Catalog: o.Recorder, Spellings: o.Spellings, Organizations: o.Limits})
	return nil
}

// settling is how an engine tidies up after an import; nil where it does so
// by itself.
func settling(e engine) func(context.Context) error {
	if local, ok := e.(interface{ Settle(context.Context) error }); ok {
		return local.Settle
	}
	return nil
}

// hasData makes sure that there is a data directory that was used before:
// commands must not make one where the wrong path was given.
func hasData(cfg *config.Config) error {
	_, err := os.Stat(filepath.Join(cfg.Data, lockFile))
	switch {
	case errors.Is(err, os.ErrPermission):
		return fmt.Errorf("the data in %s belongs to another user: run this command as the user that the server runs as (%w)", cfg.Data, err)
	case err != nil:
		return tidemark.Errorf(tidemark.NotFound, "there is no data in %s: start the server once, or give the right --data", cfg.Data)
	}
	return nil
}
