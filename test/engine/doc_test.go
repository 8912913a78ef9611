// Package engine_test puts the embedded engine through what it must survive:
// random work against a model, kill -9, power failures, failing system calls
// and full disks.
//
// A short round of each runs with the other tests; TIDEMARK_SOAK=1 makes the
// rounds long, TIDEMARK_SOAK=N runs N times the usual number, and variables of
// their own say how many: testdeps.Amount.
package engine_test

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"testing"

	"github.com/tidemark-metrics/tidemark/internal/testdeps"
)

// draws returns random numbers of a test.
func draws(t testing.TB, stream uint64) *rand.Rand {
	t.Helper()
	return rand.New(rand.NewPCG(testdeps.Seed(t), stream))
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
		f.Value.Set(strconv.Itoa(testdeps.Amount("TIDEMARK_MODEL_RUNS", testdeps.Rounds(40), 5000)))
	}
	os.Exit(m.Run())
}
