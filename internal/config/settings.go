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
)

// Config is the settings of the server.
type Config struct {
	Data      string
	Listen    string
	Database  string // postgres://..., or "" for SQLite in Data
	PublicURL string
	// TrustedProxies are believed about where requests come from.
	TrustedProxies []netip.Prefix
	TLSCert        string
	TLSKey         string
	LogLevel       string
	LogFormat      string

	// Bootstrap is the value of the first Full Access token.
	Bootstrap string

	// Demo fills the server with a believable organization.
	Demo bool

	OutboundAllow []netip.Prefix
	Storage       Storage
	Limits        Limits
	Alerting      Alerting
	SMTP          SMTP
	OIDC          OIDC
}

// Storage is how measurements are kept.
type Storage struct {
	RawRetention    time.Duration
	MinuteRetention time.Duration
	HourRetention   time.Duration
	Memory          int64 // bytes of measurements not yet sealed
	Cache           int64 // bytes
}

// Limits are those of every organization; 0 means none.
type Limits struct {
	Streams int64
	Rate    int64 // measurements a second
}

// Alerting is how people are told of alerts.
type Alerting struct {
	GiveUpAfter time.Duration
	Keep        time.Duration
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
	TrustEmail                            bool
}

// DatabaseURL is the control store's, as store.Open takes it.
func (c *Config) DatabaseURL() string {
	if c.Database != "" {
		return c.Database
	}
	return "sqlite:" + filepath.Join(c.Data, "tidemark.db")
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
	return []setting{
		text("data", "./data", "directory that holds everything", &c.Data),
		text("listen", "127.0.0.1:8433", "address to answer on", &c.Listen),
		text("database", "", "postgres://... for the control store; SQLite in the data directory if empty", &c.Database).hidden(),
		text("public_url", "", "how clients reach the server, such as https://metrics.example.org; needed to send mail; otherwise taken from each request if empty", &c.PublicURL),
		prefixes("trusted_proxies", "", "proxies in front of the server, as CIDR, separated by commas: their X-Forwarded-For and X-Forwarded-Proto are believed", &c.TrustedProxies),
		text("tls_cert", "", "file with the certificate; plain HTTP if empty", &c.TLSCert),
		text("tls_key", "", "file with the certificate's key", &c.TLSKey),
		oneOf("log_level", "info", "debug, info, warn or error", &c.LogLevel, "debug", "info", "warn", "error"),
		oneOf("log_format", "text", "text or json", &c.LogFormat, "text", "json"),
		text("bootstrap_token", "", "value of the first Full Access token, on the first start", &c.Bootstrap).hidden(),
		boolean("demo", "false", "fill the server with a believable organization and keep it alive", &c.Demo),
		prefixes("outbound_allow", "", "private networks that notifications may reach, as CIDR, separated by commas", &c.OutboundAllow).networks(),

		duration("storage.raw_retention", "8d", "how long measurements are kept as they were sent", &c.Storage.RawRetention),
		duration("storage.minute_retention", "62d", "how long summaries of a minute are kept", &c.Storage.MinuteRetention),
		duration("storage.hour_retention", "1826d", "how long summaries of an hour are kept", &c.Storage.HourRetention),
		size("storage.memory", "256MiB", "memory for measurements not yet sealed", &c.Storage.Memory),
		size("storage.cache", "128MiB", "memory for what is read from disk", &c.Storage.Cache),

		number("limits.streams", "0", "streams an organization may have; 0 for any number. What is over it is refused, and makes no metrics", &c.Limits.Streams),
		number("limits.rate", "0", "measurements a second an organization may send; 0 for any number", &c.Limits.Rate),

		duration("alerting.give_up_after", "6h", "how long a notification is tried", &c.Alerting.GiveUpAfter),
		duration("alerting.keep", "90d", "how long incidents and deliveries are kept", &c.Alerting.Keep),

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
	add((c.TLSCert == "") == (c.TLSKey == ""), "tls_cert and tls_key: give both or neither")
	add(c.Database == "" || strings.HasPrefix(c.Database, "postgres://") || strings.HasPrefix(c.Database, "postgresql://"),
		"database: must start with postgres://")
	if c.PublicURL != "" {
		u, err := url.Parse(c.PublicURL)
		add(err == nil && (u.Scheme == "http" || u.Scheme == "https") && u.Host != "", "public_url: must be like https://metrics.example.org")
	}
	add(c.SMTP.Host == "" || c.SMTP.From != "", "smtp.from: is needed to send mail")
	add(c.SMTP.Host == "" || c.PublicURL != "", "public_url: is needed with smtp.host: links in mail begin with it")
	add(!slices.ContainsFunc(c.TrustedProxies, func(p netip.Prefix) bool { return p.Bits() == 0 }),
		"trusted_proxies: must not be every address: any client could then say that it is somebody else")
	add(c.OIDC.Issuer == "" || c.OIDC.ClientID != "", "oidc.client_id: is needed with oidc.issuer")
	st := c.Storage
	add(st.RawRetention >= time.Hour, "storage.raw_retention: must be an hour or more")
	add(st.MinuteRetention >= st.RawRetention && st.HourRetention >= st.MinuteRetention,
		"storage: minute_retention must not be shorter than raw_retention, nor hour_retention shorter than minute_retention")
	return errors.Join(problems...)
}

func (s setting) hidden() setting { s.secret = true; return s }

func text(name, def, help string, v *string) setting {
	return setting{name: name, def: def, help: help, set: func(s string) error { *v = s; return nil }, get: func() string { return *v }}
}

func oneOf(name, def, help string, v *string, allowed ...string) setting {
	st := text(name, def, help, v)
	st.set = func(s string) error {
		for _, a := range allowed {
			if s == a {
				*v = s
				return nil
			}
		}
		return fmt.Errorf("%q is not one of %s", s, strings.Join(allowed, ", "))
	}
	return st
}

func number(name, def, help string, v *int64) setting {
	return setting{name: name, def: def, help: help, get: func() string { return strconv.FormatInt(*v, 10) }, set: func(s string) error {
		n, err := strconv.ParseInt(s, 10, 64)
		if err != nil || n < 0 {
			return fmt.Errorf("%q is not a number", s)
		}
		*v = n
		return nil
	}}
}

func boolean(name, def, help string, v *bool) setting {
	return setting{name: name, def: def, help: help, get: func() string { return strconv.FormatBool(*v) }, set: func(s string) (err error) {
		if *v, err = strconv.ParseBool(s); err != nil {
			return fmt.Errorf("%q is not true or false", s)
		}
		return nil
	}}
}

func words(name, def, help string, v *[]string) setting {
	return setting{name: name, def: def, help: help, get: func() string { return strings.Join(*v, ",") }, set: func(s string) error {
		*v = split(s)
		return nil
	}}
}

func split(s string) []string {
	var parts []string
	for part := range strings.SplitSeq(s, ",") {
		if part = strings.TrimSpace(part); part != "" {
			parts = append(parts, part)
		}
	}
	return parts
}

func prefixes(name, def, help string, v *[]netip.Prefix) setting {
	get := func() string {
		parts := make([]string, len(*v))
		for i, p := range *v {
			parts[i] = p.String()
		}
		return strings.Join(parts, ",")
	}
	return setting{name: name, def: def, help: help, get: get, set: func(s string) error {
		*v = nil
		for _, part := range split(s) {
			p, err := netip.ParsePrefix(part)
			if err != nil {
				addr, err := netip.ParseAddr(part)
				if err != nil {
					return fmt.Errorf("%q is not a network such as 10.0.0.0/8", part)
				}
				p = netip.PrefixFrom(addr, addr.BitLen())
			}
			*v = append(*v, p.Masked())
		}
		return nil
	}}
}

// networks refuses addresses without a length: 10.0.0.0 is likely to be meant
// as a network, and would be one machine.
func (s setting) networks() setting {
	set := s.set
	s.set = func(text string) error {
		for _, part := range split(text) {
			if addr, err := netip.ParseAddr(part); err == nil {
				return fmt.Errorf("%q is not a network such as 10.0.0.0/8; write %s/%d for this address alone", part, addr, addr.BitLen())
			}
		}
		return set(text)
	}
	return s
}

// duration takes what time.ParseDuration takes, and days.
func duration(name, def, help string, v *time.Duration) setting {
	get := func() string {
		if day := 24 * time.Hour; *v >= day && *v%day == 0 {
			return strconv.FormatInt(int64(*v/day), 10) + "d"
		}
		return v.String()
	}
	return setting{name: name, def: def, help: help, get: get, set: func(s string) error {
		if days, ok := strings.CutSuffix(s, "d"); ok {
			n, err := strconv.ParseInt(days, 10, 32)
			if err != nil || n < 0 {
				return fmt.Errorf("%q is not a time such as 8d or 12h", s)
			}
			*v = time.Duration(n) * 24 * time.Hour
			return nil
		}
		d, err := time.ParseDuration(s)
		if err != nil || d < 0 {
			return fmt.Errorf("%q is not a time such as 8d or 12h", s)
		}
		*v = d
		return nil
	}}
}

var units = []struct {
	name  string
	bytes int64
}{{"GiB", 1 << 30}, {"MiB", 1 << 20}, {"KiB", 1 << 10}, {"B", 1}}

func size(name, def, help string, v *int64) setting {
	get := func() string {
		for _, u := range units {
			if *v >= u.bytes && *v%u.bytes == 0 {
				return strconv.FormatInt(*v/u.bytes, 10) + u.name
			}
		}
		return "0B"
	}
	return setting{name: name, def: def, help: help, get: get, set: func(s string) error {
		for _, u := range units {
			if digits, ok := strings.CutSuffix(s, u.name); ok {
				n, err := strconv.ParseInt(strings.TrimSpace(digits), 10, 40)
				if err != nil || n < 0 {
					break
				}
				*v = n * u.bytes
				return nil
			}
		}
		return fmt.Errorf("%q is not a size such as 256MiB", s)
	}}
}
