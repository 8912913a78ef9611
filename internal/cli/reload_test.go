package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"os"
	"slices"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"

	"github.com/tidemark-metrics/tidemark/internal/config"
)

// loaded is a server's settings as they are without a file.
func loaded(t *testing.T, flags map[string]string) *config.Config {
	t.Helper()
	cfg, _, err := config.Load(config.Sources{Env: func(string) string { return "" }, Flags: flags})
	if err != nil {
		t.Fatal(err)
	}
	return cfg
}

// TestReload: the log level changes at once, what else changed is named, and
// nothing that is wrong with the new settings changes or ends anything.
func TestReload(t *testing.T) {
	t.Parallel()
	wrong := errors.New("no such file")
	for _, tt := range []struct {
		name        string
		flags       map[string]string // of the new settings
		loads       error
		certificate func() error
		audit       func() error
		level       slog.Level
		says        []string
	}{
		{"nothing changed", nil, nil, nil, nil, slog.LevelInfo, []string{`INFO msg=reloaded log_level=info`}},
		{"the level", map[string]string{"log_level": "debug"}, nil, nil, nil, slog.LevelDebug, []string{`INFO msg=reloaded log_level=debug`}},
		{"what needs a restart", map[string]string{"listen": "127.0.0.1:9999"}, nil, nil, nil, slog.LevelInfo,
			[]string{`WARN msg="some settings changed that need a restart" settings=listen`, `INFO msg=reloaded`}},
		{"settings that are wrong", nil, wrong, nil, nil, slog.LevelInfo, []string{`ERROR msg="the settings were not reloaded: the previous ones stay in force" err="no such file"`}},
		{"a certificate that is wrong", map[string]string{"log_level": "warn"}, nil, func() error { return wrong }, func() error { return nil }, slog.LevelWarn,
			[]string{`ERROR msg="the TLS certificate was not reloaded: the previous one stays in use" err="no such file"`}},
		{"a log that cannot be opened", nil, nil, func() error { return nil }, func() error { return wrong }, slog.LevelInfo,
			[]string{`ERROR msg="the audit log's file was not reopened: entries go to the previous one" err="no such file"`, `INFO msg=reloaded`}},
	} {
		var out bytes.Buffer
		var level slog.LevelVar
		re := &reloader{cfg: *loaded(t, nil), level: &level, certificate: tt.certificate, audit: tt.audit,
			load: func() (*config.Config, error) { return loaded(t, tt.flags), tt.loads },
			log:  slog.New(slog.NewTextHandler(&out, &slog.HandlerOptions{Level: &level}))}
		re.reload()
		lines := strings.Split(strings.TrimSpace(out.String()), "\n")
		if level.Level() != tt.level || len(lines) != len(tt.says) {
			t.Errorf("%s: level %s, log\n%s", tt.name, level.Level(), out.String())
			continue
		}
		for i, want := range tt.says {
			if !strings.Contains(lines[i], want) {
				t.Errorf("%s: line %q, want %q", tt.name, lines[i], want)
			}
		}
	}
}

// TestReloadOnEverySignal: each hangup reloads once, and the server's end ends
// the waiting for more.
func TestReloadOnEverySignal(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		loads := 0
		var level slog.LevelVar
		re := &reloader{cfg: *loaded(t, nil), level: &level, log: slog.New(slog.DiscardHandler),
			load: func() (*config.Config, error) { loads++; return loaded(t, nil), nil }}
		ctx, cancel := context.WithCancel(context.Background())
		signals, ended := make(chan os.Signal), make(chan struct{})
		go func() { re.run(ctx, signals); close(ended) }()
		for range 3 {
			signals <- syscall.SIGHUP
		}
		synctest.Wait()
		if loads != 3 {
			t.Errorf("3 hangups, %d reloads", loads)
		}
		cancel()
		<-ended
	})
}

// TestLoggerFormat: JSON where that is set, one object a line; text otherwise;
// and nothing below the level.
func TestLoggerFormat(t *testing.T) {
	t.Parallel()
	for format, want := range map[string]bool{"json": true, "text": false} {
		var out bytes.Buffer
		var level slog.LevelVar
		cfg := loaded(t, map[string]string{"log_format": format, "log_level": "warn"})
		log := newLogger(cfg, &level, &out)
		log.Info("not said")
		log.Warn("said", slog.String("a", "b"))
		if lines := strings.Count(out.String(), "\n"); lines != 1 || json.Valid(out.Bytes()) != want {
			t.Errorf("%s: %s", format, out.String())
		}
	}
}

// TestThrottleTellsApart: the same words of two parts of the server are two
// messages, by their attributes and groups, and counted apart.
func TestThrottleTellsApart(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	log := slog.New(newThrottle(slog.NewTextHandler(&out, nil)))
	of := func(org int) slog.Attr { return slog.Int("org", org) }
	parts := []*slog.Logger{log, log.With(of(1)), log.With(of(2)), log.WithGroup("a"), log.WithGroup("a").With(of(1))}
	for range 3 {
		for _, l := range parts {
			l.Error("failed", slog.String("err", "no connection"))
		}
		parts[0].Error("failed", slog.String("err", "no connection"), slog.Int("try", 2))
	}
	if lines := strings.Count(out.String(), "\n"); lines != 6 {
		t.Errorf("%d lines instead of 6:\n%s", lines, out.String())
	}
}

// TestServeFlags: only what was given on the command line overrides settings.
func TestServeFlags(t *testing.T) {
	t.Parallel()
	if got := (&serveCmd{}).flags(); got["demo"] != "" || got["listen"] != "" {
		t.Errorf("without flags: %v", got)
	}
	if got := (&serveCmd{Demo: true, Listen: ":1", PublicURL: "https://x", LogLevel: "debug"}).flags(); got["demo"] != "true" || got["listen"] != ":1" || got["public_url"] != "https://x" || got["log_level"] != "debug" {
		t.Errorf("%v", got)
	}
}

// TestAsAgent: called by the agent's name the program is the agent, whatever its
// directory, but still says its version.
func TestAsAgent(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		program    string
		args, want []string
	}{
		{"tidemark", []string{"serve"}, []string{"serve"}},
		{"", []string{"serve"}, []string{"serve"}},
		{"/usr/local/bin/tidemark-agent", []string{"--config", "f"}, []string{"agent", "--config", "f"}},
		{"tidemark-agent", nil, []string{"agent"}},
		{"tidemark-agent", []string{"--version"}, []string{"--version"}},
		{"tidemark-agents", []string{"serve"}, []string{"serve"}},
	} {
		if got := asAgent(tt.program, tt.args); !slices.Equal(got, tt.want) {
			t.Errorf("%s %v runs %v, want %v", tt.program, tt.args, got, tt.want)
		}
	}
}
