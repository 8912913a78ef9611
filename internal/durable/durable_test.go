package durable_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/tidemark-metrics/tidemark/internal/durable"
)

// TestReplace: a file is replaced as a whole, and only its owner may read it.
func TestReplace(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	path := filepath.Join(dir, "file")
	for _, text := range []string{"first, which is longer", "second"} {
		if err := durable.WriteFile(path+".new", []byte(text)); err != nil {
			t.Fatal(err)
		}
		if err := durable.Replace(path+".new", path); err != nil {
			t.Fatal(err)
		}
		if got, err := os.ReadFile(path); err != nil || string(got) != text {
			t.Errorf("%q, %v", got, err)
		}
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) != 1 {
		t.Errorf("%v, %v", left, err)
	}
}

// TestNowhere: what cannot be written is an error.
func TestNowhere(t *testing.T) {
	t.Parallel()
	nowhere := filepath.Join(t.TempDir(), "none", "file")
	if durable.WriteFile(nowhere, nil) == nil || durable.Replace(nowhere, nowhere) == nil || durable.SyncDir(filepath.Dir(nowhere)) == nil {
		t.Error("no error")
	}
}
