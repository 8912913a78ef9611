package store_test

import (
	"bytes"
	"context"
	"database/sql"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/seal"
	"github.com/tidemark-metrics/tidemark/internal/store"
)

const (
	knownSecret = "https://hooks.example.org/T0PS3CR3T"
	knownToken  = "xoxb-kn0wn-t0k3n"
)

func secretive(title string) *tidemark.Service {
	return &tidemark.Service{Type: "webhook_json", Title: title, Settings: map[string]string{
		"url": knownSecret, "authorization": knownToken, "method": "PUT", "unknown-to-the-type": knownToken,
	}}
}

// greps returns the files of a directory that have one of the known secrets.
func greps(t *testing.T, dir string) []string {
	t.Helper()
	var found []string
	for _, e := range must(os.ReadDir(dir))(t) {
		text := must(os.ReadFile(filepath.Join(dir, e.Name())))(t)
		if bytes.Contains(text, []byte("T0PS3CR3T")) || bytes.Contains(text, []byte(knownToken)) {
			found = append(found, e.Name())
		}
	}
	return found
}

// TestSecretsAreSealed: neither the file of the database, nor what SQLite puts
// beside it, nor a backup holds a secret, whatever was done to its service.
func TestSecretsAreSealed(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	path := filepath.Join(dir, "control.db")
	ok(t, os.WriteFile(path, must(migrated())(t), 0o600))
	s := openStore(t, "sqlite:"+path)
	org, ctx := addOrg(t, s, "a"), t.Context()
	v := secretive("hook")
	ok(t, s.CreateService(ctx, org, operator, v))
	must(s.UpdateService(ctx, org, operator, v.ID, func(v *tidemark.Service) { v.Title = "hook again" }))(t)
	same(t, "as read", secretive("").Settings, must(s.Service(ctx, org, v.ID))(t).Settings)
	gone := secretive("gone")
	ok(t, s.CreateService(ctx, org, operator, gone))
	ok(t, s.DeleteService(ctx, org, operator, gone.ID))
	ok(t, s.BeginTOTP(ctx, addUser(t, s, "ann@example.org").ID, knownToken))
	ok(t, s.BackupTo(ctx, filepath.Join(dir, "backup.db")))
	if found := greps(t, dir); len(found) > 0 {
		t.Errorf("secrets are in %v", found)
	}
	var public string
	ok(t, raw(t, path).QueryRow(`SELECT settings FROM services WHERE id = ?`, v.ID).Scan(&public))
	same(t, "in clear", `{"method":"PUT"}`, public)
}

// raw is the database without the store.
func raw(t *testing.T, path string) *sql.DB {
	t.Helper()
	db := must(sql.Open("sqlite", path+"?_pragma=busy_timeout(5000)"))(t)
	t.Cleanup(func() { db.Close() })
	return db
}

// A sealed value that is moved to another organization, or to another service,
// does not open: only that service is without its secrets, and says so.
func TestSealedValuesStayWhereTheyAre(t *testing.T) {
	t.Parallel()
	url := freshURL(t, "sqlite")
	s := openStore(t, url)
	ours, theirs, ctx := addOrg(t, s, "ours"), addOrg(t, s, "theirs"), t.Context()
	from, to := secretive("from"), secretive("to")
	ok(t, s.CreateService(ctx, ours, operator, from))
	ok(t, s.CreateService(ctx, theirs, operator, to))
	must(raw(t, strings.TrimPrefix(url, "sqlite:")).Exec(`UPDATE services SET secrets = (SELECT secrets FROM services WHERE id = ?) WHERE id = ?`, from.ID, to.ID))(t)
	got := must(s.Service(ctx, theirs, to.ID))(t)
	if !strings.Contains(got.Unreadable, "changed or belongs elsewhere") || got.Settings["url"] != "" || got.Settings["method"] != "PUT" {
		t.Errorf("moved: %q, %v", got.Unreadable, got.Settings.Reveal())
	}
	if got := must(s.Service(ctx, ours, from.ID))(t); got.Unreadable != "" || got.Settings["url"] != knownSecret {
		t.Errorf("where it was: %q", got.Unreadable)
	}
}

