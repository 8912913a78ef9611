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
