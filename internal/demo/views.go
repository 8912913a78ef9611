package demo

import (
	"context"
	"fmt"

	"github.com/tidemark-metrics/tidemark"
)

// deployEvery is the time between two deploys, in seconds.
const deployEvery = 7 * 3600

// annotate adds the events of a time: deploys, and the failovers.
func (d *demo) annotate(ctx context.Context, from, to int64) error {
	for n := from/deployEvery + 1; n*deployEvery < to; n++ {
		at := n * deployEvery
		e := &tidemark.Event{
			Title: fmt.Sprintf("deploy checkout 4.%d.%d", at/86400%90, n%4), StartTime: at,
			Links: []tidemark.Link{{Rel: "build", Href: "https://ci.example.org/" + fmt.Sprint(n)}},
		}
		if _, err := d.Client.Annotate(ctx, "deploys", e); err != nil {
			return fmt.Errorf("annotate: %w", err)
		}
	}
	for block := from / every; block*every < to; block++ {
		began, _ := failover(block * every)
		if began < from || began >= to {
			continue
		}
		end := began + within
		source := "db-01"
		e := &tidemark.Event{Title: "db-01 failover", Source: &source, StartTime: began, EndTime: &end, Links: []tidemark.Link{}}
		if _, err := d.Client.Annotate(ctx, "maintenance", e); err != nil {
			return fmt.Errorf("annotate: %w", err)
		}
	}
	return nil
}

type object = map[string]any

// grouped is a tag that gives one line per value.
func grouped(name string) object { return object{"name": name, "grouped": true} }

// dynamic is a tag that the page's filter fills in.
func dynamic(name string) object { return object{"name": name, "dynamic": true} }

func line(metric string, tags ...object) object {
	return object{"metric": metric, "tags": tags}
}

func with(o object, more object) object {
	for k, v := range more {
		o[k] = v
	}
	return o
}

// spaceList is the spaces of the shop.
var spaceList = []struct {
	name   string
	charts []object
}{
	{"Checkout production", []object{
		{"name": "Requests", "type": "bignumber", "use_last_value": true, "streams": []object{
			with(line("checkout.requests", dynamic("region")), object{"group_function": "sum", "units_short": "/s"})}},
		{"name": "Latency p99", "type": "bignumber", "use_last_value": true, "streams": []object{
			with(line("checkout.latency.p99", dynamic("region")), object{"group_function": "max", "units_short": "ms"})},
			"thresholds": []object{{"operator": ">", "value": 300, "type": "yellow"}, {"operator": ">", "value": 400, "type": "red"}}},
		{"name": "Error ratio", "type": "bignumber", "use_last_value": true, "streams": []object{
			{"composite": `scale(divide([sum(s("checkout.errors", {"region": "%"})), scale(sum(s("checkout.requests", {"region": "%"})), {factor: "60"})]), {factor: "100"})`, "units_short": "%"}}},
		{"name": "Orders", "type": "bignumber", "use_last_value": true, "streams": []object{
			with(line("shop.orders", dynamic("region")), object{"group_function": "sum", "units_short": "/min"})}},
		{"name": "Latency by percentile", "type": "line", "streams": []object{
			with(line("checkout.latency.p50", dynamic("region")), object{"name": "p50", "units_short": "ms", "group_function": "average"}),
			with(line("checkout.latency.p95", dynamic("region")), object{"name": "p95", "units_short": "ms", "group_function": "average"}),
			with(line("checkout.latency.p99", dynamic("region")), object{"name": "p99", "units_short": "ms", "group_function": "average"}),
			{"metric": "deploys", "type": "annotation"}}},
		{"name": "Requests by region", "type": "stacked", "streams": []object{
			with(line("checkout.requests", grouped("region")), object{"group_function": "sum", "units_short": "/s"})}},
		{"name": "CPU by host", "type": "line", "streams": []object{
			with(line("system.cpu.utilization", grouped("host"), dynamic("region")), object{"units_short": "%"})}},
		{"name": "Errors by status", "type": "stacked", "streams": []object{
			with(line("checkout.errors", grouped("status"), dynamic("region")), object{"group_function": "sum", "units_short": "/min"})}},
		{"name": "Queue depth", "type": "line", "use_log_yaxis": true, "streams": []object{
			with(line("queue.depth", grouped("queue")), object{"units_short": "jobs"})}},
	}},
	{"Hosts", []object{
		{"name": "CPU", "type": "line", "streams": []object{with(line("system.cpu.utilization", grouped("host"), dynamic("region")), object{"units_short": "%"})}},
		{"name": "Memory", "type": "line", "streams": []object{with(line("system.memory.used", grouped("host"), dynamic("region")), object{"units_short": "%"})}},
		{"name": "Disk", "type": "line", "streams": []object{with(line("system.disk.used", grouped("host"), dynamic("region")), object{"units_short": "%"})}},
		{"name": "Busiest three", "type": "line", "streams": []object{{"composite": `top(s("system.cpu.utilization", "*"), {count: "3"})`, "units_short": "%"}}},
	}},
	{"Search", []object{
		{"name": "Latency", "type": "line", "streams": []object{with(line("search.latency", grouped("region")), object{"units_short": "ms"})}},
		{"name": "Queries", "type": "stacked", "streams": []object{with(line("search.queries", grouped("region")), object{"group_function": "sum", "units_short": "/s"})}},
		{"name": "Latency, today and a day ago", "type": "line", "streams": []object{{"composite": `timeshift("0,1d", mean(s("search.latency", "*")))`, "units_short": "ms"}}},
	}},
	{"Queue workers", []object{
		{"name": "Depth", "type": "line", "use_log_yaxis": true, "streams": []object{with(line("queue.depth", grouped("queue")), object{"units_short": "jobs"})}},
		{"name": "Jobs waiting", "type": "bignumber", "streams": []object{with(line("queue.depth"), object{"group_function": "sum", "units_short": "jobs"})}},
	}},
}

