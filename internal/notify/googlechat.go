package notify

import (
	"html"
	"net/url"
	"strings"
)

// newGoogleChat is the notifier of Google Chat's webhooks. All
// messages about one incident go into one thread.
func newGoogleChat(s settings, _ Options) (renderer, error) {
	t, err := templateOf(s)
	if err != nil {
		return nil, err
	}
	to := threaded(s["url"])
	return func(n Notification) (message, error) {
		thread := map[string]string{"threadKey": n.IncidentKey}
		if t != nil {
			text, err := t.render(n)
			if err != nil {
				return nil, err
			}
			return jsonRequest(to, map[string]any{"text": shorten(text, 4096), "thread": thread})
		}
		card := map[string]any{
			"header":   map[string]any{"title": n.title(), "subtitle": n.Sentence},
			"sections": []map[string]any{{"widgets": chatWidgets(n)}},
		}
		return jsonRequest(to, map[string]any{
			"fallbackText": n.title(), "thread": thread, "cardsV2": []map[string]any{{"cardId": n.dedup(), "card": card}},
		})
	}, nil
}

// threaded asks for an answer to the thread where there is one already.
func threaded(raw string) string {
	u, err := url.Parse(raw)
	if err != nil {
		return raw
	}
	q := u.Query()
	q.Set("messageReplyOption", "REPLY_MESSAGE_FALLBACK_TO_NEW_THREAD")
	u.RawQuery = q.Encode()
	return u.String()
}

func chatWidgets(n Notification) []map[string]any {
	text := strings.ReplaceAll(html.EscapeString(withoutAcknowledge(n).brief()), "\n", "<br>")
	widgets := []map[string]any{{"textParagraph": map[string]string{"text": text}}}
	if to := n.pictureURL(); to != "" {
		widgets = append(widgets, map[string]any{"image": map[string]string{"imageUrl": to, "altText": n.Image.Alt}})
	}
	buttons := []map[string]any{}
	button := func(text, to string) {
		if to != "" {
			buttons = append(buttons, chatButton(text, to))
		}
	}
	button("Open the alert", n.Link)
	button("Acknowledge", n.acknowledgeURL())
	button("Runbook", n.Alert.RunbookURL)
	if len(buttons) > 0 {
		widgets = append(widgets, chatButtons(buttons))
	}
	return widgets
}

func chatButton(text, to string) map[string]any {
	return map[string]any{"text": text, "onClick": map[string]any{"openLink": map[string]string{"url": to}}}
}

func chatButtons(all []map[string]any) map[string]any {
	return map[string]any{"buttonList": map[string]any{"buttons": all}}
}
