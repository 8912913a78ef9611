package notify

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/tidemark-metrics/tidemark"
)

// settingsOf returns the settings under which a kind is examined.
func settingsOf(kind string) map[string]string {
	for _, e := range examined {
		if e.kind == kind {
			s := make(map[string]string)
			maps.Copy(s, e.settings)
			return s
		}
	}
	return map[string]string{"addresses": "a@example.org"}
}

// TestEveryTemplateIsUsed gives every kind that has the setting a template.
func TestEveryTemplateIsUsed(t *testing.T) {
	t.Parallel()
	n := 0
	for _, st := range tidemark.ServiceTypes() {
		for _, f := range st.Fields {
			if f.Name != "template" {
				continue
			}
			n++
			t.Run(st.Type, func(t *testing.T) {
				t.Parallel()
				s := settingsOf(st.Type)
				s["template"] = `{"mine": "{{.alert.id}} {{.state}}"}`
				p, err := MakePreview(&tidemark.Service{Type: st.Type, Settings: s}, stories()["1 trigger"], "")
				if body, _ := url.QueryUnescape(string(p.Body)); err != nil || !strings.Contains(body, "4711 triggered") {
					t.Errorf("%s, %v", body, err)
				}
				s["template"] = "{{.nope}}"
				_, err = MakePreview(&tidemark.Service{Type: st.Type, Settings: s}, stories()["1 trigger"], "")
				if e, ok := errors.AsType[*tidemark.Error](err); !ok || e.Fields["template"] == nil {
					t.Errorf("a wrong template: %v", err)
				}
				s["template"] = "{{"
				if _, err := New(&tidemark.Service{Type: st.Type, Settings: s}, Options{}); tidemark.KindOf(err) != tidemark.Invalid {
					t.Errorf("a broken template: %v", err)
				}
			})
		}
	}
	if n < 8 {
		t.Errorf("only %d kinds have templates", n)
	}
}

// TestBareNotification leaves out everything that may be left out, and has
// values that JSON cannot write.
func TestBareNotification(t *testing.T) {
	t.Parallel()
	threshold := 1.0
	bare := Notification{
		Alert: Alert{Name: "x"}, Conditions: []Condition{{ID: 1, Type: "above", Threshold: &threshold}},
		Violations: map[string][]Violation{"unassigned": {{Metric: "m", Value: math.NaN(), Condition: 1}, {Metric: "m", Value: math.Inf(1), Condition: 99}}},
	}
	nothing := Notification{Alert: Alert{Name: "x"}}
	nameless := Notification{Alert: Alert{ID: 7}, Clear: "auto"}
	for _, e := range examined {
		for i, n := range []Notification{bare, nothing, nameless} {
			t.Run(fmt.Sprintf("%s/%d", e.name, i), func(t *testing.T) {
				t.Parallel()
				s := newNotifier(t, e.kind, e.settings, func(r *http.Request) (*http.Response, error) {
					body, err := io.ReadAll(r.Body)
					if len(body) > 0 && r.Header.Get("Content-Type") == "application/json" && !json.Valid(body) {
						t.Errorf("%s", body)
					}
					return respond(r, 200, nil, ""), err
				})
				if _, err := s.Send(t.Context(), n); err != nil {
					t.Error(err)
				}
			})
		}
	}
}

func TestMailSettings(t *testing.T) {
	t.Parallel()
	good := Mail{Host: "mail.example.org", From: "Tidemark <t@example.org>"}
	f := func(change func(*Mail), want string) {
		t.Helper()
		m := good
		change(&m)
		got := ""
		if e, ok := errors.AsType[*tidemark.Error](m.Validate()); ok {
			_, got, _ = strings.Cut(e.Error(), "; ")
		}
		if got != want {
			t.Errorf("%+v: %q, want %q", m, got, want)
		}
	}
	f(func(*Mail) {}, "")
	f(func(m *Mail) { m.Host = "" }, "host is not present")
	f(func(m *Mail) { m.Port = 70000 }, "port must be 1 to 65535")
	f(func(m *Mail) { m.From = "nobody" }, "from is not an e-mail address")
	f(func(m *Mail) { m.TLS = "ssl" }, "tls must be starttls, opportunistic, tls or none")
	for mode, want := range map[string]int{"": 587, TLSRequired: 587, TLSOpportunistic: 587, TLSImplicit: 465, TLSNone: 25} {
		if m := (Mail{TLS: mode}); m.port() != want {
			t.Errorf("%q: port %d, want %d", mode, m.port(), want)
		}
	}
	if (Mail{Port: 2525}).port() != 2525 {
		t.Error("a port that is set does not count")
	}
}

func TestPictureByLink(t *testing.T) {
	t.Parallel()
	n := stories()["1 trigger"]
	n.Image = &Image{URL: "https://tidemark.example.org/i/abc.png", Alt: "a chart"}
	for kind, want := range map[string]string{
		"discord": "\"image\": {\n        \"url\": \"https://tidemark.example.org/i/abc.png\"", "ntfy": `"attach": "https://tidemark.example.org/i/abc.png"`,
		"googlechat": `"imageUrl": "https://tidemark.example.org/i/abc.png"`, "msteams": `"url": "https://tidemark.example.org/i/abc.png"`,
		"slack": `"image_url": "https://tidemark.example.org/i/abc.png"`, "telegram": `"parse_mode": "HTML"`, // without a picture to upload it is a message
	} {
		p, err := MakePreview(&tidemark.Service{Type: kind, Settings: settingsOf(kind)}, n, "")
		if err != nil || !strings.Contains(string(p.Body), want) {
			t.Errorf("%s: %s, %v", kind, p.Body, err)
		}
	}
	p, err := MakePreview(&tidemark.Service{Type: "mail", Settings: settingsOf("mail")}, n, "")
	if err != nil || !strings.Contains(p.HTML, `src="https://tidemark.example.org/i/abc.png"`) {
		t.Errorf("mail: %s, %v", p.HTML, err)
	}
	n.Image.URL = "javascript:alert(1)"
	p, err = MakePreview(&tidemark.Service{Type: "mail", Settings: settingsOf("mail")}, n, "")
	if err != nil || strings.Contains(p.HTML, "javascript") {
		t.Errorf("mail: %s, %v", p.HTML, err)
	}
}

func TestLabelNames(t *testing.T) {
	t.Parallel()
	for tag, want := range map[string]string{"host": "host", "@host": "_host", "a.b-c": "a_b_c", "1st": "_1st", "": "_"} {
		if got := labelName(tag); got != want {
			t.Errorf("%q: %q, want %q", tag, got, want)
		}
	}
	if got := jiraLabel("a b\"c\\d"); got != "a_b_c_d" {
		t.Errorf("%q", got)
	}
}
