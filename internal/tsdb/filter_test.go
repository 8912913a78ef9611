package tsdb_test

import (
	"testing"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/tsdb"
)

func TestFilter(t *testing.T) {
	not := func(f tsdb.Filter) tsdb.Filter { return tsdb.Filter{Op: tsdb.Not, Args: []tsdb.Filter{f}} }
	web := tidemark.MakeTags(map[string]string{"host": "web1", "dc": "eu"})
	bare := tidemark.Tags{}
	for name, tt := range map[string]struct {
		f         tsdb.Filter
		web, bare bool
	}{
		"zero":             {tsdb.Filter{}, true, true},
		"equal":            {tsdb.TagIs("host", "web1"), true, false},
		"other value":      {tsdb.TagIs("host", "web2"), false, false},
		"one of":           {tsdb.TagIs("host", "web2", "web1"), true, false},
		"glob":             {tsdb.TagIs("host", "w*1"), true, false},
		"no pattern":       {tsdb.TagIs("host"), false, false},
		"is not":           {tsdb.TagIsNot("host", "web2"), true, false},
		"is not itself":    {tsdb.TagIsNot("host", "web1"), false, false},
		"not":              {not(tsdb.TagIs("host", "web1")), false, true},
		"present":          {tsdb.TagPresent("dc"), true, false},
		"absent":           {tsdb.TagAbsent("dc"), false, true},
		"all of nothing":   {tsdb.AllOf(), true, true},
		"any of nothing":   {tsdb.AnyOf(), false, false},
		"all":              {tsdb.AllOf(tsdb.TagIs("host", "web*"), tsdb.TagIs("dc", "us")), false, false},
		"any":              {tsdb.AnyOf(tsdb.TagIs("host", "web*"), tsdb.TagIs("dc", "us")), true, false},
		"not of any":       {not(tsdb.AnyOf(tsdb.TagPresent("host"), tsdb.TagPresent("x"))), false, true},
		"absent or a host": {tsdb.AnyOf(tsdb.TagAbsent("host"), tsdb.TagIs("host", "web1")), true, true},
	} {
		if err := tt.f.Validate(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if got := tt.f.Match(web); got != tt.web {
			t.Errorf("%s: matches %v: %v, want %v", name, web, got, tt.web)
		}
		if got := tt.f.Match(bare); got != tt.bare {
			t.Errorf("%s: matches no tags: %v, want %v", name, got, tt.bare)
		}
	}
}

func TestFilterValidate(t *testing.T) {
	deep := tsdb.Filter{}
	for range 100 {
		deep = tsdb.AllOf(deep)
	}
	for name, f := range map[string]tsdb.Filter{
		"not of nothing": {Op: tsdb.Not},
		"not of two":     {Op: tsdb.Not, Args: make([]tsdb.Filter, 2)},
		"unknown":        {Op: tsdb.Is + 1},
		"within":         tsdb.AllOf(tsdb.TagPresent("a"), tsdb.AnyOf(tsdb.Filter{Op: tsdb.Not})),
		"too deep":       deep,
	} {
		if err := f.Validate(); tidemark.KindOf(err) != tidemark.Invalid {
			t.Errorf("%s: got %v, want an Invalid error", name, err)
		}
	}
}
