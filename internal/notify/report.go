package notify

import (
	"fmt"
	"html"
	"strings"

	"github.com/tidemark-metrics/tidemark"
)

// reporter is how pictures of spaces are sent to a kind of service. Templates
// are about alerts, and so not used.
type reporter struct {
	new func(s settings, o Options) renderer
	// byLink says that the service fetches the picture itself.
	byLink bool
}

// reporters are the kinds of service that show pictures of spaces.
var reporters = map[string]reporter{
	"discord":      {new: newDiscordReport},
	"googlechat":   {new: newGoogleChatReport, byLink: true},
	"mail":         {new: newMailReport},
	"msteams":      {new: newMSTeamsReport, byLink: true},
	"slack":        {new: newSlackReport, byLink: true},
	"telegram":     {new: newTelegramReport},
	"webhook_json": {new: newWebhookReport, byLink: true},
}

// errNoAddress is final: nothing changes until the operator gives the server an
// address.
var errNoAddress = permanent("this server has no public URL, where the service could fetch the picture")

const (
	reportColor = "#0B6B69"
	openSpace   = "Open the space"
)

// reportLink returns the address of the space, at the time that the picture
// shows.
func reportLink(baseURL string, org tidemark.OrgID, r *tidemark.ReportNotice) string {
	return fmt.Sprintf("%s/o/%d/spaces/%d?from=%d&to=%d", strings.TrimRight(baseURL, "/"), org, r.Space, r.Start, r.End)
}

// reportTitle is the headline of a report, where its name is.
func (n Notification) reportTitle() string { return n.Alert.Name }

// reportText says what the picture shows.
func (n Notification) reportText() string { return n.Report.SpaceName + ", " + n.Report.When() }

func newMailReport(s settings, o Options) renderer {
	to := addresses(s["addresses"])
	return func(n Notification) (message, error) {
		if o.Mail.Host == "" {
			return nil, errNoMail
		}
		view := mailView{
			Title: n.reportTitle(), State: "Scheduled picture", Name: n.reportTitle(), Tone: "test", Wide: 1000,
			Sentence: n.Report.SpaceName, When: n.Report.When(), Link: webLink(n.Link), Opens: openSpace, Account: n.Account,
		}
		page, err := view.html(n)
		if err != nil {
			return nil, err
		}
		text := n.reportTitle() + "\n\n" + n.reportText() + "\n"
		if n.Link != "" {
			text += "\nLink: " + n.Link + "\n"
		}
		subject := "[Tidemark] " + oneLine(n.reportTitle()+": "+n.Report.SpaceName)
		return &mailMessage{to: to, n: n, text: text, html: page, subject: subject}, nil
	}
}

func newSlackReport(s settings, _ Options) renderer {
	return func(n Notification) (message, error) {
		a := slackAttachment{
			Fallback: n.reportTitle() + ": " + n.reportText(), Color: reportColor, Pretext: slackLink(n.Link, n.reportTitle()),
			Text: slackEscape(n.reportText()), ImageURL: n.pictureURL(),
		}
		return jsonRequest(s["url"], map[string]any{"attachments": []slackAttachment{a}})
	}
}

func newDiscordReport(s settings, _ Options) renderer {
	return func(n Notification) (message, error) {
		return discordMessage(s["url"], n, discordEmbed{
			Title: shorten(n.reportTitle(), maxDiscordTitle), URL: n.Link, Description: escapeMarkdown(n.reportText()), Color: 0x0B6B69,
			Timestamp: rfc3339(n.Time),
		})
	}
}

func newGoogleChatReport(s settings, _ Options) renderer {
	return func(n Notification) (message, error) {
		widgets := []map[string]any{}
		if to := n.pictureURL(); to != "" {
			widgets = append(widgets, map[string]any{"image": map[string]string{"imageUrl": to, "altText": n.Image.Alt}})
		}
		if n.Link != "" {
			widgets = append(widgets, chatButtons([]map[string]any{chatButton(openSpace, n.Link)}))
		}
		card := map[string]any{
			"header":   map[string]any{"title": n.reportTitle(), "subtitle": n.reportText()},
			"sections": []map[string]any{{"widgets": widgets}},
		}
		return jsonRequest(s["url"], map[string]any{
			"fallbackText": n.reportTitle(), "cardsV2": []map[string]any{{"cardId": n.dedup(), "card": card}},
		})
	}
}

func newMSTeamsReport(s settings, _ Options) renderer {
	return func(n Notification) (message, error) {
		blocks := []map[string]any{
			{"type": "TextBlock", "text": n.reportTitle(), "size": "Medium", "weight": "Bolder", "color": "Accent", "wrap": true},
			teamsText(escapeMarkdown(n.reportText())),
		}
		if to := n.pictureURL(); to != "" {
			blocks = append(blocks, teamsImage(to, n.Image.Alt))
		}
		actions := []map[string]any{}
		if n.Link != "" {
			actions = append(actions, teamsAction(openSpace, n.Link))
		}
		return jsonRequest(s["url"], teamsCard(blocks, actions))
	}
}

func newTelegramReport(s settings, _ Options) renderer {
	return func(n Notification) (message, error) {
		// Cut before it is marked up: half a mark would be refused.
		text := "<b>" + html.EscapeString(shorten(n.reportTitle(), 80)) + "</b>\n" +
			html.EscapeString(shorten(n.Report.SpaceName, 80)+", "+n.Report.When())
		if n.Link != "" {
			text += "\n" + htmlLink(openSpace, n.Link)
		}
		r, err := telegramMessage(telegramAPI+s["bot_token"], s["chat_id"], text, true, n.upload())
		if err != nil {
			return nil, err
		}
		r.then = telegramWait
		return r, nil
	}
}

// newWebhookReport sends a document of its own, which says where the picture is.
func newWebhookReport(s settings, _ Options) renderer {
	return func(n Notification) (message, error) {
		type named struct {
			ID   int64  `json:"id"`
			Name string `json:"name"`
		}
		body, err := marshal(struct {
			State    string  `json:"state"`
			DedupKey string  `json:"dedup_key"`
			Org      int64   `json:"org_id"`
			Account  *string `json:"account"`
			Report   named   `json:"report"`
			Space    named   `json:"space"`
			Title    string  `json:"title"`
			Start    int64   `json:"start"`
			End      int64   `json:"end"`
			Zone     string  `json:"zone"`
			Link     string  `json:"link"`
			ImageURL string  `json:"image_url"`
		}{
			"report", n.dedup(), int64(n.Org), n.account(), named{n.Report.ID, n.Alert.Name}, named{n.Report.Space, n.Report.SpaceName},
			n.reportTitle() + ": " + n.reportText(), n.Report.Start, n.Report.End, n.Report.Zone, n.Link, n.pictureURL(),
		})
		if err != nil {
			return nil, err
		}
		return webhookRequest(s, n, body), nil
	}
}
