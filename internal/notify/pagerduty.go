package notify

import (
	"net/http"
	"regexp"
	"strings"
)

const (
	pagerDutyV1 = "https://events.pagerduty.com/generic/2010-04-15/create_event.json"
	pagerDutyV2 = "https://events.pagerduty.com/v2/enqueue"

	maxPagerDutySummary = 1024
)

// routingKey is what keys of the second events API look like.
var routingKey = regexp.MustCompile(`^[0-9A-Za-z]{32}$`)

// newPagerDuty is the notifier of PagerDuty, by one of its two events APIs: the
// one that the setting events_api names; without it the second for keys of 32
// letters and digits, and the first for all others. Some keys of 32 digits are
// of the first all the same: when the second says that it does not know the
// key, the event goes to the first.
func newPagerDuty(s settings, _ Options) (renderer, error) {
	v2 := s["events_api"] == "v2" || s["events_api"] == "" && routingKey.MatchString(s["service_key"])
	return func(n Notification) (message, error) {
		first, err := jsonRequest(pagerDutyV1, pagerDutyEvent1(s, n))
		if err != nil || !v2 {
			return first, err
		}
		second, err := jsonRequest(pagerDutyV2, pagerDutyEvent2(s, n))
		if err != nil {
			return nil, err
		}
		if s["events_api"] == "" {
			second.then = func(a answer) *request {
				if a.code == http.StatusBadRequest && strings.Contains(strings.ToLower(string(a.body)), "invalid routing key") {
					return first
				}
				return nil
			}
		}
		return second, nil
	}, nil
}

// pagerDutyKey is the key of the incident, below the user's prefix if there
// is one.
func pagerDutyKey(s settings, n Notification) string {
	if prefix := s["incident_key"]; prefix != "" {
		return prefix + "-" + n.IncidentKey
	}
	return n.IncidentKey
}

func pagerDutySummary(s settings, n Notification) string {
	summary := n.Alert.Name
	if summary == "" {
		summary = s["description"]
	}
	if n.Test {
		summary = "[Test] " + summary
	}
	return summary
}

// pagerDutyDetails are what the incident's page shows.
func pagerDutyDetails(n Notification) map[string]any {
	details := map[string]any{"alert": n.wireAlert(), "trigger_time": n.Time, "alert_url": n.Link}
	if !n.cleared() {
		details["conditions"] = n.wireConditions()
		details["violations"] = n.wireViolations()
	}
	for key, v := range map[string]string{"account": n.Account, "runbook_url": n.Alert.RunbookURL, "description": n.Alert.Description} {
		if v != "" {
			details[key] = v
		}
	}
	if n.Test {
		details["note"] = testNotice
	}
	return details
}

// severityOr is the alert's severity, or other where it has none.
func severityOr(n Notification, other string) string {
	if n.Alert.Severity == "" {
		return other
	}
	return n.Alert.Severity
}

func pagerDutyEvent1(s settings, n Notification) any {
	event := "trigger"
	if n.cleared() {
		event = "resolve"
	}
	return map[string]any{
		"service_key": s["service_key"], "event_type": event, "description": pagerDutySummary(s, n),
		"incident_key": pagerDutyKey(s, n), "details": pagerDutyDetails(n),
	}
}

func pagerDutyEvent2(s settings, n Notification) any {
	event := map[string]any{"routing_key": s["service_key"], "event_action": "trigger", "dedup_key": shorten(pagerDutyKey(s, n), 255)}
	if n.cleared() {
		event["event_action"] = "resolve"
		return event
	}
	source := "tidemark"
	if streams := n.streams(); len(streams) > 0 {
		source = strings.Join(streams, "; ")
	}
	event["client"] = "Tidemark"
	event["client_url"] = n.Link
	event["payload"] = map[string]any{
		"summary": shorten(pagerDutySummary(s, n), maxPagerDutySummary), "source": shorten(source, maxPagerDutySummary), "severity": severityOr(n, "critical"),
		"timestamp": rfc3339(n.Time), "class": n.Alert.Name, "custom_details": pagerDutyDetails(n),
	}
	links := []map[string]string{}
	if n.Link != "" {
		links = append(links, map[string]string{"href": n.Link, "text": "Alert"})
	}
	if n.Alert.RunbookURL != "" {
		links = append(links, map[string]string{"href": n.Alert.RunbookURL, "text": "Runbook"})
	}
	if to := n.acknowledgeURL(); to != "" {
		links = append(links, map[string]string{"href": to, "text": "Acknowledge in Tidemark"})
	}
	event["links"] = links
	if n.Image != nil && n.Image.URL != "" {
		event["images"] = []map[string]string{{"src": n.Image.URL, "href": n.Link, "alt": n.Image.Alt}}
	}
	return event
}
