package notify

import (
	"bytes"
	"encoding/json"
	"time"
)

// The parts of the messages that the original sent, key by key: receivers of
// its notifications read exactly these.
type (
	wireAlert struct {
		ID          int64  `json:"id"`
		Name        string `json:"name"`
		RunbookURL  string `json:"runbook_url"`
		Version     int    `json:"version"`
		Description string `json:"description,omitempty"`

		// What the original did not have.
		Severity    string            `json:"severity,omitempty"`
		Labels      map[string]string `json:"labels,omitempty"`
		Acknowledge string            `json:"acknowledge_url,omitempty"`
	}
	wireCondition struct {
		ID              int64    `json:"id"`
		Type            string   `json:"type"`
		Threshold       *float64 `json:"threshold"`
		Duration        int64    `json:"duration,omitempty"`
		SummaryFunction string   `json:"summary_function,omitempty"`
	}
	wireViolation struct {
		Metric     string `json:"metric"`
		Value      number `json:"value"`
		RecordedAt int64  `json:"recorded_at"`
		Condition  int64  `json:"condition_violated"`
		Count      int    `json:"count,omitempty"`
		Begin      int64  `json:"begin,omitempty"`
		End        int64  `json:"end,omitempty"`
	}
)

func (n Notification) wireAlert() wireAlert {
	return wireAlert{
		n.Alert.ID, n.Alert.Name, n.Alert.RunbookURL, 2, n.Alert.Description, n.Alert.Severity, n.Alert.Labels, n.acknowledgeURL(),
	}
}

func (n Notification) wireConditions() []wireCondition {
	out := []wireCondition{}
	for _, c := range n.Conditions {
		out = append(out, wireCondition{c.ID, c.Type, c.Threshold, c.Duration, c.SummaryFunction})
	}
	return out
}

func (n Notification) wireViolations() map[string][]wireViolation {
	out := make(map[string][]wireViolation)
	for stream, list := range n.Violations {
		for _, v := range list {
			out[stream] = append(out[stream], wireViolation{v.Metric, number(v.Value), v.RecordedAt, v.Condition, v.Count, v.Begin, v.End})
		}
	}
	return out
}

// account is the account as the wire has it: null where there is none.
func (n Notification) account() *string {
	if n.Account == "" {
		return nil
	}
	return &n.Account
}

// marshal is json.Marshal without the escapes that only matter inside HTML.
func marshal(v any) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), nil
}

func rfc3339(unix int64) string { return time.Unix(unix, 0).UTC().Format(time.RFC3339) }
