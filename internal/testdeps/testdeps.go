// Package testdeps says what becomes of a test that needs a program which is
// not installed. It is for tests only.
//
// A plain `go test ./...` skips such a test and says why. `make test` and
// `make test-go` install the programs and set TIDEMARK_TEST_ALL=1, under which
// a missing one is a failure: no skipped test passes for one that ran.
package testdeps

import (
	"os"
	"os/exec"
	"testing"
)

// Missing ends t, because what it needs is not there.
func Missing(t testing.TB, what string) {
	t.Helper()
	if os.Getenv("TIDEMARK_TEST_ALL") == "1" {
		t.Fatal(what)
	}
	t.Skip(what)
}

// Program returns where a program is, and ends t where it is not installed.
func Program(t testing.TB, name string) string {
	t.Helper()
	path, err := exec.LookPath(name)
	if err != nil {
		Missing(t, name+" is not installed: scripts/test-deps.sh does it")
	}
	return path
}
