package tidemark

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"net/url"
	"slices"
	"strings"
)

// What a chart shows beyond its type is in its attributes. Clients that know
// nothing of them draw it by its type and leave them as they are; keys that
// mean nothing to us are kept as sent.
const (
	chartKind = "kind"
	maxTop    = 1000
	maxBands  = 20

	// MaxPercentiles is how many lines over a heatmap can be told apart.
	MaxPercentiles = 7
)

// chartAttributes are the attributes with a meaning, each with what says what
// is wrong with a value, or "".
var chartAttributes = map[string]func(v any) string{
	chartKind: word("text", "table", "alerts", "events", "bar", "gauge", "heatmap"),
	"text":    textProblem,                                 // of a text, in Markdown
	"top":     wholeNumber(1, maxTop),                      // rows of a table or a list
	"sort":    wholeNumber(0, maxStreams-1),                // which stream a table is sorted by
	"order":   word("highest", "lowest"),                   // which rows of a table come first
	"value":   word("last", "mean", "min", "max", "sum"),   // what is made of the values of a range
	"spark":   switchProblem,                               // whether rows of a table have a small line of the range
	"rows":    word("streams", "values", distributionRows), // of a heatmap
	"layers":  word("cells", "percentiles", "both"),        // of a distribution
	"show":    word("firing", "all"),                       // which alerts a list has
	"find":    textProblem,                                 // in the names and labels of alerts
	"repeat":  tagNameProblem,                              // the chart is there once for each value of the tag
	"links":   listProblem(maxLinks, linkProblem),          // where people go on; {host} is the value of a tag
	"bands":   listProblem(maxBands, bandProblem),          // values that are tinted

	"percentiles": percentilesProblem,     // of a distribution, 0 to 100
	"color_by":    word("share", "count"), // what the colours of a distribution are: parts of a step, or how many
	"color_scale": word("linear", "sqrt"), // how the colours of a distribution grow
}

// distributionRows is for how the values of all streams are distributed, and
// not the streams.
const distributionRows = "distribution"

// ShowsDistribution reports whether c is made of counts in ranges of values.
func (c *Chart) ShowsDistribution() bool {
	return c.Attributes[chartKind] == "heatmap" && c.Attributes["rows"] == distributionRows
}

// AttributeWord returns an attribute that is a word, or "".
func (c *Chart) AttributeWord(key string) string {
	s, _ := c.Attributes[key].(string)
	return s
}

// Top returns how many rows c has at most, or as many as are usual.
func (c *Chart) Top(usual int) int {
	if n, ok := number(c.Attributes["top"]); ok {
		return int(n)
	}
	return usual
}

// SortedBy returns which stream a table is sorted by.
func (c *Chart) SortedBy() int {
	n, _ := number(c.Attributes["sort"])
	return int(n)
}

// RepeatedBy returns the tag for each value of which c is there once, or
// nothing.
func (c *Chart) RepeatedBy() []string {
	if tag, ok := c.Attributes["repeat"].(string); ok {
		return []string{tag}
	}
	return nil
}

// Percentiles returns those that c shows of a distribution, 0 to 100.
func (c *Chart) Percentiles() []float64 {
	list, ok := c.Attributes["percentiles"].([]any)
	if !ok {
		return []float64{50, 95, 99}
	}
	all := make([]float64, 0, len(list))
	for _, v := range list {
		if n, ok := number(v); ok {
			all = append(all, n)
		}
	}
	return all
}

func validateChartAttributes(p *Problems, attrs map[string]any) {
	p.Check(len(attrs) <= maxAttributes, "attributes", "has more than %d keys", maxAttributes)
	for key, v := range attrs {
		field := "attributes." + key
		checkAttribute(p, field, v)
		if problem, ours := chartAttributes[key]; ours {
			what := problem(v)
			p.Check(what == "", field, "%s", what)
		}
	}
}

// setAttributes merges changes into the attributes of c; null clears one.
func (c *Chart) setAttributes(changes map[string]any) {
	c.Attributes = maps.Clone(c.Attributes) // the caller's map may be shared
	if c.Attributes == nil {
		c.Attributes = make(map[string]any)
	}
	for key, v := range changes {
		if v == nil {
			delete(c.Attributes, key)
			continue
		}
		c.Attributes[key] = v
	}
}

func unless(ok bool, said string) string {
	if ok {
		return ""
	}
	return said
}

// word wants one of some words.
func word(allowed ...string) func(v any) string {
	return func(v any) string {
		s, _ := v.(string)
		return oneOf(s, allowed...)
	}
}

func textProblem(v any) string {
	_, ok := v.(string)
	return unless(ok, "must be a text")
}

func switchProblem(v any) string {
	_, ok := v.(bool)
	return unless(ok, "must be true or false")
}

func tagNameProblem(v any) string {
	s, ok := v.(string)
	return unless(ok && IsTagName(s), "cannot be the name of a tag")
}

func wholeNumber(low, high float64) func(v any) string {
	said := fmt.Sprintf("must be a whole number from %v to %v", low, high)
	return func(v any) string {
		n, ok := number(v)
		return unless(ok && n == math.Trunc(n) && n >= low && n <= high, said)
	}
}

func percentilesProblem(v any) string {
	list, ok := v.([]any)
	ok = ok && len(list) <= MaxPercentiles
	for i, entry := range list {
		n, is := number(entry)
		ok = ok && is && n >= 0 && n <= 100 && !slices.Contains(list[:i], entry)
	}
	return unless(ok, fmt.Sprintf("must be a list of up to %d different numbers between 0 and 100", MaxPercentiles))
}

// number returns an attribute that is a number.
func number(v any) (float64, bool) {
	switch n := v.(type) {
	case float64:
		return n, true
	case int64:
		return float64(n), true
	case json.Number: // as it was stored
		f, err := n.Float64()
		return f, err == nil
	}
	return 0, false
}

// listProblem wants a list of objects, and says what is wrong with the first
// that something is wrong with.
func listProblem(most int, problem func(map[string]any) string) func(v any) string {
	return func(v any) string {
		list, ok := v.([]any)
		if !ok || len(list) > most {
			return fmt.Sprintf("must be a list of at most %d", most)
		}
		for _, entry := range list {
			of, ok := entry.(map[string]any)
			if !ok {
				return "must be a list of objects"
			}
			if said := problem(of); said != "" {
				return said
			}
		}
		return ""
	}
}

func linkProblem(link map[string]any) string {
	title, _ := link["title"].(string)
	to, _ := link["url"].(string)
	if title == "" || len(title) > maxTitle {
		return fmt.Sprintf("has a link whose title does not have 1 to %d characters", maxTitle)
	}
	return unless(len(to) <= maxHref && isLink(to), "has a link whose url does not begin with https://, http:// or /")
}

// isLink reports whether people can be sent to an address: one of the web, or a
// path of this server. Browsers take a backslash for a slash.
func isLink(to string) bool {
	if strings.HasPrefix(to, "/") {
		return !strings.HasPrefix(to, "//") && !strings.ContainsAny(to, "\\\t\r\n")
	}
	u, err := url.Parse(strings.NewReplacer("{", "", "}", "").Replace(to))
	return err == nil && (u.Scheme == "https" || u.Scheme == "http") && u.Host != ""
}

func bandProblem(band map[string]any) string {
	from, has := number(band["from"])
	to, ends := number(band["to"])
	if !has || !ends || from >= to {
		return "has a band whose from is not below its to"
	}
	return word("red", "yellow", "green")(band["type"])
}
