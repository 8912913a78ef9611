package cli

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"

	"github.com/tidemark-metrics/tidemark/internal/app"
)

type healthCmd struct{ listFlags }

// Run asks the server that runs on the data directory, through the operator's
// socket, so that neither its address nor its certificate matter.
func (c *healthCmd) Run(r *run) error {
	cfg, _, err := r.load(nil)
	if err != nil {
		return err
	}
	transport, err := app.DialAdmin(cfg.Data)
	if err != nil {
		return err
	}
	req, err := http.NewRequestWithContext(r.ctx, http.MethodGet, "http://tidemark/readyz", nil)
	if err != nil {
		return err
	}
	resp, err := (&http.Client{Transport: transport, Timeout: 5 * time.Second}).Do(req)
	if err != nil {
		return fmt.Errorf("no server answers on %s: %w", cfg.Data, err)
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(io.LimitReader(resp.Body, 1<<10))
	if err != nil {
		return err
	}
	ready, said := resp.StatusCode == http.StatusOK, strings.TrimSpace(string(text))
	if c.JSON {
		if err := r.printJSON(map[string]any{"ready": ready, "message": said}); err != nil {
			return err
		}
	} else if ready {
		fmt.Fprintln(r.Out, said) // and what it cannot do
	}
	if !ready {
		return fmt.Errorf("the server is not ready: %s", said)
	}
	return nil
}
