package cli

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/signal"
	"runtime"
	"strings"
	"syscall"

	"github.com/tidemark-metrics/tidemark/internal/app"
	"github.com/tidemark-metrics/tidemark/internal/config"
)

type serveCmd struct {
	Listen    string `help:"Address to answer on (default 127.0.0.1:8433)." placeholder:"HOST:PORT"`
	PublicURL string `name:"public-url" help:"How clients reach the server, such as https://metrics.example.org." placeholder:"URL"`
	LogLevel  string `help:"debug, info, warn or error." placeholder:"LEVEL"`
	Demo      bool   `help:"Fill the server with a believable organization and keep it alive."`
}

// flags are the settings given on the command line.
func (c *serveCmd) flags() map[string]string {
	flags := map[string]string{"listen": c.Listen, "public_url": c.PublicURL, "log_level": c.LogLevel}
	if c.Demo {
		flags["demo"] = "true"
	}
	return flags
}

// Run runs the server until it is stopped.
func (c *serveCmd) Run(r *run) error {
	hangups := make(chan os.Signal, 1)
	signal.Notify(hangups, syscall.SIGHUP) // from now on: one that comes during the start must not end it either
	defer signal.Stop(hangups)
	cfg, _, err := r.load(c.flags())
	if err != nil {
		return err
	}
	var level slog.LevelVar
	log := newLogger(cfg, &level, r.Err)
	for _, problem := range config.UnknownVariables(r.Environ) {
		log.Warn("environment", slog.String("problem", problem))
	}
	spare := make([]byte, spareHeap)
	defer runtime.KeepAlive(spare)
	// Stopping can take a while: the log says that the signal arrived.
	unhook := context.AfterFunc(r.ctx, func() { log.Info("stopping: requests under way may finish") })
	defer unhook()
	err = app.Run(r.ctx, cfg, log, func(s app.Started) {
		fmt.Fprint(r.Out, welcome(cfg, s))
		log.Info("started", slog.String("url", s.URL), slog.String("version", app.Version()))
		re := &reloader{cfg: *cfg, level: &level, log: log, certificate: s.ReloadCertificate, audit: s.ReopenAudit,
			load: func() (*config.Config, error) { cfg, _, err := r.load(c.flags()); return cfg, err }}
		go re.run(r.ctx, hangups)
	})
	if err == nil {
		log.Info("stopped")
	}
	return err
}

// spareHeap is never touched, so that it is no memory of the machine's. But the
// collector of garbage takes it for used, and lets as much more be allocated
// before its next round: a server that holds a few megabytes would make one
// during every other answer of some length.
const spareHeap = 16 << 20

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
		fmt.Fprintf(&b, "Watch this machine (a Record Only token is enough, and better where others can read it):\n\n")
		fmt.Fprintf(&b, "    curl -fsSL %s/agent.sh | sh -s -- --token %s\n\n", s.URL, s.Secret.Reveal())
	}
	return b.String()
}

// setLevel takes the level of the settings, which were checked.
func setLevel(level *slog.LevelVar, cfg *config.Config) {
	_ = level.UnmarshalText([]byte(cfg.LogLevel))
}

func newLogger(cfg *config.Config, level *slog.LevelVar, w io.Writer) *slog.Logger {
	setLevel(level, cfg)
	opts := &slog.HandlerOptions{Level: level}
	if cfg.LogFormat == "json" {
		return slog.New(newThrottle(slog.NewJSONHandler(w, opts)))
	}
	return slog.New(newThrottle(slog.NewTextHandler(w, opts)))
}
