package app

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestDamagedBackup: whatever happens to a backup, it is refused with the
// reason, and nothing is restored of it.
func TestDamagedBackup(t *testing.T) {
	t.Parallel()
	good, _ := backedUp(t)
	if _, err := verifyDir(t.Context(), good, quiet); err != nil {
		t.Fatal(err)
	}
	table := biggest(t, filepath.Join(good, measurementsDir))
	table, err := filepath.Rel(good, table)
	if err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		name   string
		damage func(dir string) error
		want   string
	}{
		{"cut", func(dir string) error { return os.Truncate(filepath.Join(dir, table), 10) }, table + " has 10 bytes instead of"},
		{"grown", func(dir string) error { return appendTo(filepath.Join(dir, table), "x") }, table + " has "},
		{"a bit", func(dir string) error { return flip(filepath.Join(dir, table)) }, table + " is damaged: its checksum is wrong"},
		{"a bit of the control store", func(dir string) error { return flip(filepath.Join(dir, databaseFile)) }, "tidemark.db is damaged"},
		{"missing", func(dir string) error { return os.Remove(filepath.Join(dir, table)) }, table + " is missing"},
		{"no control store", func(dir string) error { return os.Remove(filepath.Join(dir, databaseFile)) }, "tidemark.db is missing"},
		{"foreign file", func(dir string) error { return os.WriteFile(filepath.Join(dir, "notes.txt"), nil, 0o600) }, "notes.txt is not part of the backup"},
		{"foreign directory", func(dir string) error { return os.Mkdir(filepath.Join(dir, measurementsDir, "db2"), 0o700) }, "measurements/db2 is not part of the backup"},
		{"a link", func(dir string) error {
			return errors.Join(os.Rename(filepath.Join(dir, table), filepath.Join(filepath.Dir(dir), "elsewhere")), os.Symlink("../../../elsewhere", filepath.Join(dir, table)))
		}, table + " is not a file"},
		{"no manifest", func(dir string) error { return os.Remove(filepath.Join(dir, manifestFile)) }, "is no complete backup: there is no backup.json"},
		{"manifest cut", func(dir string) error { return os.Truncate(filepath.Join(dir, manifestFile), 200) }, "backup.json of the backup in"},
		{"manifest changed", func(dir string) error { return replace(filepath.Join(dir, manifestFile), `"format": 1`, `"format": 3`) }, "its checksum is wrong"},
		{"unfinished", func(dir string) error { return os.WriteFile(filepath.Join(dir, unfinishedFile), nil, 0o600) }, "is not complete"},
		{"nothing", os.RemoveAll, "is no complete backup"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			dir := filepath.Join(t.TempDir(), "backup")
			if err := os.CopyFS(dir, os.DirFS(good)); err != nil {
				t.Fatal(err)
			}
			if err := tt.damage(dir); err != nil {
				t.Fatal(err)
			}
			_, err := verifyDir(t.Context(), dir, quiet)
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("verify: %v, want %q in it", err, tt.want)
			}
			cfg := settings(t, nil)
			if _, err := RestoreData(t.Context(), cfg, dir, "", quiet); err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("restore: %v, want %q in it", err, tt.want)
			}
			if _, err := os.Stat(cfg.Data); !errors.Is(err, os.ErrNotExist) {
				t.Errorf("a refused restore made %s (%v)", cfg.Data, err)
			}
		})
	}
}

func biggest(t *testing.T, dir string) string {
	t.Helper()
	var found string
	var size int64
	err := filepath.Walk(dir, func(path string, info os.FileInfo, err error) error {
		if err == nil && !info.IsDir() && info.Size() > size {
			found, size = path, info.Size()
		}
		return err
	})
	if err != nil || size < 20 {
		t.Fatalf("%s, %d bytes, %v", found, size, err)
	}
	return found
}

func flip(path string) error {
	content, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	content[len(content)/2] ^= 4
	return os.WriteFile(path, content, 0o600)
}

func appendTo(path, text string) error {
	content, err := os.ReadFile(path)
	return errors.Join(err, os.WriteFile(path, append(content, text...), 0o600))
}

func replace(path, old, text string) error {
	content, err := os.ReadFile(path)
	if err == nil && !strings.Contains(string(content), old) {
		err = fmt.Errorf("there is no %s in %s", old, content)
	}
	return errors.Join(err, os.WriteFile(path, []byte(strings.Replace(string(content), old, text, 1)), 0o600))
}
