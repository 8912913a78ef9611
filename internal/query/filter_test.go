package query_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/query"
	"github.com/tidemark-metrics/tidemark/internal/tsdb"
)

// streams are what filters are tried on.
var streams = []tidemark.Tags{
	{}, tidemark.MakeTags(map[string]string{"host": "a"}), tidemark.MakeTags(map[string]string{"host": "b", "env": "prod"}),
	tidemark.MakeTags(map[string]string{"host": "web-1", "env": "test"}), tidemark.MakeTags(map[string]string{"env": "prod"}),
}

// picked returns which of streams f picks, as digits.
func picked(t *testing.T, f tsdb.Filter) string {
	t.Helper()
	if err := f.Validate(); err != nil {
		t.Error(err)
	}
	out := ""
	for i, tags := range streams {
		if f.Match(tags) {
			out += fmt.Sprint(i)
		}
	}
	return out
}

func TestTagsFilter(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name string
		in   map[string][]string
		want string
	}{
		{"nothing", nil, "01234"},
		{"a value", map[string][]string{"host": {"a"}}, "1"},
		{"in any case", map[string][]string{"HOST": {"Web-*"}}, "3"},
		{"present", map[string][]string{"host": {"*"}}, "123"},
		{"no values", map[string][]string{"host": {}}, "123"},
		{"several values", map[string][]string{"host": {"a", "web*"}}, "13"},
		{"not", map[string][]string{"host": {"!a"}}, "23"},
		{"neither", map[string][]string{"host": {"!a", "!b"}}, "3"},
		{"one but not another", map[string][]string{"host": {"*", "!web*"}}, "12"},
		{"absent", map[string][]string{"!host": {"1"}}, "04"},
		{"several names", map[string][]string{"host": {"*"}, "env": {"prod"}}, "2"},
		{"present and absent", map[string][]string{"host": {"*"}, "!env": {"1"}}, "1"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			f, err := query.TagsFilter(tt.in)
			if err != nil {
				t.Fatal(err)
			}
			if got := picked(t, f); got != tt.want {
				t.Errorf("picked %s, want %s", got, tt.want)
			}
		})
	}
}

func TestTagsFilterRefuses(t *testing.T) {
	t.Parallel()
	many := map[string][]string{}
	for i := range 51 {
		many[fmt.Sprint("t", i)] = []string{"*"}
	}
	for name, in := range map[string]map[string][]string{
		"a bad name": {"a b": {"*"}}, "no name": {"": {"*"}}, "many names": many, "many values": {"a": make([]string, 1001)},
	} {
		if _, err := query.TagsFilter(in); tidemark.KindOf(err) != tidemark.Invalid {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestFilterOf(t *testing.T) {
	t.Parallel()
	yes := true
	tests := []struct {
		name          string
		tags, dynamic []tidemark.TagFilter
		want          string
	}{
		{"nothing", nil, nil, "01234"},
		{"values", []tidemark.TagFilter{{Name: "host", Values: []string{"a", "b"}}}, nil, "12"},
		{"no values", []tidemark.TagFilter{{Name: "host", Grouped: &yes}}, nil, "123"},
		{"not dynamic", []tidemark.TagFilter{{Name: "host"}}, []tidemark.TagFilter{{Name: "host", Values: []string{"a"}}}, "123"},
		{"dynamic", []tidemark.TagFilter{{Name: "host", Dynamic: &yes}}, []tidemark.TagFilter{{Name: "Host", Values: []string{"A"}}}, "1"},
		{"dynamic over own values", []tidemark.TagFilter{{Name: "host", Values: []string{"b"}, Dynamic: &yes}},
			[]tidemark.TagFilter{{Name: "host", Values: []string{"a"}}}, "1"},
		{"dynamic without filter", []tidemark.TagFilter{{Name: "host", Dynamic: &yes}}, nil, "01234"},
		{"dynamic without filter, with own values", []tidemark.TagFilter{{Name: "host", Values: []string{"b"}, Dynamic: &yes}}, nil, "01234"},
		{"dynamic, filter without values", []tidemark.TagFilter{{Name: "host", Dynamic: &yes}}, []tidemark.TagFilter{{Name: "host"}}, "123"},
		{"percent", []tidemark.TagFilter{{Name: "host", Values: []string{"%"}}}, []tidemark.TagFilter{{Name: "host", Values: []string{"a"}}}, "1"},
		{"percent without filter", []tidemark.TagFilter{{Name: "host", Values: []string{"%"}}}, nil, "01234"},
		{"several", []tidemark.TagFilter{{Name: "host", Values: []string{"!a"}}, {Name: "env", Values: []string{"prod"}}}, nil, "2"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if got := picked(t, query.FilterOf(tt.tags, tt.dynamic)); got != tt.want {
				t.Errorf("picked %s, want %s", got, tt.want)
			}
		})
	}
}

func TestTagsSearchLimits(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{
		"long": strings.Repeat(" ", 16<<10+1), "deep": strings.Repeat("(", 21) + "a=b",
		"not, deep": strings.Repeat("!(", 21) + "a=b", "many": strings.Repeat("a=b or ", 1000) + "a=b",
	} {
		_, err := query.ParseTagsSearch(text)
		e := composeErrorOf(err)
		if tidemark.KindOf(err) != tidemark.Invalid || e == nil || e.Offset > len(text) {
			t.Errorf("%s: %v", name, err)
		}
	}
	deepest := strings.Repeat("!(a=b or a=b and ", 20) + "a=!b" + strings.Repeat(")", 20)
	f, err := query.ParseTagsSearch(deepest)
	if err != nil {
		t.Fatal(err)
	}
	if err := f.Validate(); err != nil {
		t.Errorf("an engine would refuse what was accepted: %v", err)
	}
}