func (d *demo) spaces(ctx context.Context) error {
	for _, sp := range spaceList {
		made, err := d.Client.Spaces().Create(ctx, object{"name": sp.name})
		if err != nil {
			return fmt.Errorf("space %s: %w", sp.name, err)
		}
		for _, c := range sp.charts {
			if _, err := d.Client.CreateChart(ctx, made.ID, c); err != nil {
				return fmt.Errorf("chart %s: %w", c["name"], err)
			}
		}
	}
	return nil
}

// alertList is what the shop wants to be told of.
var alertList = []object{
	{"name": "checkout.latency.high", "description": "Customers wait. Look at the database first, then at the hosts of the region.", "rearm_seconds": 1800,
		"attributes": object{"runbook_url": "https://wiki.example.org/checkout-latency"},
		"conditions": []object{{"type": "above", "metric_name": "checkout.latency.p99", "threshold": 300, "duration": 300, "summary_function": "max", "tags": []object{{"name": "region", "values": []string{"*"}, "grouped": true}}}}},
	{"name": "checkout.errors.many", "description": "More than sixty errors a minute.", "rearm_seconds": 600,
		"conditions": []object{{"type": "above", "metric_name": "checkout.errors", "threshold": 40, "tags": []object{{"name": "status", "values": []string{"500"}}}}}},
	{"name": "hosts.cpu.high", "description": "A host has no headroom left.", "rearm_seconds": 3600,
		"conditions": []object{{"type": "above", "metric_name": "system.cpu.utilization", "threshold": 80, "duration": 300, "tags": []object{}}}},
	{"name": "orders.silent", "description": "No order has come in for ten minutes.",
		"conditions": []object{{"type": "absent", "metric_name": "shop.orders", "duration": 600, "tags": []object{}}}},
	{"name": "worker.heartbeat.absent", "description": "A worker hangs. Restart it; its jobs are taken up again.",
		"conditions": []object{{"type": "absent", "metric_name": "worker.heartbeat", "duration": 300, "tags": []object{}}}},
	{"name": "search.slow", "description": "Search is slower than people put up with.",
		"conditions": []object{{"type": "above", "metric_name": "search.latency", "threshold": 60, "duration": 120, "tags": []object{}}}},
	{"name": "disk.nearly.full", "active": false, "description": "Off while the new disks are moved.",
		"conditions": []object{{"type": "above", "metric_name": "system.disk.used", "threshold": 90, "tags": []object{}}}},
}

func (d *demo) alerts(ctx context.Context) error {
	var ids []int64
	for _, s := range []object{
		{"type": "webhook", "title": "On call", "settings": object{"url": d.Receiver}},
		{"type": "slack", "title": "Ops chat", "settings": object{"url": d.Receiver}},
	} {
		made, err := d.Client.Services().Create(ctx, s)
		if err != nil {
			return fmt.Errorf("service: %w", err)
		}
		ids = append(ids, made.ID)
	}
	for _, a := range alertList {
		if _, err := d.Client.Alerts().Create(ctx, with(object{"services": ids}, a)); err != nil {
			return fmt.Errorf("alert %s: %w", a["name"], err)
		}
	}
	return nil
}
