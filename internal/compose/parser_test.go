package compose

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tidemark-metrics/tidemark"
)

func TestParse(t *testing.T) {
	t.Parallel()
	tests := []struct {
		in   string
		want string // the canonical form; the same as in when empty
	}{
		{in: `s("cpu")`},
		{in: `s("cpu", {"host": "*"}, {"function": "mean", "period": "60"})`},
		{in: `sum([s("a"), s("b")])`},
		{in: `s("a\"b")`},
		{in: `s("a\\b")`},
		{in: `s("cpu", {})`},
		{in: `[s("a"), [s("b")]]`},
		{in: `s("cpu", {"host": ["a", "b"]})`},
		{in: `f()`},
		{in: " sum ( [ s(\"a\") , ] ) \r\n\t", want: `sum([s("a")])`},
		{in: `s("cpu", {period: "60"})`, want: `s("cpu", {"period": "60"})`},
		{in: `s("cpu", {period: 60, x: -1.5e3, y: true, f: 1/1024,})`, want: `s("cpu", {"period": "60", "x": "-1.5e3", "y": "true", "f": "1/1024"})`},
		{in: `s('cpu', {'host': 'a"b'})`, want: `s("cpu", {"host": "a\"b"})`},
		{in: `s('it\'s')`, want: `s("it's")`},
		{in: `s("C:\temp")`, want: `s("C:\\temp")`},
		{in: `s("cpu", {@host: "a", a.b-c: x})`, want: `s("cpu", {"@host": "a", "a.b-c": "x"})`},
		{in: "s(\u00a0'a',\u00a0\u00a0{})\u00a0", want: `s("a", {})`},
		{in: `constant(-5)`, want: `constant("-5")`},
		{in: `s("größe")`},
		{in: `s("test",{"label1":"!prod"},{period:"1","function":"mean"})`, want: `s("test", {"label1": "!prod"}, {"period": "1", "function": "mean"})`},
		{in: `group_by("region,az", divide([sum(series("2XX","*")), sum(series("Req","*",{group:"false"}))]))`,
			want: `group_by("region,az", divide([sum(series("2XX", "*")), sum(series("Req", "*", {"group": "false"}))]))`},
	}
	for _, tt := range tests {
		t.Run(tt.in, func(t *testing.T) {
			t.Parallel()
			want := tt.want
			if want == "" {
				want = tt.in
			}
			e, err := Parse(tt.in)
			if err != nil {
				t.Fatal(err)
			}
			if got := e.String(); got != want {
				t.Errorf("got %s, want %s", got, want)
			}
		})
	}
}

func TestParseErrors(t *testing.T) {
	t.Parallel()
	tests := []struct {
		in             string
		offset, length int
		want           string
	}{
		{``, 0, 0, `nothing here: write an expression such as s("cpu", "*")`},
		{"  \n", 3, 0, `nothing here: write an expression such as s("cpu", "*")`},
		{`sum`, 3, 0, `expected '(', found the end`},
		{`sum([s("a")`, 11, 0, `expected ',' or ']', found the end`},
		{`sum([s("a") s("b")])`, 12, 1, `expected ',' or ']', found s`},
		{`s("a`, 2, 2, `text is not closed`},
		{`s('a")`, 2, 4, `text is not closed`},
		{"s(\"a\nb\")", 2, 2, `text is not closed before the control character at offset 4`},
		{`s("a", {a: "1", a: "2"})`, 16, 1, `"a" is given twice`},
		{`s("a", {a})`, 9, 1, `expected ':', found '}'`},
		{`s("a", {a:})`, 10, 1, `expected a value, found '}'`},
		{`s("a", {"a": [])`, 13, 2, `a list needs at least one value`},
		{`s("a", {: "x"})`, 8, 1, `expected a name, found ':'`},
		{`s("a") s("b")`, 7, 1, `expected the end, found s`},
		{`s("a") * 2`, 7, 1, `unexpected '*': put it in quotes`},
		{`s("a", ü)`, 7, 2, `unexpected 'ü'`},
		{`s(“a”)`, 2, 3, `unexpected '“': quotes are straight here; did you mean "?`},
		{`s("a", *)`, 7, 1, `unexpected '*': put it in quotes`},
		{`"cpu"`, 0, 5, `expected a function or [, found "cpu"`},
		{`5`, 0, 1, `expected a function, found 5`},
		{`a.b("x")`, 0, 3, `expected a function, found a.b`},
		{`[]`, 0, 2, `a set needs at least one series`},
		{`sum([])`, 4, 2, `a set needs at least one series`},
		{`sum(,)`, 4, 1, `expected a function or [, found ','`},
		{"s(\"\xff\")", 3, 1, `not valid UTF-8`},
		{strings.Repeat("f(", MaxDepth+1), 2 * MaxDepth, 1, `nested more than 64 deep`},
		{strings.Repeat("[", 1000), MaxDepth, 1, `nested more than 64 deep`},
		{strings.Repeat(" ", MaxLength+5), MaxLength, 5, `longer than 32768 bytes`},
		{`f(` + strings.Repeat("1,", MaxNodes) + `1)`, 2 * MaxNodes, 1, `more than 4096 functions, texts and options`},
	}
	for _, tt := range tests {
		t.Run(tt.in[:min(len(tt.in), 30)], func(t *testing.T) {
			t.Parallel()
			_, err := Parse(tt.in)
			e, ok := errors.AsType[*Error](err)
			if !ok {
				t.Fatalf("err = %v, want an *Error", err)
			}
			msg, suggestion, _ := strings.Cut(tt.want, "; did you mean ")
			want := Error{Offset: tt.offset, Length: tt.length, Msg: msg, Suggestion: strings.TrimSuffix(suggestion, "?")}
			if d := cmp.Diff(want, *e); d != "" {
				t.Error(d)
			}
		})
	}
}

