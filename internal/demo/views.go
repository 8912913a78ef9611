package demo

import (
	"context"
	"fmt"
	"maps"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/store"
)

type object = map[string]any

// grouped is a tag that gives one line per value.
func grouped(name string) object { return object{"name": name, "grouped": true} }

// dynamic is a tag that the page's filter fills in.
func dynamic(name string) object { return object{"name": name, "dynamic": true} }

func line(metric string, tags ...object) object {
	return object{"metric": metric, "tags": tags}
}

func with(o object, more object) object {
	maps.Copy(o, more)
	return o
}

// placed is a chart with its place on the grid.
func placed(col, row, width, height int, chart object) placedChart {
	return placedChart{tidemark.GridPosition{Col: col, Row: row, Width: width, Height: height}, chart}
}

type placedChart struct {
	tidemark.GridPosition
	chart object
}

// everywhere are the tags that the page's filters fill in.
func everywhere(more ...object) []object {
	return append([]object{dynamic("environment"), dynamic("region")}, more...)
}

const errorRatio = "scale(\n  divide([\n    sum(s(\"checkout.errors\", {\"environment\": \"%\", \"region\": \"%\"})),\n    sum(s(\"checkout.requests\", {\"environment\": \"%\", \"region\": \"%\"}))\n  ]),\n  {factor: \"1.6667\"})"

// spaceList is the spaces of the shop.
var spaceList = []struct {
	name   string
	layout tidemark.Layout
	charts []placedChart
}{
	{"Checkout production", tidemark.Layout{
		DefaultTags: []tidemark.TagFilter{{Name: "environment", Values: []string{"production"}}, {Name: "region", Values: []string{"eu-central", "us-east", "ap-south"}}},
		Annotations: []string{"deploys", "maintenance"},
	}, []placedChart{
		placed(0, 0, 3, 2, object{"name": "Requests", "type": "bignumber", "use_last_value": true, "streams": []object{
			with(line("checkout.requests", everywhere()...), object{"group_function": "sum", "units_short": "/s"})}}),
		placed(3, 0, 3, 2, object{"name": "Latency p99", "type": "bignumber", "use_last_value": true, "streams": []object{
			with(line("checkout.latency.p99", everywhere()...), object{"group_function": "max", "units_short": "ms"})},
			"thresholds": []object{{"operator": ">", "value": 300, "type": "yellow"}, {"operator": ">", "value": 450, "type": "red"}}}),
		placed(6, 0, 3, 2, object{"name": "Error ratio", "type": "bignumber", "use_last_value": true, "streams": []object{
			{"composite": errorRatio, "name": "Error ratio", "units_short": "%"}}}),
		placed(9, 0, 3, 2, object{"name": "Orders", "type": "bignumber", "use_last_value": true, "streams": []object{
			with(line("checkout.orders", everywhere()...), object{"group_function": "sum", "units_short": "/min"})}}),
		placed(0, 2, 7, 5, object{"name": "Latency by percentile", "type": "line", "streams": []object{
			with(line("checkout.latency.p50", everywhere()...), object{"name": "p50", "units_short": "ms", "group_function": "max"}),
			with(line("checkout.latency.p95", everywhere()...), object{"name": "p95", "units_short": "ms", "group_function": "max"}),
			with(line("checkout.latency.p99", everywhere()...), object{"name": "p99", "units_short": "ms", "group_function": "max"})}}),
		placed(7, 2, 5, 5, object{"name": "Requests by region", "type": "stacked", "streams": []object{
			with(line("checkout.requests", dynamic("environment"), grouped("region")), object{"group_function": "sum", "units_short": "/s", "units_long": "per second"})}}),
		placed(0, 7, 4, 5, object{"name": "CPU by host", "type": "line", "streams": []object{
			with(line("system.cpu.utilization", object{"name": "region", "values": []string{"eu-central"}}, grouped("host")), object{"units_short": "%"})}}),
		placed(4, 7, 4, 5, object{"name": "Errors by status", "type": "stacked", "streams": []object{
			with(line("checkout.errors", everywhere(grouped("status"))...), object{"group_function": "sum", "units_short": "/min", "units_long": "per minute"})}}),
		placed(8, 7, 4, 5, object{"name": "Queue depth", "type": "line", "use_log_yaxis": true, "label": "jobs, log axis", "streams": []object{
			with(line("queue.depth", grouped("queue")), object{"units_short": ""})}}),
		placed(0, 12, 12, 5, object{"name": "Errors against latency", "type": "line", "streams": []object{
			with(line("checkout.latency.p99", everywhere()...), object{"name": "p99", "units_short": "ms", "group_function": "max"}),
			with(line("checkout.latency.p95", everywhere()...), object{"name": "p95", "units_short": "ms", "group_function": "max"}),
			{"composite": errorRatio, "name": "Error ratio", "units_short": "%", "split_axis": true}}}),
	}},
	{"Hosts", tidemark.Layout{}, []placedChart{
		placed(0, 0, 6, 5, object{"name": "CPU", "type": "line", "streams": []object{with(line("system.cpu.utilization", grouped("host"), dynamic("region")), object{"units_short": "%"})}}),
		placed(6, 0, 6, 5, object{"name": "Memory", "type": "line", "streams": []object{with(line("system.memory.used", grouped("host"), dynamic("region")), object{"units_short": "%"})}}),
		placed(0, 5, 6, 5, object{"name": "Disk", "type": "line", "streams": []object{with(line("system.disk.used", grouped("host"), dynamic("region")), object{"units_short": "%"})}}),
		placed(6, 5, 6, 5, object{"name": "Busiest three", "type": "line", "streams": []object{{"composite": `top(s("system.cpu.utilization", "*"), {count: "3"})`, "units_short": "%"}}}),
	}},
	{"Search", tidemark.Layout{Annotations: []string{"deploys"}}, []placedChart{
		placed(0, 0, 6, 5, object{"name": "Latency", "type": "line", "streams": []object{with(line("search.latency", grouped("region")), object{"units_short": "ms"})}}),
		placed(6, 0, 6, 5, object{"name": "Queries", "type": "stacked", "streams": []object{with(line("search.queries", grouped("region")), object{"group_function": "sum", "units_short": "/s"})}}),
		placed(0, 5, 12, 5, object{"name": "Latency, today and a day ago", "type": "line", "streams": []object{{"composite": `timeshift("0,1d", mean(s("search.latency", "*")))`, "units_short": "ms"}}}),
	}},
	{"Queue workers", tidemark.Layout{}, []placedChart{
		placed(0, 0, 9, 5, object{"name": "Depth", "type": "line", "use_log_yaxis": true, "streams": []object{with(line("queue.depth", grouped("queue")), object{"units_short": "jobs"})}}),
		placed(9, 0, 3, 2, object{"name": "Jobs waiting", "type": "bignumber", "streams": []object{with(line("queue.depth"), object{"group_function": "sum", "units_short": "jobs"})}}),
		placed(9, 2, 3, 3, object{"name": "Workers alive", "type": "bignumber", "use_last_value": true, "streams": []object{with(line("worker.heartbeat"), object{"group_function": "sum"})}}),
	}},
}

