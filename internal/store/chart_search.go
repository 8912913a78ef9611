package store

import (
	"context"
	"slices"
	"strings"

	"github.com/tidemark-metrics/tidemark"
)

// FoundChart is a chart as a search finds it.
type FoundChart struct {
	tidemark.Chart
	Space     int64
	SpaceName string
}

var foundChartColumns = columns[FoundChart]{
	noun:  "chart",
	names: `c.body, c.id, c.space_id, s.name`,
	dest: func(v *FoundChart) []any {
		return []any{asJSON(&v.Chart), &v.ID, &v.Space, &v.SpaceName}
	},
}

// maxSearchWords bounds how many words of a search count.
const maxSearchWords = 10

// SearchCharts returns the first n charts of org that have all words of q in
// what they show: their names, metrics, composites and the names of their
// streams. They come by space.
func (s *Store) SearchCharts(ctx context.Context, org tidemark.OrgID, q string, n int) ([]*FoundChart, error) {
	words := strings.Fields(strings.ToLower(q))
	words = words[:min(len(words), maxSearchWords)]
	found := []*FoundChart{}
	if len(words) == 0 || checkTexts([]any{q}) != nil || len(q) > maxPattern {
		return found, nil
	}
	stmt, args := `FROM charts c JOIN spaces s ON s.id = c.space_id WHERE c.org_id = ?`, []any{org}
	for _, w := range words {
		if isPlain(w) { // those that cannot match are not even read
			stmt, args = stmt+` AND LOWER(c.body) LIKE ? ESCAPE '\'`, append(args, "%"+strings.ReplaceAll(w, "_", `\_`)+"%")
		}
	}
	for v, err := range each(ctx, s, s.db, foundChartColumns, stmt+` ORDER BY s.name_key, c.space_id, c.id`, args...) {
		if err != nil {
			return nil, err
		}
		text := shownBy(&v.Chart)
		if slices.ContainsFunc(words, func(w string) bool { return !strings.Contains(text, w) }) {
			continue
		}
		if found = append(found, v); len(found) == n {
			break
		}
	}
	return found, nil
}

// isPlain reports whether JSON writes word as it is, and all databases agree
// on its lower case.
func isPlain(word string) bool {
	return !strings.ContainsFunc(word, func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < '0' || r > '9') && !strings.ContainsRune(".:-_", r)
	})
}

// shownBy is what a search looks for in a chart, in lower case.
func shownBy(c *tidemark.Chart) string {
	texts := []string{c.Name}
	for i := range c.Streams {
		st := &c.Streams[i]
		texts = append(texts, st.Metric, st.Composite)
		if st.Name != nil {
			texts = append(texts, *st.Name)
		}
	}
	return strings.ToLower(strings.Join(texts, "\n"))
}
