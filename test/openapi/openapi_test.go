// Package openapi generates a client of docs/openapi.yaml, as a stranger would,
// and asks a server with it. It is a module of its own: the server needs no
// generator.
package openapi

import (
	"bufio"
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	_ "github.com/oapi-codegen/runtime" // which generated clients import
)

const token = "0123456789abcdef0123456789abcdef"

// TestGeneratedClient: oapi-codegen takes the document, what it makes compiles,
// and what is sent by it is stored as it was meant.
func TestGeneratedClient(t *testing.T) {
	const document = "../../docs/openapi.yaml"
	if _, err := os.ReadFile(document); err != nil { // tells the test cache
		t.Fatal(err)
	}
	work := t.TempDir()
	for _, name := range []string{"go.mod", "go.sum", "testdata/calls.go"} {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(work, filepath.Base(name)), text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	run(t, ".", "go", "tool", "oapi-codegen", "-generate", "types,client", "-package", "main", "-o", filepath.Join(work, "client.go"), document)
	calls := filepath.Join(work, "calls")
	run(t, work, "go", "build", "-o", calls, ".")
	if said := run(t, work, calls, serve(t), token); said != "calls: 20\n" {
		t.Error(said)
	}
}

// run runs a program to its end, and returns what it prints.
func run(t *testing.T, dir, name string, args ...string) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), name, args...)
	cmd.Dir = dir
	var said bytes.Buffer
	cmd.Stderr = &said
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%s: %v\n%s%s", strings.Join(cmd.Args, " "), err, out, said.String())
	}
	return string(out)
}

// serve starts a server, and returns its address.
func serve(t *testing.T) string {
	t.Helper()
	bin := os.Getenv("TIDEMARK_BIN")
	if bin == "" {
		bin = filepath.Join(t.TempDir(), "tidemark")
		run(t, "../..", "go", "build", "-o", bin, "./cmd/tidemark")
	}
	cmd := exec.CommandContext(t.Context(), bin, "serve", "--data", filepath.Join(t.TempDir(), "d"), "--listen", "127.0.0.1:0")
	cmd.Env = append(os.Environ(), "TIDEMARK_BOOTSTRAP_TOKEN="+token)
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Wait() })
	answers := regexp.MustCompile(`answers at (\S+)`)
	for lines := bufio.NewScanner(out); lines.Scan(); {
		if found := answers.FindStringSubmatch(lines.Text()); found != nil {
			return found[1]
		}
	}
	t.Fatal("the server did not start")
	return ""
}
