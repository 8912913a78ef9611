package testdeps

// Rounds is how many rounds a test of n plays: an eighth, but one at least,
// where the race detector watches, which takes ten times as long. `make test`
// runs such tests once more without it.
func Rounds(n int) int {
	if race {
		return max(1, n/8)
	}
	return n
}

// Sampled reports whether a test of many cases looks at the one with number i:
// at each, or at every eighth where the race detector watches, as with Rounds.
func Sampled(i int) bool { return !race || i%8 == 0 }

// Whole reports whether all cases are looked at.
func Whole() bool { return !race }
