package notify

import "net/url"

// opsgenieHost and its path are where Opsgenie takes the original's
// notifications. The path is part of its API and keeps the original's name.
const (
	opsgenieHost = "api.opsgenie.com"
	opsgeniePath = "/v1/json/integrations/webhooks/appoptics"
)

// newOpsgenie is the notifier of Opsgenie.
func newOpsgenie(s settings, _ Options) (renderer, error) {
	to := "https://" + s.or("hostname", opsgenieHost) + opsgeniePath
	return func(n Notification) (message, error) {
		payload, err := marshal(opsgeniePayload(n))
		if err != nil {
			return nil, err
		}
		tags := s["tags"]
		if n.Test && !n.cleared() {
			if tags != "" {
				tags += ","
			}
			tags += "triggered_by_user_test"
		}
		fields := url.Values{"apiKey": {s["customer_key"]}, "payload": {string(payload)}, "tags": {tags}}
		for _, name := range []string{"recipients", "teams"} {
			if s[name] != "" {
				fields.Set(name, s[name])
			}
		}
		return formRequest(to, fields), nil
	}, nil
}

func opsgeniePayload(n Notification) any {
	if n.cleared() {
		return struct {
			Alert       wireAlert `json:"alert"`
			Account     *string   `json:"account"`
			TriggerTime int64     `json:"trigger_time"`
			Clear       string    `json:"clear"`
		}{n.wireAlert(), n.account(), n.Time, "normal"}
	}
	return struct {
		Alert       wireAlert                  `json:"alert"`
		Account     *string                    `json:"account"`
		TriggerTime int64                      `json:"trigger_time"`
		Conditions  []wireCondition            `json:"conditions"`
		Violations  map[string][]wireViolation `json:"violations"`
	}{n.wireAlert(), n.account(), n.Time, n.wireConditions(), n.wireViolations()}
}
