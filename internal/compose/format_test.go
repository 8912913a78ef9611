package compose

import (
	"strings"
	"testing"
)

func TestFormat(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, in, want string }{
		{"short", `sum( s("cpu",'*') )`, `sum(s("cpu", "*"))`},
		{
			"long",
			`group_by("region,az", divide([sum(series("http.responses.2xx","*")), sum(series("http.requests","*",{group:"false"}))]))`,
			`group_by(
  "region,az",
  divide(
    [
      sum(series("http.responses.2xx", "*")),
      sum(series("http.requests", "*", {"group": "false"}))
    ]
  )
)`,
		},
		{
			"a long text",
			`scale(s("` + strings.Repeat("x", 90) + `"), {factor: "2"})`,
			"scale(\n  s(\n    \"" + strings.Repeat("x", 90) + "\"\n  ),\n  {\"factor\": \"2\"}\n)",
		},
		{"no arguments", strings.Repeat("x", 90) + `()`, strings.Repeat("x", 90) + `()`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			e, err := Parse(tt.in)
			if err != nil {
				t.Fatal(err)
			}
			got := Format(e)
			if got != tt.want {
				t.Errorf("got:\n%s\nwant:\n%s", got, tt.want)
			}
			again, err := Parse(got)
			if err != nil || again.String() != e.String() || Format(again) != got {
				t.Errorf("means %v (%v) and formats as:\n%s", again, err, Format(again))
			}
		})
	}
}
