package nonnil

import (
	"encoding/json"
	"reflect"
	"testing"
)

type inner struct {
	Tags []string `json:"tags"`
}

type sample struct {
	inner
	List    []inner           `json:"list"`
	Pointer *inner            `json:"pointer"`
	Any     any               `json:"any"`
	Words   map[string]string `json:"words"`
	Pairs   [2]inner          `json:"pairs"`
	Bytes   []byte            `json:"bytes"`
	Left    []int             `json:"left,omitempty"`
	Locked  []int             `json:"locked" wire:"null"`
	hidden  []int
}

func text(t *testing.T, v any) string {
	t.Helper()
	b, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// TestOf: lists and maps are there however deep they are, and what was given
// is as it was.
func TestOf(t *testing.T) {
	t.Parallel()
	one := inner{}
	v := &sample{List: []inner{{}}, Pointer: &one, Any: map[string]any{"more": []inner{{}}, "none": nil}}
	before := text(t, v)
	const want = `{"tags":[],"list":[{"tags":[]}],"pointer":{"tags":[]},"any":{"more":[{"tags":[]}],"none":null},"words":{},"pairs":[{"tags":[]},{"tags":[]}],"bytes":null,"locked":null}`
	if got := text(t, Of(v)); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if after := text(t, v); after != before || one.Tags != nil || v.hidden != nil {
		t.Errorf("it was changed to %s", after)
	}
	for given, want := range map[any]string{nil: "null", 5: "5", "a": `"a"`} {
		if got := text(t, Of(given)); got != want {
			t.Errorf("%v became %s", given, got)
		}
	}
	if got := text(t, Of([]int(nil))); got != "[]" {
		t.Errorf("a list became %s", got)
	}
}

// TestOfCopiesNothing: what is whole is given back as it is.
func TestOfCopiesNothing(t *testing.T) {
	t.Parallel()
	whole := &sample{inner: inner{[]string{}}, List: []inner{}, Words: map[string]string{}, Pairs: [2]inner{{[]string{}}, {[]string{}}}}
	if Of(whole) != any(whole) {
		t.Error("it was copied")
	}
}

// TestIn: documents get what is null or missing, and keep all else.
func TestIn(t *testing.T) {
	t.Parallel()
	for given, want := range map[string]string{
		`{}`: `{"list":[],"tags":[],"words":{}}`,
		`{"list":null,"left":null,"locked":null}`: `{"left":[],"list":[],"locked":null,"tags":[],"words":{}}`,
		`{"list":[{"tags":null},{}]}`:             `{"list":[{"tags":[]},{"tags":[]}],"tags":[],"words":{}}`,
		`{"pointer":{},"old":[null]}`:             `{"list":[],"old":[null],"pointer":{"tags":[]},"tags":[],"words":{}}`,
		`{"list":"cut","tags":["a"]}`:             `{"list":"cut","tags":["a"],"words":{}}`,
		`{"words":{"a":"b"},"locked":[]}`:         `{"list":[],"locked":[],"tags":[],"words":{"a":"b"}}`,
	} {
		var v any
		if err := json.Unmarshal([]byte(given), &v); err != nil {
			t.Fatal(err)
		}
		if got := text(t, In(reflect.TypeFor[sample](), v)); got != want {
			t.Errorf("%s became %s, want %s", given, got, want)
		}
	}
}
