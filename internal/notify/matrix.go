package notify

import (
	"html"
	"net/http"
	"net/url"
	"strings"
)

const maxMatrixText = 16 << 10 // bytes; an event of Matrix holds 64 KiB in all

// newMatrix is the notifier of Matrix, which Element and others show. The
// transaction is the deduplication key: the server takes a retry for the same
// message.
func newMatrix(s settings, _ Options) (renderer, error) {
	t, err := templateOf(s)
	if err != nil {
		return nil, err
	}
	room := strings.TrimRight(s["server"], "/") + "/_matrix/client/v3/rooms/" + url.PathEscape(s["room"]) + "/send/m.room.message/"
	return func(n Notification) (message, error) {
		text, err := t.textOr(n, withoutAcknowledge(n).brief())
		if err != nil {
			return nil, err
		}
		r, err := jsonRequest(room+url.PathEscape(n.dedup()), matrixMessage(n, text))
		if err != nil {
			return nil, err
		}
		r.method, r.header = http.MethodPut, map[string]string{"Authorization": "Bearer " + s["token"]}
		return r, nil
	}, nil
}

// matrixMessage is text for every client, with links for those that show HTML.
func matrixMessage(n Notification, text string) map[string]string {
	text = shortenBytes(text, maxMatrixText)
	marked := "<strong>" + html.EscapeString(n.title()) + "</strong><br>" + strings.ReplaceAll(html.EscapeString(text), "\n", "<br>") + "<br>" + n.htmlLinks()
	if to := n.pictureURL(); to != "" {
		marked += ` · <a href="` + html.EscapeString(to) + `">Chart</a>`
	}
	plain := n.title() + "\n" + text
	if n.Link != "" {
		plain += "\n" + n.Link
	}
	body := map[string]string{"msgtype": "m.text", "body": plain}
	if len(marked) <= 2*maxMatrixText { // a text full of signs that HTML escapes
		body["format"], body["formatted_body"] = "org.matrix.custom.html", marked
	}
	return body
}
