package notify

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"github.com/tidemark-metrics/tidemark"
)

// crowded is a notification as large as alerts can make it, with a description
// of one character.
func crowded(character string) Notification {
	n := stories()["1 trigger"]
	n.Image = nil
	n.Acknowledge = "https://tidemark.example.org/a/acknowledge-4711"
	n.Alert.Description = strings.Repeat(character, 32<<10/len(character))
	n.Violations = make(map[string][]Violation)
	for i := range 200 {
		n.Violations[fmt.Sprintf("host_name=web_%05d,%s", i, strings.Repeat("a_tag=a_value,", 20))] = []Violation{
			{Metric: "checkout_latency", Value: 300, RecordedAt: n.Time, Condition: 90210},
		}
	}
	return n
}

// sent returns the last body that a service is sent about n.
func sent(t *testing.T, kind string, settings map[string]string, n Notification) string {
	t.Helper()
	var body []byte
	s := newNotifier(t, kind, settings, func(r *http.Request) (*http.Response, error) {
		body, _ = io.ReadAll(r.Body)
		return respond(r, 200, nil, ""), nil
	})
	if _, err := s.Send(t.Context(), n); err != nil {
		t.Fatal(err)
	}
	return string(body)
}

// TestUploads: the picture itself is drawn for those kinds of service that send
// it. Mail, which no request shows, does.
func TestUploads(t *testing.T) {
	t.Parallel()
	for _, e := range examined {
		service := &tidemark.Service{Type: e.kind, Title: "x", Settings: e.settings}
		notifier, err := New(service, Options{})
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Contains(sent(t, e.kind, e.settings, stories()["1 trigger"]), "PNG picture"); got != notifier.Uploads() {
			t.Errorf("%s: uploads is %v, and the picture is in the message: %v", e.name, notifier.Uploads(), got)
		}
	}
	if !uploaders["mail"] {
		t.Error("mail is sent without pictures")
	}
}

// TestLongDescriptions: whatever alphabet a long description is in, the message
// is one that its service takes, and can be acknowledged from.
func TestLongDescriptions(t *testing.T) {
	t.Parallel()
	most := map[string]int{ // bytes that the service takes, where that is known
		"googlechat": 32_000, "msteams": 28 << 10, "matrix": 60 << 10, "jira": 60 << 10, "pagerduty": 512 << 10, "opsgenie": 400 << 10,
	}
	for _, e := range examined {
		if e.settings["template"] != "" {
			continue
		}
		t.Run(e.name, func(t *testing.T) {
			t.Parallel()
			for _, character := range []string{"x", "温", "&", "_", `"`} {
				body := sent(t, e.kind, e.settings, crowded(character))
				if limit := most[e.kind]; limit > 0 && len(body) > limit {
					t.Errorf("%s: %d bytes, and it takes %d", character, len(body), limit)
				}
				form, _ := url.QueryUnescape(body)
				if !strings.Contains(body+form, "acknowledge-4711") {
					t.Errorf("%s: nothing to acknowledge with", character)
				}
			}
		})
	}
}

// TestTextsHaveRoom: the text of a message, also that of a template, is within
// what the service takes, counted as the service counts.
func TestTextsHaveRoom(t *testing.T) {
	t.Parallel()
	const long = `{{range .lines}}{{$.alert.description}}{{end}}`
	for _, c := range []struct {
		kind, template string
		path           []string // of the text
		bytes, runes   int
	}{
		{"ntfy", "", []string{"message"}, 4096, 0},
		{"ntfy", long, []string{"message"}, 4096, 0},
		{"discord", "", []string{"embeds", "description"}, 0, 4096},
		{"discord", long, []string{"embeds", "description"}, 0, 4096},
		{"telegram", "", []string{"text"}, 0, 4096},
		{"telegram", long, []string{"text"}, 0, 4096},
		{"gotify", long, []string{"message"}, 16 << 10, 0},
		{"matrix", long, []string{"body"}, 17 << 10, 0},
		{"googlechat", long, []string{"text"}, 0, 4096},
	} {
		for _, character := range []string{"x", "温", "&", "_"} {
			settings := settingsOf(c.kind)
			settings["template"] = c.template
			var v any
			body := sent(t, c.kind, settings, crowded(character))
			if err := json.Unmarshal([]byte(body), &v); err != nil {
				t.Fatal(err)
			}
			for _, key := range c.path {
				if list, ok := v.([]any); ok {
					v = list[0]
				}
				v = v.(map[string]any)[key]
			}
			text := v.(string)
			if c.bytes > 0 && len(text) > c.bytes || c.runes > 0 && utf8.RuneCountInString(text) > c.runes || !utf8.ValidString(text) {
				t.Errorf("%s of %s: %d bytes, %d characters", c.kind, character, len(text), utf8.RuneCountInString(text))
			}
			if len(text) < 1000 {
				t.Errorf("%s of %s: no more than %q", c.kind, character, text)
			}
		}
	}
}

// TestMatrixWithoutMarks: a text that HTML would make too large for an event is
// sent plain.
func TestMatrixWithoutMarks(t *testing.T) {
	t.Parallel()
	settings := settingsOf("matrix")
	settings["template"] = `{{range .lines}}{{$.alert.description}}{{end}}`
	for character, marked := range map[string]bool{"x": true, "&": false} {
		body := sent(t, "matrix", settings, crowded(character))
		if got := strings.Contains(body, "formatted_body"); got != marked || len(body) > 60<<10 {
			t.Errorf("%s: %d bytes, marked %v", character, len(body), got)
		}
	}
}

// TestDiscordKeepsLinks: a text that is cut keeps its links whole, and one that
// is short is not cut.
func TestDiscordKeepsLinks(t *testing.T) {
	t.Parallel()
	n := stories()["1 trigger"]
	n.Acknowledge = "https://tidemark.example.org/a/1_(2)"
	const links = "\n[Acknowledge](https://tidemark.example.org/a/1_%282%29)\n[Runbook](https://wiki.example.org/latency)"
	whole := discordText(n, 4096)
	if !strings.HasSuffix(whole, `<customers> wait`+links) {
		t.Errorf("whole: %q", whole)
	}
	for _, most := range []int{200, 150, len(links) + 3, 10} {
		got := discordText(n, most)
		if !strings.HasSuffix(got, "..."+links) || len([]rune(got)) > max(most, len(links)+3) {
			t.Errorf("%d: %q", most, got)
		}
	}
	n.Clear = "normal"
	if got := discordText(n, 4096); strings.Contains(got, "](") {
		t.Errorf("cleared: %q", got)
	}
}

// TestShortenBytes: a text is cut to what fits, at the end of a character, and
// otherwise left alone.
func TestShortenBytes(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.String().Draw(t, "text")
		most := rapid.IntRange(0, 40).Draw(t, "most")
		got := shortenBytes(s, most)
		switch {
		case len(s) <= most:
			if got != s {
				t.Fatalf("%q became %q", s, got)
			}
		case len(got) > max(most, 3) || !strings.HasSuffix(got, "...") || !strings.HasPrefix(s, strings.TrimSuffix(got, "...")) || !utf8.ValidString(got):
			t.Fatalf("%q became %q of %d bytes", s, got, len(got))
		case most >= 3 && len(got) < most-utf8.UTFMax+1:
			t.Fatalf("%q became %q, which is shorter than need be", s, got)
		}
	})
}
