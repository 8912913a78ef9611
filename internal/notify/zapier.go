package notify

import "github.com/tidemark-metrics/tidemark"

// newZapier is the notifier of Zapier's catch hooks. They are not notified when
// an alert clears: a Zap has no notion of an end, and would run once more.
func newZapier(s settings, _ Options) (renderer, error) {
	return func(n Notification) (message, error) {
		if n.cleared() {
			return nothing{"not sent: Zapier is not notified when an alert clears"}, nil
		}
		return jsonRequest(s["url"], struct {
			ID          int64  `json:"id"`
			Name        string `json:"name"`
			Description string `json:"description"`
			RunbookURL  string `json:"runbook_url"`
			Violations  string `json:"violations"`
			Test        bool   `json:"triggered_by_user_test"`
			Severity    string `json:"severity,omitempty"`
			Labels      string `json:"labels,omitempty"`
			Acknowledge string `json:"acknowledge_url,omitempty"`
		}{
			n.Alert.ID, n.Alert.Name, n.Alert.Description, n.Alert.RunbookURL, n.bullets(), n.Test,
			n.Alert.Severity, tidemark.MakeTags(n.Alert.Labels).String(), n.acknowledgeURL(),
		})
	}, nil
}
