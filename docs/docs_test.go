package docs_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestScreenshots: every picture in the repository is shown by a document.
// Pictures of everything else are a make target away.
func TestScreenshots(t *testing.T) {
	var text strings.Builder
	err := fs.WalkDir(os.DirFS(".."), ".", func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.IsDir() && d.Name() == "node_modules" {
			return fs.SkipDir
		}
		if err != nil || !strings.HasSuffix(path, ".md") {
			return err
		}
		b, err := os.ReadFile(filepath.Join("..", path))
		text.Write(b)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	pictures, err := filepath.Glob("screenshots/*")
	if err != nil || len(pictures) == 0 {
		t.Fatalf("%d pictures, %v", len(pictures), err)
	}
	for _, p := range pictures {
		if !strings.Contains(text.String(), p) {
			t.Errorf("no document shows docs/%s", p)
		}
	}
}
