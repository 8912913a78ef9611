package demo

import (
	"context"
	"fmt"
	"net/http"

	"github.com/tidemark-metrics/tidemark"
)

// serviceList is whom the shop tells: a chat, the one on call, and a gate for
// deploys that happens to be down.
var serviceList = []struct{ kind, title, path string }{
	{"slack", "#ops", ""},
	{"webhook", "On-call", ""},
	{"webhook", "Deploy gate", refusing},
}

// alertList is what the shop wants to be notified of. The last one, which is off
// and has no st, tells when the demo was made.
var alertList = []object{
	{"name": "checkout.latency.high", "severity": "critical", "labels": object{"team": "checkout", "tier": "1"},
		"description": "Customers wait at the pay step. Check the newest deploy first, then db-01's replication lag.", "rearm_seconds": 3600,
		"attributes": object{"runbook_url": "https://wiki.example.org/checkout-latency"}, "services": []int{0, 1, 2},
		"conditions": []object{{"type": "above", "metric_name": "checkout.latency.p99", "threshold": 250, "duration": 300, "summary_function": "max", "tags": []object{{"name": "region", "values": []string{"*"}, "grouped": true}}}}},
	{"name": "worker.heartbeat.absent", "severity": "critical", "labels": object{"team": "platform"},
		"description": "A worker hangs. Restart it; its jobs are taken up again.", "rearm_seconds": 21600, "services": []int{1},
		"conditions": []object{{"type": "absent", "metric_name": "worker.heartbeat", "duration": 600, "tags": []object{}}}},
	{"name": "queue.invoice.backlog", "severity": "warning", "labels": object{"team": "checkout"},
		"description": "Invoices are late. They catch up by themselves within the hour.", "services": []int{1},
		"conditions": []object{{"type": "above", "metric_name": "queue.depth", "threshold": 5000, "tags": []object{{"name": "queue", "values": []string{"invoice"}}}}}},
	{"name": "search.errors.ratio", "severity": "warning", "labels": object{"team": "search"},
		"description": "More searches fail than people put up with.", "services": []int{0},
		"conditions": []object{{"type": "above", "metric_name": "search.errors.ratio", "threshold": 2, "duration": 300, "tags": []object{}}}},
	{"name": "checkout.errors.many", "severity": "critical", "labels": object{"team": "checkout", "tier": "1"},
		"description": "The shop shows customers an error page.", "services": []int{0, 1},
		"conditions": []object{{"type": "above", "metric_name": "checkout.errors", "threshold": 20, "tags": []object{{"name": "status", "values": []string{"502"}}}}}},
	{"name": "hosts.cpu.saturated", "severity": "warning", "labels": object{"team": "platform"},
		"description": "A host has no headroom left.", "rearm_seconds": 3600, "services": []int{0},
		"conditions": []object{{"type": "above", "metric_name": "system.cpu.utilization", "threshold": 95, "duration": 900, "tags": []object{{"name": "host", "values": []string{"*"}, "grouped": true}}}}},
	{"name": "hosts.disk.full", "severity": "warning", "labels": object{"team": "platform"},
		"description": "Delete old releases, then old logs.", "services": []int{0},
		"conditions": []object{{"type": "above", "metric_name": "system.disk.used", "threshold": 90, "tags": []object{{"name": "host", "values": []string{"*"}, "grouped": true}}}}},
	{"name": "cache.hit.low", "severity": "info", "labels": object{"team": "platform"},
		"description": "The database answers what the cache should.", "services": []int{0},
		"conditions": []object{{"type": "below", "metric_name": "cache.hit.ratio", "threshold": 80, "duration": 1800, "tags": []object{}}}},
	{"name": "orders.silent", "severity": "critical", "labels": object{"team": "checkout", "tier": "1"},
		"description": "No order has come in for ten minutes.", "services": []int{1},
		"conditions": []object{{"type": "absent", "metric_name": "checkout.orders", "duration": 600, "tags": []object{}}}},
	{"name": "payments.success.low", "severity": "critical", "labels": object{"team": "checkout", "tier": "1"},
		"description": "Ask the payment provider.", "services": []int{0, 1},
		"conditions": []object{{"type": "below", "metric_name": "checkout.success.ratio", "threshold": 98, "duration": 600, "tags": []object{}}}},
	{"name": "db.replication.lag", "severity": "critical", "labels": object{"team": "platform"},
		"description": "Known while the new replica is filled.", "services": []int{0}, "snoozed": true,
		"conditions": []object{{"type": "above", "metric_name": "db.replication.lag", "threshold": 30, "duration": 300, "summary_function": "max", "tags": []object{}}}},
	{"name": "search.slow", "severity": "info", "labels": object{"team": "search"},
		"active": false, "description": "Off until the new index is in place.", "services": []int{0},
		"conditions": []object{{"type": "above", "metric_name": "search.latency", "threshold": 60, "duration": 120, "tags": []object{}}}},
}

