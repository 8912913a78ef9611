package app

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// standIn is a directory with a complete backup of stand-ins, and its manifest.
func standIn(t *testing.T) (string, *Manifest) {
	t.Helper()
	dir := t.TempDir()
	for name, content := range map[string]string{databaseFile: "control", measurementsDir + "/a/1": "one", measurementsDir + "/b": ""} {
		put(t, filepath.Join(dir, name), content)
	}
	m := &Manifest{Format: manifestFormat, Version: "1.2.3", Created: time.Unix(1_700_000_000, 0).UTC(), ControlStore: controlSQLite}
	if err := errors.Join(m.collect(t.Context(), dir, quiet), m.write(dir)); err != nil {
		t.Fatal(err)
	}
	return dir, m
}

// put writes a file and the directories above it.
func put(t *testing.T, path, content string) {
	t.Helper()
	if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, []byte(content), 0o600)); err != nil {
		t.Fatal(err)
	}
}

// TestManifestIsReadBack: what a backup says of itself is what was written, and
// it has every file but those of its making.
func TestManifestIsReadBack(t *testing.T) {
	t.Parallel()
	dir, want := standIn(t)
	got, err := ReadManifest(dir)
	if diff := cmp.Diff(want, got); err != nil || diff != "" {
		t.Errorf("%v %s", err, diff)
	}
	if len(got.Files) != 3 || got.total() != int64(len("control")+len("one")) || !got.HasControlStore() {
		t.Errorf("%+v", got)
	}
	if _, err := verifyDir(t.Context(), dir, quiet); err != nil {
		t.Errorf("%v", err)
	}
	put(t, filepath.Join(dir, unfinishedFile), "")
	if _, err := ReadManifest(dir); err == nil || err.Error() != "the backup in "+dir+" is not complete: it is being made, or was interrupted" {
		t.Errorf("while it is made: %v", err)
	}
	empty := t.TempDir()
	if _, err := ReadManifest(empty); err == nil || err.Error() != empty+" is no complete backup: there is no backup.json" {
		t.Errorf("of nothing: %v", err)
	}
}

// TestManifestRefusals: a manifest that lists what no backup of ours holds is
// refused, whatever its own checksum says.
func TestManifestRefusals(t *testing.T) {
	t.Parallel()
	sum := strings.Repeat("ab", 32)
	database, one := manifestItem{databaseFile, 1, sum}, manifestItem{measurementsDir + "/a", 1, sum}
	dump, table := manifestItem{dumpDir + "/dump.json", 1, sum}, manifestItem{dumpDir + "/alerts.copy", 1, sum}
	for _, tt := range []struct {
		m    Manifest
		want string
	}{
		{Manifest{Format: 1, ControlStore: controlSQLite, Files: []manifestItem{database, one}}, ""},
		{Manifest{Format: 1, ControlStore: controlPostgres, Files: []manifestItem{one}}, ""},
		{Manifest{Format: 1, ControlStore: controlPostgres, Files: []manifestItem{one, dump, table}}, ""},
		{Manifest{Format: 1, ControlStore: controlPostgres, Files: []manifestItem{one, table}}, `has a control store "postgresql", and the wrong files for it`},
		{Manifest{Format: 1, ControlStore: controlSQLite, Files: []manifestItem{database, one, dump, table}}, `has a control store "sqlite", and the wrong files for it`},
		{Manifest{Format: 1, Files: []manifestItem{{measurementsDir + "/../secrets.key", 1, sum}}}, `lists "` + measurementsDir + `/../secrets.key", which is no part of a backup`},
		{Manifest{Format: 1, Files: []manifestItem{{dumpDir + "/../x", 1, sum}}}, `lists "` + dumpDir + `/../x", which is no part of a backup`},
		{Manifest{Format: 2, Version: "9.0.0", Files: []manifestItem{one}}, "has format 2, this version reads 1: use Tidemark 9.0.0"},
		{Manifest{Format: 1, ControlStore: controlSQLite, Files: []manifestItem{database}}, "lists no measurements"},
		{Manifest{Format: 1, ControlStore: controlSQLite, Files: []manifestItem{one}}, `has a control store "sqlite", and the wrong files for it`},
		{Manifest{Format: 1, ControlStore: controlPostgres, Files: []manifestItem{database, one}}, `has a control store "postgresql", and the wrong files for it`},
		{Manifest{Format: 1, Files: []manifestItem{{"secrets.key", 1, sum}}}, `lists "secrets.key", which is no part of a backup`},
		{Manifest{Format: 1, Files: []manifestItem{{measurementsDir + "/../../etc/passwd", 1, sum}}}, `lists "` + measurementsDir + `/../../etc/passwd", which is no part of a backup`},
		{Manifest{Format: 1, Files: []manifestItem{{"/" + measurementsDir + "/a", 1, sum}}}, `lists "/` + measurementsDir + `/a", which is no part of a backup`},
		{Manifest{Format: 1, Files: []manifestItem{{one.Path, 1, ""}}}, `lists "` + one.Path + `" with a checksum or a size that is none`},
		{Manifest{Format: 1, Files: []manifestItem{{one.Path, 1, "../../../" + sum[9:]}}}, `lists "` + one.Path + `" with a checksum or a size that is none`},
		{Manifest{Format: 1, Files: []manifestItem{{one.Path, 1, strings.ToUpper(sum)}}}, `lists "` + one.Path + `" with a checksum or a size that is none`},
		{Manifest{Format: 1, Files: []manifestItem{{one.Path, -1, sum}}}, `lists "` + one.Path + `" with a checksum or a size that is none`},
	} {
		dir := t.TempDir()
		if err := tt.m.write(dir); err != nil {
			t.Fatal(err)
		}
		_, err := ReadManifest(dir)
		if tt.want == "" && err != nil || tt.want != "" && (err == nil || err.Error() != "backup.json of the backup in "+dir+": "+tt.want) {
			t.Errorf("%+v: %v, want %s", tt.m, err, tt.want)
		}
	}
}

