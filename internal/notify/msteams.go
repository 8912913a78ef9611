package notify

import "strings"

// newMSTeams is the notifier of Microsoft Teams, by the webhooks of its
// workflows, which take adaptive cards.
func newMSTeams(s settings, _ Options) (renderer, error) {
	t, err := templateOf(s)
	if err != nil {
		return nil, err
	}
	return func(n Notification) (message, error) {
		blocks, err := teamsBlocks(t, n)
		if err != nil {
			return nil, err
		}
		return jsonRequest(s["url"], teamsCard(blocks, teamsActions(n)))
	}, nil
}

func teamsCard(blocks, actions []map[string]any) map[string]any {
	card := map[string]any{
		"$schema": "http://adaptivecards.io/schemas/adaptive-card.json", "type": "AdaptiveCard", "version": "1.4",
		"body": blocks, "actions": actions, "msteams": map[string]string{"width": "Full"},
	}
	return map[string]any{"type": "message", "attachments": []map[string]any{
		{"contentType": "application/vnd.microsoft.card.adaptive", "contentUrl": nil, "content": card},
	}}
}

// maxTeamsText is how many bytes a text may have: Teams takes messages of 28 KB.
const maxTeamsText = 16 << 10

func teamsBlocks(t *messageTemplate, n Notification) ([]map[string]any, error) {
	colour := "Attention"
	switch {
	case n.cleared():
		colour = "Good"
	case n.Test:
		colour = "Accent"
	}
	blocks := []map[string]any{{"type": "TextBlock", "text": n.title(), "size": "Medium", "weight": "Bolder", "color": colour, "wrap": true}}
	if t != nil {
		text, err := t.render(n)
		if err != nil {
			return nil, err
		}
		return append(blocks, teamsText(shortenBytes(text, maxTeamsText))), nil
	}
	if n.Sentence != "" && !n.cleared() {
		blocks = append(blocks, map[string]any{"type": "TextBlock", "text": n.Sentence, "isSubtle": true, "spacing": "None", "wrap": true})
	}
	blocks = append(blocks, teamsText(strings.ReplaceAll(escapeMarkdown(withoutAcknowledge(n).brief()), "\n", "\n\n")))
	if to := n.pictureURL(); to != "" {
		blocks = append(blocks, teamsImage(to, n.Image.Alt))
	}
	return blocks, nil
}

func teamsText(text string) map[string]any {
	return map[string]any{"type": "TextBlock", "text": text, "wrap": true}
}

// withoutAcknowledge is n for those that have a button for it.
func withoutAcknowledge(n Notification) Notification {
	n.Acknowledge = ""
	return n
}

func teamsImage(to, alt string) map[string]any {
	return map[string]any{"type": "Image", "url": to, "altText": alt, "size": "Stretch"}
}

func teamsAction(title, to string) map[string]any {
	return map[string]any{"type": "Action.OpenUrl", "title": title, "url": to}
}

func teamsActions(n Notification) []map[string]any {
	actions := []map[string]any{}
	if n.Link != "" {
		actions = append(actions, teamsAction("Open the alert", n.Link))
	}
	if to := n.acknowledgeURL(); to != "" {
		actions = append(actions, teamsAction("Acknowledge", to))
	}
	if n.Alert.RunbookURL != "" {
		actions = append(actions, teamsAction("Runbook", n.Alert.RunbookURL))
	}
	return actions
}
