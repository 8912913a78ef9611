package compose

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"
)

// drawText draws a text with everything that has a meaning elsewhere.
func drawText(t *rapid.T) Text {
	return Text{Value: rapid.StringMatching(`[a-c"'\\ (){}\[\],:*é%-]{0,6}`).Draw(t, "text")}
}

// drawTree draws an expression.
func drawTree(t *rapid.T, depth int) Expr {
	kind := rapid.SampledFrom([]string{"call", "call", "set"}).Draw(t, "kind")
	if depth == 0 {
		kind = "leaf"
	}
	switch kind {
	case "set":
		set := &Set{}
		for range rapid.IntRange(1, 3).Draw(t, "elements") {
			set.Exprs = append(set.Exprs, drawTree(t, depth-1))
		}
		return set
	case "call":
		call := &Call{Name: rapid.SampledFrom([]string{"s", "sum", "group_by", "_x1"}).Draw(t, "name")}
		for range rapid.IntRange(0, 3).Draw(t, "arguments") {
			call.Args = append(call.Args, drawArgument(t, depth-1))
		}
		return call
	}
	return &Call{Name: "s"}
}

func drawArgument(t *rapid.T, depth int) Expr {
	switch rapid.IntRange(0, 2).Draw(t, "argument") {
	case 0:
		text := drawText(t)
		return &text
	case 1:
		m := &Map{}
		for _, key := range rapid.SliceOfNDistinct(rapid.SampledFrom([]string{"a", "b.c", "@d", `"e`}), 0, 3, rapid.ID).Draw(t, "keys") {
			p := Pair{Key: Text{Value: key}, Values: []Text{drawText(t)}, List: rapid.Bool().Draw(t, "list")}
			if p.List && rapid.Bool().Draw(t, "two") {
				p.Values = append(p.Values, drawText(t))
			}
			m.Pairs = append(m.Pairs, p)
		}
		return m
	}
	return drawTree(t, depth)
}

// spell writes a tree as somebody might: with blanks, either kind of quotes,
// commas at the end, and no quotes where none are needed.
func spell(t *rapid.T, e Expr) string {
	blank := func() string {
		return rapid.SampledFrom([]string{"", "", " ", "\n\t", "\u00a0 "}).Draw(t, "blank")
	}
	text := func(s string, bare bool) string {
		if bare && s != "" && strings.Trim(s, "abcd.@-") == "" && rapid.Bool().Draw(t, "bare") {
			return s
		}
		quote := rapid.SampledFrom([]string{`"`, `'`}).Draw(t, "quote")
		return quote + strings.NewReplacer(`\`, `\\`, quote, `\`+quote).Replace(s) + quote
	}
	list := func(open string, parts []string, end string) string {
		out := open
		for i, p := range parts {
			if i > 0 {
				out += ","
			}
			out += blank() + p + blank()
		}
		if len(parts) > 0 && rapid.Bool().Draw(t, "comma") {
			out += ","
		}
		return out + blank() + end
	}
	var parts []string
	switch e := e.(type) {
	case *Text:
		return text(e.Value, false)
	case *Set:
		for _, x := range e.Exprs {
			parts = append(parts, spell(t, x))
		}
		return list("[", parts, "]")
	case *Call:
		for _, x := range e.Args {
			parts = append(parts, spell(t, x))
		}
		return e.Name + blank() + list("(", parts, ")")
	}
	for _, p := range e.(*Map).Pairs {
		value := text(p.Values[0].Value, true)
		if p.List {
			var values []string
			for _, v := range p.Values {
				values = append(values, text(v.Value, true))
			}
			value = list("[", values, "]")
		}
		parts = append(parts, text(p.Key.Value, true)+blank()+":"+blank()+value)
	}
	return list("{", parts, "}")
}

var withoutPlaces = cmpopts.IgnoreTypes(Span{})

// TestAnySpelling: however an expression is written, it is read as the same
// tree, each part of which is what stands at its place in the text, and both
// ways to print it give it back.
func TestAnySpelling(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		want := drawTree(t, rapid.IntRange(0, 3).Draw(t, "depth"))
		in := spell(t, want)
		got, err := Parse(in)
		if err != nil {
			t.Fatalf("%s: %v", in, err)
		}
		if d := cmp.Diff(want, got, withoutPlaces, cmpopts.EquateEmpty()); d != "" {
			t.Fatalf("%s (-want +got):\n%s", in, d)
		}
		for _, text := range []string{got.String(), Format(got)} {
			again, err := Parse(text)
			if err != nil || cmp.Diff(want, again, withoutPlaces, cmpopts.EquateEmpty()) != "" {
				t.Fatalf("%s is printed as %s: %v", in, text, err)
			}
		}
		Walk(got, func(e Expr) bool {
			part := in[e.Pos().Offset:e.Pos().end()]
			switch e.(type) {
			case *Call, *Set:
				if again, err := Parse(part); err != nil || again.String() != e.String() {
					t.Fatalf("%s: at the place of %s is %q, %v", in, e, part, err)
				}
			}
			return true
		})
	})
}

// TestCutExpressions: a text that ends too early is an error within it, and
// never an expression that means less.
func TestCutExpressions(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		in := drawTree(t, rapid.IntRange(1, 3).Draw(t, "depth")).String()
		cut := in[:rapid.IntRange(0, len(in)-1).Draw(t, "end")]
		_, err := Parse(cut)
		e, ok := errors.AsType[*Error](err)
		if !ok || e.Offset < 0 || e.Offset+e.Length > len(cut) {
			t.Fatalf("%q of %q: %v", cut, in, err)
		}
	})
}

// TestLimitsAreAllowed: what is as long, as deep and as full as may be is read.
func TestLimitsAreAllowed(t *testing.T) {
	t.Parallel()
	for name, in := range map[string]string{
		"deep":  strings.Repeat("f(", MaxDepth) + strings.Repeat(")", MaxDepth),
		"full":  "f(" + strings.Repeat("1,", MaxNodes-1) + ")",
		"long":  `f("` + strings.Repeat("x", MaxLength-len(`f("")`)) + `")`,
		"sets":  strings.Repeat("[", MaxDepth-1) + "f()" + strings.Repeat("]", MaxDepth-1),
		"pairs": `f({a: [` + strings.Repeat("x,", MaxNodes-3) + `]})`,
	} {
		if _, err := Parse(in); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	for name, in := range map[string]string{
		"deep": strings.Repeat("f(", MaxDepth+1) + strings.Repeat(")", MaxDepth+1), "full": "f(" + strings.Repeat("1,", MaxNodes) + ")",
		"long": `f("` + strings.Repeat("x", MaxLength-len(`f("")`)+1) + `")`, "pairs": `f({a: [` + strings.Repeat("x,", MaxNodes-2) + `]})`,
	} {
		if _, err := Parse(in); err == nil {
			t.Errorf("%s: one more is read", name)
		}
	}
}
