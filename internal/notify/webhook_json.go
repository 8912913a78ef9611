package notify

import (
	"encoding/json"
	"errors"
)

// templateStreams is how many streams a template is given, so that one that
// works for few works for many.
const templateStreams = 100

// newWebhookJSON is the notifier of webhooks that take JSON: a document of ours,
// or the one that the service's template makes.
func newWebhookJSON(s settings, _ Options) (renderer, error) {
	t, err := templateOf(s)
	if err != nil {
		return nil, err
	}
	return func(n Notification) (message, error) {
		body, err := marshal(jsonDocument(n))
		if err != nil {
			return nil, err
		}
		if t != nil {
			text, err := t.render(n.cut(templateStreams, maxRendered/2))
			if err != nil {
				return nil, err
			}
			if body = []byte(text); !json.Valid(body) {
				return nil, newTemplateFailure(errors.New("does not make valid JSON"))
			}
		}
		return webhookRequest(s, n, body), nil
	}, nil
}

// webhookRequest is the request with a document about n.
func webhookRequest(s settings, n Notification, body []byte) *request {
	to, user := splitUser(s["url"])
	r := &request{method: s["method"], url: to, contentType: "application/json", body: body, user: user}
	r.header = map[string]string{"Tidemark-Dedup-Key": n.dedup()}
	if s["authorization"] != "" {
		r.header["Authorization"] = s["authorization"]
	}
	return r
}

type jsonStream struct {
	Stream     string          `json:"stream"`
	Violations []wireViolation `json:"violations"`
}

// jsonDocument is the whole notification.
func jsonDocument(n Notification) any {
	streams := []jsonStream{}
	all := n.wireViolations()
	for _, name := range n.streams() {
		streams = append(streams, jsonStream{name, all[name]})
	}
	return struct {
		State       string          `json:"state"`
		IncidentKey string          `json:"incident_key"`
		DedupKey    string          `json:"dedup_key"`
		Org         int64           `json:"org_id"`
		Account     *string         `json:"account"`
		Alert       wireAlert       `json:"alert"`
		Sentence    string          `json:"sentence"`
		Title       string          `json:"title"`
		TriggerTime int64           `json:"trigger_time"`
		TriggeredAt int64           `json:"triggered_at,omitempty"`
		Clear       string          `json:"clear,omitempty"`
		Test        bool            `json:"test"`
		Repeat      bool            `json:"repeat"`
		Conditions  []wireCondition `json:"conditions"`
		Streams     []jsonStream    `json:"streams"`
		Omitted     int             `json:"streams_omitted,omitempty"`
		Joined      int             `json:"streams_joined,omitempty"`
		Step        int             `json:"escalation_step,omitempty"`
		Link        string          `json:"link"`
		ImageURL    string          `json:"image_url,omitempty"`
	}{
		n.state(), n.IncidentKey, n.dedup(), int64(n.Org), n.account(), n.wireAlert(), n.Sentence, n.title(), n.Time, n.TriggeredAt,
		n.Clear, n.Test, n.Repeat, n.wireConditions(), streams, n.Omitted, n.Joined, n.Step, n.Link, n.pictureURL(),
	}
}
