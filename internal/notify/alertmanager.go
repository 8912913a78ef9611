package notify

import (
	"fmt"
	"hash/fnv"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// newAlertmanager is the notifier of webhooks that take what Alertmanager of
// Prometheus sends (version 4): a group is an incident, an alert in it is a
// stream.
func newAlertmanager(s settings, o Options) (renderer, error) {
	to, user := splitUser(s["url"])
	return func(n Notification) (message, error) {
		r, err := jsonRequest(to, amGroup(n, o.BaseURL))
		if err != nil {
			return nil, err
		}
		r.user = user
		if s["bearer_token"] != "" {
			r.header = map[string]string{"Authorization": "Bearer " + s["bearer_token"]}
		}
		return r, nil
	}, nil
}

// maxAnnotation keeps what every alert of a group repeats short.
const maxAnnotation = 1000

type amAlert struct {
	Status       string            `json:"status"`
	Labels       map[string]string `json:"labels"`
	Annotations  map[string]string `json:"annotations"`
	StartsAt     string            `json:"startsAt"`
	EndsAt       string            `json:"endsAt"`
	GeneratorURL string            `json:"generatorURL"`
	Fingerprint  string            `json:"fingerprint"`
}

func amGroup(n Notification, externalURL string) any {
	alerts := amAlerts(n)
	return struct {
		Version           string            `json:"version"`
		GroupKey          string            `json:"groupKey"`
		TruncatedAlerts   int               `json:"truncatedAlerts"`
		Status            string            `json:"status"`
		Receiver          string            `json:"receiver"`
		GroupLabels       map[string]string `json:"groupLabels"`
		CommonLabels      map[string]string `json:"commonLabels"`
		CommonAnnotations map[string]string `json:"commonAnnotations"`
		ExternalURL       string            `json:"externalURL"`
		Alerts            []amAlert         `json:"alerts"`
	}{
		"4", n.IncidentKey, n.Omitted, amStatus(n), "tidemark", map[string]string{"alertname": n.Alert.Name},
		common(alerts, func(a amAlert) map[string]string { return a.Labels }),
		common(alerts, func(a amAlert) map[string]string { return a.Annotations }), externalURL, alerts,
	}
}

func amStatus(n Notification) string {
	if n.cleared() {
		return "resolved"
	}
	return "firing"
}

// amAlerts are the streams, or the alert itself where no stream is known.
func amAlerts(n Notification) []amAlert {
	alerts := []amAlert{}
	for _, stream := range n.streams() {
		list := n.Violations[stream]
		labels := amLabels(n, stream)
		annotations := amAnnotations(n)
		if len(list) > 0 {
			setLabel(labels, "metric", list[0].Metric)
			annotations["value"] = plainNumber(list[0].Value)
			if !n.cleared() {
				annotations["summary"] = n.line(list[0])
			}
		}
		alerts = append(alerts, amOne(n, labels, annotations))
	}
	if len(alerts) == 0 {
		alerts = append(alerts, amOne(n, amLabels(n, ""), amAnnotations(n)))
	}
	return alerts
}

func amOne(n Notification, labels, annotations map[string]string) amAlert {
	start := n.TriggeredAt
	if start == 0 {
		start = n.Time
	}
	a := amAlert{
		Status: amStatus(n), Labels: labels, Annotations: annotations, StartsAt: rfc3339(start), EndsAt: "0001-01-01T00:00:00Z",
		GeneratorURL: n.Link, Fingerprint: fingerprint(labels),
	}
	if n.cleared() {
		a.EndsAt = rfc3339(n.Time)
	}
	return a
}

// amLabels are the tags of a stream as labels, whose names have fewer
// characters, beside those that every alert has.
func amLabels(n Notification, stream string) map[string]string {
	labels := map[string]string{}
	for pair := range strings.SplitSeq(stream, ",") {
		if name, value, ok := strings.Cut(pair, "="); ok {
			labels[labelName(name)] = value
		}
	}
	for _, name := range slices.Sorted(maps.Keys(n.Alert.Labels)) {
		setLabel(labels, labelName(name), n.Alert.Labels[name])
	}
	if n.Alert.Severity != "" {
		setLabel(labels, "severity", n.Alert.Severity)
	}
	setLabel(labels, "alertname", n.Alert.Name)
	setLabel(labels, "alert_id", strconv.FormatInt(n.Alert.ID, 10))
	if n.Test {
		setLabel(labels, "test", "true")
	}
	return labels
}

// setLabel adds a label of the alert. A tag of the stream that has its name
// stays as exported_NAME, as Prometheus does it: without it two streams would
// be one.
func setLabel(labels map[string]string, name, value string) {
	if old, there := labels[name]; there && old != value {
		setLabel(labels, "exported_"+name, old)
	}
	labels[name] = value
}

func amAnnotations(n Notification) map[string]string {
	a := map[string]string{"incident_key": n.IncidentKey, "summary": n.title()}
	for key, v := range map[string]string{
		"description": shorten(n.Alert.Description, maxAnnotation), "runbook_url": n.Alert.RunbookURL, "sentence": n.Sentence, "image_url": n.pictureURL(), "clear": n.Clear, "acknowledge_url": n.acknowledgeURL(),
	} {
		if v != "" {
			a[key] = v
		}
	}
	return a
}

func labelName(tag string) string {
	name := strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' {
			return r
		}
		return '_'
	}, tag)
	if name == "" || name[0] >= '0' && name[0] <= '9' {
		return "_" + name
	}
	return name
}

func fingerprint(labels map[string]string) string {
	h := fnv.New64a()
	for _, key := range slices.Sorted(maps.Keys(labels)) {
		fmt.Fprintf(h, "%s\xff%s\xff", key, labels[key])
	}
	return fmt.Sprintf("%016x", h.Sum64())
}

// common are the pairs that all alerts have.
func common(alerts []amAlert, of func(amAlert) map[string]string) map[string]string {
	shared := maps.Clone(of(alerts[0]))
	for _, a := range alerts[1:] {
		maps.DeleteFunc(shared, func(key, v string) bool { return of(a)[key] != v })
	}
	return shared
}
