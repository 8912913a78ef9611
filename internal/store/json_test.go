package store

import (
	"errors"
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestJSONColumn(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name    string
		v, want map[string]any
		text    string
	}{
		{"integers", map[string]any{"a": int64(0), "b": int64(math.MaxInt64), "c": int64(math.MinInt64)}, nil, `{"a":0,"b":9223372036854775807,"c":-9223372036854775808}`},
		{"a whole float", map[string]any{"a": 60.0}, map[string]any{"a": int64(60)}, `{"a":60}`},
		{"floats", map[string]any{"a": 0.1, "b": 1e300, "c": -5e-324}, nil, `{"a":0.1,"b":1e+300,"c":-5e-324}`},
		{"beyond integers", map[string]any{"a": 1e19}, nil, `{"a":10000000000000000000}`},
		{"true and false", map[string]any{"a": true, "b": false, "c": nil}, nil, `{"a":true,"b":false,"c":null}`},
		{"a number as text", map[string]any{"a": "60"}, nil, `{"a":"60"}`},
		{"markup", map[string]any{"a": "<&>\u2028"}, nil, `{"a":"<&>` + `\u2028"}`},
		{"nested", map[string]any{"a": map[string]any{"b": []any{int64(1), 1.5}}}, nil, `{"a":{"b":[1,1.5]}}`},
		{"nothing", map[string]any{}, nil, `{}`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			text, err := asJSON(&tt.v).Value()
			if err != nil || text != tt.text {
				t.Errorf("Value = %q, %v, want %q", text, err, tt.text)
			}
			if tt.want == nil {
				tt.want = tt.v
			}
			for _, src := range []any{tt.text, []byte(tt.text)} {
				var got map[string]any
				if err := asJSON(&got).Scan(src); err != nil {
					t.Error(err)
				}
				if diff := cmp.Diff(tt.want, got); diff != "" {
					t.Errorf("Scan (-want +got):\n%s", diff)
				}
			}
		})
	}
	var m map[string]any
	for _, src := range []any{nil, int64(5), "", "{"} {
		if err := asJSON(&m).Scan(src); err == nil {
			t.Errorf("Scan(%v) worked", src)
		}
	}
	if _, err := asJSON(&map[string]any{"a": math.NaN()}).Value(); err == nil {
		t.Error("NaN was written")
	}
}

func TestLike(t *testing.T) {
	t.Parallel()
	for glob, want := range map[string]string{
		"a*b": "a%b", "100%": `100\%`, "a_b": `a\_b`, `a\b`: `a\\b`, "*": "%", `\*%_`: `\\%\%\_`,
	} {
		if got := like(glob); got != want {
			t.Errorf("like(%q) = %q, want %q", glob, got, want)
		}
	}
}

func TestDollars(t *testing.T) {
	t.Parallel()
	for stmt, want := range map[string]string{
		"SELECT 1": "SELECT 1", "a = ? AND b IN (?, ?)": "a = $1 AND b IN ($2, $3)", "?": "$1", "": "",
	} {
		if got := dollars(stmt); got != want {
			t.Errorf("dollars(%q) = %q, want %q", stmt, got, want)
		}
	}
}

func TestCheckTexts(t *testing.T) {
	t.Parallel()
	var none *string
	if err := checkTexts([]any{"a", new("ü"), none, nil, int64(5), []byte{0, 255}}); err != nil {
		t.Error(err)
	}
	for _, arg := range []any{"a\x00", "\xff", new("\x00"), new("\xff")} {
		if err := checkTexts([]any{"fine", arg}); !errors.Is(err, errText) {
			t.Errorf("%v: %v", arg, err)
		}
	}
}
