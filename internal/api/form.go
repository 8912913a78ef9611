package api

import (
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/tidemark-metrics/tidemark"
)

const (
	maxFormPairs = 100_000
	maxFormDepth = 16
)

// parseForm reads a form, or a query string, as Rails does: a[b]=1 is an
// object, a[]=1 a list, a[0][b]=1 a list of objects, and a name given twice is
// a list too.
func parseForm(text string) (map[string]any, error) {
	tree := make(map[string]any)
	for n := 0; text != ""; n++ {
		if n == maxFormPairs {
			return nil, tidemark.Errorf(tidemark.TooLarge, "the form has more than %d fields", maxFormPairs)
		}
		var pair string
		pair, text, _ = strings.Cut(text, "&")
		if pair == "" {
			continue
		}
		rawName, rawValue, _ := strings.Cut(pair, "=")
		name, err1 := url.QueryUnescape(rawName)
		value, err2 := url.QueryUnescape(rawValue)
		if err1 != nil || err2 != nil {
			return nil, tidemark.Errorf(tidemark.Invalid, "the form has a %% that is not followed by two hex digits")
		}
		path, err := formPath(name)
		if err != nil {
			return nil, err
		}
		if err := put(tree, path, value); err != nil {
			return nil, err
		}
	}
	return lists(tree).(map[string]any), nil
}

// formPath takes a name apart: "a[b][]" is a, b and "".
func formPath(name string) ([]string, error) {
	first, rest, found := strings.Cut(name, "[")
	path := []string{first}
	for found {
		segment, after, closed := strings.Cut(rest, "]")
		if !closed || after != "" && after[0] != '[' {
			return []string{name}, nil // not ours to interpret
		}
		path = append(path, segment)
		if len(path) > maxFormDepth {
			return nil, tidemark.Errorf(tidemark.Invalid, "a field of the form is nested more than %d levels deep", maxFormDepth)
		}
		_, rest, found = strings.Cut(after, "[")
	}
	return path, nil
}

// put stores value at path below tree. While a form is read, lists are
// objects with the keys "0", "1", ... so that all names can be handled alike.
func put(tree map[string]any, path []string, value string) error {
	key := path[0]
	if key == "" && len(path) == 1 {
		key = strconv.Itoa(len(tree))
	}
	if len(path) == 1 {
		switch old := tree[key].(type) {
		case nil:
			tree[key] = value
		case string:
			tree[key] = map[string]any{"0": old, "1": value}
		case map[string]any:
			old[strconv.Itoa(len(old))] = value
		}
		return nil
	}
	switch old := tree[key].(type) {
	case nil:
		below := make(map[string]any)
		tree[key] = below
		return put(below, path[1:], value)
	case map[string]any:
		return put(old, path[1:], value)
	}
	return tidemark.InvalidField(path[0], "is given both as a value and as an object")
}

// lists turns objects whose keys are 0, 1, 2, ... into lists.
func lists(v any) any {
	object, ok := v.(map[string]any)
	if !ok {
		return v
	}
	for key, below := range object {
		object[key] = belowRoot(below)
	}
	return object
}

func belowRoot(v any) any {
	object, ok := v.(map[string]any)
	if !ok {
		return v
	}
	lists(object)
	if list, ok := asList(object); ok {
		return list
	}
	return object
}

// asList returns an object with the keys 0, 1, 2, ... as the list it stands for.
func asList(object map[string]any) ([]any, bool) {
	indices := make([]int, 0, len(object))
	for key := range maps.Keys(object) {
		i, err := strconv.Atoi(key)
		if err != nil || i < 0 {
			return nil, false
		}
		indices = append(indices, i)
	}
	slices.Sort(indices)
	list := make([]any, len(indices))
	for n, i := range indices {
		list[n] = object[strconv.Itoa(i)]
	}
	return list, len(list) > 0
}
