package notify

import (
	"strings"
)

const (
	slackFired    = "#0880ad"
	slackCleared  = "#17B03C"
	maxSlackField = 2000
)

type slackAttachment struct {
	Fallback string       `json:"fallback"`
	Color    string       `json:"color"`
	Pretext  string       `json:"pretext,omitempty"`
	Text     string       `json:"text,omitempty"`
	Fields   []slackField `json:"fields,omitempty"`
	ImageURL string       `json:"image_url,omitempty"`
	MrkdwnIn []string     `json:"mrkdwn_in,omitempty"`
}

type slackField struct {
	Title string `json:"title"`
	Value string `json:"value"`
}

// newSlack is the notifier of Slack's incoming webhooks, and of the many chats
// that take the same messages.
func newSlack(s settings, _ Options) (renderer, error) {
	t, err := templateOf(s)
	if err != nil {
		return nil, err
	}
	return func(n Notification) (message, error) {
		a := slackTriggered(n)
		if n.cleared() {
			a = slackClearedWords(n)
		}
		if t != nil {
			text, err := t.render(n)
			if err != nil {
				return nil, err
			}
			a = slackAttachment{Fallback: n.title(), Color: a.Color, Text: text, MrkdwnIn: []string{"text"}}
		}
		if n.Image != nil && !n.cleared() {
			a.ImageURL = n.Image.URL
		}
		return jsonRequest(s["url"], map[string]any{"attachments": []slackAttachment{a}})
	}, nil
}

func slackTriggered(n Notification) slackAttachment {
	pretext := "Alert " + slackLink(n.Link, n.Alert.Name) + " has triggered!"
	if n.Test {
		pretext = testNotice + "\n\n" + pretext
	}
	if n.Alert.RunbookURL != "" {
		pretext += " " + slackLink(n.Alert.RunbookURL, "Runbook")
	}
	if to := n.acknowledgeURL(); to != "" {
		pretext += " " + slackLink(to, "Acknowledge")
	}
	if facts := n.facts(); facts != "" {
		pretext += "\n" + slackEscape(facts)
	}
	if n.Joined > 0 && n.together() != "" {
		pretext += "\n" + n.together()
	}
	a := slackAttachment{
		Fallback: slackFallback(n), Color: slackFired, Pretext: pretext, Fields: []slackField{}, MrkdwnIn: []string{"text", "fields"},
	}
	for _, stream := range n.streams() {
		var bullets []string
		for _, v := range n.Violations[stream] {
			bullets = append(bullets, n.bulletWith(v, "", groupedNumber))
		}
		a.Fields = append(a.Fields, slackField{
			Title: strings.ReplaceAll(stream, ",", ", "), Value: shorten(slackEscape(strings.Join(bullets, "\n")), maxSlackField),
		})
	}
	if n.Omitted > 0 {
		a.Fields = append(a.Fields, slackField{Title: n.more()})
	}
	return a
}

func slackClearedWords(n Notification) slackAttachment {
	words := " " + n.clearedWords() + " " + longTime(n.Time)
	return slackAttachment{
		Fallback: "Alert '" + n.Alert.Name + "'" + words, Color: slackCleared, Text: "Alert " + slackLink(n.Link, n.Alert.Name) + words,
	}
}

// slackFallback is the message where attachments are not shown: the text
// without its marks, and the link once more at the end.
func slackFallback(n Notification) string {
	text := strings.ReplaceAll(strings.TrimPrefix(n.text(), "# "), "`", "'")
	return strings.TrimSuffix(text, "\n") + " • " + n.Link + "\n"
}

func slackLink(to, name string) string {
	if to == "" {
		return slackEscape(name)
	}
	return "<" + strings.NewReplacer("|", "%7C", ">", "%3E", "<", "%3C").Replace(to) + "|" + slackEscape(name) + ">"
}

// slackEscape keeps what users wrote from being read as markup.
func slackEscape(s string) string {
	return strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;").Replace(s)
}
