package query

import (
	"math"
	"slices"

	"github.com/tidemark-metrics/tidemark"
)

// takes says which arguments a function has.
type takes uint8

const (
	takesSet  takes = 1 << iota // series
	takesText                   // a text, before anything else
	takesMap                    // a map, before anything else
	takesTags                   // tags, after the text
)

type maker func(c *compiler, a *args) (node, error)

// function is a word of the language.
type function struct {
	name      string
	signature string
	help      string
	ours      bool // the language we took over did not have it
	takes     takes
	firstIs   string // what the argument before the series is
	options   []option
	enter     func(c *compiler, a *args) error // before the series are compiled
	make      maker
}

// Function is a function as the editor shows it.
type Function struct {
	Name      string   `json:"name"`
	Signature string   `json:"signature"`
	Help      string   `json:"help"`
	Options   []string `json:"options"`
	Ours      bool     `json:"ours"`
}

// Functions returns the functions of the language, by name.
func Functions() []Function {
	list := make([]Function, len(functions))
	for i, f := range functions {
		list[i] = Function{Name: f.name, Signature: f.signature, Help: f.help, Ours: f.ours, Options: []string{}}
		for _, o := range f.options {
			list[i].Options = append(list[i].Options, o.name)
		}
	}
	return list
}

// lookup returns the function called name, or nil.
func lookup(name string) *function {
	i := slices.IndexFunc(functions, func(f function) bool { return f.name == name })
	if i < 0 {
		return nil
	}
	return &functions[i]
}

const (
	// maxCount bounds the count of top and bottom.
	maxCount = 100_000
	// maxPeriod is the longest period of a series().
	maxPeriod = 604_800
)

var (
	pickFunction = option{name: "function", parse: oneOf("mean", "sum", "min", "max"), preset: "mean"}
	topOptions   = []option{{name: "count", parse: wholeFrom(1, maxCount), required: true}, pickFunction}
	sizeOption   = option{name: "size", parse: wholeFrom(1, maxWindow), preset: "1"}
	leafOptions  = []option{
		{name: "function", parse: oneOf(append([]string{"mean", "sum", "min", "max", "count", "last", "stddev"}, tidemark.Percentiles...)...), preset: "mean"},
		{name: "period", parse: wholeFrom(1, maxPeriod)},
		{name: "group", parse: boolean, preset: "true"},
	}
)

