package tidemark_test

import (
	"fmt"
	"os"
	"os/exec"
	"path"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestNamesDifferByMoreThanCase keeps the repository usable where file systems
// fold case, as those of macOS and Windows do: of two names there only one is
// left. Imports of the interface leave the extension out, so there it does not
// tell names apart either: "./Readout" would find readout.ts.
func TestNamesDifferByMoreThanCase(t *testing.T) {
	out, err := exec.CommandContext(t.Context(), "git", "ls-files", "-z").Output()
	if err != nil {
		t.Skip("built from an archive of the source, without git")
	}
	_, _ = os.Stat(".git/index") // so that the test cache sees names come and go
	for _, pair := range alike(strings.Split(strings.TrimRight(string(out), "\x00"), "\x00")) {
		t.Errorf("only case tells these apart: %s", pair)
	}
}

func TestNamesThatDifferInCaseAreFound(t *testing.T) {
	for _, tt := range []struct {
		name  string
		files []string
		want  []string
	}{
		{"two files", []string{"docs/a.md", "docs/A.md"}, []string{"docs/a.md, docs/A.md"}},
		{"two folders", []string{"docs/a/x.md", "docs/A/y.md"}, []string{"docs/a, docs/A"}},
		{"a module and a component", []string{"ui/src/readout.ts", "ui/src/Readout.tsx"}, []string{"ui/src/readout.ts, ui/src/Readout.tsx"}},
		{"a folder and a component", []string{"ui/src/chart/x.ts", "ui/src/Chart.tsx"}, []string{"ui/src/chart, ui/src/Chart.tsx"}},
		{"a component and its styles", []string{"ui/src/Readout.tsx", "ui/src/readout.module.css"}, nil},
		{"extensions are written elsewhere", []string{"docs/a.ts", "docs/A.tsx"}, nil},
		{"other folders", []string{"docs/a.md", "test/A.md"}, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if d := cmp.Diff(tt.want, alike(tt.files)); d != "" {
				t.Error(d)
			}
		})
	}
}

// alike returns the pairs of files and folders that a file system without case
// takes for one.
func alike(files []string) []string {
	var pairs []string
	first := make(map[string]string)
	for _, file := range files {
		for name := file; name != "."; name = path.Dir(name) {
			key := strings.ToLower(imported(name))
			switch was, ok := first[key]; {
			case !ok:
				first[key] = name
			case was != name && imported(was) != imported(name):
				pairs = append(pairs, fmt.Sprintf("%s, %s", was, name))
			}
		}
	}
	return pairs
}

// imported is how a file is named by those who need it.
func imported(name string) string {
	if ext := path.Ext(name); strings.HasPrefix(name, "ui/src/") && (ext == ".ts" || ext == ".tsx") {
		return strings.TrimSuffix(name, ext)
	}
	return name
}
