package rest

import (
	"errors"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/tidemark-metrics/tidemark"
)

type tree = map[string]any

// TestForms reads forms as Rails does.
func TestForms(t *testing.T) {
	t.Parallel()
	for form, want := range map[string]tree{
		"":                           {},
		"a=1&b=":                     {"a": "1", "b": ""},
		"a":                          {"a": ""},
		"a=x%20y+z":                  {"a": "x y z"},
		"a=1&a=2&a=3":                {"a": []any{"1", "2", "3"}},
		"a[]=1&a[]=2":                {"a": []any{"1", "2"}},
		"a[b]=1&a[c][d]=2":           {"a": tree{"b": "1", "c": tree{"d": "2"}}},
		"a[1]=y&a[0]=x":              {"a": []any{"x", "y"}},
		"a[7]=y&a[3]=x":              {"a": []any{"x", "y"}},
		"a[][b]=1&a[][b]=2":          {"a": []any{tree{"b": "1"}, tree{"b": "2"}}},
		"a[][b]=1&a[][c]=2&a[][b]=3": {"a": []any{tree{"b": "1", "c": "2"}, tree{"b": "3"}}},
		"a[][b][]=1&a[][b][]=2":      {"a": []any{tree{"b": []any{"1", "2"}}}},
		"a[01]=x":                    {"a": tree{"01": "x"}},
		"a[0]=x&a[00]=y":             {"a": tree{"0": "x", "00": "y"}},
		"a[%2B1]=x":                  {"a": tree{"+1": "x"}},
		"a[-1]=x":                    {"a": tree{"-1": "x"}},
		"a[b=1":                      {"a[b": "1"},
		"a[b]c=1":                    {"a[b]c": "1"},
		"&&a=1&&":                    {"a": "1"},
	} {
		got, err := ParseForm(form)
		if err != nil || !cmp.Equal(got, want) {
			t.Errorf("%q: %v %s", form, err, cmp.Diff(want, got))
		}
	}
}

func TestFormsThatAreRefused(t *testing.T) {
	t.Parallel()
	for form, want := range map[string]string{
		"a=%zz":                         "hex digits",
		"a=1&a[b]=2":                    "a value and as an object",
		"a[1]=x&a=y":                    "a is given both with and without a position",
		strings.Repeat("a=1&", 100_001): "more than 100000 fields",
		"a" + strings.Repeat("[b]", 20): "nested more than",
	} {
		_, err := ParseForm(form)
		if err == nil || !strings.Contains(err.Error(), want) || tidemark.KindOf(err) == tidemark.Internal {
			t.Errorf("%.20q: %v, want %q", form, err, want)
		}
	}
	const body = "--x\r\nContent-Disposition: form-data; name=\"a[b]\"\r\n\r\n1\r\n--x--\r\n"
	got, err := parseMultipart([]byte(body), "x")
	if err != nil || !cmp.Equal(got, tree{"a": tree{"b": "1"}}) {
		t.Errorf("a form in parts: %v, %v", got, err)
	}
	for name, c := range map[string][2]string{"no boundary": {body, ""}, "another": {body, "y"}, "cut off": {body[:54], "x"}, "nothing": {"", "x"}, "no parts": {"--x--\r\n", "x"}} {
		if got, err := parseMultipart([]byte(c[0]), c[1]); tidemark.KindOf(err) != tidemark.Invalid {
			t.Errorf("%s: %v, %v", name, got, err)
		}
	}
}

// TestPages: offset and length are numbers in bounds, and problems are named.
func TestPages(t *testing.T) {
	t.Parallel()
	for query, want := range map[string]tidemark.Page{
		"":                           {Length: 100},
		"offset=5&length=10":         {Offset: 5, Length: 10},
		"length=1000":                {Length: 100},
		"orderby=name&sort=desc":     {Length: 100, OrderBy: "name", Desc: true},
		"sort=asc&name=cpu*":         {Length: 100, Name: "cpu*"},
		"offset=2147483647&length=1": {Offset: 1<<31 - 1, Length: 1},
	} {
		got, err := ReadPage(httptest.NewRequest("GET", "/?"+query, nil))
		if err != nil || got != want {
			t.Errorf("%q: %+v, %v", query, got, err)
		}
	}
	for query, field := range map[string]string{
		"offset=-1": "offset", "offset=x": "offset", "offset=2147483648": "offset", "length=0": "length", "length=1.5": "length",
		"length=99999999999999999999": "length", "sort=up": "sort", "name=" + strings.Repeat("x", 256): "name", "name=%00": "name",
	} {
		_, err := ReadPage(httptest.NewRequest("GET", "/?"+query, nil))
		e, _ := errors.AsType[*tidemark.Error](err)
		if e == nil || len(e.Fields) != 1 || e.Fields[field] == nil {
			t.Errorf("%.30q: %v, want an error of %s", query, err, field)
		}
	}
	if got := PageOf(tidemark.Page{Offset: 10}, 3, tidemark.Counts{Found: 13, Total: 50}); got != (PageInfo{13, 3, 10, 50}) {
		t.Errorf("%+v", got)
	}
}

func TestQueryInts(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]int64{"": 7, "5": 5, "-5": -5, "1.9": 1, "+3": 3, "1e3": 1000} {
		var p tidemark.Problems
		r := httptest.NewRequest("GET", "/", nil)
		q := r.URL.Query()
		q.Set("n", text)
		r.URL.RawQuery = q.Encode()
		if got := QueryInt(&p, r, "n", 7); got != want || p.Err() != nil {
			t.Errorf("%q: %d, %v", text, got, p.Err())
		}
	}
	for _, text := range []string{"x", "1099511627776", "-1099511627776", "0x10", "1_000", "NaN", "Inf", "1e400"} {
		var p tidemark.Problems
		IntOf(&p, map[string][]string{"n": {text}}, "n", 0)
		if p.Err() == nil {
			t.Errorf("%q is taken for a number", text)
		}
	}
}

// TestPaths: whatever clients make of the paths, the table has one form.
func TestPaths(t *testing.T) {
	t.Parallel()
	for path, want := range map[string]string{
		"/v1/metrics": "/v1/metrics", "/v1/metrics/": "/v1/metrics", "//v1///metrics//": "/v1/metrics", "/": "/",
		"/metrics-api/v1/metrics": "/v1/metrics", "/metrics-api/other": "/metrics-api/other", "/o/7/v1/alerts": "/v1/alerts", "/o/7/ui/api/me/": "/ui/api/me",
		"/o/7/elsewhere": "/o/7/elsewhere", "/o/7": "/o/7", "/v1/metrics/a%2Fb": "/v1/metrics/a/b", "//v1/metrics/a%2Fb/": "/v1/metrics/a/b",
	} {
		r := canonical(httptest.NewRequest("GET", path, nil))
		if r.URL.Path != want {
			t.Errorf("%s is %s, want %s", path, r.URL.Path, want)
		}
		if strings.Contains(path, "%2F") && r.URL.EscapedPath() != "/v1/metrics/a%2Fb" {
			t.Errorf("%s became %s: a slash in a name became one of the path", path, r.URL.EscapedPath())
		}
	}
	for path, want := range map[string]string{"/o/7/v1/alerts": "7", "/o/shop/v1/alerts": "shop"} {
		if org, ok := NamedOrg(canonical(httptest.NewRequest("GET", path, nil))); !ok || org != want {
			t.Errorf("%s names %q, %v", path, org, ok)
		}
	}
	if _, ok := NamedOrg(httptest.NewRequest("GET", "/v1/alerts", nil)); ok {
		t.Error("a path without an organization names one")
	}
}
