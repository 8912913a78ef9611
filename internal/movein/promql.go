package movein

import (
	"fmt"
	"maps"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/prometheus/common/model"
	"github.com/prometheus/prometheus/model/labels"
	"github.com/prometheus/prometheus/promql/parser"

	"github.com/tidemark-metrics/tidemark/internal/promql"
	"github.com/tidemark-metrics/tidemark/internal/protocol"
)

// composite is an expression of ours. What is grouped is one series in each
// group; group_by stands around the whole, so that groups can be divided by
// each other.
type composite struct {
	text   string
	single bool     // one series, in each group
	by     []string // groups; with single only
	nested bool     // groups are within it, or tags are not known: it cannot be grouped otherwise
}

// String is the whole expression.
func (c composite) String() string {
	if len(c.by) == 0 {
		return c.text
	}
	return fmt.Sprintf("group_by(%s, %s)", quoted(strings.Join(c.by, ",")), c.text)
}

// apart is c with its series kept apart by a tag.
func (c composite) apart(tag string) (composite, error) {
	switch {
	case c.nested:
		return c, fmt.Errorf("a query groups within groups, or has no tags")
	case c.single && !slices.Contains(c.by, tag):
		c.by = append(slices.Clone(c.by), tag)
		slices.Sort(c.by)
	}
	return c, nil
}

// quoted is a text of our language.
func quoted(s string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(s) + `"`
}

var (
	// A variable within a range or a step is a time, elsewhere a value.
	rangeVariable = regexp.MustCompile(`\[\s*(?:\$\w+|\$\{\w+(?::\w+)?\})\s*(?::[^\]]*)?\]`)
	anyVariable   = regexp.MustCompile(`\$\w+|\$\{\w+(?::\w+)?\}|\[\[\w+\]\]`)
)

// variable stands for a variable of a dashboard while an expression is parsed.
const variable = "TIDEMARKVARIABLE"

// FromPromQL makes a composite of an expression of PromQL, or says what in it
// has no counterpart. Variables of a dashboard become dynamic tags.
func FromPromQL(expr string) (string, error) {
	c, err := parsePromQL(expr)
	if err != nil {
		return "", err
	}
	return c.String(), nil
}

func parsePromQL(expr string) (composite, error) {
	tree, err := treeOf(expr)
	if err != nil {
		return composite{}, err
	}
	return fromPromQL(tree)
}

// treeOf parses an expression, with its variables replaced.
func treeOf(expr string) (parser.Expr, error) {
	text := rangeVariable.ReplaceAllString(expr, "[5m]")
	text = anyVariable.ReplaceAllString(text, variable)
	tree, err := promql.NewParser(parser.Options{}).ParseExpr(text)
	if err != nil {
		return nil, fmt.Errorf("cannot be read: %s", strings.ReplaceAll(err.Error(), variable, "$variable"))
	}
	return tree, nil
}

// measuredBy is a stream with the metric that an expression is about, for charts
// that need what was measured and not what is computed of it.
func measuredBy(expr string) (body, error) {
	tree, err := treeOf(expr)
	if err != nil {
		return nil, err
	}
	var all []*parser.VectorSelector
	parser.Inspect(tree, func(n parser.Node, _ []parser.Node) error {
		if v, is := n.(*parser.VectorSelector); is {
			all = append(all, v)
		}
		return nil
	})
	if len(all) != 1 {
		return nil, fmt.Errorf("a distribution of %d metrics has no counterpart", len(all))
	}
	metric, tags, err := selected(all[0])
	if err != nil {
		return nil, err
	}
	filters := []any{}
	for _, name := range slices.Sorted(maps.Keys(tags)) {
		if slices.Contains(tags[name], "%") {
			filters = append(filters, body{"name": name, "dynamic": true})
			continue
		}
		filters = append(filters, body{"name": name, "values": tags[name]})
	}
	return body{"metric": metric, "tags": filters}, nil
}

