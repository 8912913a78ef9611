package api

import (
	"net/http"
	"strings"
	"testing"
)

// firingWorld is a world with an alert that fires.
func firingWorld(t *testing.T) *world {
	t.Helper()
	w := newWorld(t).withPeople(t)
	for _, o := range []struct{ path, body string }{
		{"/v1/metrics", `{"gauges":[{"name":"cpu","value":1}]}`},
		{"/v1/services", `{"type":"webhook","title":"hook","settings":{"url":"https://example.org/s3cret"}}`},
		{"/v1/alerts", `{"name":"high","severity":"critical","labels":{"team":"db"},"escalation":[{"after_seconds":3600,"services":[1]}],"services":[1],"conditions":[{"type":"above","metric_name":"cpu","threshold":90}]}`},
	} {
		if rec := w.ask("admin", "POST", o.path, o.body); rec.Code >= 300 {
			t.Fatalf("%s: %d %s", o.path, rec.Code, rec.Body)
		}
	}
	w.fire(t, 1, w.Now().Unix()-100)
	return w
}

// expect asks and looks for what the answer has, and for what follows a ! in
// wants, which it has not.
func (w *world) expect(t *testing.T, who, method, path, body string, wants ...string) {
	t.Helper()
	rec := w.ask(who, method, path, body)
	if rec.Code >= 300 {
		t.Errorf("%s %s as %s: %d %s", method, path, who, rec.Code, rec.Body)
	}
	for _, want := range wants {
		text, not := strings.CutPrefix(want, "!")
		if strings.Contains(rec.Body.String(), text) == not {
			t.Errorf("%s %s as %s: %s\n%s", method, path, who, want, rec.Body)
		}
	}
}

// TestAcknowledgeByLink: looking at the page behind the link changes nothing;
// confirming acknowledges, by name for whoever is signed in.
func TestAcknowledgeByLink(t *testing.T) {
	t.Parallel()
	for who, by := range map[string]string{"nobody": "link in notification", "Member": "user:member@example.org"} {
		w := firingWorld(t)
		w.expect(t, who, "GET", "/ui/api/acknowledge/good", "", `"acknowledged_at":0`, `"name":"high"`, `"severity":"critical"`, `!s3cret`)
		w.expect(t, "Viewer", "GET", "/ui/api/alerts/1", "", `!"acknowledged_at"`)
		w.expect(t, who, "POST", "/ui/api/acknowledge/good", `{"text":"on it"}`, `"acknowledged_by":"`+by+`"`)
		w.expect(t, "Viewer", "GET", "/ui/api/alerts/1", "", `"acknowledged_by":"`+by+`"`, `"next":[]`)
		w.expect(t, "Viewer", "GET", "/ui/api/incidents/1", "", `"kind":"acknowledged"`, `"text":"on it"`)
	}
	w := firingWorld(t)
	if rec := w.ask("nobody", "POST", "/ui/api/acknowledge/good", `{}`, "Origin", "https://evil.example.org", "Sec-Fetch-Site", "cross-site"); rec.Code != http.StatusForbidden {
		t.Errorf("another site acknowledges: %d %s", rec.Code, rec.Body)
	}
}

// TestAcknowledgeLinkIsLimited: a link is for a few notes and looks, whatever
// comes after that writes nothing, and others from the same address are let.
func TestAcknowledgeLinkIsLimited(t *testing.T) {
	t.Parallel()
	w := firingWorld(t)
	audited := func() int {
		return strings.Count(w.ask("admin", "GET", "/v1/audit?length=100", "").Body.String(), `"alert.acknowledge"`)
	}
	for i := range 25 {
		rec := w.ask("nobody", "POST", "/ui/api/acknowledge/good", `{"text":"on it"}`)
		if want := i < 20; (rec.Code == http.StatusOK) != want || !want && rec.Code != http.StatusTooManyRequests {
			t.Errorf("note %d: %d %s", i+1, rec.Code, rec.Body)
		}
	}
	if n := audited(); n != 20 {
		t.Errorf("%d entries of the audit log, want 20", n)
	}
	for i := range 65 {
		rec := w.ask("nobody", "GET", "/ui/api/acknowledge/good", "")
		if want := i < 60; (rec.Code == http.StatusOK) != want {
			t.Errorf("look %d: %d %s", i+1, rec.Code, rec.Body)
		}
	}
	if rec := w.ask("nobody", "GET", "/ui/api/acknowledge/other", ""); rec.Code != http.StatusNotFound {
		t.Errorf("another link: %d %s", rec.Code, rec.Body)
	}
}

