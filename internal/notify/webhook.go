package notify

import "net/url"

// newWebhook is the notifier of the original's webhooks: a form with one field,
// payload, that holds JSON. User and password in the URL become Basic
// authentication.
func newWebhook(s settings, _ Options) (renderer, error) {
	to, user := splitUser(s["url"])
	return func(n Notification) (message, error) {
		payload, err := marshal(webhookPayload(n))
		if err != nil {
			return nil, err
		}
		r := formRequest(to, url.Values{"payload": {string(payload)}})
		r.user = user
		r.header = map[string]string{"Tidemark-Dedup-Key": n.dedup()}
		return r, nil
	}, nil
}

// webhookPayload has exactly the original's keys: seven, or five of an alert
// that cleared, whatever the reason.
func webhookPayload(n Notification) any {
	if n.cleared() {
		return struct {
			Alert       wireAlert `json:"alert"`
			Account     *string   `json:"account"`
			TriggerTime int64     `json:"trigger_time"`
			Clear       string    `json:"clear"`
			IncidentKey string    `json:"incident_key"`
		}{n.wireAlert(), n.account(), n.Time, "normal", n.IncidentKey}
	}
	return struct {
		Alert       wireAlert                  `json:"alert"`
		Account     *string                    `json:"account"`
		TriggerTime int64                      `json:"trigger_time"`
		IncidentKey string                     `json:"incident_key"`
		Conditions  []wireCondition            `json:"conditions"`
		Violations  map[string][]wireViolation `json:"violations"`
		Test        bool                       `json:"triggered_by_user_test"`
	}{n.wireAlert(), n.account(), n.Time, n.IncidentKey, n.wireConditions(), n.wireViolations(), n.Test}
}
