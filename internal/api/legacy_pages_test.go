package api

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/tidemark-metrics/tidemark/internal/api/legacy"
)

// gauges is the body of old measurements of g by source, at times before NOW.
func gauges(source string, before ...int) string {
	var list []string
	for _, b := range before {
		list = append(list, fmt.Sprintf(`{"name":"g","value":%d,"source":%q,"measure_time":NOW-%d}`, b, source, b))
	}
	return `{"gauges":[` + strings.Join(list, ",") + `]}`
}

// seconds are n seconds, from the earliest on, each before a later time.
func seconds(from, n int) []int {
	all := make([]int, n)
	for i := range all {
		all[i] = from - i
	}
	return all
}

// legacyPage is what an answer by source has: how many points of each, the
// time of the first, and where to go on.
func legacyPage(t *testing.T, w *world, target string) (points map[string]int, next any) {
	t.Helper()
	answer := w.object(t, http.StatusOK, "GET", w.timely(target), "")
	points = make(map[string]int)
	for source, list := range answer["measurements"].(map[string]any) {
		points[source] = len(list.([]any))
	}
	return points, answer["query"].(map[string]any)["next_time"]
}

// TestLegacyPagesArePoints: what an answer holds is counted in points, so that
// measurements that are far apart come in one.
func TestLegacyPagesArePoints(t *testing.T) {
	w := newWorld(t)
	w.must(t, http.StatusOK, "POST", "/v1/metrics", gauges("few", 600, 300, 60))
	for _, target := range []string{
		"/v1/metrics/g?start_time=NOW-86400&end_time=NOW&resolution=1",
		"/v1/metrics/g?start_time=NOW-6000&end_time=NOW&resolution=1",
		"/v1/metrics/g?start_time=NOW-604800&end_time=NOW&resolution=60",
	} {
		points, next := legacyPage(t, w, target)
		equal(t, map[string]int{"few": 3}, points)
		equal(t, nil, next)
	}
}

// TestLegacyPagesGoOn: an answer that cannot hold all ends at one time for all
// sources, and the rest begins there.
func TestLegacyPagesGoOn(t *testing.T) {
	w := newWorld(t)
	w.must(t, http.StatusOK, "POST", "/v1/metrics", gauges("dense", seconds(50_000, legacy.MaxPoints)...))
	w.must(t, http.StatusOK, "POST", "/v1/metrics", gauges("few", 60_000, 50_000-legacy.MaxPoints-1, 10))
	const target = "/v1/metrics/g?start_time=NOW-80000&end_time=NOW&resolution=1"
	points, next := legacyPage(t, w, target)
	equal(t, map[string]int{"dense": legacy.MaxPoints, "few": 3}, points)
	equal(t, nil, next)

	w.must(t, http.StatusOK, "POST", "/v1/metrics", gauges("dense", 50_000-legacy.MaxPoints))
	points, next = legacyPage(t, w, target)
	equal(t, map[string]int{"dense": legacy.MaxPoints, "few": 1}, points)
	equal(t, any(float64(w.minute-50_000+legacy.MaxPoints)), next)
	points, next = legacyPage(t, w, fmt.Sprintf("/v1/metrics/g?start_time=%.0f&end_time=NOW&resolution=1", next))
	equal(t, map[string]int{"dense": 1, "few": 2}, points)
	equal(t, nil, next)
}

// TestLegacyPagesOfManySources: where all that is asked for would be too much,
// the answer is what is not.
func TestLegacyPagesOfManySources(t *testing.T) {
	w := newWorld(t)
	w.AnswerPoints = 3
	w.must(t, http.StatusOK, "POST", "/v1/metrics", gauges("a", 80_000, 100))
	w.must(t, http.StatusOK, "POST", "/v1/metrics", gauges("b", 80_000, 100))
	var pages []map[string]int
	for next := any(float64(w.minute - 80_000)); next != nil; {
		var points map[string]int
		points, next = legacyPage(t, w, fmt.Sprintf("/v1/metrics/g?start_time=%.0f&end_time=NOW&resolution=1", next))
		pages = append(pages, points)
	}
	equal(t, []map[string]int{{"a": 1, "b": 1}, {"a": 1, "b": 1}}, pages)
}

// TestLegacyAnswerTooLong: an answer by source is made whole before it is
// sent, so that it has an end.
func TestLegacyAnswerTooLong(t *testing.T) {
	w := newWorld(t)
	w.AnswerPoints = 3
	w.must(t, http.StatusOK, "POST", "/v1/metrics", `{"gauges":[{"name":"g","value":1,"source":"a","measure_time":NOW},{"name":"g","value":1,"source":"b","measure_time":NOW},
		{"name":"g","value":1,"source":"c","measure_time":NOW},{"name":"g","value":1,"source":"d","measure_time":NOW}]}`)
	text := w.must(t, http.StatusRequestEntityTooLarge, "GET", w.timely("/v1/metrics/g?start_time=NOW-60"), "")
	equal(t, `{"errors":{"request":["the answer has more than 3 points; ask for less time or a longer resolution"]}}`, text)
}
