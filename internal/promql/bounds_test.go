package promql

import (
	"strings"
	"testing"

	"github.com/prometheus/prometheus/promql/parser"
)

// TestBounds: what is too much is refused where it begins to be, and what is
// merely long is not.
func TestBounds(t *testing.T) {
	t.Parallel()
	times := strings.Repeat
	for _, c := range []struct{ name, expr, want string }{
		{"signs", times("-", 64) + "x", ""},
		{"a sign more", times("-", 65) + "x", "at character 65: nested more than 64 deep"},
		{"signs of both kinds, apart", times("+ -\n", 40) + "x", "at character 129: nested more than 64 deep"},
		{"signs with comments between", times("-# (\n", 65) + "x", "at character 321: nested more than 64 deep"},
		{"parentheses", times("(", 64) + "x" + times(")", 64), ""},
		{"a parenthesis more", "1 + " + times("(", 65) + "x" + times(")", 65), "at character 69: nested more than 64 deep"},
		{"aggregations", times("sum(", 65) + "x" + times(")", 65), "at character 260: nested more than 64 deep"},
		{"a selector within", times("(", 64) + "x{}" + times(")", 64), "at character 66: nested more than 64 deep"},
		{"many, one after the other", "(x)" + times(" + (x)", 200), ""},
		{"operators", "x" + times("+1", 256), ""},
		{"an operator more", "x" + times("+1", 257), "at character 514: more than 256 operators"},
		{"words that are operators", "x" + times(" or x", 257), "at character 1283: more than 256 operators"},
		{"powers", "x" + times("^x", 257), "at character 514: more than 256 operators"},
		{"signs of operands", "1" + times("*-x", 129), "at character 386: more than 256 operators"},
		{"subqueries", "x" + times("[1m:]", 257), "at character 1282: more than 256 operators"},
		{"matchers are no operators", `x{` + times(`a!="b",`, 300) + `}`, ""},
		{"operators after a selector", `x{a="b"}` + times("+1", 257), "at character 521: more than 256 operators"},
		{"labels", "sum by (" + times("a,", 3000) + "a) (x)", "at character 4102: more than 4096 names, texts, numbers and signs"},
		{"a long pattern", `x{a=~"` + times("(a|b+-)", 4000) + `"}`, ""},
		{"quotes of all kinds", `x{a="\"((((",b='\'((((',c=` + "`((((`" + `,d="` + times("(", 100) + `"}`, ""},
		{"a text", `"` + times("-", 1000) + `"`, ""},
		{"a comment", "x # " + times("(", 1000), ""},
		{"the longest", `"` + times("é", 16383) + `"`, ""},
		{"too long", `"` + times("é", 16384) + `"`, "at character 16386: longer than 32768 bytes"},
		{"nothing", "", ""},
	} {
		got := ""
		if err := checkBounds(c.expr); err != nil {
			got = err.Error()
		}
		if got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

// TestLongExpressions: what dashboards and rules ask for, where they ask for
// most, is far below the bounds.
func TestLongExpressions(t *testing.T) {
	t.Parallel()
	const group = `{job=~"kubelet|cadvisor",namespace=~".+",pod!~"",container!=""}`
	for _, expr := range []string{
		// As node-exporter's mixin has it: all modes of a processor, divided by each other.
		`(((count(count(node_cpu{instance="a"}) by (cpu))) - avg(sum by (mode) (rate(node_cpu{mode='idle',instance="a"}[5m])))) * 100) / count(count(node_cpu{instance="a"}) by (cpu))`,
		// As error budgets are spent, over four pairs of windows.
		strings.TrimPrefix(strings.Repeat(` or (sum(rate(errors`+group+`[1h])) / sum(rate(requests`+group+`[1h])) > (14.4 * (1 - 0.999)) and sum(rate(errors`+group+`[5m])) / sum(rate(requests`+group+`[5m])) > (14.4 * (1 - 0.999)))`, 4), " or "),
		// As generated dashboards add up one metric of each instance.
		"sum(a)" + strings.Repeat(` + sum(rate(a`+group+`[5m])) by (pod)`, 60),
		`label_replace(topk(5, max by (host) (max_over_time(deriv(avg_over_time(x[5m])[1h:1m])[1d:5m] offset 1w))), "a", "$1", "host", "(.*)")`,
	} {
		if _, err := NewParser(parser.Options{}).ParseExpr(expr); err != nil {
			t.Errorf("%v: %s", err, expr)
		}
	}
}

// FuzzBounds: whatever is asked, the bounds are looked at without a panic, and
// what is within them is a tree no deeper than they say.
func FuzzBounds(f *testing.F) {
	f.Add(`sum by (h) (rate(a{x=~"b.*"}[5m])) / -2 ^ -x offset 1m # (`)
	f.Add(`max_over_time((x @ end() or y)[1h:5m]) > bool on (a) group_left (b) min("((((")`)
	f.Add(strings.Repeat("-", 60) + strings.Repeat("(", 60) + "x" + strings.Repeat(")", 60))
	p := NewParser(parser.Options{
		EnableExperimentalFunctions: true, ExperimentalDurationExpr: true, EnableExtendedRangeSelectors: true, EnableBinopFillModifiers: true,
	})
	f.Fuzz(func(t *testing.T, text string) {
		e, err := p.ParseExpr(text)
		if err != nil {
			return
		}
		if got, most := depth(e), MaxDepth+MaxOperators+1; got > most {
			t.Errorf("a tree %d deep, of at most %d: %q", got, most, text)
		}
		_ = e.Pretty(0) // ends
	})
}

// depth returns how many nodes there are on the longest path of a tree.
func depth(e parser.Node) int {
	deepest := 0
	if d, is := e.(*parser.DurationExpr); is { // which Children does not know
		for _, side := range []parser.Expr{d.LHS, d.RHS} {
			if side != nil {
				deepest = max(deepest, depth(side))
			}
		}
		return deepest + 1
	}
	for _, child := range parser.Children(e) {
		deepest = max(deepest, depth(child))
	}
	return deepest + 1
}
