package notify

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestAlertmanagerKeepsTags: a label of the alert that has the name of a tag
// leaves the tag as exported_NAME, so that streams stay apart.
func TestAlertmanagerKeepsTags(t *testing.T) {
	t.Parallel()
	n := Notification{Violations: map[string][]Violation{}}
	n.Alert.Name, n.Alert.ID, n.Alert.Severity = "busy", 7, "critical"
	n.Alert.Labels = map[string]string{"team": "shop", "exported_team": "x", "host": "web-01"}
	for _, stream := range []string{"team=a,host=web-01,metric=m1,alertname=n", "team=b,host=web-01,metric=m1,alertname=n"} {
		n.Violations[stream] = []Violation{{Metric: "cpu"}}
	}
	alerts := amAlerts(n)
	want := map[string]string{
		"alertname": "busy", "alert_id": "7", "severity": "critical", "metric": "cpu", "host": "web-01", "team": "shop", "exported_team": "a",
		"exported_metric": "m1", "exported_alertname": "n", "exported_exported_team": "x",
	}
	if d := cmp.Diff(want, alerts[0].Labels); d != "" {
		t.Error(d)
	}
	if len(alerts) != 2 || alerts[0].Fingerprint == alerts[1].Fingerprint {
		t.Errorf("%d alerts, fingerprints %v", len(alerts), alerts)
	}
}