func fromPromQL(e parser.Expr) (composite, error) {
	switch e := e.(type) {
	case *parser.ParenExpr:
		return fromPromQL(e.Expr)
	case *parser.StepInvariantExpr:
		return fromPromQL(e.Expr)
	case *parser.VectorSelector:
		return selector(e, "")
	case *parser.AggregateExpr:
		return aggregate(e)
	case *parser.Call:
		return call(e)
	case *parser.BinaryExpr:
		return binary(e)
	case *parser.UnaryExpr:
		c, err := fromPromQL(e.Expr)
		if e.Op == parser.SUB {
			c.text = fmt.Sprintf(`scale(%s, {factor: "-1"})`, c.text)
		}
		return c, err
	}
	return composite{}, fmt.Errorf("%s has no counterpart", parser.DocumentedType(e.Type()))
}

// selector is the series of a metric, each step of them made by a function.
func selector(v *parser.VectorSelector, function string) (composite, error) {
	metric, tags, err := selected(v)
	if err != nil {
		return composite{}, err
	}
	text := fmt.Sprintf("s(%s, %s", quoted(metric), tagMap(tags))
	if function != "" {
		text += fmt.Sprintf(", {function: %s}", quoted(function))
	}
	text += ")"
	if back := int64(v.OriginalOffset.Seconds()); back > 0 {
		text = fmt.Sprintf(`timeshift("%ds", %s)`, back, text)
	} else if back < 0 { // with + it is ahead
		text = fmt.Sprintf(`timeshift("+%ds", %s)`, -back, text)
	}
	return composite{text: text}, nil
}

// selected is the metric whose series are picked, and by which tags.
func selected(v *parser.VectorSelector) (metric string, tags map[string][]string, err error) {
	if v.Timestamp != nil || v.StartOrEnd != 0 {
		return "", nil, fmt.Errorf("series at a fixed time (@) have no counterpart")
	}
	names := protocol.NewBatch(protocol.DefaultLimits)
	tags = make(map[string][]string)
	for _, m := range v.LabelMatchers {
		if m.Name == model.MetricNameLabel {
			if m.Type != labels.MatchEqual || strings.Contains(m.Value, variable) {
				return "", nil, fmt.Errorf("metrics chosen by a pattern or a variable have no counterpart")
			}
			metric = names.MetricName(m.Value)
			continue
		}
		values, err := tagValues(names, m)
		if err != nil {
			return "", nil, err
		}
		name := names.LabelName(m.Name)
		if picks(values) && picks(tags[name]) {
			return "", nil, fmt.Errorf("two conditions that a value of %s must meet both have no counterpart", m.Name)
		}
		if len(values) > 0 {
			tags[name] = append(tags[name], values...)
		}
	}
	if metric == "" {
		return "", nil, fmt.Errorf("series without the name of a metric have no counterpart")
	}
	return metric, tags, nil
}

// picks reports whether one of some values is one to have, not to leave out:
// of several of these a tag must have one.
func picks(values []string) bool {
	return slices.ContainsFunc(values, func(v string) bool { return !strings.HasPrefix(v, "!") })
}

func tagMap(tags map[string][]string) string {
	if len(tags) == 0 {
		return `"*"`
	}
	var parts []string
	for _, name := range slices.Sorted(maps.Keys(tags)) {
		values := make([]string, len(tags[name]))
		for i, v := range tags[name] {
			values[i] = quoted(v)
		}
		value := values[0]
		if len(values) > 1 {
			value = "[" + strings.Join(values, ", ") + "]"
		}
		parts = append(parts, quoted(name)+": "+value)
	}
	return "{" + strings.Join(parts, ", ") + "}"
}

// simplePattern is a regular expression that is a list of texts in which .*
// and .+ stand for anything.
var simplePattern = regexp.MustCompile(`^(?:[A-Za-z0-9_:/ -]|\\\.|\.\*|\.\+|\|)+$`)

