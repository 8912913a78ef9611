package api

import (
	"strings"
	"testing"
)

// TestPasswordsOff: the interface is told that passwords are switched off, and
// what takes one says so.
func TestPasswordsOff(t *testing.T) {
	w := newWorld(t).withPeople(t)
	w.Auth.DisablePasswords()
	if rec := w.ask("nobody", "GET", "/ui/api/signin", ""); !strings.Contains(rec.Body.String(), `"passwords":false`) {
		t.Errorf("options: %s", rec.Body)
	}
	for _, tt := range []struct{ who, method, path, body string }{
		{"nobody", "POST", "/ui/api/session", `{"email":"admin@example.org","password":"password of Admin"}`},
		{"nobody", "POST", "/ui/api/reset/any", `{"password":"correct horse battery"}`},
		{"Admin", "PUT", "/ui/api/profile", `{"password":"correct horse battery","current_password":"password of Admin"}`},
	} {
		rec := w.ask(tt.who, tt.method, tt.path, tt.body)
		if rec.Code != 403 || !strings.Contains(rec.Body.String(), "Passwords are switched off on this server.") {
			t.Errorf("%s %s: %d %s", tt.method, tt.path, rec.Code, rec.Body)
		}
	}
}
