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
	"math/rand/v2"
	"os"
	"strconv"
	"testing"
	"time"

	"github.com/tidemark-metrics/tidemark/internal/testdeps"
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

// draws returns random numbers: the same ones in every short run, so that a
// failure is of the change under test, and others in every soak.
func draws(stream uint64) *rand.Rand {
	seed := uint64(1)
	if os.Getenv("TIDEMARK_SOAK") != "" {
		seed = uint64(time.Now().UnixNano())
	}
	return rand.New(rand.NewPCG(seed, stream))
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
		f.Value.Set(strconv.Itoa(rounds(testdeps.Rounds(40), 5000)))
	}
	os.Exit(m.Run())
}
