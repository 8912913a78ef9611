package agents

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// machine is a home directory that the agent is installed in, by a user that
// is not root whoever runs the test.
type machine struct {
	home, stubs string
	script      string
	env         []string
}

// newMachine returns a machine with the script of a server.
func newMachine(t *testing.T, s *server) *machine {
	t.Helper()
	m := &machine{home: t.TempDir(), stubs: t.TempDir()}
	m.stub(t, "id", "echo 1000")
	status, text := s.get("/agent.sh")
	if status != http.StatusOK {
		t.Fatalf("agent.sh: %d", status)
	}
	m.script = string(text)
	t.Cleanup(func() { _, _ = m.sh(t, "remove") })
	return m
}

// stub puts a program before those of this machine.
func (m *machine) stub(t *testing.T, name, script string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(m.stubs, name), []byte("#!/bin/sh\n"+script+"\n"), 0o700); err != nil {
		t.Fatal(err)
	}
}

// sh runs the script as a user would: from standard input.
func (m *machine) sh(t *testing.T, words ...string) (string, error) {
	t.Helper()
	cmd := exec.Command("sh", append([]string{"-s", "--"}, words...)...)
	cmd.Stdin = strings.NewReader(m.script)
	cmd.Env = append([]string{"HOME=" + m.home, "PATH=" + m.stubs + ":" + os.Getenv("PATH")}, m.env...)
	// What it says goes through a file: the agent may keep a pipe open.
	said, err := os.CreateTemp(m.stubs, "said")
	if err != nil {
		t.Fatal(err)
	}
	defer said.Close()
	cmd.Stdout, cmd.Stderr = said, said
	err = cmd.Run()
	text, _ := os.ReadFile(said.Name())
	return string(text), err
}

// installs expects that the script says that the agent runs, and that it does.
// It returns the number of its process.
func (m *machine) installs(t *testing.T, words ...string) int {
	t.Helper()
	out, err := m.sh(t, words...)
	if err != nil || !strings.Contains(out, "The agent runs") {
		log, _ := os.ReadFile(m.path(".local/state/tidemark-agent/agent.log"))
		t.Fatalf("%v: %v\n%s\n%s", words, err, out, log)
	}
	pid := m.pid(t)
	if !running(pid) {
		t.Fatalf("%v: the agent runs, it says, but no process %d is there\n%s", words, pid, out)
	}
	return pid
}

// refuses expects that the script ends with an error that has want.
func (m *machine) refuses(t *testing.T, want string, words ...string) {
	t.Helper()
	if out, err := m.sh(t, words...); err == nil || !strings.Contains(out, want) {
		t.Errorf("%v: %v, want %q\n%s", words, err, want, out)
	}
}

func (m *machine) path(name string) string { return filepath.Join(m.home, name) }

func (m *machine) pid(t *testing.T) int {
	t.Helper()
	text, err := os.ReadFile(m.path(".local/state/tidemark-agent/agent.pid"))
	if err != nil {
		t.Fatal(err)
	}
	pid, _ := strconv.Atoi(strings.TrimSpace(string(text)))
	return pid
}

// running reports whether there is a process that is no zombie.
func running(pid int) bool {
	_, err := os.Readlink(fmt.Sprintf("/proc/%d/exe", pid))
	return err == nil
}

