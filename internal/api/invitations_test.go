package api

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/tidemark-metrics/tidemark"
)

// mails makes w send mail, and returns what it sent.
func (w *world) mails() *[]string {
	var sent []string
	w.PublicURL = "https://metrics.example.org"
	w.SendMail = func(to, subject, text string) { sent = append(sent, to+"\n"+subject+"\n"+text) }
	return &sent
}

// TestNoAccountForOthers: an Admin of another organization can neither choose
// a password for an address nor make anybody a member without their doing.
func TestNoAccountForOthers(t *testing.T) {
	w := newWorld(t).withPeople(t)
	if rec := w.ask("Stranger", "POST", "/ui/api/members", `{"email":"cfo@example.org","role":"viewer","password":"chosen-by-evil-1"}`); rec.Code != http.StatusMethodNotAllowed {
		t.Errorf("adding a member: %d %s", rec.Code, rec.Body)
	}
	body := `{"email":"cfo@example.org","role":"viewer","password":"chosen-by-evil-1"}`
	if rec := w.ask("Stranger", "POST", "/ui/api/invitations", body); rec.Code != http.StatusCreated {
		t.Fatalf("%d %s", rec.Code, rec.Body)
	}
	if _, err := w.Store.UserByEmail(t.Context(), "cfo@example.org"); tidemark.KindOf(err) != tidemark.NotFound {
		t.Errorf("an invitation made an account: %v", err)
	}
	// Whether somebody exists is not revealed, and they are not a member before they accept.
	rec := w.ask("Stranger", "POST", "/ui/api/invitations", `{"email":"viewer@example.org","role":"viewer"}`)
	if rec.Code != http.StatusCreated || strings.Contains(rec.Body.String(), "Viewer\"") {
		t.Errorf("somebody who has an account: %d %s", rec.Code, rec.Body)
	}
	if rec := w.ask("Stranger", "GET", "/ui/api/members", ""); strings.Contains(rec.Body.String(), "viewer@example.org") {
		t.Errorf("they are a member without their doing: %s", rec.Body)
	}
}

// TestHijackedAccount: anyone who made an account with a link that was not theirs
// gets nowhere with it: the next organization that invites the address is
// joined by anyone who has both its link and the password.
func TestHijackedAccount(t *testing.T) {
	w := newWorld(t).withPeople(t)
	invite := func(admin string) string {
		t.Helper()
		var answer struct{ URL string }
		rec := w.ask(admin, "POST", "/ui/api/invitations", `{"email":"cfo@example.org","role":"admin"}`)
		if err := json.Unmarshal(rec.Body.Bytes(), &answer); err != nil || rec.Code != http.StatusCreated {
			t.Fatalf("%d %s", rec.Code, rec.Body)
		}
		_, key, _ := strings.Cut(answer.URL, "/invite/")
		return key
	}
	evil := `{"new":true,"password":"chosen-by-evil-1"}`
	if rec := w.ask("nobody", "POST", "/ui/api/invite/"+invite("Stranger"), evil); rec.Code != http.StatusOK {
		t.Fatalf("%d %s", rec.Code, rec.Body)
	}
	key := invite("Admin")
	rec := w.ask("nobody", "POST", "/ui/api/session", `{"email":"cfo@example.org","password":"chosen-by-evil-1"}`)
	if rec.Code != http.StatusOK || strings.Contains(rec.Body.String(), "ours") {
		t.Errorf("an invitation alone makes a member: %d %s", rec.Code, rec.Body)
	}
	// The one who was invited does not get the account that somebody else made.
	if rec := w.ask("nobody", "POST", "/ui/api/invite/"+key, `{"new":true,"password":"correct horse"}`); rec.Code != http.StatusBadRequest {
		t.Errorf("a second account: %d %s", rec.Code, rec.Body)
	}
	u, err := w.Store.UserByEmail(t.Context(), "cfo@example.org")
	if err != nil || u.Verified {
		t.Errorf("%+v, %v", u, err)
	}
}

// TestInvitationMails: where there is mail, the link is in the mail only, and
// whoever accepts it is known to be the owner of the address.
func TestInvitationMails(t *testing.T) {
	w := newWorld(t).withPeople(t)
	sent := w.mails()
	rec := w.ask("Admin", "POST", "/ui/api/invitations", `{"email":"new@example.org","role":"member"}`, "Host", "attacker.example")
	if rec.Code != http.StatusCreated || strings.Contains(rec.Body.String(), "/invite/") {
		t.Fatalf("%d %s", rec.Code, rec.Body)
	}
	if rec = w.ask("Admin", "POST", "/ui/api/invitations/1/link", ""); rec.Code != http.StatusOK || strings.Contains(rec.Body.String(), "/invite/") {
		t.Fatalf("again: %d %s", rec.Code, rec.Body)
	}
	var keys []string
	for _, mail := range *sent {
		if !strings.HasPrefix(mail, "new@example.org\nJoin ours on Tidemark\nadmin@example.org invites you to ours") {
			t.Errorf("mail: %s", mail)
		}
		_, after, _ := strings.Cut(mail, " https://metrics.example.org/invite/")
		key, _, _ := strings.Cut(after, "\n")
		keys = append(keys, key)
	}
	if len(keys) != 2 {
		t.Fatalf("%d mails", len(keys))
	}
	if rec := w.ask("nobody", "GET", "/ui/api/invite/"+keys[0], ""); rec.Code != http.StatusNotFound {
		t.Errorf("the link before works: %d", rec.Code)
	}
	if rec := w.ask("nobody", "POST", "/ui/api/invite/"+keys[1], `{"new":true,"password":"correct horse"}`); rec.Code != http.StatusOK {
		t.Fatalf("%d %s", rec.Code, rec.Body)
	}
	if u, err := w.Store.UserByEmail(t.Context(), "new@example.org"); err != nil || !u.Verified {
		t.Errorf("%+v, %v", u, err)
	}
	for i := range 10 { // nobody's mail is filled
		rec = w.ask("Admin", "POST", "/ui/api/invitations", `{"email":"other@example.org","role":"member"}`)
		if rec.Code == http.StatusTooManyRequests {
			return
		}
		if err := w.Store.DeleteInvitation(t.Context(), w.ours, tidemark.ServerActor(), int64(i+2)); err != nil {
			t.Fatal(err)
		}
	}
	t.Errorf("ten mails to one address: %d %s", rec.Code, rec.Body)
}

func isSession(c *http.Cookie) bool { return strings.HasSuffix(c.Name, "tidemark_session") }

// TestJoinWithPassword: an account joins another organization by its password,
// keeps it, and lands where it was invited.
func TestJoinWithPassword(t *testing.T) {
	w := ownWorld(t)
	rec := w.ask("Stranger", "POST", "/ui/api/invitations", `{"email":"admin@example.org","role":"viewer"}`)
	var answer struct{ URL string }
	if err := json.Unmarshal(rec.Body.Bytes(), &answer); err != nil {
		t.Fatal(err)
	}
	_, key, _ := strings.Cut(answer.URL, "/invite/")
	rec = w.ask("nobody", "POST", "/ui/api/invite/"+key, `{"password":"correct horse battery"}`)
	if rec.Code != http.StatusOK || !strings.Contains(rec.Body.String(), `"org":{"id":2,"last":true,"name":"theirs"`) || !slices.ContainsFunc(rec.Result().Cookies(), isSession) {
		t.Errorf("%d %s", rec.Code, rec.Body)
	}
	m, err := w.Store.Membership(t.Context(), w.theirs, 1)
	if err != nil || m.Role != tidemark.ViewOnly {
		t.Errorf("%+v, %v", m, err)
	}
}
