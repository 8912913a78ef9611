package promql_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// writer writes random expressions.
type writer struct{ r *rand.Rand }

func (w writer) one(of ...string) string { return of[w.r.IntN(len(of))] }

// vector writes an expression that gives an instant vector.
func (w writer) vector(depth int) string {
	if depth <= 0 {
		return w.selector() + w.shift()
	}
	switch w.r.IntN(12) {
	case 0:
		return w.selector() + w.shift()
	case 1, 2, 3:
		return w.overRange(w.selector() + "[" + w.span() + "]" + w.shift())
	case 4:
		return w.overRange("(" + w.vector(depth-1) + ")[" + w.span() + ":" + w.one("", "15s", "1m", "7s", "5m") + "]" + w.shift())
	case 5, 6, 7:
		return w.aggregation(depth - 1)
	case 8:
		return w.arithmetic(depth - 1)
	case 9:
		return w.sets(depth - 1)
	}
	return w.function(depth - 1)
}

// selector writes a selector by name, or by a pattern of names.
func (w writer) selector() string {
	name := w.one("gauge", "gauge", "counter_total", "Steps", "steps", "sparse", "latency_bucket", "missing")
	matchers := w.one("", "", `host="h1"`, `host!="h1"`, `host=~"h[0-3]"`, `host=~"h1|h2|h5"`, `host!~"h.*[02468]"`,
		`Zone="Z1",host!~"h4|h7"`, `Zone=""`, `Zone!=""`, `Zone=~"Z.*"`, `Zone=~".*"`, `Zone=~"|Z0"`, `Zone!~"Z1|"`,
		// In another case, which is another text.
		`Zone="z1"`, `Zone!="z1"`, `Zone=~"z.*"`, `Zone=~"z1|Z2"`, `Zone!~"z1|Z2"`, `Zone=~"(?i)z[12]"`, `zone="Z1"`, `zone=""`, `zone!="Z1"`,
		`missing=""`, `"host.kind"="Odd one"`, `"host.kind"=~".+"`, `job="app",Zone=~"Z1|Z2"`)
	switch w.r.IntN(12) {
	case 0:
		return `{"cpu.Load"` + comma(matchers) + "}"
	case 1:
		return "{__name__=~" + w.one(`"gauge|Steps"`, `"gauge|steps"`, `"s.+"`, `"S.+"`, `"(?i)s.+"`, `".*total"`, `"(gauge|cpu).*"`) + comma(matchers) + "}"
	case 2:
		return `{__name__!~"latency.*|cpu.*",` + w.one(`host="h1"`, `host=~"h.",Zone="Z2"`) + "}"
	}
	return name + "{" + matchers + "}"
}

func comma(s string) string {
	if s == "" {
		return ""
	}
	return "," + s
}

// shift writes, now and then, an offset or a fixed time.
func (w writer) shift() string {
	switch w.r.IntN(10) {
	case 0:
		return " offset " + w.one("1m", "17s", "-90s", "1h", "1500ms")
	case 1:
		return fmt.Sprintf(" @ %d", dataStart+w.r.IntN(dataEnd-dataStart))
	case 2:
		return " @ " + w.one("start()", "end()") + w.one("", " offset 5m")
	}
	return ""
}

func (w writer) span() string { return w.one("30s", "1m", "5m", "5m", "17m", "1h", "90s", "1500ms") }

func (w writer) overRange(matrix string) string {
	switch f := w.one("rate", "increase", "irate", "delta", "idelta", "deriv", "resets", "changes",
		"avg_over_time", "sum_over_time", "min_over_time", "max_over_time", "count_over_time", "last_over_time",
		"stddev_over_time", "stdvar_over_time", "present_over_time", "quantile_over_time", "predict_linear", "absent_over_time"); f {
	case "quantile_over_time":
		return f + "(0.7, " + matrix + ")"
	case "predict_linear":
		return f + "(" + matrix + ", 600)"
	default:
		return f + "(" + matrix + ")"
	}
}

func (w writer) grouping() string {
	return w.one("", "by (host)", "by (Zone)", "by (zone)", "by (Zone, job)", "without (host)", "without (host, Zone)",
		"by (__name__)", `by ("host.kind", Zone)`, "by (le)", "by (nothing)", "without ()", "by (host, __name__)")
}

func (w writer) aggregation(depth int) string {
	op := w.one("sum", "sum", "avg", "min", "max", "count", "stddev", "stdvar", "group", "quantile", "topk", "bottomk", "count_values")
	inner := w.vector(depth)
	switch op {
	case "quantile":
		inner = "0.6, " + inner
	case "topk", "bottomk":
		// Of equal values any may be taken, so there must be none.
		inner = w.one("1", "3", "20") + ", " + w.one("", "abs") + "({\"cpu.Load\"}" + w.shift() + ")"
	case "count_values":
		inner = `"v", round(` + inner + ")"
	}
	return op + " " + w.grouping() + " (" + inner + ")"
}

func (w writer) arithmetic(depth int) string {
	op := w.one("+", "-", "*", "/", "%", "^", "atan2", "==", "!=", ">", "<", ">=", "<=", "> bool", "== bool")
	switch w.r.IntN(4) {
	case 0:
		return fmt.Sprintf("(%s) %s %s", w.vector(depth), op, w.one("2", "0", "-1.5", "time()", "scalar(gauge{host=\"h2\"})", "NaN"))
	case 1:
		return fmt.Sprintf("%s %s (%s)", w.one("2", "100", "scalar(sum(Steps))"), strings.TrimSpace(op), w.vector(depth))
	case 2:
		return fmt.Sprintf("sum by (Zone) (%s) %s avg by (Zone) (%s)", w.vector(depth), op, w.vector(depth))
	}
	return fmt.Sprintf("%s %s %s", w.selector(), op, w.one("", "on (host) ", "ignoring (Zone) ", "on (Zone) group_left () ")+"gauge{Zone!=\"\"}")
}

func (w writer) sets(depth int) string {
	return fmt.Sprintf("(%s) %s (%s)", w.vector(depth), w.one("and", "or", "unless", "and on (host)", "or on (Zone)", "unless ignoring (le)"), w.vector(depth))
}

func (w writer) function(depth int) string {
	v := w.vector(depth)
	switch f := w.one("abs", "ceil", "floor", "exp", "ln", "log2", "sqrt", "sgn", "timestamp", "sort", "sort_desc", "absent", "-",
		"clamp", "clamp_min", "round", "label_replace", "label_join", "histogram_quantile", "vector", "hour", "minute", "deg", "plain"); f {
	case "clamp":
		return "clamp(" + v + ", -10, 50)"
	case "clamp_min":
		return "clamp_min(" + v + ", 3)"
	case "round":
		return "round(" + v + ", 0.1)"
	case "label_replace":
		return "label_replace(" + v + `, "host", "x$1", "host", "h(.)")`
	case "label_join":
		return "label_join(" + v + `, "both", "-", "host", "Zone")`
	case "histogram_quantile":
		return "histogram_quantile(0.9, sum by (host, le) (rate(latency_bucket[" + w.span() + "])))"
	case "vector":
		return "vector(scalar(" + v + "))"
	case "timestamp":
		return "timestamp(" + w.selector() + w.shift() + ")"
	case "plain":
		return v
	case "-":
		return "-(" + v + ")"
	default:
		return f + "(" + v + ")"
	}
}
