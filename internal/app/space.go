package app

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"sync/atomic"
	"time"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/system"
)

const (
	reserveFile = "reserve"
	// reserveBytes is room that is given up when the disk is full, so that
	// people can still sign in, delete and deactivate.
	reserveBytes = 16 << 20

	spaceEvery = time.Second
	mega       = 1 << 20
	giga       = 1 << 30
)

// spaceGuard watches how much of the disk is free. Below a floor, what grows
// without end is refused, so that what people do to help still works.
type spaceGuard struct {
	dir   string
	floor int64 // 0 chooses by the size of the disk
	log   *slog.Logger
	began *atomic.Int64 // counts how often it began to refuse
	stat  func(dir string) (free, size int64, err error)

	refusing atomic.Pointer[string]
}

func newSpaceGuard(dir string, floor int64, log *slog.Logger, began *atomic.Int64) *spaceGuard {
	return &spaceGuard{dir: dir, floor: floor, log: log, began: began, stat: system.Disk}
}

// floorOf is how much of a disk must stay free: what the operator says, or
// 5 %, at least 1 GiB, but no more than a quarter of a small disk.
func (d *spaceGuard) floorOf(size int64) int64 {
	if d.floor > 0 {
		return d.floor
	}
	return min(max(giga, size/20), size/4)
}

// Run looks at the disk until ctx is done.
func (d *spaceGuard) Run(ctx context.Context) error {
	ticker := time.NewTicker(spaceEvery)
	defer ticker.Stop()
	for {
		d.look()
		select {
		case <-ctx.Done():
			return nil
		case <-ticker.C:
		}
	}
}

// look decides whether there is room, and keeps the reserve.
func (d *spaceGuard) look() {
	free, size, err := d.stat(d.dir)
	if err != nil {
		return // what cannot be known is not refused; writes say what is wrong
	}
	floor := d.floorOf(size)
	was := d.refusing.Load()
	switch {
	case free < floor && was == nil:
		why := fmt.Sprintf("the disk has %d MiB free, less than storage.free_floor of %d MiB", free/mega, floor/mega)
		d.refusing.Store(&why)
		d.began.Add(1)
		d.log.Error("measurements and annotations are refused", slog.String("reason", why))
	case free >= floor+floor/10 && was != nil: // a little more, or it would change all the time
		d.refusing.Store(nil)
		d.log.Info("there is room on the disk again: measurements and annotations are taken")
	}
	d.keepReserve(free, floor)
}

// keepReserve gives the reserve up when the disk is about to be full, and
// recreates it when there is plenty of room.
func (d *spaceGuard) keepReserve(free, floor int64) {
	path := filepath.Join(d.dir, reserveFile)
	_, err := os.Stat(path)
	switch {
	case isFull(free) && err == nil:
		d.giveUpReserve()
	case free > floor+2*reserveBytes && errors.Is(err, os.ErrNotExist):
		if err := writeReserve(path); err != nil {
			_ = os.Remove(path) // half a reserve is none
		}
	}
}

func isFull(free int64) bool { return free < reserveBytes/2 }

func (d *spaceGuard) giveUpReserve() {
	if os.Remove(filepath.Join(d.dir, reserveFile)) == nil {
		d.log.Warn("the disk is full: the reserve was given up so that people can sign in and delete")
	}
}

// prepare gives the reserve up where the disk is full before the server
// starts, which needs a little room itself.
func (d *spaceGuard) prepare() {
	if free, _, err := d.stat(d.dir); err == nil && isFull(free) {
		d.giveUpReserve()
	}
}

// explain says of an error that the disk is full, where it is: what failed
// for want of room often does not.
func (d *spaceGuard) explain(err error) error {
	free, _, statErr := d.stat(d.dir)
	if err == nil || statErr != nil || !isFull(free) {
		return err
	}
	return fmt.Errorf("the disk of %s is full (%d MiB free); make room and start again: %w", d.dir, free/mega, err)
}

func writeReserve(path string) error {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_WRONLY|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	_, err = io.CopyN(f, zeros{}, reserveBytes) // written, since a hole takes no room
	return errors.Join(err, f.Sync(), f.Close())
}

type zeros struct{}

func (zeros) Read(b []byte) (int, error) {
	clear(b)
	return len(b), nil
}

// Refusing is why measurements and annotations are refused, or nil.
func (d *spaceGuard) Refusing() error {
	if d == nil {
		return nil
	}
	if why := d.refusing.Load(); why != nil {
		return tidemark.Errorf(tidemark.Unavailable, "measurements and annotations cannot be stored at present: %s", *why)
	}
	return nil
}
