package movein

import (
	"cmp"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/prometheus/prometheus/promql/parser"

	"github.com/tidemark-metrics/tidemark/internal/protocol"
	"github.com/tidemark-metrics/tidemark/internal/query"
)

type panel struct {
	ID         json.Number
	Title      string
	Type       string
	GridPos    gridPos
	Span       float64 // of very old ones, in twelfths
	Datasource json.RawMessage
	Targets    []target
	Panels     []panel // of a row that is folded
	Collapsed  bool    // of a row
	Repeat     string  // the variable for each value of which it is there once
	Links      []link

	Options struct {
		ReduceOptions struct{ Calcs []string }
		Mode, Content string // of a text
		Calculate     bool   // of a heatmap: cells count series, and are not measured
		AlertName     string // of a list of alerts
		StateFilter   struct{ Firing, Pending, NoData, Normal, Error bool }
	}
	FieldConfig struct {
		Defaults struct {
			Unit       string
			Min, Max   *float64
			Thresholds steps
			Links      []link
			Custom     struct {
				AxisLabel         string
				DrawStyle         string
				Stacking          struct{ Mode string }
				ScaleDistribution struct{ Type string }
				ThresholdsStyle   struct{ Mode string }
			}
		}
		Overrides []json.RawMessage
	}
	Transformations []json.RawMessage

	// Of the old graph and the old single number.
	Stack, Bars bool
	Lines       *bool
	DataFormat  string
	Mode        string
	Content     string
	Format      string
	Colors      []string
	Thresholds  json.RawMessage
	YAxes       []struct {
		Format, Label string
		LogBase       float64
	}
}

type target struct {
	Expr         string          // of Prometheus
	Target       string          // of Graphite
	Query        json.RawMessage // of others
	LegendFormat string
	RefID        string
	Hide         bool
	Datasource   json.RawMessage
}

// panelKinds are the kinds of chart that kinds of panel are.
var panelKinds = map[string]string{
	"timeseries": "line", "graph": "line", "stat": "bignumber", "singlestat": "bignumber", "gauge": "gauge",
	"table": "table", "table-old": "table", "bargauge": "table", "heatmap": "heatmap", "state-timeline": "heatmap", "status-history": "heatmap",
	"text": "text", "alertlist": "alerts", "annolist": "events",
}

// nearest is what clients that know types alone draw of a kind.
var nearest = map[string]string{"stacked": "stacked", "bar": "stacked", "bignumber": "bignumber", "gauge": "bignumber"}

// kind is how the panel is shown here, or "".
func (p *panel) kind() string {
	kind, c := panelKinds[p.Type], &p.FieldConfig.Defaults.Custom
	switch {
	case kind != "line":
		return kind
	case c.DrawStyle == "bars" || p.Bars && p.Lines != nil && !*p.Lines:
		return "bar"
	case p.Stack || c.Stacking.Mode == "normal" || c.Stacking.Mode == "percent":
		return "stacked"
	}
	return kind
}

// panel makes a chart of a panel, if it has a counterpart.
func (b *board) panel(p *panel) {
	what := fmt.Sprintf("panel %q of %q", p.Title, b.title)
	miss := func(format string, args ...any) { b.miss(what, format, args...) }
	c := &charting{panel: p, kind: p.kind(), miss: miss, attributes: body{}}
	if c.kind == "" {
		miss("panels of type %s have no counterpart", p.Type)
		return
	}
	chart := body{"name": p.Title, "type": cmp.Or(nearest[c.kind], "line"), "streams": []any{}}
	switch c.kind {
	case "text", "alerts", "events":
		c.list()
	default:
		if b.row != nil {
			p.Repeat = cmp.Or(p.Repeat, b.row.Repeat)
		}
		chart["streams"] = c.streams(func(query string, err error) { b.miss(what+", query "+query, "%v", err) })
		if len(chart["streams"].([]any)) == 0 {
			miss("nothing that it asks for has a counterpart")
			return
		}
		c.measured(chart)
	}
	c.links()
	if c.kind != chart["type"] {
		c.attributes["kind"] = c.kind
	}
	if len(c.attributes) > 0 {
		chart["attributes"] = c.attributes
	}
	b.add(p, chart)
}

// charting makes the chart of one panel.
type charting struct {
	*panel
	kind       string
	miss       func(format string, args ...any)
	attributes body
	tag        string // by which it is repeated
}

// list is what is not made of measurements.
func (c *charting) list() {
	switch c.kind {
	case "text":
		c.attributes["text"] = cmp.Or(c.Options.Content, c.Content)
		if cmp.Or(c.Options.Mode, c.Mode) == "html" {
			c.miss("HTML stays text: write it as Markdown")
		}
	case "alerts":
		f := c.Options.StateFilter
		c.attributes["show"] = "firing"
		if f.Normal || f.NoData {
			c.attributes["show"] = "all"
		}
		if c.Options.AlertName != "" {
			c.attributes["find"] = c.Options.AlertName
		}
	case "events":
		c.miss("its annotations are not imported: it shows the annotation streams that the space shows")
	}
}

