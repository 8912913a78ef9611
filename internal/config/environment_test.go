package config

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestUnknownVariables(t *testing.T) {
	t.Parallel()
	got := UnknownVariables([]string{
		"HOME=/root", "TIDEMARK_CONFIG=x", "TIDEMARK_LISTEN=x", "TIDEMARK_SMTP_PASSWORD_FILE=x",
		"TIDEMARK_STORAGE_RAW_RETENTIN=8d", "TIDEMARK_LISTEN_FILE=x", "TIDEMARK_ENTIRELY_DIFFERENT=1",
		"TIDEMARK_SERVICE_HOST=10.0.0.1", "TIDEMARK_SERVICE_PORT_HTTP=8433", "TIDEMARK_PORT=tcp://10.0.0.1:8433", "TIDEMARK_PORT_8433_TCP_ADDR=10.0.0.1",
	})
	want := []string{
		"there is no setting TIDEMARK_ENTIRELY_DIFFERENT",
		"there is no setting TIDEMARK_LISTEN_FILE; did you mean TIDEMARK_LISTEN?",
		"there is no setting TIDEMARK_STORAGE_RAW_RETENTIN; did you mean TIDEMARK_STORAGE_RAW_RETENTION?",
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

func TestSecretFile(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "password")
	if err := os.WriteFile(file, []byte("hush\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	c, _, err := load(t, "", map[string]string{"TIDEMARK_SMTP_PASSWORD_FILE": file}, nil)
	if err != nil || c.SMTP.Password != "hush" {
		t.Errorf("the password is %q, %v", c.SMTP.Password, err)
	}
}

func TestDistance(t *testing.T) {
	t.Parallel()
	tests := []struct {
		a, b string
		want int
	}{{"", "", 0}, {"abc", "abc", 0}, {"abc", "abd", 1}, {"abc", "ab", 1}, {"", "abc", 3}, {"listen", "lisen", 1}, {"kitten", "sitting", 3}}
	for _, tt := range tests {
		if got := distance(tt.a, tt.b); got != tt.want {
			t.Errorf("%q, %q: %d, want %d", tt.a, tt.b, got, tt.want)
		}
	}
}

func TestChanged(t *testing.T) {
	t.Parallel()
	before, _, err := load(t, "smtp: {password: one}", nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	after, _, err := load(t, "smtp: {password: two}\nlisten: 127.0.0.1:1", nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff([]string{"listen", "smtp.password"}, Changed(before, after)); d != "" {
		t.Error(d)
	}
}
