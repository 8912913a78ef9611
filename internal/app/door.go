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
	"github.com/tidemark-metrics/tidemark/internal/outbound"
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
func OpenDoor(ctx context.Context, cfg *config.Config) (*Door, error) {
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
	server := api.New(shared.Options{Store: st, Limits: tidemark.NewLimits(cfg.Limits), Auth: auth.New(st, nil), Usage: usage.New(usage.Options{Store: st}), Site: &rest.Site{Logger: slog.New(slog.DiscardHandler)}})
	d.Transport = outbound.Inside{Handler: server.Admin()}
	return d, nil
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
