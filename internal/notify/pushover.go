package notify

import (
	"strconv"
)

const (
	pushover         = "https://api.pushover.net/1/messages.json"
	maxPushoverTitle = 250
	maxPushoverText  = 1024

	// An emergency is repeated every so many seconds, for so long, until
	// somebody says that they saw it.
	pushoverRetry  = "60"
	pushoverExpire = "3600"
)

// newPushover is the notifier of Pushover. A picture is uploaded.
func newPushover(s settings, _ Options) (renderer, error) {
	t, err := templateOf(s)
	if err != nil {
		return nil, err
	}
	return func(n Notification) (message, error) {
		text, err := t.textOr(n, n.brief())
		if err != nil {
			return nil, err
		}
		if text == "" {
			text = n.title() // an empty message is refused
		}
		parts := []part{
			{name: "token", value: s["token"]}, {name: "user", value: s["user"]},
			{name: "title", value: shorten(n.title(), maxPushoverTitle)}, {name: "message", value: shorten(text, maxPushoverText)},
			{name: "timestamp", value: strconv.FormatInt(n.Time, 10)},
		}
		parts = append(parts, pushoverPriority(s, n)...)
		if s["device"] != "" {
			parts = append(parts, part{name: "device", value: s["device"]})
		}
		if n.Link != "" {
			parts = append(parts, part{name: "url", value: n.Link}, part{name: "url_title", value: "Open the alert"})
		}
		if png := n.upload(); png != nil {
			parts = append(parts, part{name: "attachment", file: png})
		}
		return multipartRequest(pushover, parts)
	}, nil
}

// pushoverPriority is the user's choice for alerts that fire; good news and
// tests are never urgent.
func pushoverPriority(s settings, n Notification) []part {
	priority := s.or("priority", "1")
	if n.cleared() || n.Test {
		priority = "0"
	}
	parts := []part{{name: "priority", value: priority}}
	if priority == "2" {
		parts = append(parts, part{name: "retry", value: pushoverRetry}, part{name: "expire", value: pushoverExpire})
	}
	return parts
}