func (m *machine) add(t *testing.T, name, text string) {
	t.Helper()
	f, err := os.OpenFile(m.path(name), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := f.WriteString(text); err != nil {
		t.Fatal(err)
	}
}

// newToken makes a token, and returns its value and address.
func (s *server) newToken(t *testing.T, role string) (value, href string) {
	t.Helper()
	var made struct{ Token, Href string }
	s.do(t, "POST", s.url+"/v1/api_tokens", fmt.Sprintf(`{"name":%q,"role":%q}`, role, role), &made)
	return made.Token, made.Href
}

func (s *server) do(t *testing.T, method, url, body string, into any) {
	t.Helper()
	req, err := http.NewRequest(method, url, bytes.NewReader([]byte(body)))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	req.SetBasicAuth(token, "")
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if resp.StatusCode/100 != 2 {
		t.Fatalf("%s %s: %s", method, url, resp.Status)
	}
	if into != nil {
		if err := json.NewDecoder(resp.Body).Decode(into); err != nil {
			t.Fatal(err)
		}
	}
}

// uptime waits until a host with this tag sent something.
func (s *server) uptime(t *testing.T, host, role string) {
	t.Helper()
	eventually(t, host+" to send", func() bool {
		for _, one := range s.read("host.uptime") {
			if one.Tags["host"] == host && one.Tags["role"] == role {
				return true
			}
		}
		return false
	})
}

// TestInstall: the script installs the agent, upgrades and removes it.
func TestInstall(t *testing.T) {
	if _, err := exec.LookPath("curl"); err != nil {
		t.Skip("curl is not installed")
	}
	bin := t.TempDir()
	run(t, "../..", nil, "go", "build", "-o", bin, "./cmd/tidemark", "./cmd/tidemark-agent")
	serve := func(t *testing.T) *server {
		t.Helper()
		s := &server{addr: freeAddr(t, "tcp"), bin: filepath.Join(bin, "tidemark"), data: t.TempDir()}
		s.url = "http://" + s.addr
		s.start(t)
		return s
	}
	t.Run("life", func(t *testing.T) { installLife(t, serve(t)) }) // ends its server
	s := serve(t)
	for name, try := range map[string]func(*testing.T, *server){"waits": installWaits, "ends only its own": installEndsOnlyItsOwn, "service": installService} {
		t.Run(name, func(t *testing.T) { try(t, s) })
	}
}

// installLife lives through what happens to an agent that is installed by the
// script: wrong tokens, upgrades, another name, settings that are wrong, a
// server that is away.
func installLife(t *testing.T, s *server) {
	m := newMachine(t, s)
	viewer, _ := s.newToken(t, "viewer")
	m.refuses(t, "give a token that may record")
	m.refuses(t, "does not accept this token", "--token", strings.Repeat("0f", 32))
	m.refuses(t, "this token may not record", "--token", viewer)
	if left, _ := os.ReadDir(m.home); len(left) > 0 {
		t.Errorf("tokens that are wrong leave %v", left)
	}

	first := m.installs(t, "--token", token, "--host", "rev-01")
	m.add(t, ".config/tidemark-agent/agent.yaml", "every: 1s\ntags: {role: test}\n")
	m.add(t, ".config/tidemark-agent/env", "# of the operator\nEXTRA=\"a b\"\n")
	m.refuses(t, "does not accept this token", "--token", strings.Repeat("0f", 32))
	if !running(first) {
		t.Fatal("a token that is wrong ended the agent")
	}

	second := m.installs(t) // an upgrade
	if running(first) {
		t.Error("the old agent is still there")
	}
	s.uptime(t, "rev-01", "test")
	if env, _ := os.ReadFile(fmt.Sprintf("/proc/%d/environ", second)); !strings.Contains(string(env), "\x00EXTRA=a b\x00") {
		t.Errorf("the agent has the environment %q", env)
	}
	m.installs(t, "--token", token)
	env, _ := os.ReadFile(m.path(".config/tidemark-agent/env"))
	for _, line := range []string{"TIDEMARK_SERVER=" + s.url, "TIDEMARK_TOKEN=" + token, "TIDEMARK_AGENT_HOST=rev-01", "# of the operator", `EXTRA="a b"`} {
		if strings.Count("\n"+string(env), "\n"+line+"\n") != 1 {
			t.Errorf("not once %s in\n%s", line, env)
		}
	}
	third := m.installs(t, "--host", "rev-02")
	s.uptime(t, "rev-02", "test")

	m.add(t, ".config/tidemark-agent/agent.yaml", "evry: 1s\n")
	m.refuses(t, "are wrong; nothing was changed")
	s.kill()
	m.refuses(t, "does not answer; nothing was changed")
	if !running(third) {
		t.Error("a refused upgrade ended the agent")
	}
	if out, err := m.sh(t, "remove"); err != nil || running(third) {
		t.Errorf("%s %v, running %v", out, err, running(third))
	}
	for _, name := range []string{".local/bin/tidemark-agent", ".config/tidemark-agent", ".local/state/tidemark-agent"} {
		if _, err := os.Stat(m.path(name)); !os.IsNotExist(err) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// installWaits: an agent that has something to send, which it may not,
// goes on trying for a while when it is stopped, and holds its spool. The one
// that takes its place begins after that.
func installWaits(t *testing.T, s *server) {
	m := newMachine(t, s)
	recorder, href := s.newToken(t, "recorder")
	m.installs(t, "--token", recorder)
	m.add(t, ".config/tidemark-agent/agent.yaml", "every: 1s\ntags: {role: waits}\nhost: waits\n")
	first := m.installs(t)
	s.do(t, "PUT", href, `{"active":false}`, nil)
	eventually(t, "measurements that wait", func() bool {
		files, _ := filepath.Glob(m.path(".local/state/tidemark-agent/spool/*.json.gz"))
		return len(files) > 0
	})
	m.installs(t, "--token", token)
	if running(first) {
		t.Error("the old agent is still there")
	}
	s.uptime(t, "waits", "waits")
}

// installEndsOnlyItsOwn: the number of an agent that ended may be that of
// another program, which is left alone.
func installEndsOnlyItsOwn(t *testing.T, s *server) {
	m := newMachine(t, s)
	other := exec.Command("sleep", "600")
	if err := other.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = other.Process.Kill(); _ = other.Wait() }()
	stale := func() {
		if err := os.MkdirAll(m.path(".local/state/tidemark-agent"), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(m.path(".local/state/tidemark-agent/agent.pid"), fmt.Appendln(nil, other.Process.Pid), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	stale()
	if out, err := m.sh(t, "remove"); err != nil {
		t.Errorf("%s %v", out, err)
	}
	stale()
	m.installs(t, "--token", token)
	if !running(other.Process.Pid) {
		t.Error("the installer ended a program that is not the agent")
	}
}

// systemctl is what the script needs of systemd: it starts and stops what the
// unit says, and notes how it was called.
const systemctl = `
echo "$*" >>"$STUBS/calls"
[ "$1" != --user ] || shift
unit() { sed -n "s/^$1=//p" "$UNITS/tidemark-agent.service"; }
running() { readlink "/proc/$(cat "$STUBS/pid")/exe" >/dev/null 2>&1; }
case $1 in
--version) echo "systemd $SYSTEMD ($SYSTEMD-1)" ;;
enable)
	export CREDENTIALS_DIRECTORY="$(dirname "$(unit LoadCredential | cut -d: -f2)")"
	eval "set -- $(unit ExecStart)"
	set -a
	. "$(unit EnvironmentFile)"
	eval "$(unit Environment)"
	[ -z "$(unit StateDirectory)" ] || STATE_DIRECTORY=$STATE
	"$@" >"$STUBS/journal" 2>&1 </dev/null &
	echo $! >"$STUBS/pid"
	;;
disable)
	if [ -f "$STUBS/pid" ] && running; then
		kill "$(cat "$STUBS/pid")"
		while running; do sleep 0.1; done
	fi
	;;
is-active) running ;;
esac
`

// installService: with systemd the agent is a service, of the user or of
// the machine, and upgraded by the same lines.
func installService(t *testing.T, s *server) {
	for name, c := range map[string]struct{ uid, systemd, settings, config, ctl string }{
		"user":  {"1000", "252", ".config/tidemark-agent", "/agent.yaml", "--user "},
		"root":  {"0", "252", "etc", "${CREDENTIALS_DIRECTORY}/agent.yaml", ""},
		"older": {"0", "239", "etc", "/agent.yaml", ""},
	} {
		t.Run(name, func(t *testing.T) {
			m := newMachine(t, s)
			m.stub(t, "id", "echo "+c.uid)
			m.stub(t, "systemctl", systemctl)
			units, state := m.path(".config/systemd/user"), m.path(".local/state/tidemark-agent")
			if c.uid == "0" {
				units, state = m.path("units"), m.path("state")
			}
			m.script = strings.NewReplacer("/run/systemd/system", m.home, "/usr/local/bin", m.path("bin"), "/etc/tidemark-agent", m.path("etc"),
				"/var/lib/tidemark-agent", m.path("state"), "/etc/systemd/system", m.path("units")).Replace(m.script)
			m.env = []string{"STUBS=" + m.stubs, "UNITS=" + units, "STATE=" + state, "SYSTEMD=" + c.systemd}

			install := func(words ...string) {
				t.Helper()
				if out, err := m.sh(t, words...); err != nil || !strings.Contains(out, "The agent runs as a service") {
					journal, _ := os.ReadFile(filepath.Join(m.stubs, "journal"))
					t.Fatalf("%v: %v\n%s\n%s", words, err, out, journal)
				}
			}
			install("--token", token, "--host", name)
			m.add(t, c.settings+"/agent.yaml", "every: 1s\ntags: {role: service}\n")
			m.refuses(t, "does not accept this token", "--token", strings.Repeat("0f", 32))
			install()
			s.uptime(t, name, "service")
			unit, _ := os.ReadFile(filepath.Join(units, "tidemark-agent.service"))
			if !strings.Contains(string(unit), c.config+`" --ready`) {
				t.Errorf("%s", unit)
			}
			calls, _ := os.ReadFile(filepath.Join(m.stubs, "calls"))
			want := fmt.Sprintf("%[1]senable --now tidemark-agent.service\n", c.ctl)
			if strings.Count(string(calls), want) != 2 || strings.Count(string(calls), c.ctl+"disable --now") != 2 {
				t.Errorf("a first time and an upgrade call\n%s", calls)
			}
		})
	}
}
