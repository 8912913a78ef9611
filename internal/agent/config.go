package agent

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/url"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/protocol"
	"go.yaml.in/yaml/v3"
)

// product is how the agent names itself to those it asks.
const product = "tidemark-agent"

// userAgent is the same to its server, with the version.
func (c *Config) userAgent() string {
	if c.release == "" {
		return product
	}
	return product + "/" + c.release
}

// Config is the settings of an agent.
type Config struct {
	Server    string            `yaml:"server"`
	Token     tidemark.Secret   `yaml:"-"`
	TokenText string            `yaml:"token"`
	TokenFile string            `yaml:"token_file"`
	CA        string            `yaml:"ca"`
	Host      string            `yaml:"host"`
	Tags      map[string]string `yaml:"tags"`
	Every     time.Duration     `yaml:"every"`
	Spool     SpoolConfig       `yaml:"spool"`
	HostOff   bool              `yaml:"host_off"` // nothing about the machine itself
	Processes []string          `yaml:"processes"`
	Units     []string          `yaml:"units"`
	// Containers is the socket of Docker or Podman.
	Containers string       `yaml:"containers"`
	Statsd     string       `yaml:"statsd"`
	Scrape     []Scrape     `yaml:"scrape"`
	Scripts    []Script     `yaml:"scripts"`
	Checks     ChecksConfig `yaml:"checks"`

	ready   string // file to make when the server has answered
	release string // of this program

	proc, etc, systemctl string // elsewhere in tests
}

// SpoolConfig is where measurements wait, and how many.
type SpoolConfig struct {
	Dir   string `yaml:"dir"`
	Limit Size   `yaml:"limit"`
}

// Scrape is a Prometheus endpoint.
type Scrape struct {
	URL     string            `yaml:"url"`
	Every   time.Duration     `yaml:"every"`
	Timeout time.Duration     `yaml:"timeout"`
	Tags    map[string]string `yaml:"tags"`
	Headers map[string]string `yaml:"headers"`
}

// Script is a program that prints measurements.
type Script struct {
	Name    string        `yaml:"name"`
	Command string        `yaml:"command"`
	Every   time.Duration `yaml:"every"`
	Timeout time.Duration `yaml:"timeout"`
}

// Size is a number of bytes, such as 64MiB.
type Size int64

// UnmarshalText reads a size.
func (s *Size) UnmarshalText(text []byte) error {
	number, factor := strings.TrimSpace(string(text)), int64(1)
	for suffix, f := range map[string]int64{"KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30} {
		if rest, ok := strings.CutSuffix(number, suffix); ok {
			number, factor = strings.TrimSpace(rest), f
		}
	}
	n, err := strconv.ParseInt(number, 10, 64)
	if err != nil || n < 0 || n > (1<<62)/factor {
		return fmt.Errorf("%q is not a size; write 64MiB", text)
	}
	*s = Size(n * factor)
	return nil
}

// Defaults are the settings where nothing else is said.
func Defaults() Config {
	host, _ := os.Hostname()
	return Config{
		Host: host, Every: 10 * time.Second,
		Spool: SpoolConfig{Limit: 64 << 20},
		proc:  "/proc", etc: "/etc", systemctl: "systemctl",
	}
}

// Read takes over the settings of a file. A setting that does not exist is an
// error, so that a slip of the pen is seen.
func (c *Config) Read(r io.Reader) error {
	d := yaml.NewDecoder(r)
	d.KnownFields(true)
	if err := d.Decode(c); err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	return nil
}