// TestSealServices: what an earlier version left in clear is sealed, also if
// that is stopped halfway and done again, and nothing of it is left in the file.
func TestSealServices(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	path := filepath.Join(dir, "control.db")
	ok(t, os.WriteFile(path, must(migrated())(t), 0o600))
	s := openStore(t, "sqlite:"+path)
	org, ctx := addOrg(t, s, "a"), t.Context()
	db := raw(t, path)
	const clear = `{"url":"` + knownSecret + `","authorization":"` + knownToken + `","method":"PUT"}`
	for range 3 {
		must(db.Exec(`INSERT INTO services (org_id, type, title, title_key, settings, created_at, updated_at) VALUES (?, 'webhook_json', 'x', 'x', ?, 7, 7)`, org, clear))(t)
	}
	must(db.Exec(`DELETE FROM services WHERE id = 2`))(t)
	if len(greps(t, dir)) == 0 {
		t.Fatal("this test finds nothing")
	}
	stopped, cancel := context.WithCancel(ctx)
	cancel()
	if _, err := s.SealServices(stopped); err == nil {
		t.Error("stopped, and no error")
	}
	same(t, "in clear", int64(2), must(s.SecretsStatus(ctx))(t).Clear)
	same(t, "sealed", 2, must(s.SealServices(ctx))(t))
	same(t, "sealed again", 0, must(s.SealServices(ctx))(t))
	ok(t, s.Sweep(ctx))
	ok(t, s.Sweep(ctx))
	if found := greps(t, dir); len(found) > 0 {
		t.Errorf("secrets are in %v", found)
	}
	got := must(s.Service(ctx, org, 3))(t)
	if got.Settings["url"] != knownSecret || got.Settings["authorization"] != knownToken || got.UpdatedAt != 7 {
		t.Errorf("after it was sealed: %v at %d", got.Settings.Reveal(), got.UpdatedAt)
	}
}

// withFile returns a store of either kind whose keys are in a file.
func withFile(t *testing.T, kind string) (*store.Store, tidemark.OrgID, *seal.Keys) {
	t.Helper()
	s, err := store.Open(t.Context(), emptyURL(t, kind))
	ok(t, err)
	t.Cleanup(func() { s.Close() })
	keys := must(seal.MakeFile(filepath.Join(t.TempDir(), "secrets.key")))(t)
	ok(t, s.UseKeys(t.Context(), keys))
	return s, addOrg(t, s, "a"), keys
}

// TestRotateKey: all is sealed with the new key, the old one is kept until
// then, and a rotation that was stopped is gone on with.
func TestRotateKey(t *testing.T) {
	t.Parallel()
	for _, kind := range []string{"sqlite", "postgres"} {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			s, org, keys := withFile(t, kind)
			ctx, old := t.Context(), keys.IDs()[0]
			for range 101 { // more than are done at a time
				ok(t, s.CreateService(ctx, org, operator, secretive("hook")))
			}
			u := addUser(t, s, "ann@example.org")
			ok(t, s.BeginTOTP(ctx, u.ID, "SEED"))
			stopped, cancel := context.WithCancel(ctx)
			defer cancel()
			if _, err := s.RotateKey(stopped, operator, func(done, _ int64) {
				if done > 0 {
					cancel()
				}
			}); err == nil {
				t.Fatal("stopped, and no error")
			}
			status := must(s.SecretsStatus(ctx))(t)
			if !status.Rotating || !slices.Contains(keys.IDs(), old) || len(status.Keys) != 2 {
				t.Fatalf("stopped halfway: %+v", status)
			}
			ok(t, s.CreateService(ctx, org, operator, secretive("meanwhile")))
			var last, total int64
			done := must(s.RotateKey(ctx, operator, func(d, of int64) { last, total = d, of }))(t)
			if done.Key != status.Current || done.Key == old || last != total || total != 2 || !slices.Equal(done.Retired, []string{old}) || done.Lost != 0 {
				t.Errorf("gone on: %+v, %d of %d", done, last, total)
			}
			same(t, "keys", []string{done.Key}, keys.IDs())
			all, _, err := s.Services(ctx, org, tidemark.Page{Length: 200})
			ok(t, err)
			for _, v := range all {
				if v.Unreadable != "" || v.Settings["url"] != knownSecret {
					t.Fatalf("%d: %q", v.ID, v.Unreadable)
				}
			}
			if seed := must(s.TOTP(ctx, u.ID))(t).Seed; seed != "SEED" {
				t.Errorf("the seed of an authenticator app is %s", seed.Reveal())
			}
			if entries := must(s.ServerAudit(ctx, tidemark.AuditQuery{Action: "secrets.rotate"}))(t); len(entries) != 1 {
				t.Errorf("%d entries in the audit log", len(entries))
			}
		})
	}
}

