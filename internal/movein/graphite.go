package movein

import (
	"fmt"
	"regexp"
	"strings"
)

var graphitePath = regexp.MustCompile(`^[A-Za-z0-9_.:*-]+$`)

// graphiteCalls are functions of Graphite with a counterpart.
var graphiteCalls = map[string]string{
	"sumSeries": "sum(%s)", "sum": "sum(%s)", "averageSeries": "mean(%s)", "avg": "mean(%s)", "maxSeries": "max(%s)", "minSeries": "min(%s)",
	"derivative": `derive(%s, {detect_reset: "false"})`, "nonNegativeDerivative": "derive(%s)", "perSecond": "rate(derive(%s))", "absolute": "abs(%s)",
}

// FromGraphite makes a composite of a target of Graphite, and the name that it
// gives its series, or says what in it has no counterpart.
func FromGraphite(target string) (text, name string, err error) {
	target = strings.TrimSpace(target)
	function, rest, isCall := strings.Cut(target, "(")
	if !isCall {
		if !graphitePath.MatchString(target) {
			return "", "", fmt.Errorf("the path %q has no counterpart", target)
		}
		return fmt.Sprintf(`s(%s, "*")`, quoted(target)), "", nil
	}
	if !strings.HasSuffix(rest, ")") {
		return "", "", fmt.Errorf("cannot be read")
	}
	args := graphiteArgs(strings.TrimSuffix(rest, ")"))
	inner, name, err := FromGraphite(args[0])
	if err != nil {
		return "", "", err
	}
	format := graphiteCalls[function]
	switch {
	case function == "alias" && len(args) == 2:
		return inner, strings.Trim(args[1], `'"`), nil
	case strings.HasPrefix(function, "aliasBy"):
		return inner, name, nil
	case function == "scale" && len(args) == 2:
		return fmt.Sprintf("scale(%s, {factor: %s})", inner, quoted(args[1])), name, nil
	case format == "" || len(args) != 1:
		return "", "", fmt.Errorf("%s has no counterpart", function)
	}
	return fmt.Sprintf(format, inner), name, nil
}

// graphiteArgs cuts arguments at the commas between them.
func graphiteArgs(s string) (args []string) {
	depth, from := 0, 0
	var quote rune
	for i, c := range s {
		switch {
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '\'' || c == '"':
			quote = c
		case c == '(' || c == '{':
			depth++
		case c == ')' || c == '}':
			depth--
		case c == ',' && depth == 0:
			args, from = append(args, strings.TrimSpace(s[from:i])), i+1
		}
	}
	return append(args, strings.TrimSpace(s[from:]))
}
