package notify

import (
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tidemark-metrics/tidemark"
)

// docsPath is the page whose second half, from typesMark on, is made of the
// list of types and of the golden files, so that it cannot be out of date.
const (
	docsPath  = "../../docs/notifications.md"
	typesMark = "## Types\n"
)

// introductions are the page's words about each type.
var introductions = map[string]string{
	"alertmanager": "What Alertmanager of Prometheus sends to a webhook, version 4, for receivers that take that. A group is an incident; each alert in it is a stream, with the tags as labels.",
	"bigpanda":     "An alert for the Alerts API.",
	"discord":      "An embed, by a webhook of a channel. The picture is uploaded.",
	"googlechat":   "A card, by a webhook of a space. All messages about one incident go into one thread.",
	"jira":         "One issue an incident: created when the alert fires, commented on when it still does and when it clears, and moved by `clear_transition` then if that is set. The issue is found by its label, the incident key. Jira Cloud and Jira Data Center both work; the user needs the right to create issues and to comment.",
	"mail":         "Text and HTML, by the mail server of the settings (below). All mail about one incident is one thread.",
	"matrix":       "A message to a room, on matrix.org or a server of your own. The user whose access token it is must have joined the room, which must not be encrypted.",
	"msteams":      "An adaptive card, by a webhook of a workflow (\"Post to a channel when a webhook request is received\").",
	"gotify":       "A push message of an application, on a server of your own.",
	"ntfy":         "A message for a topic, on ntfy.sh or a server of your own.",
	"opsgenie":     "What the original sent to its integration there.",
	"pagerduty":    "An event, by one of two APIs. If `events_api` says `v1` or `v2`, by that. Otherwise a key of 32 letters and digits goes to version 2, and any other to the generic API of 2010; if version 2 does not know the key, the event goes to the other at once. `event_type` and `description` must be there, as in the original, but what happened decides.",
	"pushover":     "A message with priority 1, or the one that is set; priority 2 is repeated every minute for an hour until somebody confirms. Clears and tests have priority 0. The picture is uploaded.",
	"slack":        "An attachment, by an incoming webhook. Mattermost, Rocket.Chat and others take the same.",
	"sns":          "A message for a topic, signed with your key: JSON for programs, a sentence of at most 140 characters for telephones. The key needs the permission `sns:Publish` on the topic. The region is part of the ARN.",
	"telegram":     "A message of a bot to a chat. The picture is uploaded, with the message as its caption.",
	"victorops":    "An alert for the generic REST endpoint of VictorOps, now Splunk On-Call.",
	"webhook":      "The webhook of the original API, key by key: a form with one field, `payload`, that holds JSON. User and password in the URL become Basic authentication. `clear` is `normal` whatever the reason was. The header `Tidemark-Dedup-Key` has the deduplication key.",
	"webhook_json": "JSON, by POST or PUT: the document below, or the one that the template makes. User and password in the URL become Basic authentication; `authorization` is sent as that header.",
	"zapier":       "JSON for a catch hook. Zapier is not notified when an alert clears.",
}

// examples are the golden files shown for a type that has not one of its name.
var examples = map[string][]string{"pagerduty": {"pagerduty_v2", "pagerduty_v1"}, "mail": nil}

