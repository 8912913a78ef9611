package app

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tidemark-metrics/tidemark/client"
	"github.com/tidemark-metrics/tidemark/internal/store/storetest"
)

const knownSecret = "kn0wn-pagerduty-s3cret"

// withSecret is a data directory of a server with a secret in it.
func withSecret(t *testing.T, flags map[string]string) (cfgData string, s *server, backup string) {
	t.Helper()
	cfg := settings(t, flags)
	s = start(t, cfg)
	c := client.New(s.URL, client.Token(s.Secret))
	_, err := c.Services().Create(t.Context(), map[string]any{"type": "pagerduty", "title": "Duty", "settings": map[string]string{
		"service_key": knownSecret, "event_type": "trigger", "description": "tide",
	}})
	if err != nil {
		t.Fatal(err)
	}
	s.end(t)
	backup = filepath.Join(t.TempDir(), "backup")
	if err := BackUpData(t.Context(), cfg, backup, quiet); err != nil {
		t.Fatal(err)
	}
	return cfg.Data, s, backup
}

// holds returns the files below dir that hold text.
func holds(t *testing.T, dir string, text []byte) (found []string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		b, err := os.ReadFile(path)
		if bytes.Contains(b, text) {
			found = append(found, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// TestBackupsHaveNoSecrets: neither the data directory nor a backup holds a
// secret, and no backup has the key. What is restored works without the key
// but for the secrets, and with it altogether.
func TestBackupsHaveNoSecrets(t *testing.T) {
	t.Parallel()
	data, s, backup := withSecret(t, nil)
	for _, dir := range []string{data, backup} {
		if found := holds(t, dir, []byte(knownSecret)); len(found) > 0 {
			t.Errorf("the secret is in %v", found)
		}
	}
	file, err := os.ReadFile(filepath.Join(data, keyFile))
	if err != nil {
		t.Fatal(err)
	}
	key := bytes.Fields(file[bytes.LastIndexByte(bytes.TrimSpace(file), '\n'):])[1]
	if found := holds(t, backup, key); len(found) > 0 {
		t.Errorf("the key is in %v", found)
	}
	if info, err := os.Stat(filepath.Join(data, keyFile)); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the key file: %v, %v", info, err)
	}

	without := settings(t, nil)
	if _, err := RestoreData(t.Context(), without, backup, "", quiet); err != nil {
		t.Fatal(err)
	}
	if note, err := SecretsNote(t.Context(), without); err != nil || !strings.Contains(note, "which no backup has: put the key file at "+without.KeyFile()) {
		t.Errorf("restored without the key: %q, %v", note, err)
	}
	restored := start(t, without)
	c := client.New(restored.URL, client.Token(s.Secret))
	got, err := c.Services().Get(t.Context(), 1)
	if err != nil || got.Settings["service_key"] != "" || got.Settings["description"] != "tide" {
		t.Errorf("without the key: %v, %v", got, err)
	}
	if err := c.Record(t.Context(), client.Measurement{Name: "hello.tide", Value: 1}); err != nil {
		t.Errorf("record without the key: %v", err)
	}
	if _, err := os.Stat(without.KeyFile()); err == nil {
		t.Error("a key was made though the secrets have one")
	}
	// It is found and put back while the server runs.
	if err := os.WriteFile(without.KeyFile(), file, 0o600); err != nil {
		t.Fatal(err)
	}
	if got, err := c.Services().Get(t.Context(), 1); err != nil || got.Settings["service_key"] != knownSecret {
		t.Errorf("with the key: %v, %v", got, err)
	}
	restored.end(t)

	with := settings(t, nil)
	if err := os.MkdirAll(with.Data, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(with.KeyFile(), file, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := RestoreData(t.Context(), with, backup, "", quiet); err != nil {
		t.Errorf("into a directory with the key file: %v", err)
	}
	if note, err := SecretsNote(t.Context(), with); err != nil || note != "" {
		t.Errorf("restored with the key: %q, %v", note, err)
	}
}

// A second server on the same PostgreSQL needs the first one's key file: it
// makes none of its own, and says that it lacks one.
func TestServersShareTheKey(t *testing.T) {
	t.Parallel()
	url := storetest.Postgres(t)
	data, s, _ := withSecret(t, map[string]string{"database": url})
	other := settings(t, map[string]string{"database": url})
	second := start(t, other)
	c := client.New(second.URL, client.Token(s.Secret))
	_, err := c.Services().Create(t.Context(), map[string]any{"type": "slack", "title": "x", "settings": map[string]string{"url": "https://hooks.example.org/x"}})
	if err == nil || !strings.Contains(err.Error(), "lacks key") {
		t.Errorf("a secret without the key: %v", err)
	}
	second.end(t)
	shared := settings(t, map[string]string{"database": url, "secrets.key_file": filepath.Join(data, keyFile)})
	third := start(t, shared)
	got, err := client.New(third.URL, client.Token(s.Secret)).Services().Get(t.Context(), 1)
	if err != nil || got.Settings["service_key"] != knownSecret {
		t.Errorf("with the file of the first: %v, %v", got, err)
	}
	third.end(t)
}
