package notify

import (
	"fmt"
	"strings"

	"github.com/tidemark-metrics/tidemark"
)

const bigPanda = "https://api.bigpanda.io/data/v2/alerts"

// newBigPanda is the notifier of BigPanda.
func newBigPanda(s settings, _ Options) (renderer, error) {
	return func(n Notification) (message, error) {
		r, err := jsonRequest(bigPanda, bigPandaAlert(s, n))
		if err != nil {
			return nil, err
		}
		r.header = map[string]string{"Authorization": "Bearer " + s["token"]}
		return r, nil
	}, nil
}

func bigPandaAlert(s settings, n Notification) any {
	check := n.Alert.Name
	if n.Test {
		check = "[Test] " + check
	}
	status := severityOr(n, "critical")
	if status == "info" {
		status = "warning" // it knows no less
	}
	if n.cleared() {
		status = "ok"
	}
	body := map[string]any{
		"app_key": s["app_key"], "primary_property": "check", "check": check, "timestamp": n.Time, "link": n.Link, "status": status,
	}
	if len(n.Alert.Labels) > 0 {
		body["labels"] = tidemark.MakeTags(n.Alert.Labels).String()
	}
	for key, v := range map[string]string{
		"description": n.Alert.Description, "runbook_url": n.Alert.RunbookURL, "severity": n.Alert.Severity, "acknowledge_url": n.acknowledgeURL(),
	} {
		if v != "" {
			body[key] = v
		}
	}
	if n.Test {
		body["note"] = testNotice
	}
	if !n.cleared() {
		body["violations"] = bigPandaViolations(n)
		body["sources"] = strings.Join(n.streams(), ", ")
	}
	return body
}

func bigPandaViolations(n Notification) string {
	var all []string
	for _, stream := range n.streams() {
		for _, v := range n.Violations[stream] {
			all = append(all, fmt.Sprintf("Violation %d: %s", len(all)+1, n.bullet(v, stream)))
		}
	}
	if n.Omitted > 0 {
		all = append(all, n.more())
	}
	return strings.Join(all, ". ")
}
