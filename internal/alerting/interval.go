package alerting

import (
	"slices"
	"sort"

	"github.com/tidemark-metrics/tidemark"
)

// intervals are stretches of time in order, apart from each other.
type intervals []tidemark.Interval

// clip returns what of v lies in [start, end).
func (v intervals) clip(start, end int64) intervals {
	from := sort.Search(len(v), func(i int) bool { return v[i][1] > start })
	to := sort.Search(len(v), func(i int) bool { return v[i][0] >= end })
	if from >= to {
		return nil
	}
	out := slices.Clone(v[from:to])
	out[0][0] = max(out[0][0], start)
	out[len(out)-1][1] = min(out[len(out)-1][1], end)
	return out
}

// total returns how long v is in all, and its longest.
func (v intervals) total() (sum, longest int64) {
	for _, i := range v {
		sum += i[1] - i[0]
		longest = max(longest, i[1]-i[0])
	}
	return sum, longest
}

// union returns when any of all holds. What touches becomes one.
func union(all []intervals) intervals {
	var flat intervals
	for _, v := range all {
		flat = append(flat, v...)
	}
	slices.SortFunc(flat, func(a, b tidemark.Interval) int { return int(a[0] - b[0]) })
	out := flat[:0:0]
	for _, i := range flat {
		if n := len(out); n > 0 && i[0] <= out[n-1][1] {
			out[n-1][1] = max(out[n-1][1], i[1])
			continue
		}
		out = append(out, i)
	}
	return out
}

// intersection returns when both hold.
func intersection(a, b intervals) intervals {
	var out intervals
	for i, j := 0, 0; i < len(a) && j < len(b); {
		start, end := max(a[i][0], b[j][0]), min(a[i][1], b[j][1])
		if start < end {
			out = append(out, tidemark.Interval{start, end})
		}
		if a[i][1] < b[j][1] {
			i++
		} else {
			j++
		}
	}
	return out
}
