package notify

import (
	"net/url"
	"strconv"
	"strings"

	"github.com/tidemark-metrics/tidemark"
)

const victorOps = "https://alert.victorops.com/integrations/generic/20131114/alert/"

// newVictorOps is the notifier of VictorOps, now Splunk On-Call.
func newVictorOps(s settings, _ Options) (renderer, error) {
	to := victorOps + url.PathEscape(s["api_key"]) + "/" + url.PathEscape(s.or("routing_key", "nil"))
	return func(n Notification) (message, error) {
		body := make(map[string]any)
		for key, v := range s {
			// The user's own settings travel along, as ever; ours do not.
			if key != "api_key" && key != tidemark.FallbackSetting {
				body[key] = v
			}
		}
		body["monitoring_tool"] = "tidemark"
		body["state_message"] = n.text()
		body["entity_id"] = victorOpsEntity(n)
		body["message_type"] = strings.ToUpper(severityOr(n, "critical"))
		if n.Alert.Severity != "" {
			body["severity"] = n.Alert.Severity
		}
		if to := n.acknowledgeURL(); to != "" {
			body["acknowledge_url"] = to
		}
		if n.cleared() {
			body["message_type"] = "RECOVERY"
			body["clear"] = n.Clear
		}
		return jsonRequest(to, body)
	}, nil
}

func victorOpsEntity(n Notification) string {
	switch {
	case n.Alert.Name != "":
		return n.Alert.Name
	case n.Alert.ID != 0:
		return strconv.FormatInt(n.Alert.ID, 10)
	}
	return n.IncidentKey
}
