package config

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// load reads settings from a file's text, an environment and flags.
func load(t *testing.T, file string, env, flags map[string]string) (*Config, []Value, error) {
	t.Helper()
	src := Sources{Env: func(name string) string { return env[name] }, Flags: flags}
	if file != "" {
		src.File = filepath.Join(t.TempDir(), "tidemark.yaml")
		if err := os.WriteFile(src.File, []byte(file), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return Load(src)
}

func TestLoad(t *testing.T) {
	c, values, err := load(t, "listen: 127.0.0.1:1\ndata: /file\npublic_url: https://metrics.example.org\ntrusted_proxies: [10.0.0.0/8, '2001:db8::1']\nsmtp:\n  host: mail.example.org\n  from: a@example.org\n  password: hush\noutbound_allow: [10.0.0.0/8, '192.168.1.7/32:8025']\nstorage:\n  memory: 64MiB\n",
		map[string]string{"TIDEMARK_DATA": "/env", "TIDEMARK_STORAGE_RAW_RETENTION": "36h"}, map[string]string{"data": "/flag"})
	if err != nil {
		t.Fatal(err)
	}
	if c.Data != "/flag" || c.Listen != "127.0.0.1:1" || c.SMTP.Host != "mail.example.org" || c.SMTP.Port != 587 ||
		c.Storage.Memory != 64<<20 || c.Storage.RawRetention != 36*time.Hour || len(c.OutboundAllow) != 2 || len(c.TrustedProxies) != 2 {
		t.Errorf("config = %+v", c)
	}
	want := map[string][2]string{
		"data": {"/flag", "flag"}, "storage.raw_retention": {"36h0m0s", "environment"}, "storage.minute_retention": {"62d", "default"},
		"smtp.password": {"(set)", "file"}, "outbound_allow": {"10.0.0.0/8,192.168.1.7/32:8025", "file"}, "storage.memory": {"64MiB", "file"},
	}
	for _, v := range values {
		if w, ok := want[v.Name]; ok && (v.Value != w[0] || !strings.HasPrefix(v.From, w[1])) {
			t.Errorf("%s = %q from %q, want %q from %q", v.Name, v.Value, v.From, w[0], w[1])
		}
		if strings.Contains(v.Value, "hush") {
			t.Errorf("%s shows a secret", v.Name)
		}
	}
}

func TestLoadErrors(t *testing.T) {
	tests := []struct {
		name, file string
		env, flags map[string]string
		want       string
	}{
		{"unknown key", "lisen: x", nil, nil, `there is no setting "lisen"`},
		{"incidents kept for no time", "alerting: {keep: 0s}", nil, nil, "alerting.keep: must be a day or more"},
		{"a zone of two lines", "zone: \"a\\nb\"", nil, nil, "zone: must be one line"},
		{"a text in place of a group", "smtp: x", nil, nil, `there is no setting "smtp"`},
		{"an empty group that does not exist", "smpt:", nil, nil, `there is no setting "smpt"`},
		{"unknown nested key", "smtp: {hots: x}", nil, nil, `there is no setting "smtp.hots"`},
		{"a guess", "rawretention: 8d", nil, nil, `did you mean "storage.raw_retention"?`},
		{"not YAML", "a: [", nil, nil, "read settings"},
		{"bad number", "", map[string]string{"TIDEMARK_LIMITS_RATE": "many"}, nil, `environment: limits.rate: "many" is not a number`},
		{"bad choice", "log_level: loud", nil, nil, `"loud" is not one of debug, info, warn, error`},
		{"mistyped", "lisen: x", nil, nil, `did you mean "listen"?`},
		{"an address for a network", "", map[string]string{"TIDEMARK_OUTBOUND_ALLOW": "10.0.0.0"}, nil, `outbound_allow: "10.0.0.0" is not a network such as 10.0.0.0/8; write 10.0.0.0/32`},
		{"secret file that is not there", "", map[string]string{"TIDEMARK_SMTP_PASSWORD_FILE": "/no/such/file"}, nil, "TIDEMARK_SMTP_PASSWORD_FILE: open /no/such/file"},
		{"secret given twice", "", map[string]string{"TIDEMARK_SMTP_PASSWORD_FILE": "/x", "TIDEMARK_SMTP_PASSWORD": "x"}, nil, "TIDEMARK_SMTP_PASSWORD and TIDEMARK_SMTP_PASSWORD_FILE: give one"},
		{"no way in", "passwords: false", nil, nil, "passwords: can be false only with oidc.issuer"},
		{"a session of no time", "oidc:\n  session: 0s", nil, nil, "oidc.session: must be a minute or more"},
		{"bad port", "outbound_allow: 10.0.0.0/8:none", nil, nil, `outbound_allow: "10.0.0.0/8:none" has no valid port`},
		{"bad network", "outbound_allow: home", nil, nil, `"home" is not a network`},
		{"bad time", "storage: {raw_retention: long}", nil, nil, `"long" is not a time`},
		{"bad size", "storage: {memory: 3}", nil, nil, `"3" is not a size`},
		{"half a certificate", "", nil, map[string]string{"tls_cert": "x"}, "give both or neither"},
		{"wrong database", "", nil, map[string]string{"database": "mysql://x"}, "must start with postgres://"},
		{"tiers that shrink", "storage: {minute_retention: 1d}", nil, nil, "minute_retention must not be shorter"},
		{"ClickHouse nowhere", "engine: clickhouse\ndatabase: postgres://x", nil, nil, "clickhouse.urls: is needed with engine: clickhouse"},
		{"ClickHouse on SQLite", "engine: clickhouse\nclickhouse: {urls: http://ch}", nil, nil, "database: engine: clickhouse needs PostgreSQL"},
		{"ClickHouse without its engine", "clickhouse: {urls: http://ch}", nil, nil, "clickhouse.urls: is of use with engine: clickhouse only"},
		{"replicas without a cluster", "engine: clickhouse\nclickhouse: {urls: [http://a, http://b]}\ndatabase: postgres://x", nil, nil, "clickhouse.cluster: is needed"},
		{"backups of ClickHouse", "engine: clickhouse\nclickhouse: {urls: http://ch}\ndatabase: postgres://x\nbackup: {to: /b, every: 1h}", nil, nil, "backup.every: with engine: clickhouse backups are made by"},
		{"ClickHouse by another protocol", "engine: clickhouse\nclickhouse: {urls: tcp://a}\ndatabase: postgres://x", nil, nil, `clickhouse.urls: "tcp://a" is not an address`},
		{"mail from nobody", "smtp: {host: x}", nil, nil, "smtp.from: is needed"},
		{"a path that is none", "public_url: 'https://example.org/a\"b'", nil, nil, "public_url: its path may have letters"},
		{"a query in the address", "public_url: 'https://example.org/?a=b'", nil, nil, "public_url: must end with its host or its path"},
		{"mail without links", "smtp: {host: x, from: a@example.org}", nil, nil, "public_url: is needed with smtp.host"},
		{"bad proxy", "trusted_proxies: proxy.example.org", nil, nil, `"proxy.example.org" is not a network`},
		{"everybody is a proxy", "trusted_proxies: 0.0.0.0/0", nil, nil, "trusted_proxies: must not be every address"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, _, err := load(t, tt.file, tt.env, tt.flags)
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("err = %v, want %q in it", err, tt.want)
			}
		})
	}
	t.Run("no such file", func(t *testing.T) {
		if _, _, err := Load(Sources{File: "/no/such/file", Env: func(string) string { return "" }}); err == nil {
			t.Error("no error")
		}
	})
}
