package notify

import (
	"fmt"
	"html"
	"strings"

	"github.com/tidemark-metrics/tidemark"
)

// facts are the words about how bad it is, whose it is and how far it has
// spread: "Critical, team=checkout, tier=1". They are empty where there are
// none.
func (n Notification) facts() string {
	var all []string
	if n.Alert.Severity != "" {
		all = append(all, strings.ToUpper(n.Alert.Severity[:1])+n.Alert.Severity[1:])
	}
	if labels := tidemark.MakeTags(n.Alert.Labels); len(labels) > 0 {
		all = append(all, strings.ReplaceAll(labels.String(), ",", ", "))
	}
	return strings.Join(all, ", ")
}

// together says that several streams violate at once, and how many of them
// did not when services were last notified.
func (n Notification) together() string {
	count := len(n.Violations) + n.Omitted
	if count < 2 || n.cleared() {
		return ""
	}
	s := fmt.Sprintf("%d streams violate together", count)
	if n.Joined > 0 {
		s += fmt.Sprintf(", %d of them since the last notification", n.Joined)
	}
	return s + "."
}

// acknowledgeURL is the link that acknowledges, where there is something to
// acknowledge.
func (n Notification) acknowledgeURL() string {
	if n.cleared() {
		return ""
	}
	return n.Acknowledge
}

// head is what messages say before the streams.
func (n Notification) head() []string {
	var lines []string
	for _, line := range []string{n.facts(), n.together()} {
		if line != "" {
			lines = append(lines, line)
		}
	}
	if to := n.acknowledgeURL(); to != "" {
		lines = append(lines, "Acknowledge: "+to)
	}
	return lines
}

func htmlLink(words, to string) string {
	return `<a href="` + html.EscapeString(to) + `">` + words + `</a>`
}

// htmlLinks is where n leads, for messages in HTML.
func (n Notification) htmlLinks() string {
	var links []string
	link := func(words, to string) {
		if to != "" {
			links = append(links, htmlLink(words, to))
		}
	}
	link("Open the alert", n.Link)
	link("Acknowledge", n.acknowledgeURL())
	if !n.cleared() {
		link("Runbook", n.Alert.RunbookURL)
	}
	return strings.Join(links, " · ")
}
