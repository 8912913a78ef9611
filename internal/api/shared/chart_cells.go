package shared

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/draw"
)

const (
	cellRows   = 200 // more streams are thinner than what is seen
	cellRanges = 20  // of values, that streams are counted in
)

// fillHeatmap makes a picture one of cells, as the interface does: a row for
// each stream, or for each range of values with how many streams or values are
// in it.
func fillHeatmap(pic *draw.Chart, c *tidemark.Chart, list []answered, step int64) {
	pic.Kind = draw.Heatmap
	step = max(step, spacing(list))
	if c.ShowsDistribution() {
		spreadCells(pic, c, list, step)
		return
	}
	lines := pic.Series
	pic.Series, pic.Unit = nil, unitOf(lines)
	if c.AttributeWord("rows") == "values" {
		pic.Cells = &draw.Cells{Step: step, Ranges: true, Rows: countStreams(pic, lines), Of: "streams"}
		return
	}
	pic.Cells = &draw.Cells{Step: step, Unit: pic.Unit, Rows: streamRows(lines)}
}

// spacing is how far apart values are at the least: cells reach to the next.
func spacing(list []answered) (least int64) {
	for _, a := range list {
		for _, one := range a.Series {
			for i := 1; i < len(one.Times); i++ {
				if apart := one.Times[i] - one.Times[i-1]; least == 0 || apart < least {
					least = apart
				}
			}
		}
	}
	return least
}

func unitOf(lines []draw.Series) string {
	if len(lines) == 0 {
		return ""
	}
	return lines[0].Unit
}

// streamRows has the streams with the highest average on top.
func streamRows(lines []draw.Series) []draw.CellRow {
	names := make([]string, len(lines))
	for i := range lines {
		names[i] = lines[i].Name
	}
	names = draw.Names(names)
	rows := make([]draw.CellRow, len(lines))
	for i, l := range lines {
		rows[i] = draw.CellRow{Name: names[i], Times: l.Times, Values: l.Values}
	}
	mean := func(r draw.CellRow) float64 { return numberOf(r.Values, "mean") }
	slices.SortStableFunc(rows, func(a, b draw.CellRow) int {
		return cmp.Or(cmp.Compare(mean(b), mean(a)), strings.Compare(a.Name, b.Name))
	})
	return rows[:min(len(rows), cellRows)]
}

// countStreams has a row for each range of values, the highest on top.
func countStreams(pic *draw.Chart, lines []draw.Series) (rows []draw.CellRow) {
	all := reachOf(pic, lines)
	width := (all.high - all.low) / cellRanges
	if !(width > 0) {
		width = 1
	}
	var counts [cellRanges]map[int64]float64
	for at := range counts {
		counts[at] = make(map[int64]float64)
	}
	for _, l := range lines {
		for i, v := range l.Values {
			if v >= all.low && v <= all.high {
				counts[min(int((v-all.low)/width), cellRanges-1)][l.Times[i]]++
			}
		}
	}
	for at := cellRanges - 1; at >= 0 && len(lines) > 0; at-- {
		rows = append(rows, cellRow(all.low+float64(at)*width, all.low+float64(at+1)*width, counts[at]))
	}
	return rows
}

// reachOf is between which values streams are counted.
func reachOf(pic *draw.Chart, lines []draw.Series) valueRange {
	r := valueRange{math.Inf(1), math.Inf(-1)}
	for _, l := range lines {
		for _, v := range l.Values {
			r = valueRange{min(r.low, v), max(r.high, v)}
		}
	}
	if pic.Min != nil {
		r.low = *pic.Min
	}
	if pic.Max != nil {
		r.high = *pic.Max
	}
	return r
}

func cellRow(low, high float64, counts map[int64]float64) draw.CellRow {
	row := draw.CellRow{Low: low, High: high}
	for t, n := range counts {
		row.Times, row.Values = append(row.Times, t), append(row.Values, n)
	}
	return row
}

// spreadCells shows the distribution of all streams, and its percentiles, as
// far as the chart wants them.
func spreadCells(pic *draw.Chart, c *tidemark.Chart, list []answered, step int64) {
	layers := cmp.Or(c.AttributeWord("layers"), "cells")
	pic.Series = nil
	for _, a := range list {
		pic.Unit = cmp.Or(pic.Unit, deref(a.stream.UnitsShort))
		for _, one := range a.Series {
			if one.Percentile != nil && layers != "cells" {
				name := "p" + strconv.FormatFloat(*one.Percentile, 'f', -1, 64)
				pic.Series = append(pic.Series, draw.Series{Name: name, Times: one.Times, Values: one.Values})
			}
		}
	}
	byCount := c.AttributeWord("color_by") == "count"
	pic.Cells = &draw.Cells{Step: step, Ranges: true, Soft: c.AttributeWord("color_scale") == "sqrt", Of: "values"}
	if !byCount {
		pic.Cells.Unit, pic.Cells.Of = "%", "of a column"
	}
	if layers != "percentiles" {
		pic.Cells.Rows = spreadRows(list, byCount)
	}
}

func deref(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}

// valueRange is a range of values.
type valueRange struct{ low, high float64 }

func (r valueRange) holds(other valueRange) bool { return other.low >= r.low && other.high <= r.high }

// spreadRows has the counts of ranges, the highest on top, or their percentage
// of a step; those of narrow ranges go into the wide ones that hold them.
func spreadRows(list []answered, byCount bool) []draw.CellRow {
	var lines []OneSeries
	for _, a := range list {
		for _, one := range a.Series {
			if one.Low != nil && one.High != nil {
				lines = append(lines, one)
			}
		}
	}
	slices.SortStableFunc(lines, func(a, b OneSeries) int { return cmp.Compare(*b.High-*b.Low, *a.High-*a.Low) })
	var ranges []valueRange
	counts, totals := make(map[valueRange]map[int64]float64), make(map[int64]float64)
	for _, one := range lines {
		r := valueRange{*one.Low, *one.High}
		if at := slices.IndexFunc(ranges, func(have valueRange) bool { return have.holds(r) }); at >= 0 {
			r = ranges[at]
		} else {
			ranges, counts[r] = append(ranges, r), make(map[int64]float64)
		}
		for i, t := range one.Times {
			counts[r][t] += one.Values[i]
			totals[t] += one.Values[i]
		}
	}
	slices.SortFunc(ranges, func(a, b valueRange) int { return cmp.Compare(b.low, a.low) })
	rows := make([]draw.CellRow, len(ranges))
	for i, r := range ranges {
		for t := range counts[r] {
			if !byCount && totals[t] > 0 {
				counts[r][t] *= 100 / totals[t]
			}
		}
		rows[i] = cellRow(r.low, r.high, counts[r])
	}
	return rows
}
