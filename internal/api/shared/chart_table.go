package shared

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/draw"
)

const (
	tableRows    = 10 // of a chart that does not say how many
	tableColumns = 6  // more do not fit beside each other
)

// answered is a stream of a chart and what was answered to its query.
type answered struct {
	stream *tidemark.ChartStream
	at     int // which stream of the chart it is
	OneResult
}

// tableOf makes streams columns and their groups rows, as the interface does:
// those with the highest numbers of one column come first.
func tableOf(c *tidemark.Chart, list []answered) *draw.Rows {
	list = list[:min(len(list), tableColumns)]
	table := &draw.Rows{}
	by := rowTags(list)
	table.By = cmp.Or(strings.Join(by, ", "), "Stream")
	places := make(map[string]int)
	for k, a := range list {
		table.Columns = append(table.Columns, columnOf(c, &a, k == sortedBy(c, list)))
		for _, one := range a.Series {
			key := tidemark.MakeTags(one.Tags).String()
			row, ok := places[key]
			if !ok {
				row, places[key] = len(table.Rows), len(table.Rows)
				table.Rows = append(table.Rows, draw.Row{Name: rowName(a.stream, one, by), Values: nothing(len(list))})
			}
			table.Rows[row].Values[k] = numberOf(one.Values, c.AttributeWord("value"))
		}
	}
	arrange(table.Rows, sortedBy(c, list), c.AttributeWord("order") == "lowest")
	most := c.Top(tableRows)
	table.More = max(0, len(table.Rows)-most)
	table.Rows = table.Rows[:min(len(table.Rows), most)]
	return table
}

func nothing(n int) []float64 {
	out := make([]float64, n)
	for i := range out {
		out[i] = math.NaN()
	}
	return out
}

func columnOf(c *tidemark.Chart, a *answered, sorted bool) draw.Column {
	column := draw.Column{Name: cmp.Or(a.stream.Metric, "composite")}
	if a.stream.Name != nil && *a.stream.Name != "" {
		column.Name = *a.stream.Name
	}
	if a.stream.UnitsShort != nil {
		column.Unit = *a.stream.UnitsShort
	}
	switch {
	case a.stream.Thresholds != nil:
		column.Thresholds = drawThresholds(a.stream.Thresholds)
	case sorted:
		column.Thresholds = drawThresholds(c.Thresholds)
	}
	return column
}

// sortedBy is the column that a table is sorted by: the one it says, if it is
// there.
func sortedBy(c *tidemark.Chart, list []answered) int {
	return max(0, slices.IndexFunc(list, func(a answered) bool { return a.at == c.SortedBy() }))
}

// rowTags are the tags that name rows: those that differ, or all where there is
// one row.
func rowTags(list []answered) (by []string) {
	values := make(map[string]map[string]bool)
	lines := 0
	for _, a := range list {
		for _, one := range a.Series {
			lines++
			for name, v := range one.Tags {
				if values[name] == nil {
					values[name] = make(map[string]bool)
				}
				values[name][v] = true
			}
		}
	}
	var all []string
	for name, seen := range values {
		all = append(all, name)
		if len(seen) > 1 {
			by = append(by, name)
		}
	}
	if len(by) == 0 {
		by = all
	}
	slices.Sort(by)
	return by
}

func rowName(st *tidemark.ChartStream, one OneSeries, by []string) string {
	if len(by) == 0 {
		return lineName(st, one)
	}
	values := make([]string, len(by))
	for i, name := range by {
		values[i] = cmp.Or(one.Tags[name], "none")
	}
	return strings.Join(values, ", ")
}

// numberOf is what the values of a range come to; NaN where there are none.
func numberOf(values []float64, what string) float64 {
	if len(values) == 0 {
		return math.NaN()
	}
	sum := 0.0
	for _, v := range values {
		sum += v
	}
	switch what {
	case "mean":
		return sum / float64(len(values))
	case "sum":
		return sum
	case "min":
		return slices.Min(values)
	case "max":
		return slices.Max(values)
	}
	return values[len(values)-1]
}

// arrange sorts rows by a column; those without a number are last whichever way
// the others stand.
func arrange(rows []draw.Row, column int, lowest bool) {
	slices.SortStableFunc(rows, func(a, b draw.Row) int {
		x, y := a.Values[column], b.Values[column]
		switch {
		case math.IsNaN(x) || math.IsNaN(y):
			return -cmp.Compare(x, y) // NaN is less than any number
		case lowest:
			return cmp.Or(cmp.Compare(x, y), strings.Compare(a.Name, b.Name))
		}
		return cmp.Or(cmp.Compare(y, x), strings.Compare(a.Name, b.Name))
	})
}
