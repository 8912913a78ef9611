package notify

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tidemark-metrics/tidemark"
)

// reported is a picture of a space, of the day before.
func reported() Notification {
	r := &tidemark.Report{ID: 5, Space: 12, Name: "Every morning", Range: "-1d", Schedule: tidemark.Schedule{Zone: "Europe/Berlin"}}
	n := FromNotice(tidemark.NewReportNotice(7, r, "Checkout <prod>", 1700000460), nil)
	n.Account, n.DedupKey = "owner@example.org", r.DeliveryKey(1700000460)
	n.Image = &Image{PNG: []byte("\x89PNG picture"), URL: "https://tidemark.example.org/i/abc.png", Alt: "Checkout"}
	return n
}

// TestReporters: pictures of spaces can be sent to the kinds of service that say
// so, and to no others.
func TestReporters(t *testing.T) {
	t.Parallel()
	var say []string
	for _, st := range tidemark.ServiceTypes() {
		if st.Pictures {
			say = append(say, st.Type)
		}
	}
	slices.Sort(say)
	if diff := cmp.Diff(say, slices.Sorted(maps.Keys(reporters))); diff != "" {
		t.Errorf("reporters and types of service differ:\n%s", diff)
	}
	for _, e := range examined {
		if _, ok := reporters[e.kind]; ok {
			continue
		}
		s := newNotifier(t, e.kind, e.settings, func(*http.Request) (*http.Response, error) {
			t.Errorf("%s: something was sent", e.name)
			return nil, errUnsent
		})
		if result, err := s.Send(t.Context(), reported()); !errors.Is(err, ErrPermanent) || result.Status != "this kind of service shows no pictures" {
			t.Errorf("%s: %q, %v", e.name, result.Status, err)
		}
	}
}

// TestReportMessages: what each kind of service is sent, whatever its template.
func TestReportMessages(t *testing.T) {
	for _, e := range examined {
		if _, ok := reporters[e.kind]; !ok {
			continue
		}
		t.Run(e.name, func(t *testing.T) {
			t.Parallel()
			var got bytes.Buffer
			s := newNotifier(t, e.kind, e.settings, func(r *http.Request) (*http.Response, error) {
				dump(t, &got, r)
				return respond(r, 200, nil, "ok"), nil
			})
			result, err := s.Send(t.Context(), reported())
			if err != nil {
				t.Fatal(err)
			}
			fmt.Fprintf(&got, "-> %s\n", result.Status)
			golden(t, "report_"+e.name, got.Bytes())
		})
	}
}

// TestReportMail: the picture is inside the mail.
func TestReportMail(t *testing.T) {
	t.Parallel()
	p := &postOffice{}
	p.open(t, TLSRequired)
	if _, err := mailTo(t, p.options(TLSRequired, ""), "a@example.org", "{{.title}}").Send(t.Context(), reported()); err != nil {
		t.Fatal(err)
	}
	m := open(t, p.letters[0].raw)
	for key, want := range map[string]string{
		"Subject": "[Tidemark] Every morning: Checkout <prod>", "Message-Id": "<tidemark-report-5-1700000460@example.org>", "References": "",
	} {
		if got := m.header.Get(key); got != want {
			t.Errorf("%s is %q, want %q", key, got, want)
		}
	}
	if len(m.png) == 0 || !strings.Contains(m.html, "cid:chart@tidemark") || m.cid != "<"+pictureCID+">" {
		t.Errorf("a picture of %d bytes called %q", len(m.png), m.cid)
	}
	golden(t, "report_mail", []byte(m.text+"\n=== html\n"+m.html))
}

// TestReportNeedsAnAddress: services that fetch the picture are told of none
// that they cannot fetch; its message can be looked at all the same.
func TestReportNeedsAnAddress(t *testing.T) {
	t.Parallel()
	n := reported()
	n.Image.URL = ""
	for kind, r := range reporters {
		if kind == "mail" {
			continue
		}
		sent := 0
		s := newNotifier(t, kind, settingsOf(kind), func(r *http.Request) (*http.Response, error) {
			sent++
			return respond(r, 200, nil, "ok"), nil
		})
		result, err := s.Send(t.Context(), n)
		if refused := errors.Is(err, ErrPermanent) && strings.Contains(result.Status, "has no public URL"); refused != r.byLink || (sent == 0) != r.byLink {
			t.Errorf("%s: %q, %v, %d requests", kind, result.Status, err, sent)
		}
		bare := n
		bare.Image = nil
		if preview, err := MakePreview(&tidemark.Service{Type: kind, Settings: settingsOf(kind)}, bare, ""); err != nil || !strings.Contains(string(preview.Body), "Every morning") {
			t.Errorf("%s: %s, %v", kind, preview.Body, err)
		}
	}
}

// TestLongReportNames: names as long as they may be are cut, and not in the
// middle of a mark.
func TestLongReportNames(t *testing.T) {
	t.Parallel()
	n := reported()
	n.Alert.Name, n.Report.SpaceName = strings.Repeat("<&>", 85), strings.Repeat("&lt;", 60)
	p, err := MakePreview(&tidemark.Service{Type: "telegram", Settings: settingsOf("telegram")}, n, "https://tidemark.example.org")
	caption := strings.Split(string(p.Body), "caption:\n")
	if err != nil || len(caption) != 2 || !strings.Contains(caption[1], "Open the space</a>") {
		t.Errorf("%s, %v", p.Body, err)
	}
}
