package cli

import (
	"context"
	"log/slog"
	"os"
	"strings"

	"github.com/tidemark-metrics/tidemark/internal/config"
)

// reloader reads the settings again on SIGHUP. The log level and the TLS
// certificate change at once, and the audit log's file is reopened; what else changed is named in the log and needs
// a restart. Nothing that is wrong with the new settings ends the server.
type reloader struct {
	cfg         config.Config // in force, but for the log level
	load        func() (*config.Config, error)
	level       *slog.LevelVar
	certificate func() error // nil where there is none
	audit       func() error // opens the audit log's file again; nil where there is none
	log         *slog.Logger
}

func (re *reloader) run(ctx context.Context, signals <-chan os.Signal) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-signals:
			re.reload()
		}
	}
}

func (re *reloader) reload() {
	if re.certificate != nil {
		if err := re.certificate(); err != nil {
			re.log.Error("the TLS certificate was not reloaded: the previous one stays in use", slog.Any("err", err))
		}
	}
	if re.audit != nil {
		if err := re.audit(); err != nil {
			re.log.Error("the audit log's file was not reopened: entries go to the previous one", slog.Any("err", err))
		}
	}
	fresh, err := re.load()
	if err != nil {
		re.log.Error("the settings were not reloaded: the previous ones stay in force", slog.Any("err", err))
		return
	}
	re.cfg.LogLevel = fresh.LogLevel
	setLevel(re.level, fresh)
	if changed := config.Changed(&re.cfg, fresh); len(changed) > 0 {
		re.log.Warn("some settings changed that need a restart", slog.String("settings", strings.Join(changed, ", ")))
	}
	re.log.Info("reloaded", slog.String("log_level", fresh.LogLevel))
}
