package notify

import "strings"

const (
	discordFired   = 0xC0392B
	discordCleared = 0x277A4B
	discordTest    = 0x2E73E0

	maxDiscordTitle = 256
	maxDiscordText  = 4096
)

type discordEmbed struct {
	Title       string            `json:"title"`
	URL         string            `json:"url,omitempty"`
	Description string            `json:"description"`
	Color       int               `json:"color"`
	Timestamp   string            `json:"timestamp"`
	Footer      map[string]string `json:"footer,omitempty"`
	Image       map[string]string `json:"image,omitempty"`
}

// newDiscord is the notifier of Discord's webhooks. A picture is uploaded.
func newDiscord(s settings, _ Options) (renderer, error) {
	t, err := templateOf(s)
	if err != nil {
		return nil, err
	}
	return func(n Notification) (message, error) {
		text, err := t.textOr(n, discordText(n, maxDiscordText))
		if err != nil {
			return nil, err
		}
		return discordMessage(s["url"], n, discordEmbed{
			Title: shorten(n.title(), maxDiscordTitle), URL: n.Link, Description: shorten(text, maxDiscordText), Color: discordColor(n),
			Timestamp: rfc3339(n.Time), Footer: map[string]string{"text": n.IncidentKey},
		})
	}, nil
}

// discordMessage is the message with e and the picture of n.
func discordMessage(to string, n Notification, e discordEmbed) (message, error) {
	png := n.upload()
	switch {
	case png != nil:
		e.Image = map[string]string{"url": "attachment://" + pictureName}
	case n.pictureURL() != "":
		e.Image = map[string]string{"url": n.pictureURL()}
	}
	body := map[string]any{
		"username": "Tidemark", "embeds": []discordEmbed{e},
		// A stream called @everyone must not wake everyone.
		"allowed_mentions": map[string]any{"parse": []string{}},
	}
	if png == nil {
		return jsonRequest(to, body)
	}
	payload, err := marshal(body)
	if err != nil {
		return nil, err
	}
	return multipartRequest(to, []part{
		{name: "payload_json", value: string(payload), contentType: "application/json"}, {name: "files[0]", file: png},
	})
}

// discordText is what n says in up to so many characters: the links stay
// whole, whatever is cut.
func discordText(n Notification, most int) string {
	links := ""
	if to := n.acknowledgeURL(); to != "" {
		links += "\n[Acknowledge](" + markdownURL(to) + ")"
	}
	if n.Alert.RunbookURL != "" && !n.cleared() {
		links += "\n[Runbook](" + markdownURL(n.Alert.RunbookURL) + ")"
	}
	text := escapeMarkdown(withoutAcknowledge(n).brief()) // as a link, which no escape spoils
	return shorten(text, max(3, most-len([]rune(links)))) + links
}

func discordColor(n Notification) int {
	switch {
	case n.cleared():
		return discordCleared
	case n.Test:
		return discordTest
	}
	return discordFired
}

// escapeMarkdown keeps what users wrote from being read as markup.
func escapeMarkdown(s string) string {
	return strings.NewReplacer(`\`, `\\`, "*", `\*`, "_", `\_`, "~", `\~`, "`", "\\`", "|", `\|`, "[", `\[`, "]", `\]`).Replace(s)
}

// markdownURL makes a URL fit between the brackets of a link.
func markdownURL(to string) string {
	return strings.NewReplacer("(", "%28", ")", "%29", " ", "%20", "\n", "").Replace(to)
}
