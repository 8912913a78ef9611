package engine_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/tidemark-metrics/tidemark/internal/testdeps"
	"github.com/tidemark-metrics/tidemark/internal/tsdb"
	"github.com/tidemark-metrics/tidemark/internal/tsdb/embedded"
)

// TestDamage spoils bytes of tables and logs of a closed engine. What can be
// read afterwards must be true; what cannot must be reported; nothing may
// panic. A directory that cannot be opened must open after Repair.
func TestDamage(t *testing.T) {
	t.Parallel()
	r := draws(t, 5)
	mem := newDisk()
	w := workload{base: weekAgo()}
	const steps = 1500
	writeForDamage(t, mem, w, steps)
	var found outcome
	for range testdeps.Amount("TIDEMARK_DAMAGES", 30, 5000) {
		fs := mem.crash(vfs.CrashCloneCfg{UnsyncedDataPercent: 100, RNG: r})
		what, err := spoil(fs, "data", r)
		if err != nil {
			t.Fatal(err)
		}
		if err := checkDamaged(t, fs, w, steps, &found); err != nil {
			t.Errorf("%s: %v", what, err)
		}
	}
	t.Logf("%+v", found)
	if found.reported == 0 {
		t.Error("no damage was ever noticed")
	}
}

// outcome counts what became of damaged directories.
type outcome struct{ whole, reported, refused int }

// writeForDamage leaves an engine with tables and a log.
func writeForDamage(t *testing.T, fs vfs.FS, w workload, steps int64) {
	o := faultOptions(fs)
	o.GenerationRecords = 500
	e, err := embedded.Open(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	if err := w.prepare(t.Context(), e); err != nil {
		t.Fatal(err)
	}
	for k := range steps {
		if err := w.step(t.Context(), e, k); err != nil {
			t.Fatal(err)
		}
		if k == steps/2 {
			if err := e.Maintain(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := e.Close(); err != nil {
		t.Fatal(err)
	}
}

// spoil changes some bytes of a table or a log, or cuts it short, and says
// what it did.
func spoil(fs vfs.FS, dir string, r *rand.Rand) (string, error) {
	files, err := findFiles(fs, dir, func(name string) bool { return strings.HasSuffix(name, ".sst") || strings.HasPrefix(name, "wal-") })
	if err != nil {
		return "", err
	}
	if len(files) == 0 {
		return "", fmt.Errorf("no tables and logs in %s", dir)
	}
	path, at, err := anyByte(fs, files, r)
	if err != nil {
		return "", err
	}
	data, err := readFile(fs, path)
	if err != nil {
		return "", err
	}
	n := 1 + r.IntN(40)
	how := r.IntN(3)
	switch how {
	case 0:
		data[at] ^= 1 << r.IntN(8)
	case 1:
		clear(data[at:min(at+n, len(data))])
	case 2:
		// A log that ends between two records is a shorter log, and nothing
		// tells: so what is left ends within one.
		data = data[:max(1, at)]
		data[len(data)-1] ^= 1
	}
	file, err := fs.Create(path, vfs.WriteCategoryUnspecified)
	if err != nil {
		return "", err
	}
	defer file.Close()
	if _, err := file.Write(data); err != nil {
		return "", err
	}
	return fmt.Sprintf("%s, %s at %d", path, [...]string{"a bit flipped", "zeroes", "cut"}[how], at), file.Sync()
}

// anyByte picks a byte of all files, and returns its file and place.
func anyByte(fs vfs.FS, files []string, r *rand.Rand) (string, int, error) {
	sizes, total := make([]int, len(files)), 0
	for i, path := range files {
		info, err := fs.Stat(path)
		if err != nil {
			return "", 0, err
		}
		sizes[i] = int(info.Size())
		total += sizes[i]
	}
	at := r.IntN(total)
	for i, size := range sizes {
		if at < size {
			return files[i], at, nil
		}
		at -= size
	}
	return "", 0, errors.New("no bytes")
}

func findFiles(fs vfs.FS, dir string, want func(name string) bool) ([]string, error) {
	names, err := fs.List(dir)
	if err != nil {
		return nil, err
	}
	var found []string
	for _, name := range names {
		path := fs.PathJoin(dir, name)
		info, err := fs.Stat(path)
		if err != nil {
			return nil, err
		}
		if info.IsDir() {
			below, err := findFiles(fs, path, want)
			if err != nil {
				return nil, err
			}
			found = append(found, below...)
		} else if want(name) {
			found = append(found, path)
		}
	}
	return found, nil
}

func readFile(fs vfs.FS, path string) ([]byte, error) {
	file, err := fs.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return io.ReadAll(file)
}

// checkDamaged opens a damaged directory and compares what it gives with the
// truth.
func checkDamaged(t *testing.T, fs vfs.FS, w workload, steps int64, found *outcome) error {
	ctx := t.Context()
	var reports atomic.Int64
	o := faultOptions(fs)
	o.Hooks.Damaged = func(string, error) { reports.Add(1) }
	o.Hooks.WALTruncated = func(string, int64, int64) { reports.Add(1) }
	e, err := embedded.Open(ctx, o)
	if err != nil {
		found.refused++
		if err := embedded.Repair(ctx, o, func(embedded.Finding) { reports.Add(1) }); err != nil {
			return fmt.Errorf("repair: %w", err)
		}
		if e, err = embedded.Open(ctx, o); err != nil {
			return fmt.Errorf("open after repair: %w", err)
		}
	}
	defer e.Close()
	missing, err := w.missing(ctx, e, steps)
	if err != nil {
		return err
	}
	s, err := e.Stats(ctx)
	if err != nil {
		return err
	}
	switch {
	case missing == 0:
		found.whole++
	case s.Lost > 0 || reports.Load() > 0:
		found.reported++
	default:
		return fmt.Errorf("%d records are missing, and nobody said so", missing)
	}
	// It can be used.
	return w.step(ctx, e, steps)
}

// missing returns how many records of the runs are not there. A record that
// is there but not true is an error.
func (w *workload) missing(ctx context.Context, e tsdb.Engine, steps int64) (int, error) {
	run, _, _, _ := w.want(steps)
	missing := 0
	for s := range streams {
		n := 0
		for series, err := range e.Select(ctx, tenant, w.query("run", tsdb.TagIs("s", fmt.Sprint(s)), 1)) {
			if err != nil {
				return 0, fmt.Errorf("reads do not go on: %w", err)
			}
			for i, at := range series.Times {
				n++
				if series.Summaries[i] != run[at] {
					return 0, fmt.Errorf("record at %d is %+v, want %+v", at, series.Summaries[i], run[at])
				}
			}
		}
		missing += len(run) - n
	}
	return missing, nil
}
