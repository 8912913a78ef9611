package rest

import (
	"bytes"
	"errors"
	"io"
	"maps"
	"mime/multipart"
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

// ParseForm reads a form, or a query string, as Rails does: a[b]=1 is an
// object, a[]=1 a list, a[0][b]=1 and a[][b]=1 a list of objects, and a name
// given twice is a list too.
func ParseForm(text string) (map[string]any, error) {
	var f formTree
	for text != "" {
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
		if err := f.add(name, value); err != nil {
			return nil, err
		}
	}
	return f.object(), nil
}

// parseMultipart reads the other kind of form, as curl -F sends it.
func parseMultipart(body []byte, boundary string) (map[string]any, error) {
	var f formTree
	bad := tidemark.Errorf(tidemark.Invalid, "the body says it is multipart/form-data, but is not")
	if boundary == "" {
		return nil, bad
	}
	for parts := multipart.NewReader(bytes.NewReader(body), boundary); ; {
		part, err := parts.NextPart()
		if errors.Is(err, io.EOF) && f.fields > 0 {
			return f.object(), nil
		}
		if err != nil {
			return nil, bad
		}
		value, err := io.ReadAll(part)
		if err != nil {
			return nil, bad
		}
		if err := f.add(part.FormName(), string(value)); err != nil {
			return nil, err
		}
	}
}

// formTree is a form that is being read.
type formTree struct {
	tree   map[string]any
	fields int
}

func (f *formTree) add(name, value string) error {
	if f.fields++; f.fields > maxFormPairs {
		return tidemark.Errorf(tidemark.TooLarge, "the form has more than %d fields", maxFormPairs)
	}
	path, err := formPath(name)
	if err != nil {
		return err
	}
	if f.tree == nil {
		f.tree = make(map[string]any)
	}
	return put(f.tree, path, value)
}

// object is the form as a tree.
func (f *formTree) object() map[string]any {
	if f.tree == nil {
		return map[string]any{}
	}
	return lists(f.tree).(map[string]any)
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
	if key == "" {
		key = listKey(tree, path[1:])
	}
	if len(path) == 1 {
		switch old := tree[key].(type) {
		case nil:
			tree[key] = value
		case string:
			tree[key] = map[string]any{"0": old, "1": value}
		case map[string]any:
			next := strconv.Itoa(len(old))
			if _, taken := old[next]; taken {
				return tidemark.InvalidField(key, "is given both with and without a position")
			}
			old[next] = value
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

// listKey is where a[] puts a value: behind those there are or, for a field
// of an object, in the last of them as long as that has no such field.
func listKey(tree map[string]any, below []string) string {
	if last, ok := tree[strconv.Itoa(len(tree)-1)].(map[string]any); ok && len(below) > 0 && !hasField(last, below) {
		return strconv.Itoa(len(tree) - 1)
	}
	return strconv.Itoa(len(tree))
}

// hasField reports whether tree has a value at path. A list always has room
// for one more.
func hasField(tree map[string]any, path []string) bool {
	if slices.Contains(path, "") {
		return false
	}
	below, there := tree[path[0]]
	object, isObject := below.(map[string]any)
	if len(path) == 1 || !isObject {
		return there
	}
	return hasField(object, path[1:])
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
		if err != nil || i < 0 || strconv.Itoa(i) != key { // 01 is the name of a field
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
