package config

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestTemplate: the file that packages install changes nothing as it is, and
// with every line in use it has every setting at its default.
func TestTemplate(t *testing.T) {
	t.Parallel()
	plain, _, err := load(t, "", nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	inUse := regexp.MustCompile(`(?m)^#( {2})?([a-z0-9_]+:)`).ReplaceAllString(Template(), "$1$2")
	for name, file := range map[string]string{"commented": Template(), "in use": inUse} {
		c, values, err := load(t, file, nil, nil)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if d := cmp.Diff([]string(nil), Changed(plain, c)); d != "" {
			t.Errorf("%s: %s", name, d)
		}
		for _, v := range values {
			if fromFile := strings.HasPrefix(v.From, "file"); fromFile != (name == "in use") {
				t.Errorf("%s: %s comes from %s", name, v.Name, v.From)
			}
		}
	}
}

func TestSecretsInFilesOfTheirOwn(t *testing.T) {
	t.Parallel()
	secret := filepath.Join(t.TempDir(), "smtp")
	if err := os.WriteFile(secret, []byte("hush\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	c, _, err := load(t, "smtp: {password_file: "+secret+"}", nil, nil)
	if err != nil || c.SMTP.Password != "hush" {
		t.Errorf("the password is %q, %v", c.SMTP.Password, err)
	}
	for file, want := range map[string]string{
		"smtp: {password: x, password_file: " + secret + "}": "smtp.password and smtp.password_file: give one of them",
		"smtp: {password_file: /nowhere}":                    "smtp.password_file: open /nowhere",
		"smtp: {host_file: " + secret + "}":                  `there is no setting "smtp.host_file"`,
	} {
		if _, _, err := load(t, file, nil, nil); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", file, err)
		}
	}
}
