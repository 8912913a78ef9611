package config

import (
	"errors"
	"fmt"
	"net/netip"
	"net/url"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/outbound"
)

// Config is the settings of the server.
type Config struct {
	Data      string
	Listen    string
	Zone      string // where this server is
	Database  string // postgres://..., or "" for SQLite in Data
	PublicURL string
	// TrustedProxies are believed about where requests come from.
	TrustedProxies []netip.Prefix
	TLSCert        string
	TLSKey         string
	LogLevel       string
	LogFormat      string
	LogRequests    bool

	// Bootstrap is the value of the first Full Access token.
	Bootstrap string

	// Passwords lets people sign in with a password.
	Passwords bool

	// Demo fills the server with a believable organization.
	Demo bool

	// SecretsKeyFile is the file of the keys of secrets, or "" for the usual one.
	SecretsKeyFile string

	OutboundAllow []outbound.Network
	Engine        string // embedded or clickhouse
	ClickHouse    ClickHouse
	Backup        Backup
	Storage       Storage
	Limits        map[tidemark.LimitName]int64 // those of every organization; 0 means none
	Alerting      Alerting
	Heartbeat     Heartbeat
	Audit         Audit
	Protocols     Protocols
	SMTP          SMTP
	OIDC          OIDC
}

// S3 is how storage that speaks S3 is reached.
type S3 struct{ Endpoint, Region, AccessKey, SecretKey string }

// Backup is when the server makes backups by itself.
type Backup struct {
	To    string        // a directory, or the address of a repository
	Every time.Duration // 0 for never
	Keep  int64
	S3    S3
}

// Storage is how measurements are kept.
type Storage struct {
	RawRetention    time.Duration
	MinuteRetention time.Duration
	HourRetention   time.Duration
	Memory          int64 // bytes of measurements not yet sealed
	Cache           int64 // bytes
	FreeFloor       int64 // bytes of the disk that stay free; 0 chooses
}

// ClickHouse is where measurements are with that engine.
type ClickHouse struct {
	URLs                              []string
	User, Password, Database, Cluster string
	CA                                string // file
}

// Alerting is how people are notified of alerts.
type Alerting struct {
	GiveUpAfter time.Duration
	Keep        time.Duration
	OwnOrg      string // that gets the metrics about the server
	OwnAlerts   bool
}

// Heartbeat is who is called while alerts are evaluated on time.
type Heartbeat struct {
	URL      string
	Interval time.Duration
}

// Audit is how long the audit log is kept, and where its entries are sent on
// to.
type Audit struct {
	Keep    time.Duration
	File    string // "" for none
	Webhook string // "" for none
	// WebhookSecret is what requests to the webhook are signed with, or "".
	WebhookSecret string
}

// check reports what is wrong with a.
func (a Audit) check(add func(ok bool, format string, args ...any)) {
	add(a.Keep >= 24*time.Hour, "audit.keep: must be a day or more")
	u, err := url.Parse(a.Webhook)
	add(a.Webhook == "" || err == nil && (u.Scheme == "http" || u.Scheme == "https") && u.Host != "", "audit.webhook: must be like https://siem.example.org/audit")
	add(a.WebhookSecret == "" || a.Webhook != "", "audit.webhook_secret: needs audit.webhook")
	add(a.WebhookSecret == "" || len(a.WebhookSecret) >= 16, "audit.webhook_secret: must be 16 characters or more")
}

// SMTP is how mail leaves.
type SMTP struct {
	Host, User, Password, From string
	Port                       int64
	TLS                        string // starttls, tls or none
}

// OIDC is how people sign in elsewhere.
type OIDC struct {
	Issuer, ClientID, ClientSecret, Title string
	GroupsClaim                           string
	AdminGroups, MemberGroups             []string
	ViewerGroups                          []string
	AllowedDomains                        []string
	TrustEmail                            bool
	Session                               time.Duration
}

// DatabaseURL is the control store's, as store.Open takes it.
func (c *Config) DatabaseURL() string {
	if c.Database != "" {
		return c.Database
	}
	return "sqlite:" + filepath.Join(c.Data, "tidemark.db")
}

// KeyFile is the file of the keys that secrets are encrypted with.
func (c *Config) KeyFile() string {
	if c.SecretsKeyFile != "" {
		return c.SecretsKeyFile
	}
	return filepath.Join(c.Data, "secrets.key")
}

// setting is one setting: its name in files ("smtp.host"), from which that in
// the environment follows, and how it is read and written.
type setting struct {
	name, def, help string
	secret          bool
	set             func(string) error
	get             func() string
}

// env is the setting's name in the environment: TIDEMARK_SMTP_HOST.
func (s setting) env() string {
	return prefix + strings.ToUpper(strings.ReplaceAll(s.name, ".", "_"))
}

