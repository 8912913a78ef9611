package alerting

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"github.com/tidemark-metrics/tidemark"
)

// keep returns what is kept and sent of violations, in their order, and how
// many streams are left out: where there are more than MaxViolations, each
// condition has its share of the room, and the worst have it first. All of them
// decide what becomes of the alert.
func (w *watch) keep(all []tidemark.Violation) (kept []tidemark.Violation, omitted int) {
	if len(all) <= tidemark.MaxViolations {
		return all, 0
	}
	byCondition := make(map[int64][]int) // places in all
	for i := range all {
		byCondition[all[i].Condition] = append(byCondition[all[i].Condition], i)
	}
	groups := make([][]int, 0, len(byCondition))
	for id, group := range byCondition {
		slices.SortFunc(group, func(i, j int) int { return w.compareWorst(id, &all[i], &all[j]) })
		groups = append(groups, group)
	}
	slices.SortFunc(groups, func(a, b []int) int { return cmp.Or(cmp.Compare(len(a), len(b)), cmp.Compare(a[0], b[0])) })
	var places []int
	for i, group := range groups {
		room := (tidemark.MaxViolations - len(places)) / (len(groups) - i)
		places = append(places, group[:min(room, len(group))]...)
	}
	slices.Sort(places)
	kept = make([]tidemark.Violation, len(places))
	for i, at := range places {
		kept[i] = all[at]
	}
	return kept, streamsOf(all) - streamsOf(kept)
}

// compareWorst orders violations of a condition: those furthest from the
// threshold first, of these the newest.
func (w *watch) compareWorst(condition int64, a, b *tidemark.Violation) int {
	byDistance := 0
	if r := w.ruleOf(condition); r != nil && r.kind != tidemark.Absent {
		byDistance = cmp.Compare(math.Abs(b.Value-r.threshold), math.Abs(a.Value-r.threshold))
	}
	return cmp.Or(byDistance, cmp.Compare(b.Since, a.Since), strings.Compare(a.Stream, b.Stream))
}

// streamsOf returns how many streams violate.
func streamsOf(all []tidemark.Violation) int {
	names := make(map[string]struct{}, len(all))
	for i := range all {
		names[all[i].Stream] = struct{}{}
	}
	return len(names)
}
