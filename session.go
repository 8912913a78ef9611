package tidemark

import (
	"encoding/json"
	"slices"
)

// Session is a person who is signed in, in one browser.
type Session struct {
	ID         int64  `json:"id"`
	User       int64  `json:"-"`
	Org        OrgID  `json:"-"` // the organization the person looks at
	CreatedAt  int64  `json:"created_at"`
	LastSeenAt int64  `json:"last_seen_at"`
	RotatedAt  int64  `json:"-"` // when its secret was last replaced
	ExpiresAt  int64  `json:"-"`
	UserAgent  string `json:"user_agent"`
	Address    string `json:"address"`
}

// The kinds of one-time key.
const (
	SetupKey  = "setup"  // makes the owner of a new server
	ResetKey  = "reset"  // lets a person choose a password
	SignInKey = "signin" // carries a sign-in that goes on elsewhere
)

// OneTimeKey opens one door once.
type OneTimeKey struct {
	Kind      string
	User      int64 // whose it is, or 0
	ExpiresAt int64
	Detail    string // what the door must remember
}

// Share is a link by which anybody can look at one space.
type Share struct {
	ID           int64       `json:"id"`
	Org          OrgID       `json:"-"`
	Space        int64       `json:"space"`
	Name         string      `json:"name"`
	CreatedAt    int64       `json:"created_at"`
	CreatedBy    string      `json:"created_by"`
	ExpiresAt    int64       `json:"expires_at"`
	LastOpenedAt int64       `json:"last_opened_at"`
	LockedTags   []TagFilter `json:"locked_tags"` // nil: whoever looks may filter
}

// maxShare is the longest a link may work, in seconds.
const maxShare = 366 * 24 * 3600

// Validate reports what is wrong with s, or nil.
func (s *Share) Validate() error {
	var p Problems
	p.Text("name", s.Name, 1, maxTitle)
	p.Check(s.ExpiresAt > s.CreatedAt && s.ExpiresAt <= s.CreatedAt+maxShare, "expires_in", "must be 1 second to %d", maxShare)
	p.TagFilters("locked_tags", s.LockedTags)
	return p.Err()
}

// Layout is where the charts of a space are, and what the page starts with.
type Layout struct {
	Places      []Place     `json:"layout"`
	DefaultTags []TagFilter `json:"default_tags"`
	Annotations []string    `json:"annotations"`
	UpdatedAt   int64       `json:"updated_at"`
	UpdatedBy   string      `json:"updated_by"`
}

// Place is where one chart is, on a grid of twelve columns.
type Place struct {
	Chart  int64 `json:"chart"`
	Col    int   `json:"col"`
	Row    int   `json:"row"`
	Width  int   `json:"width"`
	Height int   `json:"height"`
}

const (
	gridColumns = 12
	maxRows     = 10_000
	maxPlaces   = 1000
)

// Validate reports what is wrong with l, or nil.
func (l *Layout) Validate() error {
	var p Problems
	p.Check(len(l.Places) <= maxPlaces, "layout", "has more than %d entries", maxPlaces)
	seen := make(map[int64]bool)
	for _, at := range l.Places {
		p.Check(at.Chart > 0 && !seen[at.Chart], "layout.chart", "must be the id of a chart, once")
		seen[at.Chart] = true
		p.Check(at.Col >= 0 && at.Width >= 1 && at.Col+at.Width <= gridColumns, "layout.width", "must fit into %d columns", gridColumns)
		p.Check(at.Row >= 0 && at.Row < maxRows && at.Height >= 1 && at.Height <= 100, "layout.height", "must be 1 to 100 rows")
	}
	p.TagFilters("default_tags", l.DefaultTags)
	p.Check(len(l.Annotations) <= maxTagFilters && !slices.ContainsFunc(l.Annotations, func(s string) bool { return !IsMetricName(s) }),
		"annotations", "must be names of annotation streams")
	return p.Err()
}

// TokenUse is how often a token was used, on one day, to do one thing to one
// kind of thing: read spaces, change alerts.
type TokenUse struct {
	Token    int64
	Action   Action
	Noun     string
	Day      int64 // midnight UTC
	Requests int64
}

// Sender is one program that uses a token: what it calls itself and where it
// sends from.
type Sender struct {
	Token     int64
	UserAgent string
	Sender    string // the tag host of what it sends, else its address
	Day       int64  // midnight UTC
	Requests  int64
	LastAt    int64
	Old       bool            // it still uses a secret that was rotated out
	Sends     json.RawMessage // names of metrics, a few
}