// tagValues are the values that a matcher picks, as we write them.
func tagValues(names *protocol.Batch, m *labels.Matcher) ([]string, error) {
	not := ""
	if m.Type == labels.MatchNotEqual || m.Type == labels.MatchNotRegexp {
		not = "!"
	}
	switch {
	case strings.Contains(m.Name, variable):
		return nil, fmt.Errorf("a tag that is named by a variable has no counterpart")
	case strings.Contains(m.Value, variable):
		if m.Value != variable || not != "" {
			return nil, fmt.Errorf("a variable within a value of %s has no counterpart", m.Name)
		}
		return []string{"%"}, nil
	case m.Value == "":
		return nil, fmt.Errorf("that %s is there or not cannot be said by its value", m.Name)
	case m.Type == labels.MatchEqual || m.Type == labels.MatchNotEqual:
		return []string{not + names.LabelValue(m.Value)}, nil
	case m.Value == ".*" && not == "":
		return nil, nil
	}
	pattern := strings.TrimSuffix(strings.TrimPrefix(strings.Trim(m.Value, "^$"), "("), ")")
	if !simplePattern.MatchString(pattern) {
		return nil, fmt.Errorf("the regular expression %q has no counterpart", m.Value)
	}
	var values []string
	for one := range strings.SplitSeq(pattern, "|") {
		if one == "" {
			return nil, fmt.Errorf("the regular expression %q has no counterpart", m.Value)
		}
		values = append(values, not+strings.NewReplacer(`\.`, ".", ".*", "*", ".+", "*").Replace(one))
	}
	return values, nil
}

// aggregations are those that we have, too.
var aggregations = map[parser.ItemType]string{parser.SUM: "sum", parser.AVG: "mean", parser.MIN: "min", parser.MAX: "max", parser.STDDEV: "stddev"}

func aggregate(e *parser.AggregateExpr) (composite, error) {
	inner, err := fromPromQL(e.Expr)
	if err != nil {
		return inner, err
	}
	if e.Op == parser.TOPK || e.Op == parser.BOTTOMK {
		n, ok := number(e.Param)
		if !ok || len(e.Grouping) > 0 {
			return inner, fmt.Errorf("%s with groups has no counterpart", e.Op)
		}
		name := map[parser.ItemType]string{parser.TOPK: "top", parser.BOTTOMK: "bottom"}[e.Op]
		return composite{text: fmt.Sprintf(`%s(%s, {count: "%s"})`, name, inner, decimal(n)), nested: true}, nil
	}
	function, known := aggregations[e.Op]
	switch {
	case !known:
		return inner, fmt.Errorf("%s has no counterpart", e.Op)
	case e.Without:
		return inner, fmt.Errorf("%s without tags has no counterpart: name those to group by", e.Op)
	case inner.single && len(inner.by) > 0:
		inner = composite{text: inner.String(), nested: true}
		if len(e.Grouping) > 0 {
			return inner, fmt.Errorf("groups of groups have no counterpart")
		}
	}
	names := protocol.NewBatch(protocol.DefaultLimits)
	c := composite{text: fmt.Sprintf("%s(%s)", function, inner.text), single: true, nested: inner.nested}
	for _, label := range e.Grouping {
		if strings.Contains(label, variable) {
			return c, fmt.Errorf("groups by a variable have no counterpart")
		}
		c.by = append(c.by, names.LabelName(label))
	}
	slices.Sort(c.by)
	return c, nil
}

// number is a number that stands in an expression.
func number(e parser.Expr) (float64, bool) {
	switch e := e.(type) {
	case *parser.NumberLiteral:
		return e.Val, true
	case *parser.ParenExpr:
		return number(e.Expr)
	case *parser.UnaryExpr:
		n, ok := number(e.Expr)
		return -n, ok && e.Op == parser.SUB
	}
	return 0, false
}

func decimal(n float64) string { return strconv.FormatFloat(n, 'f', -1, 64) }

// Functions of ranges: what is made of a step of ours instead.
var (
	overTime = map[string]string{
		"avg_over_time": "mean", "sum_over_time": "sum", "min_over_time": "min", "max_over_time": "max", "count_over_time": "count",
		"last_over_time": "last", "stddev_over_time": "stddev",
	}
	grows  = map[string]string{"rate": "rate(derive(%s))", "irate": "rate(derive(%s))", "increase": "derive(%s)", "delta": `derive(%s, {detect_reset: "false"})`, "idelta": `derive(%s, {detect_reset: "false"})`}
	simple = map[string]string{"abs": "abs(%s)", "ceil": "ceiling(%s)", "floor": "floor(%s)"}
)

