package movein_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/tidemark-metrics/tidemark/internal/movein"
	"github.com/tidemark-metrics/tidemark/internal/query"
	"pgregory.net/rapid"
)

// TestPromQLWithNumbers: a number beside a series is calculated with as it
// stands, whatever its sign, and whatever texts the series has.
func TestPromQLWithNumbers(t *testing.T) {
	t.Parallel()
	for expr, want := range map[string]string{
		`up{flag="--verbose"} * 2`: `scale(s("up", {"flag": "--verbose"}), {factor: "2"})`,
		`up{flag="--verbose"} - 2`: `add(s("up", {"flag": "--verbose"}), {value: "-2"})`,
		`a / 0.25`:                 `scale(s("a", "*"), {factor: "4"})`,
		`a / -4`:                   `scale(s("a", "*"), {factor: "-0.25"})`,
		`a / (1024)`:               `scale(s("a", "*"), {factor: "1/1024"})`,
		`a * 1e3`:                  `scale(s("a", "*"), {factor: "1000"})`,
		`a - 0`:                    `add(s("a", "*"), {value: "0"})`,
		`a - -(-3)`:                `add(s("a", "*"), {value: "-3"})`,
		`a + -(-3)`:                `add(s("a", "*"), {value: "3"})`,
		`-(-3) * a`:                `scale(s("a", "*"), {factor: "3"})`,
		`-3 + a`:                   `add(s("a", "*"), {value: "-3"})`,
		`-5 - sum(a)`:              `subtract([constant(-5), sum(s("a", "*"))])`,
		`100 / max by (h) (a)`:     `group_by("h", divide([constant(100), max(s("a", "*"))]))`,
		`bottomk(2, -a)`:           `bottom(scale(s("a", "*"), {factor: "-1"}), {count: "2"})`,
	} {
		got, err := movein.FromPromQL(expr)
		if err != nil || got != want {
			t.Errorf("%s is %s, %v; want %s", expr, got, err, want)
			continue
		}
		if _, err := query.Parse(got); err != nil {
			t.Errorf("%s: %v", got, err)
		}
	}
	for expr, reason := range map[string]string{
		`a / 0`:         "the operator / with the number 0 has no counterpart",
		`a * Inf`:       "the operator * with the number +Inf has no counterpart",
		`NaN - sum(a)`:  "the operator - with the number NaN has no counterpart",
		`2 * 3`:         "scalar has no counterpart",
		`a % 2`:         "the operator % has no counterpart",
		`1 - absent(a)`: "absent has no counterpart",
	} {
		if got, err := movein.FromPromQL(expr); err == nil || err.Error() != reason {
			t.Errorf("%s is %s, %v; want %q", expr, got, err, reason)
		}
	}
}

// TestPromQLInTime: an offset moves a series the same way in both languages,
// and a fixed time is refused instead of passed over.
func TestPromQLInTime(t *testing.T) {
	t.Parallel()
	for expr, want := range map[string]string{
		`a offset 1d`:           `timeshift("86400s", s("a", "*"))`,
		`a offset -1h`:          `timeshift("+3600s", s("a", "*"))`,
		`a offset 10ms`:         `s("a", "*")`,
		`rate(a[5m] offset 1w)`: `rate(derive(timeshift("604800s", s("a", "*", {function: "last"}))))`,
	} {
		if got, err := movein.FromPromQL(expr); err != nil || got != want {
			t.Errorf("%s is %s, %v; want %s", expr, got, err, want)
		}
	}
	for _, expr := range []string{`a @ 1754300400`, `a @ end()`, `sum(a @ start())`, `rate(a[5m] @ 1754300400)`} {
		got, err := movein.FromPromQL(expr)
		if err == nil || err.Error() != "series at a fixed time (@) have no counterpart" {
			t.Errorf("%s is %s, %v", expr, got, err)
		}
	}
}

