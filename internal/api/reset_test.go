package api

import (
	"database/sql"
	"strings"
	"testing"
)

// TestResetAnswersFirst: the answer to who wants a new password waits for
// nothing that is done only for people who exist: not for the database, in
// which somebody else is writing all the while, and not for the mail.
func TestResetAnswersFirst(t *testing.T) {
	t.Parallel()
	w := newWorld(t).withPeople(t)
	w.PublicURL = "https://metrics.example.org"
	sent, blocked := make(chan string, 1), make(chan struct{})
	w.SendMail = func(to, _, text string) {
		<-blocked
		sent <- to + " " + text
	}
	db, err := sql.Open("sqlite", w.path+"?_txlock=immediate")
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	writing, err := db.BeginTx(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	answers := make(map[string]string)
	for _, email := range []string{"admin@example.org", "nobody@example.org"} {
		rec := w.ask("nobody", "POST", "/ui/api/reset", `{"email":"`+email+`"}`)
		if rec.Code != 202 {
			t.Errorf("%s: %d %s", email, rec.Code, rec.Body)
		}
		answers[rec.Body.String()] = email
	}
	if len(answers) != 1 {
		t.Errorf("the answers differ: %v", answers)
	}
	if err := writing.Rollback(); err != nil {
		t.Fatal(err)
	}
	close(blocked)
	if mail := <-sent; !strings.HasPrefix(mail, "admin@example.org ") || !strings.Contains(mail, "https://metrics.example.org/reset/") {
		t.Errorf("mailed %q", mail)
	}
}
