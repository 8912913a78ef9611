package main

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestMutants(t *testing.T) {
	t.Parallel()
	const before, after = "package x\n\nvar n = 4\n\nfunc f(a, b int) {\n", "\n}\n"
	tests := []struct {
		name, body string
		want       []string
	}{
		{"a condition", "if a < b { return }", []string{"if !(a < b) { return }", "if a <= b { return }"}},
		{"a constant", "x := 0x10", []string{"x := 17"}},
		{"a text stays", `x := "10"`, nil},
		{"a statement", "g(a)", []string{""}},
		{"an assignment, not a declaration", "x := a; x = b", []string{"x := a; "}},
		{"logic", "return a != b && c", []string{"return a != b || c", "return a == b && c"}},
	}
	for _, tt := range tests {
		made, err := mutantsIn("x.go", []byte(before+tt.body+after))
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, m := range made {
			s := strings.TrimPrefix(string(m.source()), before)
			got = append(got, strings.TrimSuffix(s, after))
		}
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, diff)
		}
	}
}

func TestMutantSays(t *testing.T) {
	t.Parallel()
	made, err := mutantsIn("/a/x.go", []byte("package x\nfunc f() {\n\tdefer g()\n}\n"))
	if err != nil {
		t.Fatal(err)
	}
	if got, want := made[0].String(), "x.go:3: defer g() becomes nothing"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestFailedIn(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, output, want string }{
		{"a test", "=== RUN x\n--- FAIL: TestA (0.01s)\n    --- FAIL: TestA/b (0.00s)\nFAIL\n", " (TestA)"},
		{"a panic", "panic: runtime error\nFAIL\n", ""},
		{"a failure without output", "", ""},
	}
	for _, tt := range tests {
		if got := failedIn(tt.output); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}