// TestManifestDamage: not a character of a manifest can be changed unnoticed,
// nor can it be cut; blanks alone mean nothing.
func TestManifestDamage(t *testing.T) {
	t.Parallel()
	dir, _ := standIn(t)
	text, err := os.ReadFile(filepath.Join(dir, manifestFile))
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i < len(text); i += 7 {
		changed := append([]byte(nil), text...)
		if changed[i] ^= 1; strings.ContainsRune(" \n", rune(text[i])) {
			continue
		}
		if _, err := parseManifest(changed); err == nil {
			t.Errorf("byte %d, %q: nobody notices", i, text[i])
		}
		if _, err := parseManifest(text[:i]); err == nil || !strings.HasPrefix(err.Error(), "is damaged: ") {
			t.Errorf("cut at %d: %v", i, err)
		}
	}
	var s sealed
	if err := json.Unmarshal(text, &s); err != nil {
		t.Fatal(err)
	}
	plain, err := json.Marshal(s)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := parseManifest(plain); err != nil {
		t.Errorf("without its blanks: %v", err)
	}
}

// TestVerifyNamesEverything: what is missing, cut, changed, replaced or foreign
// is named, each file once, and long lists are cut.
func TestVerifyNamesEverything(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name   string
		damage func(dir string) error
		want   string
	}{
		{"missing", func(dir string) error { return os.Remove(dir + "/" + databaseFile) }, databaseFile + " is missing"},
		{"cut", func(dir string) error { return os.Truncate(dir+"/"+databaseFile, 2) }, databaseFile + " has 2 bytes instead of 7"},
		{"changed", func(dir string) error { return os.WriteFile(dir+"/"+measurementsDir+"/a/1", []byte("eno"), 0o600) }, measurementsDir + "/a/1 is damaged: its checksum is wrong"},
		{"a link", func(dir string) error {
			return errors.Join(os.Remove(dir+"/"+databaseFile), os.Symlink("/etc/hostname", dir+"/"+databaseFile))
		}, databaseFile + " is not a file"},
		{"foreign", func(dir string) error {
			return errors.Join(os.WriteFile(dir+"/secrets.key", nil, 0o600), os.MkdirAll(dir+"/other/deep", 0o700))
		}, "other is not part of the backup\nsecrets.key is not part of the backup"},
	} {
		dir, _ := standIn(t)
		if err := tt.damage(dir); err != nil {
			t.Fatal(err)
		}
		m, err := verifyDir(t.Context(), dir, quiet)
		if want := "the backup in " + dir + " cannot be used:\n" + tt.want; m != nil || err == nil || err.Error() != want {
			t.Errorf("%s: %v, want %s", tt.name, err, want)
		}
	}
	var many []error
	for i := range maxProblems + 3 {
		many = append(many, fmt.Errorf("file %d", i))
	}
	if err := unusable("x", many[:maxProblems]); strings.Contains(err.Error(), "more") {
		t.Errorf("a short list is cut: %v", err)
	}
	if err := unusable("x", many); !strings.HasSuffix(err.Error(), "file 9\nand 3 more") {
		t.Errorf("a long list: %v", err)
	}
}

