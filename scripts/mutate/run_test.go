package main

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// house writes a module with one package, whose test looks at half of what the
// package does.
func house(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{
		"go.mod":    "module house\n\ngo 1.24\n",
		"x.go":      "package x\n\nfunc Twice(n int) int {\n\treturn n + n\n}\n\nfunc Unseen(n int) int {\n\treturn n + 2\n}\n",
		"x_test.go": "package x\n\nimport \"testing\"\n\nfunc TestTwice(t *testing.T) {\n\tif Twice(2) != 4 {\n\t\tt.Error(\"wrong\")\n\t}\n}\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	t.Chdir(dir)
	return dir
}

// TestMutantsOf: the code of a package is changed, its tests are not; a folder
// without code is an error, not a perfect score.
func TestMutantsOf(t *testing.T) {
	dir := house(t)
	all, err := mutantsOf(".")
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, m := range all {
		got = append(got, m.String())
		if m.file != filepath.Join(dir, "x.go") {
			t.Errorf("%s is changed", m.file)
		}
	}
	if diff := cmp.Diff([]string{"x.go:4: + becomes -", "x.go:8: + becomes -", "x.go:8: 2 becomes 3"}, got); diff != "" {
		t.Error(diff)
	}
	for _, pkg := range []string{"none", t.TempDir()} {
		if _, err := mutantsOf(pkg); err == nil || err.Error() != "nothing to change in "+pkg {
			t.Errorf("%s: %v", pkg, err)
		}
	}
	if err := os.WriteFile("broken.go", []byte("package x\nfunc {"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := mutantsOf("."); err == nil || !strings.Contains(err.Error(), "broken.go:2") {
		t.Errorf("code that is none: %v", err)
	}
}

// TestVerdicts: a change that a test sees is killed by that test, one that none
// sees survives, one that does not compile is neither; and the code stays as it
// was.
func TestVerdicts(t *testing.T) {
	dir := house(t)
	before, err := os.ReadFile("x.go")
	if err != nil {
		t.Fatal(err)
	}
	all, err := mutantsOf(".")
	if err != nil {
		t.Fatal(err)
	}
	r := &runner{dir: t.TempDir(), slow: "^$", fast: true, limit: time.Minute}
	if verdict, by, err := r.verdict(".", all[0]); verdict != "killed" || by != " (TestTwice)" || err != nil {
		t.Errorf("%s: %s%s, %v", all[0], verdict, by, err)
	}
	if verdict, by, err := r.verdict(".", all[2]); verdict != survived || by != "" || err != nil {
		t.Errorf("%s: %s%s, %v", all[2], verdict, by, err)
	}
	broken := all[0]
	broken.with = "+ unknown +"
	if _, _, err := r.verdict(".", broken); !errors.Is(err, errBuild) || r.compiles(".", broken) || !r.compiles(".", all[0]) {
		t.Errorf("%s: %v", broken, err)
	}
	if after, err := os.ReadFile(filepath.Join(dir, "x.go")); err != nil || string(after) != string(before) {
		t.Errorf("the code became %s, %v", after, err)
	}
}

// TestOverlay: the build reads the changed file in place of the real one, and
// nothing else.
func TestOverlay(t *testing.T) {
	t.Parallel()
	r := &runner{dir: t.TempDir()}
	m := mutant{file: "/code/x.go", text: []byte("a < b"), from: 2, to: 3, with: "<="}
	path, err := r.overlay(m)
	if err != nil {
		t.Fatal(err)
	}
	var o struct{ Replace map[string]string }
	b, err := os.ReadFile(path)
	if err != nil || json.Unmarshal(b, &o) != nil || len(o.Replace) != 1 {
		t.Fatalf("%s, %v", b, err)
	}
	if changed, err := os.ReadFile(o.Replace["/code/x.go"]); err != nil || string(changed) != "a <= b" {
		t.Errorf("%q, %v", changed, err)
	}
	if string(m.text) != "a < b" {
		t.Error("the mutant's own text was changed")
	}
	r.dir = filepath.Join(r.dir, "none")
	if _, err := r.overlay(m); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("where nothing can be written: %v", err)
	}
}

// TestMutantsDiffer: no two mutants of a file are the same, none is the file itself,
// and each says where it is.
func TestMutantsDiffer(t *testing.T) {
	t.Parallel()
	const text = "package x\nfunc f(a, b int) bool {\n\ta++\n\tb += 07\n\tif a*b/2-1 > 3 || a >= b && a <= 0xF {\n\t\treturn a == b\n\t}\n\tdefer f(1, 'x')\n\treturn a != b\n}\n"
	made, err := mutantsIn("x.go", []byte(text))
	if err != nil || len(made) < 15 {
		t.Fatalf("%d mutants, %v", len(made), err)
	}
	seen := make(map[string]bool)
	for _, m := range made {
		changed := string(m.source())
		if changed == text || seen[changed] {
			t.Errorf("%s changes nothing, or what another one does", m)
		}
		seen[changed] = true
		if line := strings.Count(text[:m.from], "\n") + 1; m.line != line {
			t.Errorf("%s is on line %d", m, line)
		}
	}
}
