package shared

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/draw"
)

// ofHost is a line of a host, a value each minute.
func ofHost(host string, values ...float64) OneSeries {
	one := OneSeries{Metric: "cpu", Tags: map[string]string{"host": host, "env": "prod"}, Values: values}
	for i := range values {
		one.Times = append(one.Times, int64(60*i))
	}
	return one
}

func chartOf(attributes map[string]any) *tidemark.Chart {
	return &tidemark.Chart{Attributes: attributes, Thresholds: []tidemark.Threshold{{Operator: ">", Value: 5, Type: "yellow"}}}
}

// TestTablesOfPictures: groups are rows, the highest of the sorted column on
// top, those without a number at the end.
func TestTablesOfPictures(t *testing.T) {
	t.Parallel()
	unit, name := "%", "Load"
	list := []answered{
		{&tidemark.ChartStream{Metric: "cpu", UnitsShort: &unit}, 0, OneResult{Series: []OneSeries{ofHost("a", 1, 9), ofHost("b", 8, 3), ofHost("c", 4, 5)}}},
		{&tidemark.ChartStream{Metric: "load", Name: &name, Thresholds: []tidemark.Threshold{}}, 2, OneResult{Series: []OneSeries{ofHost("b", 7), ofHost("d", 2)}}},
	}
	columns := []draw.Column{{Name: "cpu", Unit: "%", Thresholds: []draw.Threshold{{Operator: ">", Value: 5, Amber: true}}}, {Name: "Load"}}
	none := math.NaN()
	for what, c := range map[string]struct {
		attributes map[string]any
		rows       []draw.Row
		more       int
	}{
		"last":   {map[string]any{"top": 3.0}, []draw.Row{{Name: "a", Values: []float64{9, none}}, {Name: "c", Values: []float64{5, none}}, {Name: "b", Values: []float64{3, 7}}}, 1},
		"lowest": {map[string]any{"order": "lowest", "value": "max", "top": 1.0}, []draw.Row{{Name: "c", Values: []float64{5, none}}}, 3},
		"mean": {map[string]any{"value": "mean"}, []draw.Row{
			{Name: "b", Values: []float64{5.5, 7}}, {Name: "a", Values: []float64{5, none}}, {Name: "c", Values: []float64{4.5, none}}, {Name: "d", Values: []float64{none, 2}},
		}, 0},
	} {
		got := tableOf(chartOf(c.attributes), list)
		want := &draw.Rows{By: "host", Columns: columns, Rows: c.rows, More: c.more}
		if diff := cmp.Diff(want, got, cmpopts.EquateNaNs()); diff != "" {
			t.Errorf("%s: %s", what, diff)
		}
	}
	sorted := tableOf(chartOf(map[string]any{"sort": 2.0, "value": "sum", "top": 2.0}), list)
	if sorted.Rows[0].Name != "b" || sorted.Rows[1].Name != "d" || sorted.Columns[0].Thresholds != nil {
		t.Errorf("by another column: %+v", sorted)
	}
	alone := tableOf(chartOf(nil), []answered{{list[0].stream, 0, OneResult{Series: []OneSeries{ofHost("a", 1)}}}})
	if alone.By != "env, host" || alone.Rows[0].Name != "prod, a" {
		t.Errorf("alone: %+v", alone)
	}
	if empty := tableOf(chartOf(nil), nil); len(empty.Rows) != 0 || empty.By != "Stream" {
		t.Errorf("empty: %+v", empty)
	}
}

// TestHeatmapsOfPictures: rows are streams, or ranges that count streams.
func TestHeatmapsOfPictures(t *testing.T) {
	t.Parallel()
	st := &tidemark.ChartStream{Metric: "cpu"}
	res := OneResult{Series: []OneSeries{ofHost("a", 1, 2), ofHost("b", 8, 9)}}
	picture := func(rows string) *draw.Chart {
		pic := &draw.Chart{Series: drawSeries(st, &res, 10)}
		fillHeatmap(pic, chartOf(map[string]any{"kind": "heatmap", "rows": rows}), []answered{{st, 0, res}}, 10)
		return pic
	}
	streams := picture("streams")
	if rows := streams.Cells.Rows; len(rows) != 2 || rows[0].Name != "b" || rows[1].Name != "a" || streams.Cells.Ranges || streams.Cells.Step != 60 || streams.Series != nil {
		t.Errorf("streams: %+v of %+v", streams.Cells, streams)
	}
	rows := picture("values").Cells.Rows
	if top, bottom := rows[0], rows[len(rows)-1]; len(rows) != cellRanges || top.High != 9 || bottom.Low != 1 || !cmp.Equal(top.Times, []int64{60}) || !cmp.Equal(bottom.Values, []float64{1}) {
		t.Errorf("values: %+v", rows)
	}
}

// TestDistributionsOfPictures: narrow ranges go into the wide ones that hold
// them, and percentiles are lines where the chart has them.
func TestDistributionsOfPictures(t *testing.T) {
	t.Parallel()
	counted := func(low, high, n float64) OneSeries {
		return OneSeries{Low: &low, High: &high, Times: []int64{60}, Values: []float64{n}}
	}
	p99 := 99.9
	st := &tidemark.ChartStream{Metric: "cpu"}
	list := []answered{{st, 0, OneResult{Series: []OneSeries{
		counted(10, 12, 1), counted(10, 20, 2), counted(20, 40, 1), {Percentile: &p99, Times: []int64{60}, Values: []float64{38}},
	}}}}
	for layers, want := range map[string]struct{ rows, lines int }{"": {2, 0}, "both": {2, 1}, "percentiles": {0, 1}} {
		pic := &draw.Chart{}
		attributes := map[string]any{"kind": "heatmap", "rows": "distribution"}
		if layers != "" {
			attributes["layers"] = layers
		}
		fillHeatmap(pic, chartOf(attributes), list, 60)
		if len(pic.Cells.Rows) != want.rows || len(pic.Series) != want.lines || want.lines > 0 && pic.Series[0].Name != "p99.9" {
			t.Errorf("%s: %+v and %+v", layers, pic.Cells, pic.Series)
		}
	}
	share, count := spreadRows(list, false), spreadRows(list, true)
	if share[0].Low != 20 || share[0].Values[0] != 25 || share[1].Values[0] != 75 || count[1].Values[0] != 3 {
		t.Errorf("%+v and %+v", share, count)
	}
}
