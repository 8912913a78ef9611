package movein

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/tidemark-metrics/tidemark/internal/protocol"
)

// mostRows is how many rows a table has that Grafana shows whole.
const mostRows = 100

// measured gives a chart of measurements its axes, thresholds and numbers.
func (c *charting) measured(chart body) {
	f := &c.FieldConfig.Defaults
	if f.Min != nil {
		chart["min"] = *f.Min * c.factor()
	}
	if f.Max != nil {
		chart["max"] = *f.Max * c.factor()
	}
	axis := c.axis()
	if axis.Label != "" {
		chart["label"] = axis.Label
	}
	if axis.LogBase > 1 {
		chart["use_log_yaxis"] = true
	}
	if thresholds := c.thresholds(); c.kind != "table" && c.kind != "heatmap" && len(thresholds) > 0 {
		chart["thresholds"] = thresholds
	}
	if t := c.FieldConfig.Defaults.Thresholds.Steps; c.kind == "gauge" && len(t) > 0 && colourOf(t[0].Color) != "" {
		c.attributes["order"] = "lowest" // that is the bad side
	}
	c.reduced(chart)
	if unit := c.unitName(); unit != "" && c.unit() == "" && !slices.Contains([]string{"none", "short", "string", "bool"}, unit) {
		c.miss("its unit %s has no counterpart", unit)
	}
	if len(c.FieldConfig.Overrides) > 0 {
		c.miss("what it overrides for single series is left out")
	}
	if len(c.Transformations) > 0 {
		c.miss("its transformations are left out: it shows what its queries answer")
	}
}

// calcs are the numbers that are made of a range.
var calcs = map[string]string{"last": "last", "lastNotNull": "last", "mean": "mean", "min": "min", "max": "max", "sum": "sum"}

// reduced says which number of a range is shown.
func (c *charting) reduced(chart body) {
	var number string
	if of := c.Options.ReduceOptions.Calcs; len(of) > 0 {
		number = calcs[of[0]]
		if number == "" {
			c.miss("there is no number %s of a range", of[0])
		}
	}
	switch c.kind {
	case "bignumber":
		if number == "last" {
			chart["use_last_value"] = true
		}
	case "table", "gauge":
		if number != "" {
			c.attributes["value"] = number
		}
	}
	if c.kind == "table" {
		c.attributes["top"] = mostRows
	}
}

// axis is what is said of the values, by new panels or old.
func (p *panel) axis() (axis struct {
	Format, Label string
	LogBase       float64
},
) {
	if len(p.YAxes) > 0 {
		axis = p.YAxes[0]
	}
	d := &p.FieldConfig.Defaults
	axis.Label = cmp.Or(d.Custom.AxisLabel, axis.Label)
	axis.Format = cmp.Or(d.Unit, p.Format, axis.Format)
	if d.Custom.ScaleDistribution.Type == "log" {
		axis.LogBase = 10
	}
	return axis
}

// units are what people read for units of Grafana.
var units = map[string]string{
	"percent": "%", "percentunit": "%", "humidity": "%", "ns": "ns", "µs": "µs", "ms": "ms", "s": "s", "dtdurations": "s", "m": "min", "h": "h", "d": "d",
	"bytes": "B", "decbytes": "B", "bits": "bit", "decbits": "bit", "Bps": "B/s", "binBps": "B/s", "bps": "bit/s", "binbps": "bit/s", "pps": "packets/s",
	"reqps": "req/s", "ops": "ops/s", "rps": "reads/s", "wps": "writes/s", "iops": "IO/s", "cps": "/s", "opm": "ops/min", "rpm": "reads/min", "cpm": "/min",
	"hertz": "Hz", "celsius": "°C", "fahrenheit": "°F", "volt": "V", "amp": "A", "watt": "W", "watth": "Wh", "joule": "J", "dB": "dB",
	"currencyUSD": "$", "currencyEUR": "€", "currencyGBP": "£",
}

func (p *panel) unitName() string { return p.axis().Format }

// unit is what people read for the unit of the panel, or "".
func (p *panel) unit() string {
	if own, custom := strings.CutPrefix(p.unitName(), "suffix:"); custom {
		return strings.TrimSpace(own)
	}
	return units[p.unitName()]
}

// factor is what values are multiplied by: there are percentages, and no parts
// of one.
func (p *panel) factor() float64 {
	if p.unitName() == "percentunit" {
		return 100
	}
	return 1
}

// steps are thresholds, each with the colour from its value on; that of the
// first has none.
type steps struct {
	Mode  string
	Steps []step
}

type step struct {
	Color string
	Value *float64
}

// thresholds are those of the panel that it shows.
func (p *panel) thresholds() []any {
	t := p.FieldConfig.Defaults.Thresholds
	switch style := p.FieldConfig.Defaults.Custom.ThresholdsStyle.Mode; {
	case len(p.Thresholds) > 0:
		return p.oldThresholds()
	case panelKinds[p.Type] == "line" && (style == "" || style == "off"):
		return nil
	}
	return thresholdsOf(t.Steps, p.scale(t.Mode))
}