// functions is the language's vocabulary, in order. Add a function here, in
// testdata and in docs/compose.md.
var functions = []function{
	{
		name: "abs", signature: "abs(set)", help: "The absolute value of every point.",
		takes: takesSet, make: plain(math.Abs),
	},
	{
		name: "add", signature: "add(set, {value})", help: "Adds a number to every point.", ours: true,
		takes: takesSet, options: []option{{name: "value", parse: number, required: true}}, make: makeValues(add),
	},
	{
		name: "bottom", signature: "bottom(set, {count, function})", help: "The count series with the lowest mean (or sum, min, max), lowest first.",
		takes: takesSet, options: topOptions, make: makeTop(1),
	},
	{
		name: "ceiling", signature: "ceiling(set)", help: "Every point, rounded up.",
		takes: takesSet, make: plain(math.Ceil),
	},
	{
		name: "constant", signature: "constant(number, {period})", help: "A series with the same number in every step.", ours: true,
		takes: takesText, firstIs: "a number", options: []option{{name: "period", parse: wholeFrom(1, maxPeriod)}}, make: makeConstant,
	},
	{
		name: "derive", signature: "derive(set, {detect_reset})", help: "The difference to the point before; a drop counts as a counter's new start.",
		takes: takesSet, options: []option{{name: "detect_reset", parse: boolean, preset: "true"}}, make: makeEach(derive),
	},
	{
		name: "divide", signature: "divide([a, b])", help: "The first of two series by the second, where both have a point.",
		takes: takesSet, make: makePair(func(a, b float64) float64 { return a / b }),
	},
	{
		name: "fill", signature: "fill(set, {value})", help: "Puts a number, or the last value, into steps without a point.",
		takes: takesSet, options: []option{{name: "value", parse: filling, required: true}}, make: makeEach(fill),
	},
	{
		name: "filter", signature: "filter(set, {gt, gte, lt, lte, function})", help: "The series whose mean (or sum, min, max) lies within the bounds.",
		takes: takesSet, make: makeFilter, options: []option{
			{name: "gt", parse: number}, {name: "gte", parse: number}, {name: "lt", parse: number}, {name: "lte", parse: number}, pickFunction,
		},
	},
	{
		name: "floor", signature: "floor(set)", help: "Every point, rounded down.",
		takes: takesSet, make: plain(math.Floor),
	},
	{
		name: "group_by", signature: `group_by("tag,...", set)`, help: "Evaluates the set once for each combination of values of the tags.",
		takes: takesText | takesSet, firstIs: `names of tags such as "host"`, enter: enterGroup, make: makeGroupBy,
	},
	{
		name: "integrate", signature: "integrate(set)", help: "The sum of all points up to each.",
		takes: takesSet, make: makeEach(integrate),
	},
	{
		name: "last_fill", signature: "last_fill(set)", help: "Repeats the last value in steps without a point.",
		takes: takesSet, make: makeEach(lastFill),
	},
	{
		name: "map", signature: `map({tag: "pattern"}, set)`, help: "Evaluates the set once for each value of the tag, which & stands for.",
		takes: takesMap | takesSet, firstIs: `a tag and its pattern, such as {"source": "web*"}`, enter: enterMap, make: makeMap,
	},
	{
		name: "max", signature: "max(set)", help: "The largest value of each time.",
		takes: takesSet, make: makeFold(foldMax),
	},
	{
		name: "mean", signature: "mean(set)", help: "The arithmetic mean of the values of each time.",
		takes: takesSet, make: makeFold(foldMean),
	},
	{
		name: "min", signature: "min(set)", help: "The smallest value of each time.",
		takes: takesSet, make: makeFold(foldMin),
	},
	{
		name: "moving_average", signature: "moving_average(set, {size})", help: "The mean of each point and the size - 1 before it.",
		takes: takesSet, options: []option{sizeOption}, make: makeEach(window),
	},
	{
		name: "multiply", signature: "multiply(set)", help: "The product of the values of each time at which all series have one.",
		takes: takesSet, make: makeFold(foldMultiply),
	},
	{
		name: "percentile", signature: "percentile(set, {p})", help: "The value that p percent of the values of each time do not exceed; around a series() of distributions, of all that was measured.", ours: true,
		takes: takesSet, options: []option{{name: "p", parse: numberFrom(0, 100, "a number from 0 to 100"), required: true}}, make: makePercentile,
	},
	{
		name: "rank", signature: "rank(set, {order})", help: "The place of each value among those of its time; 1 is the highest, or with order asc the lowest.", ours: true,
		takes: takesSet, options: []option{{name: "order", parse: oneOf("desc", "asc"), preset: "desc"}}, make: makeRank,
	},
	{
		name: "rate", signature: "rate(set, {duration})", help: "Every point divided by its period, times a duration in seconds: by default per second.",
		takes: takesSet, options: []option{{name: "duration", parse: positive, preset: "1"}}, make: makeEach(rate),
	},
	{
		name: "s", signature: "s(metric, tags, {function, period, group})", help: "The streams of a metric with matching tags; * is a wildcard.",
		takes: takesText | takesTags, firstIs: "the name of a metric", options: leafOptions, make: makeSeries,
	},
	{
		name: "scale", signature: "scale(set, {factor})", help: "Multiplies every point by a factor such as 0.1 or 1/1024.",
		takes: takesSet, options: []option{{name: "factor", parse: factor, required: true}}, make: makeValues(scale),
	},
	{
		name: "series", signature: "series(metric, tags, {function, period, group})", help: "The same as s.",
		takes: takesText | takesTags, firstIs: "the name of a metric", options: leafOptions, make: makeSeries,
	},
	{
		name: "stddev", signature: "stddev(set)", help: "The standard deviation of the values of each time.", ours: true,
		takes: takesSet, make: makeColumn(stddev),
	},
	{
		name: "subtract", signature: "subtract([a, b])", help: "The first of two series less the second, where both have a point.",
		takes: takesSet, make: makePair(func(a, b float64) float64 { return a - b }),
	},
	{
		name: "sum", signature: "sum(set)", help: "The sum of the values of each time.",
		takes: takesSet, make: makeFold(foldSum),
	},
	{
		name: "timeshift", signature: `timeshift("0,1w", set)`, help: "Evaluates the set once for each offset back in time (s, m, h, d, w); with + forward.",
		takes: takesText | takesSet, firstIs: `offsets such as "0,1w"`, make: makeShift,
	},
	{
		name: "top", signature: "top(set, {count, function})", help: "The count series with the highest mean (or sum, min, max), highest first.",
		takes: takesSet, options: topOptions, make: makeTop(-1),
	},
	{
		name: "window", signature: "window(set, {size, function})", help: "The mean (or sum, min, max, median) of each point and the size - 1 before it.",
		takes: takesSet, options: []option{sizeOption, {name: "function", parse: oneOf("mean", "sum", "min", "max", "median"), preset: "mean"}},
		make: makeEach(window),
	},
	{
		name: "zero_fill", signature: "zero_fill(set)", help: "Puts 0 into steps without a point.",
		takes: takesSet, make: makeEach(zeroFill),
	},
}
