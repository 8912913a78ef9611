package tidemark

import (
	"net"
	"net/url"
	"slices"
	"strconv"
	"strings"
)

// The kinds of check.
const (
	CheckHeartbeat = "heartbeat" // somebody calls us; silence is the problem
	CheckHTTP      = "http"
	CheckTCP       = "tcp"
	CheckTLS       = "tls" // that a certificate goes on for a while
	CheckDNS       = "dns"
)

// CheckKinds are all kinds of check.
var CheckKinds = []string{CheckHeartbeat, CheckHTTP, CheckTCP, CheckTLS, CheckDNS}

// The metrics that checks record, with the tags check, kind and place.
const (
	MetricCheckUp       = "check.up"       // 1 or 0
	MetricCheckDuration = "check.duration" // seconds until the answer, or of the job that calls
	MetricCheckDays     = "check.days"     // until a certificate ends
)

// Bounds of what a check may ask for, in seconds and days.
const (
	minCheckEvery   = 30
	maxCheckEvery   = 31 * 24 * 3600
	maxCheckTimeout = 20
	maxCheckDays    = 365
	maxCheckName    = 100
)

// Check looks at something from outside at an interval, or expects to be
// called.
type Check struct {
	ID      int64   `json:"id"`
	Name    string  `json:"name"`
	Kind    string  `json:"kind"`
	Target  string  `json:"target"`  // a URL, host:port or the name of a host; of a heartbeat ""
	Every   Seconds `json:"every"`   // between runs, or between the calls that are expected
	Grace   Seconds `json:"grace"`   // by which a call may be late
	Timeout Seconds `json:"timeout"` // until an answer counts as none
	Slow    float64 `json:"slow"`    // seconds from which on an answer is slow, though not down; 0 for never
	Expect  string  `json:"expect"`  // what an answer has to hold: words of a page, an address of a name
	Days    int64   `json:"days"`    // how long a certificate has to go on
	Active  bool    `json:"active"`
	// Places are where it runs: server, agent:NAME or tag:NAME=VALUE.
	Places    []string `json:"places"`
	Alert     int64    `json:"alert"`         // the one that was made with it; 0 for none
	Silence   int64    `json:"silence_alert"` // the one for places that fall silent; 0 for none
	CreatedAt int64    `json:"created_at"`

	CheckState
	Results []CheckResult `json:"results"` // the latest of every place
	// Maintenance is the window in which nobody is notified of it now; null if
	// there is none.
	Maintenance *CheckMaintenance `json:"maintenance"`
}

// CheckMaintenance is the maintenance window that covers a check.
type CheckMaintenance struct {
	ID    int64  `json:"id"`
	Name  string `json:"name"`
	Until int64  `json:"until"`
}

// CheckState is how a check is.
type CheckState struct {
	RanAt     int64   `json:"ran_at"`     // last run, or last call; 0 for none
	StartedAt int64   `json:"started_at"` // when the job that calls said that it starts; 0 where it did not
	Up        bool    `json:"up"`
	Duration  float64 `json:"duration"` // seconds
	Said      string  `json:"said"`     // what was wrong, or what was found
}

// NewCheck returns a check with the defaults of one that says nothing.
func NewCheck() *Check {
	return &Check{Kind: CheckHTTP, Every: 60, Grace: 300, Timeout: 10, Days: 21, Active: true, Places: []string{PlaceServer}}
}

// Validate reports what is wrong with c, or nil.
func (c *Check) Validate() error {
	var p Problems
	p.Check(IsAlertName(c.Name) && len(c.Name) <= maxCheckName, "name", "must be 1 to %d letters, digits, blanks and . : - _", maxCheckName)
	p.Check(slices.Contains(CheckKinds, c.Kind), "kind", "must be heartbeat, http, tcp, tls or dns")
	p.Check(c.Every >= minCheckEvery && c.Every <= maxCheckEvery, "every", "must be %d to %d seconds", minCheckEvery, maxCheckEvery)
	p.Check(c.Grace >= 0 && c.Grace <= maxCheckEvery, "grace", "must be 0 to %d seconds", maxCheckEvery)
	p.Check(c.Timeout >= 1 && c.Timeout <= maxCheckTimeout, "timeout", "must be 1 to %d seconds", maxCheckTimeout)
	p.Check(c.Slow >= 0 && c.Slow <= float64(c.Timeout), "slow", "must be 0, or no more than timeout")
	p.Check(c.Days >= 0 && c.Days <= maxCheckDays, "days", "must be 0 to %d", maxCheckDays)
	p.Text("expect", c.Expect, 0, maxTitle)
	c.checkPlaces(&p)
	if problem := c.targetProblem(); problem != "" {
		p.Check(false, "target", "%s", problem)
	}
	return p.Err()
}

func (c *Check) targetProblem() string {
	switch c.Kind {
	case CheckHeartbeat:
		if c.Target != "" {
			return "must be empty: heartbeats are called"
		}
	case CheckHTTP:
		u, err := url.Parse(c.Target)
		if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || len(c.Target) > maxHref {
			return "must begin with https:// or http://"
		}
	case CheckTCP, CheckTLS:
		host, port, err := net.SplitHostPort(c.Target)
		if n, wrong := strconv.Atoi(port); err != nil || wrong != nil || n < 1 || n > 65535 || !isHost(host) {
			return "must be a host and a port, such as example.org:443"
		}
	case CheckDNS:
		if !isHost(c.Target) {
			return "must be the name of a host, such as example.org"
		}
	}
	return ""
}

func isHost(host string) bool {
	return host != "" && len(host) <= 253 && !strings.ContainsAny(host, " /\\@?#\t\n")
}

// Missed reports whether the call that a heartbeat expects has not come by now.
func (c *Check) Missed(now int64) bool {
	since := c.RanAt
	if since == 0 {
		since = c.CreatedAt
	}
	return now > since+int64(c.Every)+int64(c.Grace)
}

// CheckUpdate is a partial change: what is left out stays.
type CheckUpdate struct {
	Name    Opt[string]   `json:"name"`
	Kind    Opt[string]   `json:"kind"`
	Target  Opt[string]   `json:"target"`
	Every   Opt[Seconds]  `json:"every"`
	Grace   Opt[Seconds]  `json:"grace"`
	Timeout Opt[Seconds]  `json:"timeout"`
	Slow    Opt[float64]  `json:"slow"`
	Expect  Opt[string]   `json:"expect"`
	Days    Opt[int64]    `json:"days"`
	Active  Opt[bool]     `json:"active"`
	Places  Opt[[]string] `json:"places"`
}

// Apply makes the change to c.
func (u CheckUpdate) Apply(c *Check) {
	u.Name.To(&c.Name)
	u.Kind.To(&c.Kind)
	u.Target.To(&c.Target)
	u.Every.To(&c.Every)
	u.Grace.To(&c.Grace)
	u.Timeout.To(&c.Timeout)
	u.Slow.To(&c.Slow)
	u.Expect.To(&c.Expect)
	u.Days.To(&c.Days)
	u.Active.To(&c.Active)
	u.Places.To(&c.Places)
}