// scale makes values of thresholds values of ours: percentages are of what is
// between the ends of the panel.
func (p *panel) scale(mode string) func(float64) float64 {
	low, high, factor := 0.0, 100.0, p.factor()
	if d := &p.FieldConfig.Defaults; mode == "percentage" {
		if d.Min != nil {
			low = *d.Min
		}
		if d.Max != nil {
			high = *d.Max
		}
		return func(v float64) float64 { return (low + v*(high-low)/100) * factor }
	}
	return func(v float64) float64 { return v * factor }
}

// thresholdsOf are steps as we say them: above a value where the first is good,
// below the next where it is not.
func thresholdsOf(steps []step, scale func(float64) float64) (all []any) {
	falling := len(steps) > 0 && colourOf(steps[0].Color) != ""
	for i, s := range steps {
		operator, at := ">", s.Value
		if falling {
			operator, at = "<", nil
			if i+1 < len(steps) {
				at = steps[i+1].Value
			}
		}
		if c := colourOf(s.Color); c != "" && at != nil {
			all = append(all, body{"operator": operator, "value": scale(*at), "type": c})
		}
	}
	return all
}

// oldThresholds are those of the old graph, a list, and of the old single
// number, a text with values between colours.
func (p *panel) oldThresholds() (all []any) {
	var values string
	if json.Unmarshal(p.Thresholds, &values) == nil {
		list := []step{{Color: at(p.Colors, 0)}}
		for i, text := range strings.Split(values, ",") {
			if v, err := strconv.ParseFloat(strings.TrimSpace(text), 64); err == nil && !math.IsNaN(v) && !math.IsInf(v, 0) {
				list = append(list, step{Color: at(p.Colors, i+1), Value: &v})
			}
		}
		return thresholdsOf(list, p.scale(""))
	}
	var lines []struct {
		Value     *float64
		Op        string
		ColorMode string
	}
	_ = json.Unmarshal(p.Thresholds, &lines) // what is no list has none
	for _, l := range lines {
		operator := map[string]string{"gt": ">", "lt": "<"}[l.Op]
		colour := map[string]string{"critical": "red", "warning": "yellow"}[l.ColorMode]
		if operator != "" && colour != "" && l.Value != nil {
			all = append(all, body{"operator": operator, "value": *l.Value * p.factor(), "type": colour})
		}
	}
	return all
}

func at(list []string, i int) string {
	if i < len(list) {
		return list[i]
	}
	return ""
}

var (
	hexColour = regexp.MustCompile(`^#([0-9a-fA-F]{2})([0-9a-fA-F]{2})([0-9a-fA-F]{2})`)
	rgbColour = regexp.MustCompile(`^rgba?\(\s*(\d+),\s*(\d+),\s*(\d+)`)
)

// colourOf is the colour of ours that is nearest to one of Grafana, or "".
func colourOf(c string) string {
	switch {
	case strings.Contains(c, "red"):
		return "red"
	case strings.Contains(c, "yellow") || strings.Contains(c, "orange"):
		return "yellow"
	}
	base, m := 16, hexColour.FindStringSubmatch(c)
	if m == nil {
		base, m = 10, rgbColour.FindStringSubmatch(c)
	}
	if m == nil {
		return ""
	}
	var parts [3]int64
	for i := range parts {
		parts[i], _ = strconv.ParseInt(m[i+1], base, 64) // digits alone
	}
	red, green, blue := parts[0], parts[1], parts[2]
	switch {
	case red < 128 || 2*blue > red || 10*green > 11*red:
		return ""
	case 5*green < 2*red:
		return "red"
	}
	return "yellow"
}

type link struct{ Title, URL string }

var (
	labelHole    = regexp.MustCompile(`\$\{__(?:field|series)\.labels(?:\.(\w+)|\["([^"]+)"\])(?::\w+)?\}`)
	variableHole = regexp.MustCompile(`\$(\w+)|\$\{(\w+)(?::\w+)?\}|\[\[(\w+)\]\]`)
)

// links are those of the panel and of its values.
func (c *charting) links() {
	var list []any
	for _, l := range slices.Concat(c.Links, c.FieldConfig.Defaults.Links) {
		url, err := c.linkTo(l.URL)
		if err != nil {
			c.miss("its link %q is left out: %v", cmp.Or(l.Title, l.URL), err)
			continue
		}
		list = append(list, body{"title": cmp.Or(l.Title, url), "url": url})
	}
	if len(list) > 0 {
		c.attributes["links"] = list
	}
}

// linkTo is an address with our holes for tags.
func (p *panel) linkTo(url string) (string, error) {
	if !strings.HasPrefix(url, "https://") && !strings.HasPrefix(url, "http://") {
		return "", fmt.Errorf("it leads to a page of Grafana")
	}
	url = labelHole.ReplaceAllStringFunc(url, func(hole string) string {
		m := labelHole.FindStringSubmatch(hole)
		return "{" + protocol.LabelName(m[1]+m[2]) + "}"
	})
	url = variableHole.ReplaceAllStringFunc(url, func(hole string) string {
		m := variableHole.FindStringSubmatch(hole)
		if tag := p.tagOf(m[1] + m[2] + m[3]); tag != "" {
			return "{" + tag + "}"
		}
		return hole
	})
	if variableHole.MatchString(url) || strings.Contains(url, "${") {
		return "", fmt.Errorf("it has variables that are no tags")
	}
	return url, nil
}
