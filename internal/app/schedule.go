package app

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/config"
)

const (
	// backupName is how backups by the clock are called: by their time, so
	// that the oldest comes first.
	backupName = "20060102T150405Z"
	// backupLook is how often it is looked whether one is due, and how long a
	// failed one waits for the next try.
	backupLook = time.Minute
)

// backUp makes backups by the clock until ctx is done.
func (rm *rooms) backUp(ctx context.Context, cfg *config.Config, log *slog.Logger) error {
	ticker := time.NewTicker(backupLook)
	defer ticker.Stop()
	for {
		if err := rm.backUpIfDue(ctx, cfg, time.Now(), log); err != nil && ctx.Err() == nil {
			rm.meters.backupsFailed.Add(1)
			log.Error("backup failed", slog.String("dir", cfg.Backup.Dir), slog.Any("err", err))
		}
		select {
		case <-ctx.Done():
			return nil
		case <-ticker.C:
		}
	}
}

// backUpIfDue makes a backup if the last is old enough, verifies it, and only
// then deletes those beyond what is to be kept.
func (rm *rooms) backUpIfDue(ctx context.Context, cfg *config.Config, now time.Time, log *slog.Logger) error {
	done, err := backupsIn(cfg.Backup.Dir)
	if err != nil {
		return err
	}
	if len(done) > 0 {
		last, _ := time.Parse(backupName, done[len(done)-1]) // backupsIn returns nothing else
		rm.meters.backupAt.Store(last.Unix())
		if now.Sub(last) < cfg.Backup.Every {
			return nil
		}
	}
	name := now.UTC().Format(backupName)
	dir := filepath.Join(cfg.Backup.Dir, name)
	quiet := func(string, int64, int64) {}
	if err := backUpEngine(ctx, rm.engine, rm.store, tidemark.ServerActor(), dir, quiet); err != nil {
		return err
	}
	m, err := VerifyBackup(ctx, dir, quiet)
	if err != nil {
		return errors.Join(fmt.Errorf("verify the backup: %w", err), os.RemoveAll(dir))
	}
	took := time.Since(now)
	rm.meters.backups.Add(1)
	rm.meters.backupAt.Store(now.Unix())
	rm.meters.backupDuration.Store(int64(took))
	log.Info("backup made", slog.String("dir", dir), slog.Int("files", len(m.Files)), slog.Duration("took", took))
	return deleteOldBackups(cfg.Backup.Dir, append(done, name), int(cfg.Backup.Keep))
}

// backupsIn names the complete backups by the clock in a directory, the oldest
// first. What an interrupted one left is removed: it can never be restored.
func backupsIn(dir string) ([]string, error) {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, os.ErrNotExist) {
		return nil, os.MkdirAll(dir, 0o700)
	}
	if err != nil {
		return nil, err
	}
	var names []string
	for _, e := range entries {
		if _, err := time.Parse(backupName, e.Name()); err != nil || !e.IsDir() {
			continue // somebody else's
		}
		path := filepath.Join(dir, e.Name())
		if _, err := os.Stat(filepath.Join(path, unfinishedFile)); err == nil {
			if err := os.RemoveAll(path); err != nil {
				return nil, err
			}
			continue
		}
		if _, err := ReadManifest(path); err == nil {
			names = append(names, e.Name())
		}
	}
	slices.Sort(names)
	return names, nil
}

func deleteOldBackups(dir string, names []string, keep int) error {
	for len(names) > keep {
		if err := os.RemoveAll(filepath.Join(dir, names[0])); err != nil {
			return fmt.Errorf("delete an old backup: %w", err)
		}
		names = names[1:]
	}
	return nil
}
