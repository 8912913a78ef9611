package cli

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"strings"

	"github.com/tidemark-metrics/tidemark/internal/app"
	"github.com/tidemark-metrics/tidemark/internal/config"
)

type serveCmd struct {
	Listen    string `help:"Address to answer on (default 127.0.0.1:8433)." placeholder:"HOST:PORT"`
	PublicURL string `name:"public-url" help:"How clients reach the server, such as https://metrics.example.org." placeholder:"URL"`
	LogLevel  string `help:"debug, info, warn or error." placeholder:"LEVEL"`
	Demo      bool   `help:"Fill the server with a believable organization and keep it alive."`
}

// Run runs the server until it is told to stop.
func (c *serveCmd) Run(r *run) error {
	flags := map[string]string{"listen": c.Listen, "public_url": c.PublicURL, "log_level": c.LogLevel}
	if c.Demo {
		flags["demo"] = "true"
	}
	cfg, _, err := r.load(flags)
	if err != nil {
		return err
	}
	log := newLogger(cfg, r.Err)
	// Stopping can take a while: whoever asked for it should see that it was heard.
	unhook := context.AfterFunc(r.ctx, func() { log.Info("stopping: requests under way may finish") })
	defer unhook()
	err = app.Run(r.ctx, cfg, log, func(s app.Started) {
		fmt.Fprint(r.Out, welcome(cfg, s))
		log.Info("started", slog.String("url", s.URL), slog.String("version", app.Version()))
	})
	if err == nil {
		log.Info("stopped")
	}
	return err
}

// welcome is what is printed once the server answers.
func welcome(cfg *config.Config, s app.Started) string {
	var b strings.Builder
	fmt.Fprintf(&b, "Tidemark answers at %s (data in %s)\n", s.URL, cfg.Data)
	if s.Setup != "" {
		fmt.Fprintf(&b, "\nOpen this link to choose your password; it works once:\n\n    %s\n", s.Setup)
	}
	if s.Secret != "" {
		fmt.Fprintf(&b, "\nThis is a new server. Its first Full Access token, shown this once:\n\n    %s\n\n", s.Secret.Reveal())
		fmt.Fprintf(&b, "Send a first measurement:\n\n    curl -u %s: -H 'Content-Type: application/json' \\\n", s.Secret.Reveal())
		fmt.Fprintf(&b, "      -d '{\"tags\":{\"host\":\"here\"},\"measurements\":[{\"name\":\"hello.tide\",\"value\":42}]}' \\\n      %s/v1/measurements\n\n", s.URL)
	}
	return b.String()
}

func newLogger(cfg *config.Config, w io.Writer) *slog.Logger {
	var level slog.Level
	_ = level.UnmarshalText([]byte(cfg.LogLevel)) // config checked it
	opts := &slog.HandlerOptions{Level: level}
	if cfg.LogFormat == "json" {
		return slog.New(slog.NewJSONHandler(w, opts))
	}
	return slog.New(slog.NewTextHandler(w, opts))
}