// Validate reports everything that is wrong, and fills in what is not said.
func (c *Config) Validate() error {
	var wrong []error
	add := func(ok bool, format string, args ...any) {
		if !ok {
			wrong = append(wrong, fmt.Errorf(format, args...))
		}
	}
	c.Server = strings.TrimSuffix(c.Server, "/")
	add(isURL(c.Server), "server: must be like https://metrics.example.org")
	add(c.readToken() == nil, "token_file: %v", c.readToken())
	add(c.Token != "", "token: is missing; a Record Only token is enough")
	add(c.Host != "", "host: is missing")
	add(c.Every >= time.Second && c.Every <= time.Hour, "every: must be between 1s and 1h")
	add(c.Spool.Dir != "", "spool.dir: is missing")
	add(c.Spool.Limit >= 1<<20, "spool.limit: must be 1MiB or more")
	for i := range c.Scrape {
		c.Scrape[i].validate(fmt.Sprintf("scrape[%d].", i), c.Every, add)
	}
	names := make(map[string]bool)
	for i := range c.Scripts {
		s := &c.Scripts[i]
		s.validate(fmt.Sprintf("scripts[%d].", i), add)
		add(!names[s.Name], "scripts[%d].name: there is already a script named %s", i, s.Name)
		names[s.Name] = true
	}
	_, err := c.Checks.networks()
	add(err == nil, "checks.allow: %v", err)
	_, err = c.roots()
	add(err == nil, "ca: %v", err)
	return errors.Join(wrong...)
}

type adder func(ok bool, format string, args ...any)

func (s *Scrape) validate(at string, every time.Duration, add adder) {
	if s.Every == 0 {
		s.Every = max(every, 15*time.Second)
	}
	if s.Timeout == 0 {
		s.Timeout = min(s.Every, 10*time.Second)
	}
	add(isURL(s.URL), "%surl: must be like http://127.0.0.1:9100/metrics", at)
	add(s.Every >= time.Second && s.Every <= time.Hour, "%severy: must be between 1s and 1h", at)
	add(s.Timeout > 0 && s.Timeout <= s.Every, "%stimeout: must be over 0 and at most every", at)
}

func (s *Script) validate(at string, add adder) {
	if s.Every == 0 {
		s.Every = time.Minute
	}
	if s.Timeout == 0 {
		s.Timeout = min(s.Every, 30*time.Second)
	}
	add(s.Name != "", "%sname: is missing", at)
	add(strings.TrimSpace(s.Command) != "", "%scommand: is missing", at)
	add(s.Every >= time.Second && s.Every <= 24*time.Hour, "%severy: must be between 1s and 24h", at)
	add(s.Timeout > 0 && s.Timeout <= s.Every, "%stimeout: must be over 0 and at most every", at)
}

func isURL(text string) bool {
	u, err := url.Parse(text)
	return err == nil && (u.Scheme == "http" || u.Scheme == "https") && u.Host != ""
}

// readToken takes the token of the settings or of its file.
func (c *Config) readToken() error {
	if c.TokenText != "" {
		c.Token = tidemark.Secret(c.TokenText)
	}
	if c.Token != "" || c.TokenFile == "" {
		return nil
	}
	text, err := os.ReadFile(c.TokenFile)
	c.Token = tidemark.Secret(strings.TrimSpace(string(text)))
	return err
}

// baseTags are those of every measurement.
func (c *Config) baseTags() tidemark.Tags {
	tags := map[string]string{"host": c.Host}
	maps.Copy(tags, c.Tags)
	return mappedTags(tags)
}

// mappedTags are tags of the settings in the alphabet of the API.
func mappedTags(tags map[string]string) tidemark.Tags {
	out := make(map[string]string, len(tags))
	for name, value := range tags {
		out[protocol.LabelName(name)] = protocol.LabelValue(value)
	}
	return tidemark.MakeTags(out)
}

// roots are the certificates that the server's is checked against; nil for
// those of the system.
func (c *Config) roots() (*x509.CertPool, error) {
	if c.CA == "" {
		return nil, nil
	}
	text, err := os.ReadFile(c.CA)
	if err != nil {
		return nil, err
	}
	pool := x509.NewCertPool()
	if !pool.AppendCertsFromPEM(text) {
		return nil, fmt.Errorf("%s holds no certificate", c.CA)
	}
	return pool, nil
}

func (c *Config) transport() *http.Transport {
	roots, _ := c.roots() // checked
	t := &http.Transport{Proxy: http.ProxyFromEnvironment, MaxIdleConns: 1, IdleConnTimeout: 90 * time.Second, TLSHandshakeTimeout: 10 * time.Second}
	if roots != nil {
		t.TLSClientConfig = &tls.Config{RootCAs: roots, MinVersion: tls.VersionTLS12}
	}
	return t
}
