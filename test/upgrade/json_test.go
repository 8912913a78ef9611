package upgrade

import (
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"testing"
)

// missing says what before had that now has not, and where; "" if nothing.
func missing(before, now any, at string) string {
	switch b := before.(type) {
	case map[string]any:
		n, ok := now.(map[string]any)
		if !ok {
			return fmt.Sprintf("%s was an object and is %v", at, now)
		}
		for key, v := range b {
			if slices.Contains(changing, key) {
				continue
			}
			if lost := missing(v, n[key], at+"."+key); lost != "" {
				return lost
			}
		}
		return ""
	case []any:
		n, ok := now.([]any)
		if !ok || len(n) != len(b) {
			return fmt.Sprintf("%s had %d entries: %v", at, len(b), now)
		}
		for i := range b {
			if lost := missing(b[i], n[i], at+"["+strconv.Itoa(i)+"]"); lost != "" {
				return lost
			}
		}
		return ""
	}
	if before != now {
		return fmt.Sprintf("%s was %v and is %v", at, before, now)
	}
	return ""
}

func TestMissing(t *testing.T) {
	t.Parallel()
	before := map[string]any{"a": 1.0, "b": []any{map[string]any{"c": "x"}}, "updated_at": 5.0}
	for name, tt := range map[string]struct {
		now  any
		want bool
	}{
		"the same":       {before, false},
		"more":           {map[string]any{"a": 1.0, "b": []any{map[string]any{"c": "x", "d": 1.0}}, "e": 2.0}, false},
		"another value":  {map[string]any{"a": 2.0, "b": []any{map[string]any{"c": "x"}}}, true},
		"an entry less":  {map[string]any{"a": 1.0, "b": []any{}}, true},
		"a field less":   {map[string]any{"a": 1.0, "b": []any{map[string]any{}}}, true},
		"something else": {"x", true},
	} {
		if got := missing(before, tt.now, ""); (got != "") != tt.want {
			t.Errorf("%s: %q", name, got)
		}
	}
}

func window(from, to int64) string { return fmt.Sprintf("start_time=%d&end_time=%d", from, to) }

func escape(s string) string { return url.QueryEscape(s) }
