package query

import "strings"

// synonyms are what other languages call our functions.
var synonyms = map[string]string{
	"average": "mean", "avg": "mean", "product": "multiply", "times": "multiply", "mul": "multiply",
	"minus": "subtract", "sub": "subtract", "diff": "derive", "derivative": "derive", "ceil": "ceiling",
	"plus": "add", "offset": "add", "quantile": "percentile", "median": "percentile", "shift": "timeshift",
	"moving_avg": "moving_average", "movingaverage": "moving_average", "smooth": "moving_average",
	"cumulative": "integrate", "absolute": "abs", "highest": "top", "lowest": "bottom", "limit": "top",
}

// Nearest returns the word of words that is most like s, or "" if none is
// alike enough to have been meant.
func Nearest(s string, words []string) string { return nearest(s, words) }

// nearest returns the word of words that is most like s, or "" if none is
// alike enough to have been meant.
func nearest(s string, words []string) string {
	s = strings.ToLower(s)
	best, least := "", (len(s)+1)/3+1
	for _, w := range words {
		d := distance(s, w)
		if len(s) >= 3 && strings.HasPrefix(w, s) {
			d = 1 // was not finished
		}
		if d < least {
			best, least = w, d
		}
	}
	return best
}

// distance counts the letters that must be added, dropped, changed or swapped
// with their neighbour to make b of a.
func distance(a, b string) int {
	const longest = 64 // of what is compared; more is no typing error
	a, b = a[:min(len(a), longest)], b[:min(len(b), longest)]
	var before, above, row [longest + 1]int
	for j := range len(b) + 1 {
		above[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			row[j] = min(above[j]+1, row[j-1]+1, above[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
		before, above = above, row
	}
	return above[len(b)]
}