// TestPositions cuts each node out of the text by its position.
func TestPositions(t *testing.T) {
	t.Parallel()
	const in = ` sum ( [s('a', {"h" : ['x', y]} ) , s("b")], {p:5 } ) `
	e, err := Parse(in)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	Walk(e, func(e Expr) bool {
		at := e.Pos()
		got = append(got, in[at.Offset:at.end()])
		if c, ok := e.(*Call); ok {
			got = append(got, in[c.NameSpan.Offset:c.NameSpan.end()])
		}
		if m, ok := e.(*Map); ok {
			for _, p := range m.Pairs {
				for _, v := range append([]Text{p.Key}, p.Values...) {
					got = append(got, in[v.Offset:v.end()])
				}
			}
		}
		return true
	})
	want := []string{
		`sum ( [s('a', {"h" : ['x', y]} ) , s("b")], {p:5 } )`, `sum`,
		`[s('a', {"h" : ['x', y]} ) , s("b")]`,
		`s('a', {"h" : ['x', y]} )`, `s`, `'a'`, `{"h" : ['x', y]}`, `"h"`, `'x'`, `y`,
		`s("b")`, `s`, `"b"`,
		`{p:5 }`, `p`, `5`,
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

func TestWalkStops(t *testing.T) {
	t.Parallel()
	e, err := Parse(`[sum(s("a")), s("b")]`)
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	Walk(e, func(e Expr) bool {
		n++
		c, ok := e.(*Call)
		return !ok || c.Name != "sum"
	})
	if n != 4 { // the set, sum, s and "b"
		t.Errorf("visited %d nodes, want 4", n)
	}
}

func TestErrorKinds(t *testing.T) {
	t.Parallel()
	_, err := Parse(`f(`)
	if k := tidemark.KindOf(err); k != tidemark.Invalid {
		t.Errorf("kind of a syntax error is %v", k)
	}
	inField := InField(err, "compose")
	e, ok := errors.AsType[*tidemark.Error](inField)
	if !ok || e.Kind != tidemark.Invalid {
		t.Fatalf("in a field: %v", inField)
	}
	if d := cmp.Diff(map[string][]string{"compose": {"at offset 2: expected a function or [, found the end"}}, e.Fields); d != "" {
		t.Error(d)
	}
	if at, ok := errors.AsType[*Error](inField); !ok || at.Offset != 2 {
		t.Errorf("the position is lost in %v", inField)
	}
	other := errors.New("other")
	if got := InField(other, "compose"); !errors.Is(got, other) {
		t.Errorf("another error became %v", got)
	}
	got := Errorf(Span{4, 3}, "unknown function %s", "smu").Suggest("sum").Error()
	if want := "at offset 4: unknown function smu; did you mean sum?"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// FuzzParse checks that the parser never panics, that what it accepts it also
// prints (parsing the canonical form gives the canonical form), and that every
// position lies in the text.
func FuzzParse(f *testing.F) {
	f.Add(`sum([s("cpu", {"host": "*"}, {period: "60"}), s("b")])`)
	f.Add(`timeshift('0,1w', map({source: "a*"}, s("x\"\\", ["a", b])))`)
	f.Add("[ s ( 1/2 ,{a: [x,'y']} ),]\n")
	f.Add(`s("größe", {@h: -1.5e3})`)
	f.Fuzz(func(t *testing.T, in string) {
		e, err := Parse(in)
		if err != nil {
			at, ok := errors.AsType[*Error](err)
			if !ok || at.Offset < 0 || at.Length < 0 || at.Offset+at.Length > len(in) {
				t.Fatalf("%q: error %v is not in the text", in, err)
			}
			return
		}
		Walk(e, func(e Expr) bool {
			if at := e.Pos(); at.Length <= 0 || at.Offset < 0 || at.end() > len(in) {
				t.Fatalf("%q: %v is at %v", in, e, at)
			}
			return true
		})
		text := e.String()
		if len(text) > MaxLength { // quotes make it longer
			return
		}
		again, err := Parse(text)
		if err != nil {
			t.Fatalf("%q prints as %q, which does not parse: %v", in, e, err)
		}
		if again.String() != text {
			t.Fatalf("%q prints as %q, then as %q", in, e, again)
		}
		if lines, err := Parse(Format(e)); err == nil && lines.String() != text { // blanks may make it too long
			t.Fatalf("%q is formatted as %q", in, Format(e))
		}
	})
}

func BenchmarkParse(b *testing.B) {
	const in = `sum([s("cpu", {"host": "*"}, {period: "60"}), s("mem", {"host": "*"})])`
	b.SetBytes(int64(len(in)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Parse(in); err != nil {
			b.Fatal(err)
		}
	}
}
