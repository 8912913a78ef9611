package draw

import (
	"slices"
	"strings"
)

// Names shortens the names of streams, "region=eu,host=web-01", to what tells
// them apart: tags that all of them have alike are left out, and where one tag
// is left its value is enough. Other names, and one alone, stay as they are.
func Names(names []string) []string {
	pairs := make([][][2]string, len(names))
	for i, name := range names {
		for pair := range strings.SplitSeq(name, ",") {
			key, value, ok := strings.Cut(pair, "=")
			if !ok {
				return names
			}
			pairs[i] = append(pairs[i], [2]string{key, value})
		}
	}
	if len(names) < 2 {
		return names
	}
	shared := make(map[[2]string]int)
	for _, list := range pairs {
		for _, pair := range list {
			shared[pair]++
		}
	}
	keys := make(map[string]bool)
	for i, list := range pairs {
		pairs[i] = slices.DeleteFunc(list, func(pair [2]string) bool { return shared[pair] == len(names) })
		for _, pair := range pairs[i] {
			keys[pair[0]] = true
		}
	}
	out := make([]string, len(names))
	for i, list := range pairs {
		out[i] = joinTags(list, len(keys) > 1)
		if out[i] == "" {
			out[i] = names[i] // the same as another, or part of it
		}
	}
	return out
}

func joinTags(list [][2]string, withKeys bool) string {
	var parts []string
	for _, pair := range list {
		if withKeys {
			parts = append(parts, pair[0]+"="+pair[1])
		} else {
			parts = append(parts, pair[1])
		}
	}
	return strings.Join(parts, ",")
}

// shortenNames applies Names to the series that machines named.
func shortenNames(series []Series) {
	var names []string
	for i := range series {
		if !series[i].Mono {
			return
		}
		names = append(names, series[i].Name)
	}
	for i, name := range Names(names) {
		series[i].Name = name
	}
}
