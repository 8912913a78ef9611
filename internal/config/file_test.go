package config

import (
	"net/netip"
	"slices"
	"strings"
	"testing"
)

// TestValuesAsWritten: YAML does not turn passwords and tokens that look like
// numbers, dates or truths into something else.
func TestValuesAsWritten(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"0123456789012345", "0x1F00000000000000", "1e1000000000000000", "2026-01-31", "1_000_000_000_000_000", "true", "yes", "0o17", ".inf", "12:30:45", "1.10", "+1"} {
		c, _, err := load(t, "smtp:\n  password: "+text+"\nbootstrap_token: "+text+"\n", nil, nil)
		if err != nil || c.SMTP.Password != text || c.Bootstrap != text {
			t.Errorf("%s became %q and %q, %v", text, c.SMTP.Password, c.Bootstrap, err)
		}
	}
}

// TestFileForms: nested and flat, lists and words with commas, null, anchors and
// an empty file all say what they seem to.
func TestFileForms(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		file string
		ok   func(c *Config) bool
	}{
		"empty":            {" \n", func(c *Config) bool { return c.Listen == "127.0.0.1:8433" }},
		"comments":         {"# listen: x\n", func(c *Config) bool { return c.Listen == "127.0.0.1:8433" }},
		"flat":             {"smtp.user: ann\n", func(c *Config) bool { return c.SMTP.User == "ann" }},
		"nested":           {"smtp:\n  user: ann\n", func(c *Config) bool { return c.SMTP.User == "ann" }},
		"null":             {"public_url:\nsmtp: {user: ~}\n", func(c *Config) bool { return c.PublicURL == "" && c.SMTP.User == "" }},
		"empty groups":     {"smtp:\nstorage:\n  # memory: 1GiB\noidc: {}\nlisten: a:1\n", func(c *Config) bool { return c.Listen == "a:1" && c.SMTP.User == "" }},
		"null in quotes":   {"smtp: {user: 'null'}\n", func(c *Config) bool { return c.SMTP.User == "null" }},
		"a list":           {"oidc: {admin_groups: [ops, 007, on call]}\n", func(c *Config) bool { return slices.Equal(c.OIDC.AdminGroups, []string{"ops", "007", "on call"}) }},
		"a list in words":  {"oidc: {admin_groups: 'ops, , dev'}\n", func(c *Config) bool { return slices.Equal(c.OIDC.AdminGroups, []string{"ops", "dev"}) }},
		"an empty list":    {"oidc: {admin_groups: []}\n", func(c *Config) bool { return len(c.OIDC.AdminGroups) == 0 }},
		"an anchor":        {"clickhouse: {user: &who ann}\nsmtp: {user: *who}\n", func(c *Config) bool { return c.SMTP.User == "ann" }},
		"underlines":       {"limits: {rate: 300_000}\n", func(c *Config) bool { return c.Limits["rate"] == 300_000 }},
		"several lines":    {"oidc:\n  title: >-\n    Sign in\n    here\n", func(c *Config) bool { return c.OIDC.Title == "Sign in here" }},
		"truth in capital": {"demo: True\n", func(c *Config) bool { return c.Demo }},
	} {
		c, _, err := load(t, tt.file, nil, nil)
		if err != nil || !tt.ok(c) {
			t.Errorf("%s: %v", name, err)
		}
	}
	for file, want := range map[string]string{
		"smtp: {user: a}\nsmtp: {user: b}\n":   "already defined",
		"oidc: {admin_groups: [[a, b]]}\n":     "line 1: oidc.admin_groups: must be a list of values",
		"- listen\n":                           "cannot unmarshal",
		"listen: {host: a}\n":                  `there is no setting "listen.host"`,
		"oidc:\n  admin_groups: [{name: a}]\n": "line 2: oidc.admin_groups: must be a list of values",
	} {
		if _, _, err := load(t, file, nil, nil); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", file, err, want)
		}
	}
}

// TestAllProblemsAtOnce: whoever mends a file need not start the server once for
// each mistake.
func TestAllProblemsAtOnce(t *testing.T) {
	t.Parallel()
	_, _, err := load(t, "lisen: x\nlog_level: loud\n", map[string]string{"TIDEMARK_SMTP_PORT": "mail", "TIDEMARK_SMTP_PASSWORD_FILE": "/no/such/file"}, map[string]string{"demo": "perhaps"})
	for _, want := range []string{
		`tidemark.yaml: there is no setting "lisen"; did you mean "listen"?`, `tidemark.yaml: log_level: "loud" is not one of debug, info, warn, error`,
		`environment: smtp.port: "mail" is not a number`, `TIDEMARK_SMTP_PASSWORD_FILE: open /no/such/file`, `flag: demo: "perhaps" is not true or false`,
	} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v\ndoes not say %s", err, want)
		}
	}
	_, _, err = load(t, "data: ''\nbackup: {every: 30s, keep: 0}\nheartbeat: {url: example.org, interval: 5s}\nsmtp: {port: 70000}\n", nil, nil)
	want := "data: is empty\nbackup.to: is needed with backup.every\nbackup.every: must be a minute or more\nbackup.keep: must be 1 or more\n" +
		"smtp.port: must be 1 to 65535\nheartbeat.url: must be like https://example.org/ping/key\nheartbeat.interval: must be 10 seconds or more"
	if err == nil || err.Error() != want {
		t.Errorf("got\n%v\nwant\n%s", err, want)
	}
}

