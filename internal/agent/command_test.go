package agent

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"go.yaml.in/yaml/v3"
)

func writeText(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestFlagsCountMoreThanTheFile: each replaces or adds to what the file says.
func TestFlagsCountMoreThanTheFile(t *testing.T) {
	t.Parallel()
	file := writeText(t, "agent.yaml", `
server: https://a.example.org
token: of-the-file
host: filed
every: 20s
tags: {zone: a, rack: "7"}
processes: [nginx]
spool: {dir: /var/spool/x, limit: 2MiB}
`)
	c := Command{Settings: file, Server: "https://b.example.org/", Every: 30 * time.Second, Tag: map[string]string{"zone": "b"},
		Process: []string{"postgres"}, Scrape: []string{"http://127.0.0.1:9100/metrics"}, Unit: []string{"cron"}, Statsd: "127.0.0.1:8125"}
	cfg, err := c.Config()
	if err != nil {
		t.Fatal(err)
	}
	if cfg.Server != "https://b.example.org" || cfg.Every != 30*time.Second || cfg.Host != "filed" || cfg.Token.Reveal() != "of-the-file" {
		t.Errorf("got %+v", cfg)
	}
	if cfg.Tags["zone"] != "b" || cfg.Tags["rack"] != "7" || strings.Join(cfg.Processes, " ") != "nginx postgres" || cfg.Units[0] != "cron" {
		t.Errorf("lists and tags: %v %v %v", cfg.Tags, cfg.Processes, cfg.Units)
	}
	if s := cfg.Scrape[0]; s.Every != 30*time.Second || s.Timeout != 10*time.Second || cfg.Spool.Limit != 2<<20 {
		t.Errorf("what is not said: %+v, %d", s, cfg.Spool.Limit)
	}
	if tags := cfg.baseTags().String(); tags != "host=filed,rack=7,zone=b" {
		t.Errorf("every measurement has %s", tags)
	}
}

// TestCommandRefuses: what is wrong is named, all of it at once, before
// anything is started.
func TestCommandRefuses(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		c    Command
		want []string
	}{
		"no file":       {Command{Settings: "/does/not/exist"}, []string{"/does/not/exist"}},
		"a slip":        {Command{Settings: writeText(t, "a.yaml", "serer: x\n")}, []string{"a.yaml", "serer"}},
		"not YAML":      {Command{Settings: writeText(t, "b.yaml", "server: [\n")}, []string{"b.yaml"}},
		"no server":     {Command{Token: "x", Spool: "/tmp/x"}, []string{"server: must be like"}},
		"several":       {Command{Server: "here", Every: time.Millisecond, Spool: "/tmp/x"}, []string{"server:", "token:", "every:"}},
		"bad endpoint":  {Command{Server: "https://a", Token: "x", Spool: "/tmp/x", Scrape: []string{"9100"}}, []string{"scrape[0].url"}},
		"not a host":    {Command{Server: "https://", Token: "x", Spool: "/tmp/x"}, []string{"server:"}},
		"too patiently": {Command{Server: "https://a", Token: "x", Spool: "/tmp/x", Every: 2 * time.Hour}, []string{"every:"}},
	} {
		var out bytes.Buffer
		tc.c.Check = true
		err := tc.c.Do(t.Context(), &out, &out)
		for _, part := range tc.want {
			if err == nil || !strings.Contains(err.Error(), part) {
				t.Errorf("%s: %v does not name %q", name, err, part)
			}
		}
		if out.Len() > 0 {
			t.Errorf("%s: says %q", name, out.String())
		}
	}
}

func TestCheckAndTemplate(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	c := Command{Server: "https://a.example.org", Token: "x", Spool: t.TempDir(), Host: "a", Check: true}
	if err := c.Do(t.Context(), &out, &out); err != nil || !strings.Contains(out.String(), "are valid") {
		t.Errorf("%q, %v", out.String(), err)
	}
	out.Reset()
	if err := (&Command{Template: true}).Do(t.Context(), &out, &out); err != nil || yaml.Unmarshal(out.Bytes(), new(any)) != nil || !strings.Contains(out.String(), "token_file") {
		t.Errorf("the template is %q, %v", out.String(), err)
	}
	if !strings.Contains(c.Help(), "--settings") {
		t.Error("the help names no settings file")
	}
}

func TestSizes(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]Size{
		"0": 0, "1024": 1024, "64MiB": 64 << 20, " 1 KiB ": 1 << 10, "2GiB": 2 << 30,
		"-1": -1, "": -1, "MiB": -1, "1MB": -1, "1.5MiB": -1, "9223372036854775807GiB": -1, "4294967297GiB": -1,
	} {
		var s Size
		if err := s.UnmarshalText([]byte(text)); (err != nil) != (want < 0) || err == nil && s != want {
			t.Errorf("%q is %d, %v", text, s, err)
		}
	}
}

// TestTokenFile: the token of a file counts without the line break, and that
// of the settings counts more.
func TestTokenFile(t *testing.T) {
	t.Parallel()
	c := Config{TokenFile: writeText(t, "token", "of-the-file\n")}
	if err := c.readToken(); err != nil || c.Token.Reveal() != "of-the-file" {
		t.Errorf("%q, %v", c.Token.Reveal(), err)
	}
	c = Config{TokenFile: "/does/not/exist", TokenText: "said"}
	if err := c.readToken(); err != nil || c.Token.Reveal() != "said" {
		t.Errorf("%q, %v", c.Token.Reveal(), err)
	}
	bad := Config{CA: writeText(t, "ca.pem", "no certificate")}
	if _, err := bad.roots(); err == nil || !strings.Contains(err.Error(), "holds no certificate") {
		t.Errorf("got %v", err)
	}
}
