package cli

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"strconv"
	"time"

	"github.com/tidemark-metrics/tidemark/internal/app"
)

type profileCmd struct {
	Kind    string `arg:"" enum:"cpu,heap,allocs,goroutine,mutex,block,trace" help:"cpu, heap, allocs, goroutine, mutex, block or trace."`
	File    string `arg:"" help:"Where to write it; for go tool pprof, or go tool trace."`
	Seconds int    `help:"How long cpu and trace look." default:"10"`
}

// path is where the server has the profile.
func (c *profileCmd) path() string {
	switch c.Kind {
	case "cpu":
		return "profile?seconds=" + strconv.Itoa(c.Seconds)
	case "trace":
		return "trace?seconds=" + strconv.Itoa(c.Seconds)
	}
	return c.Kind
}

// Run fetches a profile of the running server.
func (c *profileCmd) Run(r *run) error {
	cfg, _, err := r.load(nil)
	if err != nil {
		return err
	}
	transport, err := app.DialAdmin(cfg.Data)
	if err != nil {
		return err
	}
	req, err := http.NewRequestWithContext(r.ctx, http.MethodGet, "http://tidemark/debug/pprof/"+c.path(), nil)
	if err != nil {
		return err
	}
	h := &http.Client{Transport: transport, Timeout: time.Minute + time.Duration(c.Seconds)*time.Second}
	resp, err := h.Do(req)
	if err != nil {
		return fmt.Errorf("no server answers on %s: %w", cfg.Data, err)
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return fmt.Errorf("the server answered %s", resp.Status)
	}
	f, err := os.Create(c.File)
	if err != nil {
		return err
	}
	_, err = io.Copy(f, resp.Body)
	if err := errors.Join(err, f.Close()); err != nil {
		return errors.Join(err, os.Remove(c.File))
	}
	return nil
}

func (c *profileCmd) unfinished() string { return c.File + " was not written" }
