package app

import (
	"log/slog"
	"path/filepath"
	"time"

	"github.com/tidemark-metrics/tidemark/internal/config"
	"github.com/tidemark-metrics/tidemark/internal/tsdb/embedded"
)

// engineOptions is how measurements are kept, and how the engine's background
// work gets into the log.
func engineOptions(cfg *config.Config, log *slog.Logger) embedded.Options {
	st := cfg.Storage
	return embedded.Options{
		Dir: filepath.Join(cfg.Data, measurementsDir), MemoryBytes: st.Memory, CacheBytes: st.Cache,
		RawRetention: st.RawRetention, MinuteRetention: st.MinuteRetention, HourRetention: st.HourRetention,
		Events: embedded.Events{
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
			WriteRefused:    func(reason string) { log.Error("measurements are refused", slog.String("reason", reason)) },
			WriteResumed:    func() { log.Info("measurements are taken again") },
			BackgroundError: func(doing string, err error) { log.Error("storage", slog.String("doing", doing), slog.Any("err", err)) },
		},
	}
}