// TestWhatGoesTogether: settings that need each other say so by name.
func TestWhatGoesTogether(t *testing.T) {
	t.Parallel()
	for file, want := range map[string]string{
		"graphite: {listen: ':2003'}":               "graphite.token: is needed with graphite.listen: it says whose the data is",
		"statsd: {listen: ':8125'}":                 "statsd.token: is needed with statsd.listen: it says whose the data is",
		"statsd: {flush: 1500ms}":                   "statsd.flush: must be a whole number of seconds, 1 or more",
		"statsd: {flush: 0s}":                       "statsd.flush: must be a whole number of seconds, 1 or more",
		"audit: {keep: 23h}":                        "audit.keep: must be a day or more",
		"audit: {webhook: siem}":                    "audit.webhook: must be like https://siem.example.org/audit",
		"audit: {webhook_secret: 0123456789abcdef}": "audit.webhook_secret: needs audit.webhook",
		"audit: {webhook: 'https://siem.example.org', webhook_secret: too-short}": "audit.webhook_secret: must be 16 characters or more",
		"oidc: {issuer: 'https://id.example.org'}":                                "oidc.client_id: is needed with oidc.issuer",
		"storage: {raw_retention: 59m}":                                           "storage.raw_retention: must be an hour or more",
		"public_url: 'ftp://example.org'":                                         "public_url: must be like https://metrics.example.org",
		"public_url: 'https://'":                                                  "public_url: must be like https://metrics.example.org",
		"trusted_proxies: '::/0'":                                                 "trusted_proxies: must not be every address: any client could then say that it is somebody else",
		"smtp: {port: 0}":                                                         "smtp.port: must be 1 to 65535",
	} {
		if _, _, err := load(t, file, nil, nil); err == nil || err.Error() != want {
			t.Errorf("%s: %v, want %s", file, err, want)
		}
	}
}

// TestPaths: the database and the key file are in the data directory unless they
// are said to be elsewhere; and addresses are networks of themselves.
func TestPaths(t *testing.T) {
	t.Parallel()
	c, _, err := load(t, "data: /var/lib/t\ntrusted_proxies: [10.1.2.3/8, 192.168.1.7, '2001:db8::1']\n", nil, nil)
	if err != nil || c.DatabaseURL() != "sqlite:/var/lib/t/tidemark.db" || c.KeyFile() != "/var/lib/t/secrets.key" {
		t.Errorf("%s, %s, %v", c.DatabaseURL(), c.KeyFile(), err)
	}
	want := []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8"), netip.MustParsePrefix("192.168.1.7/32"), netip.MustParsePrefix("2001:db8::1/128")}
	if !slices.Equal(c.TrustedProxies, want) {
		t.Errorf("proxies %v", c.TrustedProxies)
	}
	c, _, err = load(t, "database: postgres://db/t\nsecrets: {key_file: /etc/t.key}\n", nil, nil)
	if err != nil || c.DatabaseURL() != "postgres://db/t" || c.KeyFile() != "/etc/t.key" {
		t.Errorf("%s, %s, %v", c.DatabaseURL(), c.KeyFile(), err)
	}
}

// TestSecretsAreNotShown: no value of a secret setting is in the list that
// tidemark config prints; that it is set, is.
func TestSecretsAreNotShown(t *testing.T) {
	t.Parallel()
	env := make(map[string]string)
	for _, st := range new(Config).settings() {
		if st.secret {
			env[st.env()] = "https://hush.example.org/0123456789"
		}
	}
	env["TIDEMARK_DATABASE"] = "postgres://u:hush@db/t"
	_, values, err := load(t, "", env, nil)
	if err != nil {
		t.Fatal(err)
	}
	hidden := 0
	for _, v := range values {
		if strings.Contains(v.Value, "hush") {
			t.Errorf("%s is shown as %s", v.Name, v.Value)
		}
		if v.Value == "(set)" {
			hidden++
		}
	}
	if hidden != len(env) {
		t.Errorf("%d of %d secrets are shown to be set", hidden, len(env))
	}
}