// settings is the list of them all.
func (c *Config) settings() []setting {
	return slices.Concat(c.serverSettings(), c.limitSettings(), c.peopleSettings(), c.Protocols.settings())
}

// limitSettings are the limits that an operator may set for all organizations.
func (c *Config) limitSettings() []setting {
	if c.Limits == nil {
		c.Limits = make(map[tidemark.LimitName]int64)
	}
	var list []setting
	for _, l := range tidemark.LimitTable {
		if l.Fixed {
			continue
		}
		v := c.Limits[l.Name]
		st := number("limits."+string(l.Name), strconv.FormatInt(l.Default, 10), limitHelp(l), &v)
		set := st.set
		st.set = func(s string) error {
			err := set(s)
			c.Limits[l.Name] = v
			return err
		}
		st.get = func() string { return strconv.FormatInt(c.Limits[l.Name], 10) }
		list = append(list, st)
	}
	return list
}

func limitHelp(l tidemark.Limit) string {
	of := "of all organizations together"
	switch l.Scope {
	case tidemark.PerOrganization:
		of = "of an organization"
	case tidemark.PerThing:
		of = "at most"
	}
	return fmt.Sprintf("%s, %s; 0 for any number. %s", l.Unit, of, l.Effect)
}

// serverSettings are those of the server and of what it keeps.
func (c *Config) serverSettings() []setting {
	return []setting{
		text("data", "./data", "directory that holds everything", &c.Data),
		text("listen", "127.0.0.1:8433", "address to answer on", &c.Listen),
		text("zone", "", "where this server is, such as eu-central-1a or a rack: operators see it beside the server's name", &c.Zone),
		text("database", "", "postgres://... for the control store; SQLite in the data directory if empty", &c.Database).hidden(),
		text("public_url", "", "how clients reach the server, such as https://metrics.example.org, or https://example.org/tidemark below a path of a proxy; needed to send mail; otherwise taken from each request if empty", &c.PublicURL),
		prefixes("trusted_proxies", "", "proxies in front of the server, as CIDR, separated by commas: their X-Forwarded-For and X-Forwarded-Proto are believed", &c.TrustedProxies),
		text("tls_cert", "", "file with the certificate; plain HTTP if empty", &c.TLSCert),
		text("tls_key", "", "file with the certificate's key", &c.TLSKey),
		oneOf("log_level", "info", "debug, info, warn or error", &c.LogLevel, "debug", "info", "warn", "error"),
		oneOf("log_format", "text", "text or json", &c.LogFormat, "text", "json"),
		boolean("log_requests", "false", "write a line to the log for every request, without its query and without the keys of links", &c.LogRequests),
		text("bootstrap_token", "", "value of the first Full Access token, on the first start", &c.Bootstrap).hidden(),
		boolean("passwords", "true", "whether people may sign in with a password; if false, with oidc.issuer alone", &c.Passwords),
		text("secrets.key_file", "", "file of the keys that secrets in the control store are encrypted with, the same for all servers on one database; made if there are no secrets yet; secrets.key in the data directory if empty", &c.SecretsKeyFile),
		boolean("demo", "false", "fill the server with a believable organization and keep it alive", &c.Demo),
		networks("outbound_allow", "", "private networks that notifications may reach, as CIDR, with a port or without (127.0.0.1/32:8025), separated by commas; not needed for smtp.host and oidc.issuer", &c.OutboundAllow),

		oneOf("engine", "embedded", "where measurements are: embedded in the data directory, or clickhouse, for several servers on one PostgreSQL", &c.Engine, "embedded", "clickhouse"),
		words("clickhouse.urls", "", "addresses of ClickHouse's HTTP interface, such as http://ch1:8123,http://ch2:8123, in the order of preference; the same order on every server", &c.ClickHouse.URLs),
		text("clickhouse.user", "", "user name there", &c.ClickHouse.User),
		text("clickhouse.password", "", "password there", &c.ClickHouse.Password).hidden(),
		text("clickhouse.database", "tidemark", "database there; made if it is missing", &c.ClickHouse.Database),
		text("clickhouse.cluster", "", "name of the cluster there, whose servers all get the tables; needed with more than one address", &c.ClickHouse.Cluster),
		text("clickhouse.ca", "", "file with the certificates that an https address is checked with; those of the system if empty", &c.ClickHouse.CA),

		duration("storage.raw_retention", "8d", "how long measurements are kept as they were sent", &c.Storage.RawRetention),
		duration("storage.minute_retention", "62d", "how long summaries of a minute are kept", &c.Storage.MinuteRetention),
		duration("storage.hour_retention", "1826d", "how long summaries of an hour are kept", &c.Storage.HourRetention),
		size("storage.memory", "256MiB", "memory for measurements not yet sealed", &c.Storage.Memory),
		size("storage.free_floor", "0B", "how much of the disk stays free: below it measurements and annotations are refused, and all else goes on; 0 for 5 %, at least 1 GiB and at most a quarter of the disk", &c.Storage.FreeFloor),
		size("storage.cache", "128MiB", "memory for what is read from disk", &c.Storage.Cache),
	}
}

