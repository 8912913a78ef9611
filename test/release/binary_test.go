// Package release looks at the binary as it is given away.
package release

import (
	"debug/elf"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"testing"
)

// maxBytes bounds the binary with interface and documentation inside. Raise it
// knowingly: look for what grew.
const maxBytes = 60_000_000

// TestBinary looks at what scripts/build.sh makes: a program that needs no
// library of the machine it runs on, is not larger than expected, and knows
// where it comes from.
func TestBinary(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("released for Linux")
	}
	bin := binary(t)
	f, err := elf.Open(bin)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for _, p := range f.Progs {
		if p.Type == elf.PT_INTERP {
			t.Error("the binary needs a dynamic linker")
		}
	}
	if libs, err := f.ImportedLibraries(); len(libs) > 0 {
		t.Errorf("the binary needs %v (%v)", libs, err)
	}
	if info, err := os.Stat(bin); err != nil || info.Size() > maxBytes {
		t.Errorf("the binary has %d bytes, the bound is %d (%v)", info.Size(), maxBytes, err)
	}
	commit := `[0-9a-f]{12}(-modified)?`
	if exec.Command("git", "rev-parse", "HEAD").Run() != nil {
		commit = "unknown" // built from an archive of the source
	}
	want := regexp.MustCompile(`^tidemark \S+ \(commit ` + commit + `, [^,]+, go\S+, linux/\w+\)\n$`)
	for _, args := range [][]string{{"version"}, {"--version"}} {
		out, err := exec.Command(bin, args...).CombinedOutput()
		if err != nil || !want.Match(out) {
			t.Errorf("tidemark %s: %q, %v", args[0], out, err)
		}
	}
}

// binary is the one that TIDEMARK_BIN names, which scripts/build.sh made, or
// a new one.
func binary(t *testing.T) string {
	t.Helper()
	if bin := os.Getenv("TIDEMARK_BIN"); bin != "" {
		return bin
	}
	bin := filepath.Join(t.TempDir(), "tidemark")
	if out, err := exec.Command("../../scripts/build.sh", bin).CombinedOutput(); err != nil {
		t.Fatalf("build: %v\n%s", err, out)
	}
	return bin
}