// TestDocs shows the files of TestGolden, and is in a file after that one:
// tests that are not parallel run in the order of files.
func TestDocs(t *testing.T) {
	page, err := os.ReadFile(docsPath)
	if err != nil {
		t.Fatal(err)
	}
	prose, got, ok := strings.Cut(string(page), typesMark)
	if !ok {
		t.Fatalf("%s has no line %q", docsPath, typesMark)
	}
	want := typesPage(t)
	if *update {
		if err := os.WriteFile(docsPath, []byte(prose+typesMark+want), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s is out of date; -update writes it:\n%s", docsPath, diff)
	}
	for name := range templateData(stories()["1 trigger"]) {
		if !strings.Contains(prose, "`."+name+"`") {
			t.Errorf("the page does not tell of the template field %s", name)
		}
	}
	for name := range new(budget).functions() {
		if !regexp.MustCompile("`" + name + "[` ]").MatchString(prose) {
			t.Errorf("the page does not tell of the template function %s", name)
		}
	}
}

func typesPage(t *testing.T) string {
	t.Helper()
	var b, gone strings.Builder
	for _, st := range tidemark.ServiceTypes() {
		if st.Dead {
			fmt.Fprintf(&gone, "| `%s` | %s |\n", st.Type, settingsList(st))
			continue
		}
		fmt.Fprintf(&b, "\n### %s: `%s`\n\n%s\n\n| Setting | | |\n|---|---|---|\n", st.Title, st.Type, introductions[st.Type])
		for _, f := range own(st) {
			fmt.Fprintf(&b, "| `%s` | %s | %s |\n", f.Name, howSet(f), strings.TrimSpace(f.Label+". "+f.Help))
		}
		b.WriteString("\n")
		if st.Type == "mail" {
			writeMailDocs(t, &b)
			continue
		}
		files := []string{st.Type}
		if other, ok := examples[st.Type]; ok {
			files = other
		}
		for _, name := range files {
			writeExample(t, &b, name)
		}
	}
	b.WriteString("\n### Gone\n\nThese destinations no longer exist. Services of these types can still be saved, so that an old set-up can be imported as it is; whatever is sent to them fails at once with \"this destination no longer exists\".\n\n| Type | Settings |\n|---|---|\n" + gone.String())
	return b.String()
}

// own are the settings that not every type has.
func own(st tidemark.ServiceType) []tidemark.ServiceField {
	return slices.DeleteFunc(slices.Clone(st.Fields), func(f tidemark.ServiceField) bool { return f.Name == tidemark.FallbackSetting })
}

func howSet(f tidemark.ServiceField) string {
	how := "optional"
	if f.Required {
		how = "required"
	}
	if f.Secret {
		how += ", secret"
	}
	return how
}

func settingsList(st tidemark.ServiceType) string {
	var names []string
	for _, f := range own(st) {
		name := "`" + f.Name + "`"
		if !f.Required {
			name += " (optional)"
		}
		names = append(names, name)
	}
	return strings.Join(names, ", ")
}

// writeExample shows what a trigger sends, and a clear where programs read it.
func writeExample(t *testing.T, b *strings.Builder, name string) {
	t.Helper()
	raw, err := os.ReadFile("testdata/" + name + ".golden")
	if err != nil {
		t.Fatal(err)
	}
	stories := map[string]string{}
	for part := range strings.SplitSeq(string(raw), "=== ") {
		story, text, _ := strings.Cut(part, "\n")
		text, _, _ = strings.Cut(text, "\n-> ")
		stories[story] = docsSafe(text)
	}
	switch name {
	case "pagerduty_v1":
		b.WriteString("The generic API:\n\n")
	case "pagerduty_v2":
		b.WriteString("Version 2:\n\n")
	}
	b.WriteString("```\n" + stories["trigger"] + "\n```\n\n")
	if slices.Contains([]string{"webhook", "opsgenie", "pagerduty_v1", "pagerduty_v2", "victorops", "jira"}, name) {
		b.WriteString("Clear:\n\n```\n" + stories["clear"] + "\n```\n\n")
	}
}

var (
	docsSecret    = regexp.MustCompile(`s3cr3t[-\w]*(%20pw)?`)
	docsBasic     = regexp.MustCompile(`Basic \S+`)
	docsSignature = regexp.MustCompile(`(Signature|v1)=\w+`)
)

func docsSafe(text string) string {
	text = strings.ReplaceAll(text, "User-Agent: Tidemark\n", "")
	text = docsBasic.ReplaceAllString(text, "Basic "+mask)
	text = docsSignature.ReplaceAllString(text, "$1=...")
	return strings.TrimSpace(docsSecret.ReplaceAllString(text, mask))
}

func writeMailDocs(t *testing.T, b *strings.Builder) {
	t.Helper()
	raw, err := os.ReadFile("testdata/mail_trigger.golden")
	if err != nil {
		t.Fatal(err)
	}
	text, _, _ := strings.Cut(string(raw), "\n=== html")
	b.WriteString("Subjects: `[Tidemark] Alert NAME has triggered!`, `[Tidemark] Alert NAME has cleared.`, `[Tidemark] [Test] Alert NAME has triggered!`. The text:\n\n```\n" +
		strings.TrimSpace(text) + "\n```\n\n" +
		"The server's settings for mail are host, port, user, password, sender, and how the connection is encrypted: `starttls` (the default: encrypted, or no mail), `opportunistic` (if the server offers it), `tls` (from the first byte, usually port 465) or `none`. A password is never sent over a connection that is not encrypted. It may be on a [private network](outbound.md).\n\n")
}