// TestPromQLConditions: conditions on one tag that must all hold are not made
// into values of which one is enough.
func TestPromQLConditions(t *testing.T) {
	t.Parallel()
	for expr, want := range map[string]string{
		`up{h=~"web.*", h!="web-1"}`:         `s("up", {"h": ["web*", "!web-1"]})`,
		`up{h!="a", h!~"b|c"}`:               `s("up", {"h": ["!a", "!b", "!c"]})`,
		`up{h=~".*", h="a"}`:                 `s("up", {"h": "a"})`,
		`up{h=~"^(a|b)$"}`:                   `s("up", {"h": ["a", "b"]})`,
		`up{path="a*b", q="!x", p="50%"}`:    `s("up", {"p": "50_x25_", "path": "a_x2a_b", "q": "_x21_x"})`,
		`{__name__="a.b", job=~"x.+"}`:       `s("a.b", {"job": "x*"})`,
		`up{say="\"hi\" \\ there"}`:          `s("up", {"say": "_x22_hi_x22_ \\ there"})`,
		`sum by (le, "k8s.pod") (up)`:        `group_by("k8s.pod,le", sum(s("up", "*")))`,
		`sum(up) by ()`:                      `sum(s("up", "*"))`,
		`avg(max by (h) (up) / 2)`:           `mean(group_by("h", scale(max(s("up", "*")), {factor: "1/2"})))`,
		`topk(3, sum by (h) (up))`:           `top(group_by("h", sum(s("up", "*"))), {count: "3"})`,
		`+(up)`:                              `s("up", "*")`,
		`floor(avg_over_time(up[$__range]))`: `floor(s("up", "*", {function: "mean"}))`,
	} {
		if got, err := movein.FromPromQL(expr); err != nil || got != want {
			t.Errorf("%s is %s, %v; want %s", expr, got, err, want)
		}
	}
	for expr, reason := range map[string]string{
		`up{h=~"a.*", h=~".*b"}`:          "two conditions that a value of h must meet both have no counterpart",
		`up{h="a", h="$host"}`:            "two conditions that a value of h must meet both have no counterpart",
		`up{h=~"a|"}`:                     `the regular expression "a|" has no counterpart`,
		`up{h=~"(a)|b"}`:                  `the regular expression "(a)|b" has no counterpart`,
		`up{h!="$host"}`:                  "a variable within a value of h has no counterpart",
		`up{h!=""}`:                       "that h is there or not cannot be said by its value",
		`sum by (h) (a) + sum by (g) (b)`: "+ of series that are matched by their tags has no counterpart: sum both sides by the same tags",
		`sum(a) - absent(b)`:              "absent has no counterpart",
		`topk by (h) (3, a)`:              "topk with groups has no counterpart",
		`rate(a[5m:1m])`:                  "rate has no counterpart",
		`round(a, 5)`:                     "round has no counterpart",
		`"text"`:                          "string has no counterpart",
		`a[5m]`:                           "range vector has no counterpart",
	} {
		if got, err := movein.FromPromQL(expr); err == nil || err.Error() != reason {
			t.Errorf("%s is %s, %v; want %q", expr, got, err, reason)
		}
	}
}

// TestPromQLVariables: a variable stands for the value of a tag; anywhere else
// the expression is refused, without words that are not in it.
func TestPromQLVariables(t *testing.T) {
	t.Parallel()
	for expr, reason := range map[string]string{
		`sum by ($group) (a)`:          "groups by a variable have no counterpart",
		`sum by (h, ${group}) (a)`:     "groups by a variable have no counterpart",
		`a{$label="x"}`:                "a tag that is named by a variable has no counterpart",
		`$metric{h="a"}`:               "metrics chosen by a pattern or a variable have no counterpart",
		`sum(a) * $factor`:             "metrics chosen by a pattern or a variable have no counterpart",
		`topk($n, a)`:                  "cannot be read: 1:6: parse error: expected type scalar in aggregation parameter, got instant vector",
		`a offset $shift`:              "cannot be read",
		`a{[[filters]]}`:               "cannot be read",
		`rate(a[5m]) / ${divisor:raw}`: "metrics chosen by a pattern or a variable have no counterpart",
	} {
		got, err := movein.FromPromQL(expr)
		if err == nil || !strings.HasPrefix(err.Error(), reason) || strings.Contains(err.Error(), "TIDEMARK") {
			t.Errorf("%s is %s, %v; want %q", expr, got, err, reason)
		}
	}
}

// promQL draws an expression of parts that the import knows and some that it
// does not.
func promQL(t *rapid.T, depth int) string {
	if depth == 0 {
		tags := rapid.SampledFrom([]string{"", `{h="a"}`, `{h=~"a.*|b",p!="/x"}`, `{h="$h"}`, `{h="a\"\\b"}`, `{__name__="b",h="!é%*"}`}).Draw(t, "tags")
		name := rapid.SampledFrom([]string{"a", "a_total", "ns:b"}).Draw(t, "name")
		if strings.Contains(tags, "__name__") {
			name = ""
		}
		return name + tags
	}
	form := rapid.SampledFrom([]string{
		"sum(%s)", "avg by (h) (%s)", "max by (h, p) (%s)", "abs(%s)", "-(%s)", "topk(3, %s)", "2 - %s", "%s / 1024", "-1.5e-3 * %s", "%s + -7",
		"(%s) / (%s)", "sum by (h) (%s) - sum by (h) (%s)", "rate(%s[5m])", "min_over_time(%s[1h] offset 2h)",
	}).Draw(t, "form")
	args := make([]any, strings.Count(form, "%s"))
	for i := range args {
		if strings.Contains(form, "[") {
			args[i] = promQL(t, 0)
		} else {
			args[i] = promQL(t, depth-1)
		}
	}
	return fmt.Sprintf(form, args...)
}

// TestPromQLIsUnderstood: what is not refused is an expression that the server
// takes.
func TestPromQLIsUnderstood(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		expr := promQL(t, rapid.IntRange(0, 3).Draw(t, "depth"))
		got, err := movein.FromPromQL(expr)
		if err != nil {
			return
		}
		if _, err := query.Parse(got); err != nil {
			t.Fatalf("%s becomes %s: %v", expr, got, err)
		}
	})
}
