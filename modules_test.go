package tidemark_test

import (
	"encoding/json"
	"flag"
	"os"
	"os/exec"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.yaml.in/yaml/v3"
)

var update = flag.Bool("update", false, "write testdata/modules.txt")

// TestModules compares the modules that are linked into the binary with the
// list of them, so that none comes along unseen. Versions are not listed:
// go.mod has them.
func TestModules(t *testing.T) {
	t.Parallel()
	const golden = "testdata/modules.txt"
	list := exec.Command("go", "list", "-deps", "-f", "{{with .Module}}{{.Path}}{{end}}", "./cmd/tidemark")
	list.Env = append(os.Environ(), "CGO_ENABLED=0", "GOOS=linux", "GOARCH=amd64")
	out, err := list.Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	modules := strings.Fields(string(out))
	slices.Sort(modules)
	got := strings.Join(slices.Compact(modules), "\n") + "\n"
	if *update {
		if err := os.WriteFile(golden, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	// go list reads these; reading them here tells the test cache.
	for _, f := range []string{"go.mod", "go.sum"} {
		if _, err := os.ReadFile(f); err != nil {
			t.Fatal(err)
		}
	}
	if d := cmp.Diff(string(want), got); d != "" {
		t.Errorf("the binary has other modules; if that is meant, say why in docs/decisions/0002-dependencies.md and run\n\n\tgo test . -run TestModules -update\n\n%s", d)
	}
}

// TestInstallable: go install MODULE/cmd/tidemark@VERSION refuses a module that
// excludes or replaces others.
func TestInstallable(t *testing.T) {
	t.Parallel()
	out, err := exec.CommandContext(t.Context(), "go", "mod", "edit", "-json").Output()
	if err != nil {
		t.Fatalf("go mod edit: %v", err)
	}
	var mod struct{ Exclude, Replace []any }
	if err := json.Unmarshal(out, &mod); err != nil {
		t.Fatal(err)
	}
	if len(mod.Exclude)+len(mod.Replace) > 0 {
		t.Errorf("go.mod excludes %v and replaces %v", mod.Exclude, mod.Replace)
	}
	if _, err := os.ReadFile("go.mod"); err != nil { // tells the test cache
		t.Error(err)
	}
}

// TestDependencyUpdates: dependabot looks at every module of Go and of npm that
// is kept here, and at nothing else.
func TestDependencyUpdates(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile(".github/dependabot.yml")
	if err != nil {
		t.Fatal(err)
	}
	var config struct {
		Updates []struct {
			Ecosystem   string `yaml:"package-ecosystem"`
			Directories []string
		}
	}
	if err := yaml.Unmarshal(text, &config); err != nil {
		t.Fatal(err)
	}
	watched := make(map[string][]string)
	for _, u := range config.Updates {
		watched[u.Ecosystem] = u.Directories
	}
	for ecosystem, file := range map[string]string{"gomod": "go.mod", "npm": "package.json"} {
		out, err := exec.CommandContext(t.Context(), "git", "ls-files", file, "**/"+file).Output()
		if err != nil {
			t.Skip("built from an archive of the source, without git")
		}
		var kept []string
		for name := range strings.FieldsSeq(string(out)) {
			kept = append(kept, path.Join("/", path.Dir(name)))
		}
		slices.Sort(kept)
		slices.Sort(watched[ecosystem])
		if d := cmp.Diff(kept, watched[ecosystem]); d != "" {
			t.Errorf("modules of %s that are kept (-) and watched (+):\n%s", ecosystem, d)
		}
	}
}
