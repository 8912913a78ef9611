package app

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/clock"
	"github.com/tidemark-metrics/tidemark/internal/config"
	"github.com/tidemark-metrics/tidemark/internal/ingest"
	"github.com/tidemark-metrics/tidemark/internal/store"
	"github.com/tidemark-metrics/tidemark/internal/tsdb/clickhouse"
	"github.com/tidemark-metrics/tidemark/internal/tsdb/embedded"
	"github.com/tidemark-metrics/tidemark/internal/turns"
)

// engine is what keeps the measurements, with what it does in the background.
type engine interface {
	ingest.Engine
	Run(ctx context.Context) error
}

// openEngine opens the engine that the settings name.
func openEngine(ctx context.Context, cfg *config.Config, log *slog.Logger, st *store.Store, node string, m *meters, order *turns.Turns) (engine, error) {
	if cfg.Engine != "clickhouse" {
		o := engineOptions(cfg, log)
		o.Hooks, o.Processors = m.observe(o.Hooks, order), order.Processors
		return embedded.Open(ctx, o)
	}
	o, err := clickHouseOptions(cfg)
	if err != nil {
		return nil, err
	}
	o.Ledger, o.Node = st, node
	o.Failed = func(doing string, err error) {
		m.storageFailures.Add(1)
		log.Warn("storage", slog.String("doing", doing), slog.Any("err", err))
	}
	o.Unknown = func(code int, err error) {
		m.storageFailures.Add(1)
		log.Error("ClickHouse reports an error", slog.Int("code", code), slog.String("err", firstWords(err)))
		log.Debug("ClickHouse reports an error", slog.Int("code", code), slog.Any("err", err))
	}
	return clickhouse.Open(ctx, o)
}

// clickHouseOptions are the settings of that engine.
func clickHouseOptions(cfg *config.Config) (clickhouse.Options, error) {
	c := cfg.ClickHouse
	o := clickhouse.Options{
		URLs: c.URLs, User: c.User, Password: c.Password, Database: c.Database, Cluster: c.Cluster,
		RawRetention: cfg.Storage.RawRetention, HourRetention: cfg.Storage.HourRetention,
	}
	if c.CA == "" {
		return o, nil
	}
	pem, err := os.ReadFile(c.CA)
	if err != nil {
		return o, fmt.Errorf("clickhouse.ca: %w", err)
	}
	pool := x509.NewCertPool()
	if !pool.AppendCertsFromPEM(pem) {
		return o, fmt.Errorf("clickhouse.ca: %s has no certificate in it", c.CA)
	}
	o.TLS = &tls.Config{RootCAs: pool, MinVersion: tls.VersionTLS12}
	return o, nil
}

// CheckEngine says what would keep the server from using its engine.
func CheckEngine(ctx context.Context, cfg *config.Config) error {
	if cfg.Engine != "clickhouse" {
		return nil
	}
	o, err := clickHouseOptions(cfg)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	return clickhouse.Check(ctx, o)
}

// errElsewhere is for what is done with files of measurements.
var errElsewhere = tidemark.Errorf(tidemark.Unsupported, "the measurements are in ClickHouse: back them up there (BACKUP DATABASE), "+
	"and the control store with pg_dump; docs/scaling.md says how")

// source is what backups of a running server are made of.
func (rm *rooms) source(cfg *config.Config) (source, error) {
	local, ok := rm.engine.(measurements)
	if !ok {
		return source{}, errElsewhere
	}
	return source{engine: local, store: rm.store, data: cfg.Data}, nil
}

// engineTrouble says in words why the engine would refuse a request now, "" if
// it would not, and whether it answers any.
func engineTrouble(ctx context.Context, e engine) (trouble string, works bool) {
	if remote, ok := e.(interface{ Ready(context.Context) error }); ok {
		err := remote.Ready(ctx)
		if problem, ok := errors.AsType[*tidemark.Error](err); ok {
			return problem.Msg, false
		}
		if err != nil {
			return "the engine does not answer", false
		}
		return "", true
	}
	st, err := e.Stats(ctx)
	switch {
	case err != nil:
		return "the engine does not answer", false
	case st.Refusing != "":
		return "measurements are refused: " + st.Refusing, true
	}
	return "", true
}

// ailing says in words what is wrong with the engine although this server can
// do as much as any other.
func ailing(ctx context.Context, e engine) []string {
	if remote, ok := e.(interface {
		Ailing(context.Context) []string
	}); ok {
		return remote.Ailing(ctx)
	}
	return nil
}

// engineOptions is how measurements are kept, and how the engine's background
// work gets into the log.
func engineOptions(cfg *config.Config, log *slog.Logger) embedded.Options {
	st := cfg.Storage
	return embedded.Options{
		Dir: filepath.Join(cfg.Data, measurementsDir), MemoryBytes: st.Memory, CacheBytes: st.Cache, Elapsed: clock.Elapsed(),
		RawRetention: st.RawRetention, MinuteRetention: st.MinuteRetention, HourRetention: st.HourRetention,
		Hooks: embedded.Hooks{
			Sealed: func(i embedded.SealInfo) {
				log.Debug("sealed", slog.Uint64("generation", i.Generation), slog.Int64("records", i.Records), slog.Duration("took", i.Took))
			},
			Merged: func(i embedded.MergeInfo) {
				log.Debug("merged", slog.Time("day", i.Day), slog.Int64("chunks", i.ChunksIn), slog.Duration("took", i.Took))
			},
			TierBuilt: func(i embedded.TierInfo) {
				log.Debug("tier built", slog.Int64("window", i.Window), slog.Time("to", i.To), slog.Duration("took", i.Took))
			},
			Expired: func(window int64, before time.Time) {
				log.Debug("expired", slog.Int64("window", window), slog.Time("before", before))
			},
			Damaged: func(what string, err error) {
				log.Error("damaged data was set aside", slog.String("what", what), slog.Any("err", err))
			},
			WALTruncated: func(segment string, at, bytes int64) {
				log.Warn("the end of the log was cut off", slog.String("segment", segment), slog.Int64("at", at), slog.Int64("bytes", bytes))
			},
			WriteRefused: func(reason string) { log.Error("measurements are refused", slog.String("reason", reason)) },
			WriteResumed: func() { log.Info("measurements are taken again") },
			BackgroundError: func(doing string, err error) {
				// The same words whatever files it is about, so that the log leaves out repetitions.
				log.Error("storage", slog.String("doing", doing), slog.String("err", firstWords(err)))
				log.Debug("storage", slog.String("doing", doing), slog.Any("err", err))
			},
		},
	}
}

// firstWords is what is wrong, without numbers of files and stacks: of a
// failure that repeats, all are alike then. Where the disk fails at a file, its
// name matters more.
func firstWords(err error) string {
	if at, ok := errors.AsType[*fs.PathError](err); ok && errors.Is(at, syscall.EIO) {
		return at.Error()
	}
	var number syscall.Errno
	if errors.As(err, &number) {
		return number.Error()
	}
	text, _, _ := strings.Cut(err.Error(), "\n")
	return strings.Map(func(r rune) rune {
		if r >= '0' && r <= '9' {
			return '#'
		}
		return r
	}, text[:min(len(text), 200)])
}
