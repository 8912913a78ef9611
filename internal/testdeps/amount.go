package testdeps

import (
	"os"
	"strconv"
	"testing"
	"time"
)

// Amount is how much of something a test does: few with the other tests, many
// in a soak (TIDEMARK_SOAK=1; a larger N makes it N times few), and as much as
// the variable says where it is set, as the hardening campaign does.
func Amount(variable string, few, many int) int {
	if n, err := strconv.Atoi(os.Getenv(variable)); err == nil && n > 0 {
		return n
	}
	switch n, _ := strconv.Atoi(os.Getenv("TIDEMARK_SOAK")); {
	case n == 1:
		return many
	case n > 1:
		return few * n
	}
	return few
}

// Seed is what random numbers are drawn from: the same in every short run, so
// that a failure is of the change under test, another in every soak, and the
// one that TIDEMARK_SEED says where it is set. Of all but the first it is told.
func Seed(t testing.TB) uint64 {
	t.Helper()
	seed, err := strconv.ParseUint(os.Getenv("TIDEMARK_SEED"), 10, 64)
	switch {
	case err == nil:
	case os.Getenv("TIDEMARK_SOAK") == "":
		return 1
	default:
		seed = uint64(time.Now().UnixNano())
	}
	t.Logf("TIDEMARK_SEED=%d", seed)
	return seed
}
