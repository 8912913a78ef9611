package notify

import (
	"encoding/json"
	"html"
	"net/http"
	"strconv"
)

const (
	telegramAPI        = "https://api.telegram.org/bot"
	maxTelegramText    = 4096
	maxTelegramCaption = 1024
)

// newTelegram is the notifier of Telegram's bots. A picture is uploaded with the
// message as its caption, as far as captions reach.
func newTelegram(s settings, _ Options) (renderer, error) {
	t, err := templateOf(s)
	if err != nil {
		return nil, err
	}
	base := telegramAPI + s["bot_token"]
	return func(n Notification) (message, error) {
		text, err := t.textOr(n, telegramText(n, maxTelegramText))
		if err != nil {
			return nil, err
		}
		r, err := telegramRequest(base, s["chat_id"], text, t == nil, n)
		if err != nil {
			return nil, err
		}
		r.then = telegramWait
		return r, nil
	}, nil
}

func telegramRequest(base, chat, text string, html bool, n Notification) (*request, error) {
	png := n.upload()
	if png != nil && html {
		text = telegramText(n, maxTelegramCaption)
	}
	return telegramMessage(base, chat, text, html, png)
}

// telegramMessage is a text, or the picture with it as a caption.
func telegramMessage(base, chat, text string, html bool, png []byte) (*request, error) {
	if png != nil {
		parts := []part{{name: "chat_id", value: chat}, {name: "caption", value: shorten(text, maxTelegramCaption)}}
		if html {
			parts = append(parts, part{name: "parse_mode", value: "HTML"})
		}
		return multipartRequest(base+"/sendPhoto", append(parts, part{name: "photo", file: png}))
	}
	body := map[string]any{"chat_id": chat, "text": shorten(text, maxTelegramText), "link_preview_options": map[string]bool{"is_disabled": true}}
	if html {
		body["parse_mode"] = "HTML"
	}
	return jsonRequest(base+"/sendMessage", body)
}

// telegramText is the message in Telegram's HTML. It is cut before it is
// marked up: half a mark would be refused.
func telegramText(n Notification, most int) string {
	mark := "🔴"
	switch {
	case n.cleared():
		mark = "🟢"
	case n.Test:
		mark = "🔵"
	}
	head := mark + " <b>" + html.EscapeString(n.title()) + "</b>\n"
	foot := "\n" + n.htmlLinks()
	n = withoutAcknowledge(n)
	text := html.EscapeString(n.brief())
	for brief := []rune(n.brief()); len(brief) > 0 && len([]rune(head+text+foot)) > most; {
		brief = brief[:len(brief)*9/10]
		text = html.EscapeString(string(brief)) + "..."
	}
	return head + text + foot
}

// telegramWait moves the time to wait, which Telegram puts into the body, to
// the header where everybody else has it.
func telegramWait(a answer) *request {
	var body struct {
		Parameters struct {
			RetryAfter int `json:"retry_after"`
		} `json:"parameters"`
	}
	if a.code == http.StatusTooManyRequests && json.Unmarshal(a.body, &body) == nil && body.Parameters.RetryAfter > 0 {
		a.header.Set("Retry-After", strconv.Itoa(body.Parameters.RetryAfter))
	}
	return nil
}