func call(e *parser.Call) (composite, error) {
	name := e.Func.Name
	missing := fmt.Errorf("%s has no counterpart", name)
	if len(e.Args) != 1 {
		return composite{}, missing
	}
	if format := simple[name]; format != "" {
		c, err := fromPromQL(e.Args[0])
		c.text = fmt.Sprintf(format, c.text)
		return c, err
	}
	m, isRange := e.Args[0].(*parser.MatrixSelector)
	if !isRange {
		return composite{}, missing
	}
	v, ok := m.VectorSelector.(*parser.VectorSelector)
	if !ok {
		return composite{}, missing
	}
	if function := overTime[name]; function != "" {
		return selector(v, function)
	}
	format := grows[name]
	if format == "" {
		return composite{}, missing
	}
	c, err := selector(v, "last")
	c.text = fmt.Sprintf(format, c.text)
	return c, err
}

// ofTwo are the operators of two series.
var ofTwo = map[parser.ItemType]string{parser.ADD: "sum", parser.SUB: "subtract", parser.MUL: "multiply", parser.DIV: "divide"}

// withNumber is a series and a number on its right. A fraction is exact where
// the number is whole.
func withNumber(c composite, op parser.ItemType, n float64) (composite, error) {
	switch {
	case n-n != 0 || op == parser.DIV && n == 0:
		return c, fmt.Errorf("the operator %s with the number %s has no counterpart", op, decimal(n))
	case op == parser.MUL:
		c.text = fmt.Sprintf(`scale(%s, {factor: "%s"})`, c.text, decimal(n))
	case op == parser.DIV && n > 0 && n < 1<<53 && n == math.Trunc(n):
		c.text = fmt.Sprintf(`scale(%s, {factor: "1/%s"})`, c.text, decimal(n))
	case op == parser.DIV:
		c.text = fmt.Sprintf(`scale(%s, {factor: "%s"})`, c.text, decimal(1/n))
	case op == parser.SUB:
		c.text = fmt.Sprintf(`add(%s, {value: "%s"})`, c.text, decimal(0-n))
	default:
		c.text = fmt.Sprintf(`add(%s, {value: "%s"})`, c.text, decimal(n))
	}
	return c, nil
}

func binary(e *parser.BinaryExpr) (composite, error) {
	function := ofTwo[e.Op]
	if function == "" {
		return composite{}, fmt.Errorf("the operator %s has no counterpart", e.Op)
	}
	if n, ok := number(e.RHS); ok {
		c, err := fromPromQL(e.LHS)
		if err != nil {
			return c, err
		}
		return withNumber(c, e.Op, n)
	}
	if n, ok := number(e.LHS); ok {
		c, err := fromPromQL(e.RHS)
		switch {
		case err != nil:
		case e.Op == parser.ADD || e.Op == parser.MUL || n-n != 0:
			return withNumber(c, e.Op, n)
		case !c.single:
			err = fmt.Errorf("a number %s several series has no counterpart", e.Op)
		default:
			c.text = fmt.Sprintf("%s([constant(%s), %s])", function, decimal(n), c.text)
		}
		return c, err
	}
	return ofBoth(e, function)
}

func ofBoth(e *parser.BinaryExpr, function string) (composite, error) {
	left, err := fromPromQL(e.LHS)
	if err != nil {
		return left, err
	}
	right, err := fromPromQL(e.RHS)
	switch {
	case err != nil:
		return right, err
	case !left.single || !right.single || !slices.Equal(left.by, right.by):
		return left, fmt.Errorf("%s of series that are matched by their tags has no counterpart: sum both sides by the same tags", e.Op)
	}
	return composite{text: fmt.Sprintf("%s([%s, %s])", function, left.text, right.text), single: true, by: left.by, nested: left.nested || right.nested}, nil
}
