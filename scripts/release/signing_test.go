package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"github.com/tidemark-metrics/tidemark/internal/testdeps"
)

const keyOwner = "Tidemark Test <test@tidemark.example>"

// run runs a command of a shell as the workflow does, in the project's own
// folder and with one key ring.
func run(t *testing.T, ring, command string, env ...string) (string, error) {
	t.Helper()
	cmd := exec.Command("bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", command)
	cmd.Dir, cmd.Env = "../..", append(os.Environ(), append(env, "GNUPGHOME="+ring)...)
	out, err := cmd.CombinedOutput()
	return strings.TrimSpace(string(out)), err
}

// must is what a command that must not fail says.
func must(t *testing.T, ring, command string, env ...string) string {
	t.Helper()
	out, err := run(t, ring, command, env...)
	if err != nil {
		t.Fatalf("%s: %v\n%s", command, err, out)
	}
	return out
}

// keyRing is an empty one, whose agent ends with the test.
func keyRing(t *testing.T) string {
	t.Helper()
	testdeps.Program(t, "gpg-agent")
	ring, err := os.MkdirTemp("", "ring") // short, as sockets want it
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		must(t, ring, "gpgconf --kill all")
		os.RemoveAll(ring)
	})
	return ring
}

// secretKey is a new key that nobody keeps.
func secretKey(t *testing.T, owner string) string {
	t.Helper()
	ring := keyRing(t)
	must(t, ring, `gpg --batch --quiet --passphrase "" --quick-gen-key "$OWNER" ed25519 sign never`, "OWNER="+owner)
	return must(t, ring, "gpg --batch --armor --export-secret-keys")
}

// workflowStep is what the workflow of a release runs in one of its steps.
func workflowStep(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile("../../.github/workflows/release.yml")
	if err != nil {
		t.Fatal(err)
	}
	var workflow struct {
		Jobs map[string]struct{ Steps []struct{ Name, Run string } }
	}
	if err := yaml.Unmarshal(text, &workflow); err != nil {
		t.Fatal(err)
	}
	for _, job := range workflow.Jobs {
		for _, step := range job.Steps {
			if step.Name == name {
				return step.Run
			}
		}
	}
	t.Fatalf("the workflow has no step %q", name)
	return ""
}

// TestSigning goes the way of a signed release: the workflow imports the key
// and passes its name on, packages name its owner, the checksums are signed,
// and a signature is of these bytes only.
func TestSigning(t *testing.T) {
	ring, dir := keyRing(t), t.TempDir()
	passed, sums := filepath.Join(dir, "env"), filepath.Join(dir, "SHA256SUMS")
	must(t, ring, workflowStep(t, "import the signing key"), "GITHUB_ENV="+passed, "KEY="+secretKey(t, keyOwner))
	env, err := os.ReadFile(passed)
	if err != nil {
		t.Fatal(err)
	}
	key, ok := strings.CutPrefix(strings.TrimSpace(string(env)), "SIGNING_KEY=")
	if !ok || len(key) != 40 {
		t.Fatalf("the workflow passes on %q", env)
	}
	if got := must(t, ring, "scripts/signing.sh maintainer "+key, "MAINTAINER="); got != keyOwner {
		t.Errorf("packages name %q", got)
	}
	if got := must(t, ring, "scripts/signing.sh maintainer "+key, "MAINTAINER=Ann <ann@tidemark.example>"); got != "Ann <ann@tidemark.example>" {
		t.Errorf("packages name %q instead of the one that was given", got)
	}
	put(t, map[string]string{sums: "checksums"})
	must(t, ring, "scripts/signing.sh sign "+key+" "+sums)
	must(t, ring, "gpg --batch --verify "+sums+".asc "+sums)
	put(t, map[string]string{sums: "others"})
	if out, err := run(t, ring, "gpg --batch --verify "+sums+".asc "+sums); err == nil {
		t.Errorf("the signature is of other bytes too: %s", out)
	}
}

// TestUnsigned: without a key the workflow passes none on.
func TestUnsigned(t *testing.T) {
	passed := filepath.Join(t.TempDir(), "env")
	must(t, keyRing(t), workflowStep(t, "import the signing key"), "GITHUB_ENV="+passed, "KEY=")
	if _, err := os.Stat(passed); !os.IsNotExist(err) {
		t.Errorf("without a key something was passed on: %v", err)
	}
}

// TestSigningRefused: what cannot sign, or names nobody, ends a release before
// anything is built.
func TestSigningRefused(t *testing.T) {
	ring := keyRing(t)
	key := must(t, ring, "scripts/signing.sh import <<<\"$KEY\" 2>/dev/null", "KEY="+secretKey(t, "nobody"))
	public := must(t, ring, "gpg --batch --armor --export")
	for command, reason := range map[string]string{
		"MAINTAINER= scripts/signing.sh maintainer " + key:       "a signed release needs MAINTAINER",
		"MAINTAINER= SIGNING_KEY=" + key + " scripts/release.sh": "a signed release needs MAINTAINER",
		"scripts/signing.sh import <<<\"$PUBLIC\"":               "this is no secret key",
		"scripts/signing.sh import <<<nonsense":                  "",
	} {
		if out, err := run(t, ring, command, "PUBLIC="+public); err == nil || !strings.Contains(out, reason) {
			t.Errorf("%s: %v, %q", command, err, out)
		}
	}
}
