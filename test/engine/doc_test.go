// Package engine_test puts the embedded engine through what it must survive:
// random work against a model, kill -9, power failures, failing system calls
// and full disks.
//
// A short round of each runs with the other tests; TIDEMARK_SOAK=1 makes the
// rounds long, and TIDEMARK_SOAK=N runs N times the usual number.
package engine_test

import (
	"flag"
	"fmt"
	"os"
	"strconv"
	"testing"
)

// rounds returns how many rounds a test runs: few, or many for a soak.
func rounds(few, many int) int {
	switch n, _ := strconv.Atoi(os.Getenv("TIDEMARK_SOAK")); {
	case n == 1:
		return many
	case n > 1:
		return few * n
	}
	return few
}

func TestMain(m *testing.M) {
	if dir := os.Getenv(childDir); dir != "" {
		if err := runChild(dir); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	flag.Parse()
	if f := flag.Lookup("rapid.checks"); f.Value.String() == f.DefValue {
		f.Value.Set(strconv.Itoa(rounds(40, 5000)))
	}
	os.Exit(m.Run())
}
