package app

import (
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// TestAgentScript: the script has the address of its server, and refuses words
// that make no sense before it touches anything.
func TestAgentScript(t *testing.T) {
	t.Parallel()
	s := start(t, settings(t, nil))
	defer s.end(t)
	script := fetchText(t, s.URL+"/agent.sh", http.StatusOK)
	if !strings.Contains(script, "server='"+s.URL+"'") || strings.Contains(script, "@SERVER@") {
		t.Errorf("%.300s", script)
	}
	sh := func(args ...string) (string, error) {
		cmd := exec.CommandContext(t.Context(), "sh", append([]string{"-s", "--"}, args...)...)
		cmd.Stdin = strings.NewReader(script)
		out, err := cmd.CombinedOutput()
		return string(out), err
	}
	for want, args := range map[string][]string{
		"give a token that may record":        {"--host", "web-01"},
		"unknown word install":                {"install"},
		"have letters, digits and . _ : - on": {"--token", "$(reboot)"},
	} {
		if out, err := sh(args...); err == nil || !strings.Contains(out, want) {
			t.Errorf("%v: %s %v, want %s", args, out, err, want)
		}
	}
	if out, err := exec.CommandContext(t.Context(), "sh", "-n", "agent.sh").CombinedOutput(); err != nil {
		t.Errorf("%s %v", out, err)
	}
}

// TestAgentProgram: the server gives itself where there is no smaller agent,
// and nothing for platforms it has none for.
func TestAgentProgram(t *testing.T) {
	t.Parallel()
	s := start(t, settings(t, nil))
	defer s.end(t)
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	if got := agentProgram(runtime.GOOS, runtime.GOARCH); got != self {
		t.Errorf("%s, want %s", got, self)
	}
	other := filepath.Join(filepath.Dir(self), "tidemark-agent_plan9_mips")
	if err := os.WriteFile(other, []byte("small"), 0o600); err != nil {
		t.Fatal(err)
	}
	defer os.Remove(other)
	if got := fetchText(t, s.URL+"/agent/plan9/mips", http.StatusOK); got != "small" {
		t.Errorf("%q", got)
	}
	fetchText(t, s.URL+"/agent/linux/..%2F..%2Fetc", http.StatusNotFound)
	if got := fetchText(t, s.URL+"/agent/linux/vax", http.StatusNotFound); !strings.Contains(got, "no agent for linux/vax") {
		t.Errorf("%q", got)
	}
}

func fetchText(t *testing.T, url string, status int) string {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	if err != nil || res.StatusCode != status {
		t.Errorf("%s: %d %.200s %v, want %d", url, res.StatusCode, text, err, status)
	}
	return string(text)
}