// TestPreparedKey: a key that was prepared is the next, and one that was
// retired and put back never is.
func TestPreparedKey(t *testing.T) {
	t.Parallel()
	s, org, keys := withFile(t, "sqlite")
	ctx, old := t.Context(), keys.IDs()[0]
	ok(t, s.CreateService(ctx, org, operator, secretive("hook")))
	ok(t, s.Join(ctx, &store.Node{ID: "other", Engine: "clickhouse"}))
	ok(t, s.Join(ctx, &store.Node{ID: "third", Engine: "clickhouse"}))
	if _, err := s.RotateKey(ctx, operator, func(int64, int64) {}); tidemark.KindOf(err) != tidemark.Conflict || !strings.Contains(err.Error(), "secrets prepare") {
		t.Errorf("with another server: %v", err)
	}
	next := must(s.PrepareKey(ctx, operator))(t)
	same(t, "prepared twice", next, must(s.PrepareKey(ctx, operator))(t))
	done := must(s.RotateKey(ctx, operator, func(int64, int64) {}))(t)
	same(t, "the key", next, done.Key)
	retired := must(os.ReadFile(keys.Retired(old)))(t)
	file := must(os.ReadFile(keys.Path()))(t)
	ok(t, os.WriteFile(keys.Path(), append(file, retired...), 0o600))
	keys.Has("look again")
	same(t, "prepared", "", must(s.SecretsStatus(ctx))(t).Prepared)
}

// TestLostKey: without the key all works but secrets, which says so; it can be
// put back, or given up.
func TestLostKey(t *testing.T) {
	t.Parallel()
	s, org, keys := withFile(t, "sqlite")
	ctx, old := t.Context(), keys.IDs()[0]
	hidden := secretive("hook")
	ok(t, s.CreateService(ctx, org, operator, hidden))
	path := filepath.Join(t.TempDir(), "secrets.key")
	ok(t, s.UseKeys(ctx, seal.Absent(path)))

	got := must(s.Service(ctx, org, hidden.ID))(t)
	if !strings.Contains(got.Unreadable, "lacks key "+old) || got.Settings["method"] != "PUT" || got.Settings["url"] != "" {
		t.Errorf("read: %q %v", got.Unreadable, got.Settings.Reveal())
	}
	if err := s.CreateService(ctx, org, operator, secretive("new")); tidemark.KindOf(err) != tidemark.Unavailable || !strings.Contains(err.Error(), old) {
		t.Errorf("a new secret: %v", err)
	}
	ok(t, s.CreateService(ctx, org, operator, &tidemark.Service{Type: "mail", Title: "m", Settings: map[string]string{"addresses": "a@example.org"}}))
	if _, err := s.UpdateService(ctx, org, operator, hidden.ID, func(v *tidemark.Service) { v.Title = "y" }); err == nil || !strings.Contains(err.Error(), "Enter all settings again") {
		t.Errorf("a change that would lose secrets: %v", err)
	}
	file := must(os.ReadFile(keys.Path()))(t)
	ok(t, os.WriteFile(path, file, 0o600))
	same(t, "put back", knownSecret, must(s.Service(ctx, org, hidden.ID))(t).Settings["url"])
	if _, err := s.GiveUpKey(ctx, operator); tidemark.KindOf(err) != tidemark.Conflict {
		t.Errorf("given up though it is there: %v", err)
	}

	ok(t, s.UseKeys(ctx, seal.Absent(filepath.Join(t.TempDir(), "secrets.key"))))
	fresh := must(s.GiveUpKey(ctx, operator))(t)
	same(t, "the key", fresh, must(s.SealingKey(ctx))(t))
	must(s.UpdateService(ctx, org, operator, hidden.ID, func(v *tidemark.Service) { v.Settings = secretive("").Settings }))(t)
	if got := must(s.Service(ctx, org, hidden.ID))(t); got.Unreadable != "" || got.Settings["url"] != knownSecret {
		t.Errorf("entered anew: %q", got.Unreadable)
	}
}

// TestPictureKey: one that an earlier version left in clear stays in use.
func TestPictureKey(t *testing.T) {
	eachStore(t, func(t *testing.T, s *store.Store, _ tidemark.OrgID) {
		ctx := t.Context()
		ok(t, s.SetSetting(ctx, "alerting.picture_key", []byte("from before")))
		same(t, "key", "from before", string(must(s.PictureKey(ctx, []byte("fresh")))(t)))
		same(t, "again", "from before", string(must(s.PictureKey(ctx, []byte("fresh")))(t)))
		if _, err := s.Setting(ctx, "alerting.picture_key"); tidemark.KindOf(err) != tidemark.NotFound {
			t.Errorf("still in clear: %v", err)
		}
	})
}
