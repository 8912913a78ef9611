package compose

import "strings"

// lineWidth is how long a line of a formatted expression gets, unless one
// text is longer.
const lineWidth = 80

// Format returns e in the canonical form, broken into lines where it is too
// long for one: an argument a line, two blanks further in. It parses to an
// equal tree.
func Format(e Expr) string {
	var b strings.Builder
	format(&b, e, 0, 0)
	return b.String()
}

// format writes e at some depth of indentation; after is how much must follow
// it on its last line.
func format(b *strings.Builder, e Expr, depth, after int) {
	line := e.String()
	if 2*depth+len(line)+after <= lineWidth {
		b.WriteString(line)
		return
	}
	switch e := e.(type) {
	case *Call:
		b.WriteString(e.Name)
		formatList(b, "(", e.Args, ")", depth)
	case *Set:
		formatList(b, "[", e.Exprs, "]", depth)
	default:
		b.WriteString(line) // a text, or tags that belong together
	}
}

func formatList(b *strings.Builder, open string, exprs []Expr, end string, depth int) {
	if len(exprs) == 0 {
		b.WriteString(open + end)
		return
	}
	b.WriteString(open + "\n")
	for i, e := range exprs {
		b.WriteString(strings.Repeat("  ", depth+1))
		comma := ","
		if i == len(exprs)-1 {
			comma = ""
		}
		format(b, e, depth+1, len(comma))
		b.WriteString(comma + "\n")
	}
	b.WriteString(strings.Repeat("  ", depth) + end)
}