func (d *demo) spaces(ctx context.Context) error {
	for _, sp := range spaceList {
		made, err := d.Client.Spaces().Create(ctx, object{"name": sp.name})
		if err != nil {
			return fmt.Errorf("space %s: %w", sp.name, err)
		}
		layout := sp.layout
		for _, c := range sp.charts {
			chart, err := d.Client.CreateChart(ctx, made.ID, c.chart)
			if err != nil {
				return fmt.Errorf("chart %s: %w", c.chart["name"], err)
			}
			c.GridPosition.Chart = chart.ID
			layout.Places = append(layout.Places, c.GridPosition)
		}
		if d.Store == nil {
			continue
		}
		if err := d.Store.SaveLayout(ctx, d.Org, tidemark.ServerActor(), made.ID, &layout); err != nil {
			return fmt.Errorf("space %s: %w", sp.name, err)
		}
	}
	if d.Store == nil || d.User == 0 {
		return nil
	}
	return Welcome(ctx, d.Store, d.Org, d.User)
}

// Welcome pins the spaces of a demo for somebody who comes to it.
func Welcome(ctx context.Context, st *store.Store, org tidemark.OrgID, user int64) error {
	there, _, err := st.Spaces(ctx, org, tidemark.Page{Length: tidemark.MaxPageLength})
	if err != nil {
		return err
	}
	var pins []int64
	for _, sp := range spaceList {
		for _, s := range there {
			if s.Name != nil && *s.Name == sp.name {
				pins = append(pins, s.ID)
			}
		}
	}
	return st.SetPins(ctx, org, user, pins)
}