// TestVerifyStops: whoever no longer waits is told so, and not that the backup
// is damaged.
func TestVerifyStops(t *testing.T) {
	t.Parallel()
	dir, m := standIn(t)
	ctx, cancel := context.WithCancel(t.Context())
	seen := 0
	_, err := verifyDir(ctx, dir, func(_ string, done, total int64) {
		if seen++; done > total {
			t.Errorf("%d of %d", done, total)
		}
		cancel()
	})
	if !errors.Is(err, context.Canceled) || seen != 1 || strings.Contains(err.Error(), "cannot be used") {
		t.Errorf("%v after %d of %d files", err, seen, len(m.Files))
	}
	if err := new(Manifest).collect(ctx, dir, quiet); !errors.Is(err, context.Canceled) {
		t.Errorf("checksums: %v", err)
	}
}

// TestMakePrivate: what a data directory holds is for its owner alone; what is
// not the server's, and what everybody shares, is left as it was.
func TestMakePrivate(t *testing.T) {
	t.Parallel()
	data, elsewhere := filepath.Join(t.TempDir(), "data"), t.TempDir()
	for _, name := range []string{databaseFile, keyFile, "notes.txt"} {
		put(t, filepath.Join(data, name), "x")
	}
	put(t, filepath.Join(elsewhere, "deep", "file"), "x")
	put(t, filepath.Join(elsewhere, "target"), "x")
	for path, mode := range map[string]fs.FileMode{data: 0o755, data + "/" + databaseFile: 0o664, data + "/" + keyFile: 0o400, data + "/notes.txt": 0o644,
		elsewhere: 0o755, elsewhere + "/deep": 0o775, elsewhere + "/deep/file": 0o604, elsewhere + "/target": 0o644} {
		if err := os.Chmod(path, mode); err != nil {
			t.Fatal(err)
		}
	}
	links := errors.Join(os.Symlink(elsewhere, data+"/"+measurementsDir), os.Symlink(data+"/notes.txt", elsewhere+"/link"))
	if err := errors.Join(links, makePrivate(data), makePrivate(data)); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]fs.FileMode{data: 0o700, data + "/" + databaseFile: 0o600, data + "/" + keyFile: 0o400, data + "/notes.txt": 0o644,
		elsewhere: 0o700, elsewhere + "/deep": 0o700, elsewhere + "/deep/file": 0o600, elsewhere + "/target": 0o600} {
		if info, err := os.Stat(path); err != nil || info.Mode().Perm() != want {
			t.Errorf("%s has mode %v, %v, want %v", path, info.Mode(), err, want)
		}
	}
	shared := t.TempDir()
	if err := os.Chmod(shared, 0o777|fs.ModeSticky); err != nil {
		t.Fatal(err)
	}
	if err := makePrivate(shared); err != nil {
		t.Error(err)
	}
	if info, err := os.Stat(shared); err != nil || info.Mode().Perm() != 0o777 {
		t.Errorf("a shared directory has mode %v, %v", info.Mode(), err)
	}
	if err := makePrivate(filepath.Join(data, "none")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("of what is not there: %v", err)
	}
}
