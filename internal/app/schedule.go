package app

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"os/user"
	"path/filepath"
	"slices"
	"strconv"
	"syscall"
	"time"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/config"
	"github.com/tidemark-metrics/tidemark/internal/objects"
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
			log.Error("backup failed", slog.String("to", cfg.Backup.To), slog.Any("err", saysWriter(err)))
		}
		select {
		case <-ctx.Done():
			return nil
		case <-ticker.C:
		}
	}
}

// backUpNow makes a backup of a running server, one at a time.
func (rm *rooms) backUpNow(ctx context.Context, cfg *config.Config, by tidemark.Actor, where string, progress Progress) error {
	rm.backups.Lock()
	defer rm.backups.Unlock()
	from, err := rm.source(cfg)
	if err != nil {
		return err
	}
	return saysWriter(backUpTo(ctx, cfg, from, by, where, progress))
}

// saysWriter adds to an error of a backup that may not be written who writes
// it: that is the server, as whatever user tidemark backup was run.
func saysWriter(err error) error {
	if !errors.Is(err, fs.ErrPermission) && !errors.Is(err, syscall.EROFS) {
		return err
	}
	name := strconv.Itoa(os.Getuid())
	if u, lookErr := user.LookupId(name); lookErr == nil {
		name = u.Username
	}
	return fmt.Errorf("%w; the server (user %s) writes it: give it a new directory below /var/backups/tidemark, which packages make for it, or one where that user may write and, under systemd, ReadWritePaths= of the unit has", err, name)
}

// backUpIfDue makes a backup if the last is old enough, verifies it, and only
// then deletes those beyond what is to be kept.
func (rm *rooms) backUpIfDue(ctx context.Context, cfg *config.Config, now time.Time, log *slog.Logger) error {
	to, err := openDestination(cfg)
	if err != nil {
		return err
	}
	done, err := to.names(ctx)
	if err != nil {
		return err
	}
	if len(done) > 0 {
		last, _ := time.Parse(backupName, done[len(done)-1]) // names returns nothing else
		rm.meters.backupAt.Store(last.Unix())
		if now.Sub(last) < cfg.Backup.Every {
			return nil
		}
	}
	rm.backups.Lock()
	defer rm.backups.Unlock()
	from, err := rm.source(cfg)
	if err != nil {
		return err
	}
	m, err := to.add(ctx, from, tidemark.ServerActor(), now.UTC().Format(backupName), func(string, int64, int64) {})
	if err != nil {
		return err
	}
	took := time.Since(now)
	rm.meters.backups.Add(1)
	rm.meters.backupAt.Store(now.Unix())
	rm.meters.backupDuration.Store(int64(took))
	log.Info("backup made", slog.String("to", cfg.Backup.To), slog.Int("files", len(m.Files)), slog.Duration("took", took))
	if err := to.trim(ctx, int(cfg.Backup.Keep), now); err != nil {
		return fmt.Errorf("delete an old backup: %w", err)
	}
	return nil
}

// destination is where backups by the clock are.
type destination interface {
	// names are those of the complete backups, the oldest first.
	names(ctx context.Context) ([]string, error)
	// add makes a backup and verifies it.
	add(ctx context.Context, from source, by tidemark.Actor, name string, progress Progress) (*Manifest, error)
	// trim deletes the oldest beyond keep.
	trim(ctx context.Context, keep int, now time.Time) error
}

func openDestination(cfg *config.Config) (destination, error) {
	if objects.IsAddress(cfg.Backup.To) {
		return openRepository(cfg, cfg.Backup.To)
	}
	return folder(cfg.Backup.To), nil
}

// folder has a directory for each backup.
type folder string

func (f folder) names(context.Context) ([]string, error) { return backupsIn(string(f)) }

func (f folder) add(ctx context.Context, from source, by tidemark.Actor, name string, progress Progress) (*Manifest, error) {
	dir := filepath.Join(string(f), name)
	if err := backup(ctx, from.engine, from.store, by, dir, progress); err != nil {
		return nil, err
	}
	m, err := verifyDir(ctx, dir, progress)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("verify the backup: %w", err), os.RemoveAll(dir))
	}
	return m, nil
}

func (f folder) trim(_ context.Context, keep int, _ time.Time) error {
	names, err := backupsIn(string(f))
	for len(names) > keep && err == nil {
		err = os.RemoveAll(filepath.Join(string(f), names[0]))
		names = names[1:]
	}
	return err
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
