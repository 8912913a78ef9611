package docs_test

import (
	"io/fs"
	"strings"
	"testing"

	"github.com/tidemark-metrics/tidemark/docs"
)

// TestContents: every document is in the contents of the site, once.
func TestContents(t *testing.T) {
	listed := make(map[string]int)
	for _, section := range docs.Contents {
		for _, file := range section.Files {
			listed[file+".md"]++
		}
	}
	err := fs.WalkDir(docs.Files, ".", func(file string, d fs.DirEntry, err error) error {
		if strings.HasSuffix(file, ".md") && listed[file] != 1 {
			t.Errorf("docs/%s is %d times in the contents (docs/contents.go), want once", file, listed[file])
		}
		delete(listed, file)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for file := range listed {
		t.Errorf("docs/contents.go names docs/%s, which does not exist", file)
	}
}
