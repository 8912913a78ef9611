package notify

import (
	"strconv"
	"strings"
)

const (
	ntfyServer  = "https://ntfy.sh"
	maxNtfyText = 3500 // bytes; ntfy turns messages over 4096 into files
)

// newNtfy is the notifier of ntfy, the public server or one's own.
func newNtfy(s settings, _ Options) (renderer, error) {
	t, err := templateOf(s)
	if err != nil {
		return nil, err
	}
	to, user := splitUser(strings.TrimRight(s.or("server", ntfyServer), "/") + "/")
	return func(n Notification) (message, error) {
		text, err := t.textOr(n, n.brief())
		if err != nil {
			return nil, err
		}
		r, err := jsonRequest(to, ntfyMessage(s, n, text))
		if err != nil {
			return nil, err
		}
		r.user = user
		if s["token"] != "" {
			r.header = map[string]string{"Authorization": "Bearer " + s["token"]}
		}
		return r, nil
	}, nil
}

func ntfyMessage(s settings, n Notification, text string) map[string]any {
	tag := "rotating_light"
	priority, err := strconv.Atoi(s.or("priority", "4"))
	switch {
	case n.cleared():
		tag, priority = "white_check_mark", 3
	case n.Test:
		tag, priority = "test_tube", 3
	case err != nil:
		priority = 4
	}
	body := map[string]any{
		"topic": s["topic"], "title": n.title(), "message": shortenBytes(text, maxNtfyText), "priority": priority, "tags": []string{tag},
	}
	if n.Link != "" {
		body["click"] = n.Link
	}
	if to := n.pictureURL(); to != "" {
		body["attach"] = to
		body["filename"] = pictureName
	}
	actions := []map[string]string{}
	if to := n.acknowledgeURL(); to != "" {
		actions = append(actions, map[string]string{"action": "view", "label": "Acknowledge", "url": to})
	}
	if n.Alert.RunbookURL != "" && !n.cleared() {
		actions = append(actions, map[string]string{"action": "view", "label": "Runbook", "url": n.Alert.RunbookURL})
	}
	if len(actions) > 0 {
		body["actions"] = actions
	}
	return body
}
