package notify

import (
	_ "embed"
	"fmt"
	"html/template"
	"net/url"
	"strings"
	"sync"

	"github.com/tidemark-metrics/tidemark"
)

//go:embed mail.html
var mailSource string

// mailPage is the layout of mails in HTML. Parsing it once is enough.
var mailPage = sync.OnceValues(func() (*template.Template, error) { return template.New("mail").Parse(mailSource) })

// mailView is what the layout shows.
type mailView struct {
	Title, State, Name, When string
	Tone                     string // the colour: firing, cleared or test
	Test                     bool
	Sentence, Description    string
	Rows                     []mailRow
	More                     string
	Own                      string // the text of the user's template, instead of the rows
	Picture                  template.URL
	Alt                      string
	Link, Opens, Runbook     string
	Wide                     int // how wide it is at most
	Acknowledge              string
	Facts, Together          string
	Account, Key             string
}

// Inner is how wide it is inside.
func (v mailView) Inner() int { return v.Wide - 48 }

type mailRow struct{ Stream, Metric, Value, Limit, When string }

// mailHTML renders n. If own is set, text replaces what we would say.
func mailHTML(n Notification, own bool, text string) (string, error) {
	view := mailView{
		Title: n.subject(), State: mailState(n), Name: n.Alert.Name, When: longTime(n.Time), Tone: mailTone(n), Test: n.Test, Wide: 640,
		Sentence: n.Sentence, Description: n.Alert.Description, Link: webLink(n.Link), Opens: "Open the alert", Runbook: webLink(n.Alert.RunbookURL),
		Account: n.Account, Key: n.IncidentKey, Acknowledge: webLink(n.acknowledgeURL()), Facts: n.facts(),
	}
	if n.Joined > 0 {
		view.Together = n.together()
	}
	switch {
	case own:
		view.Own, view.Sentence, view.Description = text, "", ""
	case n.cleared():
		view.When = n.clearedAfter()
	default:
		view.Rows = mailRows(n)
		if n.Omitted > 0 {
			view.More = n.more()
		}
	}
	return view.html(n)
}

// html is the mail about n, with its picture.
func (v mailView) html(n Notification) (string, error) {
	page, err := mailPage()
	if err != nil {
		return "", fmt.Errorf("parse the layout of mails: %w", err)
	}
	switch {
	case n.upload() != nil:
		v.Picture = "cid:" + pictureCID
	case n.pictureURL() != "":
		v.Picture = template.URL(webLink(n.pictureURL())) //nolint:gosec // checked by webLink
	}
	if n.Image != nil {
		v.Alt = n.Image.Alt
	}
	var b strings.Builder
	if err := page.Execute(&b, v); err != nil {
		return "", fmt.Errorf("write the mail: %w", err)
	}
	return b.String(), nil
}

// webLink returns to if it is a link that a reader may safely follow, else "".
func webLink(to string) string {
	u, err := url.Parse(to)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		return ""
	}
	return to
}

func mailTone(n Notification) string {
	switch {
	case n.cleared():
		return "cleared"
	case n.Test:
		return "test"
	}
	return "firing"
}

func mailState(n Notification) string {
	switch n.state() {
	case "cleared":
		return map[string]string{
			"manual": "Resolved by hand", "auto": "Cleared automatically", "inactive": "Switched off", "edited": "Conditions changed", "deleted": "Deleted",
		}[n.Clear]
	case "test":
		return "Test"
	case "reminder":
		return "Still firing"
	case "escalated":
		return "Firing, nobody has acknowledged it"
	}
	return "Firing"
}

func mailRows(n Notification) []mailRow {
	var rows []mailRow
	for _, stream := range n.streams() {
		for _, v := range n.Violations[stream] {
			rows = append(rows, mailRowOf(n, stream, v))
		}
	}
	return rows
}

func mailRowOf(n Notification, stream string, v Violation) mailRow {
	c := n.condition(v)
	at := v.RecordedAt
	if v.End != 0 {
		at = v.End
	}
	row := mailRow{Stream: strings.ReplaceAll(stream, ",", ", "), Metric: v.Metric, When: longTime(at)}
	if c.Type == tidemark.Absent {
		row.Value, row.Limit = "silent", "for "+tidemark.Seconds(c.Duration).String()
		return row
	}
	threshold := 0.0
	if c.Threshold != nil {
		threshold = *c.Threshold
	}
	row.Value = tidemark.Quantity(truncate(threshold, v.Value), c.Unit)
	row.Limit = c.Type + " " + tidemark.Quantity(threshold, c.Unit)
	if v.Begin != 0 && v.End > v.Begin {
		row.Limit += " for " + tidemark.Seconds(v.End-v.Begin).String()
	}
	return row
}
