package notify

import (
	"strconv"
	"strings"
)

const maxGotifyText = 16 << 10 // bytes

// newGotify is the notifier of Gotify, a push server of one's own.
func newGotify(s settings, _ Options) (renderer, error) {
	t, err := templateOf(s)
	if err != nil {
		return nil, err
	}
	to, user := splitUser(strings.TrimRight(s["server"], "/") + "/message")
	return func(n Notification) (message, error) {
		text, err := t.textOr(n, n.brief())
		if err != nil {
			return nil, err
		}
		r, err := jsonRequest(to, gotifyMessage(s, n, text))
		if err != nil {
			return nil, err
		}
		r.user, r.header = user, map[string]string{"X-Gotify-Key": s["token"]}
		return r, nil
	}, nil
}

// gotifyMessage has the low priority 2 where nothing needs to be done.
func gotifyMessage(s settings, n Notification, text string) map[string]any {
	priority, err := strconv.Atoi(s.or("priority", "8"))
	if err != nil || n.cleared() || n.Test {
		priority = 2
	}
	shown := map[string]any{}
	if n.Link != "" {
		shown["click"] = map[string]string{"url": n.Link}
	}
	if to := n.pictureURL(); to != "" {
		shown["bigImageUrl"] = to
	}
	return map[string]any{
		"title": n.title(), "message": shortenBytes(text, maxGotifyText), "priority": priority,
		"extras": map[string]any{"client::notification": shown},
	}
}