// peopleSettings are how people are notified of alerts, and sign in.
func (c *Config) peopleSettings() []setting {
	return []setting{
		text("backup.to", "", "where the server makes backups by itself: a directory, which gets one for each, or s3://BUCKET/PREFIX or file:///DIRECTORY, which gets each file once", &c.Backup.To),
		duration("backup.every", "0s", "how often; 0s for never", &c.Backup.Every),
		number("backup.keep", "7", "how many are kept; older ones are deleted once a new one is verified", &c.Backup.Keep),
		text("backup.s3_endpoint", "", "address of storage that speaks S3, such as https://s3.example.org; Amazon's if empty", &c.Backup.S3.Endpoint),
		text("backup.s3_region", "us-east-1", "region there", &c.Backup.S3.Region),
		text("backup.s3_access_key", "", "access key there", &c.Backup.S3.AccessKey),
		text("backup.s3_secret_key", "", "secret key there", &c.Backup.S3.SecretKey).hidden(),

		duration("alerting.give_up_after", "6h", "how long a notification is tried", &c.Alerting.GiveUpAfter),
		duration("alerting.keep", "90d", "how long incidents and deliveries are kept", &c.Alerting.Keep),

		text("alerting.own_organization", "first", "organization in which metrics about the server itself are recorded, by name; first for the first one, none for none", &c.Alerting.OwnOrg),
		boolean("alerting.own_alerts", "false", "make alerts on these metrics there, unless it has alerts of these names", &c.Alerting.OwnAlerts),
		text("heartbeat.url", "", "address that is called as long as alerts are evaluated on time; nothing is if empty", &c.Heartbeat.URL).hidden(),
		duration("heartbeat.interval", "1m", "how often", &c.Heartbeat.Interval),
		duration("audit.keep", "400d", "how long entries of the audit log are kept", &c.Audit.Keep),
		text("audit.file", "", "file to which every entry of the audit log is appended as a line of JSON; reopened on SIGHUP", &c.Audit.File),
		text("audit.webhook", "", "URL to which every entry of the audit log is posted as JSON", &c.Audit.Webhook).hidden(),
		text("audit.webhook_secret", "", "secret that requests to audit.webhook are signed with (Tidemark-Signature); not signed if empty", &c.Audit.WebhookSecret).hidden(),

		text("smtp.host", "", "mail server; mail is off if empty", &c.SMTP.Host),
		number("smtp.port", "587", "its port", &c.SMTP.Port),
		text("smtp.user", "", "user name there", &c.SMTP.User),
		text("smtp.password", "", "password there", &c.SMTP.Password).hidden(),
		text("smtp.from", "", "sender of mail, such as Tidemark <alerts@example.org>", &c.SMTP.From),
		oneOf("smtp.tls", "starttls", "starttls, tls or none", &c.SMTP.TLS, "starttls", "tls", "none"),

		text("oidc.issuer", "", "OpenID Connect issuer for signing in; off if empty", &c.OIDC.Issuer),
		text("oidc.client_id", "", "client id there", &c.OIDC.ClientID),
		text("oidc.client_secret", "", "client secret there", &c.OIDC.ClientSecret).hidden(),
		text("oidc.title", "Single sign-on", "what the button says", &c.OIDC.Title),
		text("oidc.groups_claim", "groups", "claim that holds a person's groups", &c.OIDC.GroupsClaim),
		boolean("oidc.trust_email", "false", "take e-mail addresses of an issuer that does not say whether it verified them", &c.OIDC.TrustEmail),
		words("oidc.allowed_domains", "", "domains of the e-mail addresses that may sign in with it, separated by commas; without these and without groups, only people who are members or invited", &c.OIDC.AllowedDomains),
		duration("oidc.session", "12h", "how long a person stays signed in by it", &c.OIDC.Session),
		words("oidc.admin_groups", "", "groups whose people are Admins", &c.OIDC.AdminGroups),
		words("oidc.member_groups", "", "groups whose people are Members", &c.OIDC.MemberGroups),
		words("oidc.viewer_groups", "", "groups whose people are Viewers", &c.OIDC.ViewerGroups),
	}
}

