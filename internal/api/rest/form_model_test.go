package rest

import (
	"fmt"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// drawTree draws what a form can say: texts, objects of named fields and lists
// that are not empty.
func drawTree(t *rapid.T, depth int) any {
	kind := rapid.IntRange(0, 2).Draw(t, "kind")
	if depth == 0 {
		kind = 0
	}
	switch kind {
	case 1:
		object := make(tree)
		for _, name := range rapid.SliceOfNDistinct(rapid.SampledFrom([]string{"name", "tags", "a b", "ü", "01", "-1"}), 1, 3, rapid.ID[string]).Draw(t, "fields") {
			object[name] = drawTree(t, depth-1)
		}
		return object
	case 2:
		list := make([]any, rapid.IntRange(1, 3).Draw(t, "length"))
		for i := range list {
			list[i] = drawTree(t, depth-1)
		}
		return list
	}
	return rapid.StringMatching(`[a-z &=+%\[\]]{0,6}`).Draw(t, "text")
}

// pairs are the fields of a form that says v, in any order.
func pairs(name string, v any) (all []string) {
	switch v := v.(type) {
	case tree:
		for key, below := range v {
			all = append(all, pairs(name+"["+key+"]", below)...)
		}
	case []any:
		for i, below := range v {
			all = append(all, pairs(fmt.Sprintf("%s[%d]", name, i), below)...)
		}
	case string:
		return []string{url.QueryEscape(name) + "=" + url.QueryEscape(v)}
	}
	return all
}

// TestFormsSayTrees: a tree that is sent as a form, in any order of its fields,
// comes back as it was.
func TestFormsSayTrees(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		want := make(tree)
		var fields []string
		for _, name := range rapid.SliceOfNDistinct(rapid.SampledFrom([]string{"alert", "conditions", "x"}), 0, 3, rapid.ID[string]).Draw(t, "names") {
			want[name] = drawTree(t, 3)
			fields = append(fields, pairs(name, want[name])...)
		}
		slices.Sort(fields) // whatever the order of a map was
		form := strings.Join(rapid.Permutation(fields).Draw(t, "form"), "&")
		got, err := ParseForm(form)
		if err != nil || !cmp.Equal(got, want) {
			t.Fatalf("%s: %v %s", form, err, cmp.Diff(want, got))
		}
	})
}

// TestFormsKeepEveryValue: whatever names fields have, each value of a form
// that is taken is in its tree, once.
func TestFormsKeepEveryValue(t *testing.T) {
	t.Parallel()
	names := []string{"a", "a[]", "a[0]", "a[1]", "a[2]", "a[b]", "a[][b]", "a[][c]", "a[0][b]", "a[1][b][]", "b", "a[", "[]", ""}
	rapid.Check(t, func(t *rapid.T) {
		var form, want []string
		for i, name := range rapid.SliceOfN(rapid.SampledFrom(names), 1, 6).Draw(t, "names") {
			value := fmt.Sprintf("v%d", i)
			form, want = append(form, name+"="+value), append(want, value)
		}
		got, err := ParseForm(strings.Join(form, "&"))
		if err != nil {
			return // given both as a value and as an object
		}
		if values := slices.Sorted(slices.Values(texts(got))); !slices.Equal(values, want) {
			t.Fatalf("%s has %v in %v", strings.Join(form, "&"), values, got)
		}
	})
}

// texts are the texts of a tree.
func texts(v any) (all []string) {
	switch v := v.(type) {
	case tree:
		for _, below := range v {
			all = append(all, texts(below)...)
		}
	case []any:
		for _, below := range v {
			all = append(all, texts(below)...)
		}
	case string:
		return []string{v}
	}
	return all
}