// TestIncident: the timeline has everything that happened to an incident, the
// newest first.
func TestIncident(t *testing.T) {
	t.Parallel()
	w := firingWorld(t)
	w.expect(t, "Viewer", "GET", "/ui/api/alerts/1", "", `"kind":"reminder"`, `"incident_id":1`, `"severity":"critical"`)
	w.expect(t, "Member", "POST", "/v1/alerts/1/acknowledge", `{"text":"on it"}`)
	w.expect(t, "Member", "POST", "/v1/alerts/1/acknowledge", `{"text":"disk is full"}`)
	w.expect(t, "Member", "DELETE", "/v1/alerts/1/acknowledge", "")
	w.expect(t, "Member", "POST", "/v1/alerts/1/snooze", `{"seconds":600}`)
	w.expect(t, "Viewer", "GET", "/ui/api/alerts/1", "", `"kind":"snooze over"`)
	w.expect(t, "Member", "POST", "/v1/alerts/1/clear", "")
	w.expect(t, "Viewer", "GET", "/ui/api/incidents/1", "", `"kind":"fired"`, `"kind":"notified"`, `"service":"hook"`, `"kind":"acknowledged"`,
		`"kind":"comment"`, `"kind":"reopened"`, `"kind":"snoozed"`, `"kind":"cleared"`, `!s3cret`)
	w.expect(t, "Viewer", "GET", "/ui/api/alerts/1/changes", "", `"action":"alert.snooze"`, `"action":"alert.create"`, `!"address":"1`)
	if rec := w.ask("StrangeViewer", "GET", "/ui/api/incidents/1", ""); rec.Code == http.StatusOK {
		t.Error("others see it")
	}
}

// TestComments: everybody who sees an incident may say something of it without
// taking it on, and change what they said for ten minutes.
func TestComments(t *testing.T) {
	t.Parallel()
	w := firingWorld(t)
	w.expect(t, "Viewer", "POST", "/ui/api/incidents/1/comments", `{"text":" the door stands open\n"}`, `"id":1`)
	w.expect(t, "Viewer", "GET", "/ui/api/incidents/1", "", `"kind":"comment"`, `"text":"the door stands open"`, `!"edited_at"`, `!acknowledged`)
	w.expect(t, "Viewer", "GET", "/ui/api/alerts/1", "", `!"acknowledged_at"`)
	w.expect(t, "Viewer", "PUT", "/ui/api/incidents/1/comments/1", `{"text":"the window, too"}`)
	w.expect(t, "Viewer", "GET", "/ui/api/incidents/1", "", `"text":"the window, too"`, `"edited_at"`, `!the door`)
	for _, o := range []struct {
		who, path, body string
		status          int
		says            string
	}{
		{"Member", "/ui/api/incidents/1/comments/1", `{"text":"x"}`, http.StatusForbidden, "Only who wrote"},
		{"Viewer", "/ui/api/incidents/1/comments/9", `{"text":"x"}`, http.StatusNotFound, ""},
		{"Viewer", "/ui/api/incidents/9/comments/1", `{"text":"x"}`, http.StatusNotFound, ""},
		{"Viewer", "/ui/api/incidents/1/comments/1", `{"text":" "}`, http.StatusBadRequest, "text"},
		{"Viewer", "/ui/api/incidents/1/comments/1", `{"text":"` + strings.Repeat("a", 4001) + `"}`, http.StatusBadRequest, "4000"},
		{"Stranger", "/ui/api/incidents/1/comments/1", `{"text":"x"}`, http.StatusNotFound, ""},
	} {
		if rec := w.ask(o.who, "PUT", o.path, o.body); rec.Code != o.status || !strings.Contains(rec.Body.String(), o.says) {
			t.Errorf("%s as %s with %.20s: %d %s", o.path, o.who, o.body, rec.Code, rec.Body)
		}
	}
	w.expect(t, "Member", "POST", "/v1/alerts/1/clear", "")
	w.expect(t, "Viewer", "POST", "/ui/api/incidents/1/comments", `{"text":"it was the door"}`, `"id":2`)
}

// TestAlertsByLabel: the list is searched by labels as well as by names.
func TestAlertsByLabel(t *testing.T) {
	t.Parallel()
	w := firingWorld(t)
	for q, found := range map[string]bool{"team=db": true, "TEAM": true, "high": true, "team=web": false} {
		want := `"name":"high"`
		if !found {
			want = "!" + want
		}
		w.expect(t, "Viewer", "GET", "/ui/api/alerts?q="+q, "", want)
	}
}