// streams are what the queries become that have a counterpart.
func (c *charting) streams(missed func(query string, err error)) []any {
	c.rows()
	c.repeatBy()
	list := []any{}
	for i := range c.Targets {
		t := &c.Targets[i]
		s, err := c.stream(t)
		if err != nil {
			missed(cmp.Or(t.RefID, strconv.Itoa(i+1)), err)
			continue
		}
		list = append(list, s)
	}
	return list
}

// rows says what the rows of a heatmap are: series, or values that are counted
// by Grafana, or histograms.
func (c *charting) rows() {
	switch {
	case c.kind != "heatmap":
	case c.Type != "heatmap":
		c.attributes["rows"] = "streams"
	case c.Options.Calculate || c.DataFormat == "timeseries":
		c.attributes["rows"] = "values"
	case slices.ContainsFunc(c.Targets, func(t target) bool { return strings.Contains(t.Expr, "_bucket") || t.Expr == "" }):
		c.attributes["rows"] = "streams"
		c.miss("a row counts everything up to its limit, as the buckets of classic histograms do: send distributions to see each range by itself")
	default:
		c.attributes["rows"] = "distribution"
	}
}

// repeatBy finds the tag that has the values of the variable by which the panel
// is repeated. A chart is repeated only if all of its queries can be kept apart
// by it.
func (c *charting) repeatBy() {
	if c.Repeat == "" {
		return
	}
	tag := c.tagOf(c.Repeat)
	if tag == "" {
		c.miss("is not repeated by %s, which is no tag of its queries", c.Repeat)
		return
	}
	for i := range c.Targets {
		q, _, err := c.query(&c.Targets[i])
		if err != nil {
			continue // and is no stream either
		}
		if _, err := q.apart(tag); err != nil {
			c.miss("is not repeated by %s: %v", tag, err)
			return
		}
	}
	c.tag, c.attributes["repeat"] = tag, tag
}

// tagOf is the tag that a variable is compared with, or "".
func (p *panel) tagOf(variable string) string {
	name := regexp.QuoteMeta(variable)
	compared := regexp.MustCompile(`(\w+)\s*=~?\s*"(?:\$` + name + `|\$\{` + name + `(?::\w+)?\}|\[\[` + name + `\]\])"`)
	for _, t := range p.Targets {
		if m := compared.FindStringSubmatch(t.Expr); m != nil {
			return protocol.LabelName(m[1])
		}
	}
	return ""
}

// query is what a query becomes, and the name that it gives its series.
func (p *panel) query(t *target) (composite, string, error) {
	switch {
	case t.Expr != "":
		c, err := parsePromQL(t.Expr)
		return c, t.LegendFormat, err
	case t.Target != "":
		text, alias, err := FromGraphite(t.Target)
		return composite{text: text, nested: true}, cmp.Or(alias, t.LegendFormat), err
	}
	return composite{}, "", fmt.Errorf("queries of %s have no counterpart", p.source(t))
}

// stream makes a stream of a query.
func (c *charting) stream(t *target) (body, error) {
	q, name, err := c.query(t)
	if err == nil && c.tag != "" {
		q, err = q.apart(c.tag)
	}
	if err == nil && c.factor() != 1 {
		q, err = withNumber(q, parser.MUL, c.factor())
	}
	if err != nil {
		return nil, err
	}
	if _, err := query.Parse(q.String()); err != nil {
		return nil, fmt.Errorf("has no counterpart: %w", err)
	}
	s := body{"composite": q.String()}
	if c.attributes["rows"] == "distribution" {
		if s, err = measuredBy(t.Expr); err != nil {
			return nil, err
		}
	}
	if name != "" && !strings.Contains(name, "{{") && !strings.HasPrefix(name, "__") {
		s["name"] = name
	}
	if t.Hide {
		s["hidden"] = true
	}
	if unit := c.unit(); unit != "" {
		s["units_short"] = unit
	}
	if thresholds := c.thresholds(); c.kind == "table" && len(thresholds) > 0 {
		s["thresholds"] = thresholds
	}
	return s, nil
}

// source names what a query is asked of.
func (p *panel) source(t *target) string {
	for _, raw := range []json.RawMessage{t.Datasource, p.Datasource} {
		var source struct{ Type string }
		var name string
		if json.Unmarshal(raw, &source) == nil && source.Type != "" {
			return source.Type
		}
		if json.Unmarshal(raw, &name) == nil && name != "" {
			return name
		}
	}
	return "an unknown source"
}