// address is where one of the services is notified.
func address(path string) string { return "http://" + Host + "/" + path }

// findReceiver tells the services where the receiver is now: it was elsewhere
// in earlier versions.
func (d *demo) findReceiver(ctx context.Context) error {
	found, err := d.Client.Services().List(ctx)
	if err != nil {
		return err
	}
	for _, s := range found {
		for _, known := range serviceList {
			if s.Title != known.title || s.Type != known.kind || s.Settings["url"] == address(known.path) {
				continue
			}
			if err := d.Client.Services().Update(ctx, s.ID, object{"settings": object{"url": address(known.path)}}); err != nil {
				return fmt.Errorf("service %s: %w", s.Title, err)
			}
		}
	}
	return nil
}

// alerts makes the services and the alerts, with what happened to them
// between two times.
func (d *demo) alerts(ctx context.Context, start, now int64) error {
	var ids []int64
	for _, s := range serviceList {
		made, err := d.Client.Services().Create(ctx, object{"type": s.kind, "title": s.title, "settings": object{"url": address(s.path)}})
		if err != nil {
			return fmt.Errorf("service %s: %w", s.title, err)
		}
		ids = append(ids, made.ID)
	}
	for _, a := range alertList {
		if err := d.alert(ctx, a, ids, start, now); err != nil {
			return fmt.Errorf("alert %s: %w", a["name"], err)
		}
	}
	return nil
}

func (d *demo) alert(ctx context.Context, a object, services []int64, start, now int64) error {
	var notified []int64
	for _, i := range a["services"].([]int) {
		notified = append(notified, services[i])
	}
	// Nobody should evaluate it before it has its past. An update is of the
	// whole alert: what it leaves out is gone.
	whole := func(active bool) object {
		return with(with(object{}, a), object{"services": notified, "active": active})
	}
	active := a["active"] != false
	made, err := d.Client.Alerts().Create(ctx, whole(active && !d.Evaluated))
	if err != nil {
		return err
	}
	if err := d.happen(ctx, a, made.ID, start, now); err != nil || !active || !d.Evaluated {
		return err
	}
	return d.Client.Alerts().Update(ctx, made.ID, whole(true))
}

// happen makes happen to an alert what did between two times.
func (d *demo) happen(ctx context.Context, a object, id int64, start, now int64) error {
	if a["snoozed"] == true {
		path := fmt.Sprintf("/v1/alerts/%d/snooze", id)
		if err := d.Client.Do(ctx, http.MethodPost, path, object{"seconds": 6 * 3600}, nil); err != nil {
			return err
		}
	}
	if d.Store == nil || a["active"] == false {
		return nil
	}
	if err := d.Store.AgeAlert(ctx, d.Org, id, start); err != nil {
		return err
	}
	would, err := d.preview(ctx, a, start, now)
	if err != nil {
		return err
	}
	peaks := make([]map[string]float64, len(would.Incidents))
	for i, in := range would.Incidents {
		end := now
		if in.ClearedAt != nil {
			end = *in.ClearedAt
		}
		if peaks[i], err = d.peaks(ctx, a, in.TriggeredAt, max(end, in.TriggeredAt+1)); err != nil {
			return err
		}
	}
	return d.remember(ctx, id, would, peaks)
}

// peaks returns the worst value of each stream that violated the first
// condition of an alert between two times.
func (d *demo) peaks(ctx context.Context, a object, start, end int64) (map[string]float64, error) {
	then, err := d.preview(ctx, a, start, end)
	if err != nil {
		return nil, err
	}
	found := make(map[string]float64)
	for _, s := range then.Conditions[0].Streams {
		if s.Peak != nil {
			found[s.Stream] = *s.Peak
		}
	}
	return found, nil
}

// preview asks what an alert would have done.
func (d *demo) preview(ctx context.Context, a object, start, now int64) (*tidemark.Backtest, error) {
	would := new(tidemark.Backtest)
	body := object{"alert": a, "start_time": start, "end_time": now}
	return would, d.Client.Do(ctx, http.MethodPost, "/v1/alerts/preview", body, would)
}