// check reports settings that do not go together.
func (c *Config) check() error {
	var problems []error
	add := func(ok bool, format string, args ...any) {
		if !ok {
			problems = append(problems, fmt.Errorf(format, args...))
		}
	}
	add(c.Data != "", "data: is empty")
	add(len(c.Zone) <= 100 && !strings.ContainsFunc(c.Zone, unicode.IsControl), "zone: must be one line of 100 bytes at most")
	add((c.TLSCert == "") == (c.TLSKey == ""), "tls_cert and tls_key: give both or neither")
	add(c.Database == "" || strings.HasPrefix(c.Database, "postgres://") || strings.HasPrefix(c.Database, "postgresql://"),
		"database: must start with postgres://")
	if c.PublicURL != "" {
		u, err := url.Parse(c.PublicURL)
		add(err == nil && (u.Scheme == "http" || u.Scheme == "https") && u.Host != "", "public_url: must be like https://metrics.example.org")
		add(err != nil || !strings.ContainsFunc(u.Path, notInPrefix), "public_url: its path may have letters, digits and . _ - only, such as https://example.org/tidemark")
		add(err != nil || u.RawQuery == "" && u.Fragment == "", "public_url: must end with its host or its path")
	}
	add(c.Backup.Every == 0 || c.Backup.To != "", "backup.to: is needed with backup.every")
	add(c.Backup.Every == 0 || c.Backup.Every >= time.Minute, "backup.every: must be a minute or more")
	add(c.Backup.Every == 0 || c.Backup.Keep > 0, "backup.keep: must be 1 or more")
	add(c.SMTP.Host == "" || c.SMTP.From != "", "smtp.from: is needed to send mail")
	add(c.SMTP.Port >= 1 && c.SMTP.Port <= 65535, "smtp.port: must be 1 to 65535")
	add(c.SMTP.Host == "" || c.PublicURL != "", "public_url: is needed with smtp.host: links in mail begin with it")
	add(!slices.ContainsFunc(c.TrustedProxies, func(p netip.Prefix) bool { return p.Bits() == 0 }),
		"trusted_proxies: must not be every address: any client could then say that it is somebody else")
	add(c.OIDC.Issuer == "" || c.OIDC.ClientID != "", "oidc.client_id: is needed with oidc.issuer")
	add(c.Passwords || c.OIDC.Issuer != "", "passwords: can be false only with oidc.issuer, for otherwise nobody could sign in")
	if c.Heartbeat.URL != "" {
		u, err := url.Parse(c.Heartbeat.URL)
		add(err == nil && (u.Scheme == "http" || u.Scheme == "https") && u.Host != "", "heartbeat.url: must be like https://example.org/ping/key")
	}
	add(c.Heartbeat.Interval >= 10*time.Second, "heartbeat.interval: must be 10 seconds or more")
	add(c.OIDC.Session >= time.Minute, "oidc.session: must be a minute or more")
	c.Protocols.check(add)
	add(c.Alerting.Keep >= 24*time.Hour, "alerting.keep: must be a day or more")
	c.Audit.check(add)
	c.checkEngine(add)
	st := c.Storage
	add(st.RawRetention >= time.Hour, "storage.raw_retention: must be an hour or more")
	add(st.MinuteRetention >= st.RawRetention && st.HourRetention >= st.MinuteRetention,
		"storage: minute_retention must not be shorter than raw_retention, nor hour_retention shorter than minute_retention")
	return errors.Join(problems...)
}

// checkEngine reports settings that do not go with the engine.
func (c *Config) checkEngine(add func(ok bool, format string, args ...any)) {
	if c.Engine != "clickhouse" {
		add(len(c.ClickHouse.URLs) == 0, "clickhouse.urls: is of use with engine: clickhouse only")
		return
	}
	add(len(c.ClickHouse.URLs) > 0, "clickhouse.urls: is needed with engine: clickhouse")
	add(c.Backup.Every == 0, "backup.every: with engine: clickhouse backups are made by ClickHouse and PostgreSQL; docs/scaling.md has the commands")
	add(c.Database != "", "database: engine: clickhouse needs PostgreSQL, such as postgres://tidemark@db/tidemark: servers agree there on the order of what they write")
	add(len(c.ClickHouse.URLs) < 2 || c.ClickHouse.Cluster != "", "clickhouse.cluster: is needed with more than one address, so that all of them get the tables")
	for _, address := range c.ClickHouse.URLs {
		u, err := url.Parse(address)
		add(err == nil && (u.Scheme == "http" || u.Scheme == "https") && u.Host != "", "clickhouse.urls: %q is not an address such as http://clickhouse:8123", address)
	}
}

// notInPrefix reports whether r may not be in the path of the public URL, which
// is written into pages and cookies.
func notInPrefix(r rune) bool {
	return r != '/' && r != '.' && r != '_' && r != '-' && !('a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9')
}
