package tidemark

import "strconv"

// Session is a person who is signed in, in one browser.
type Session struct {
	ID         int64  `json:"id"`
	User       int64  `json:"-"`
	Org        OrgID  `json:"-"` // the organization the person looks at
	CreatedAt  int64  `json:"created_at"`
	LastSeenAt int64  `json:"last_seen_at"`
	RotatedAt  int64  `json:"-"` // when its secret was last replaced
	Hash       string `json:"-"` // of its secret
	OldUntil   int64  `json:"-"` // until when the secret before works too
	ExpiresAt  int64  `json:"-"`
	ProvedAt   int64  `json:"-"` // when the person last proved who they are
	UserAgent  string `json:"user_agent"`
	Address    string `json:"address"`
	// Browser is what the browser is known by as long as it keeps its cookies,
	// when the session is opened; NewBrowser says that the person has signed in
	// before, but never from there.
	Browser    Secret `json:"-"`
	NewBrowser bool   `json:"-"`
}

// BrowserHash is what is kept of the browser. It differs from person to person,
// so that it does not tell who shares one.
func (s *Session) BrowserHash() string {
	return Secret(strconv.FormatInt(s.User, 10) + ":" + s.Browser.Reveal()).Hash()
}

// The kinds of one-time key.
const (
	SetupKey  = "setup"  // makes the owner of a new server
	ResetKey  = "reset"  // lets a person choose a password
	SignInKey = "signin" // carries a sign-in that goes on elsewhere
	SecondKey = "second" // carries a sign-in that needs a second step

	PasskeyKey = "passkey" // carries the challenge that a passkey has to answer
)

// OneTimeKey opens one door once.
type OneTimeKey struct {
	Kind      string
	User      int64 // whose it is, or 0
	ExpiresAt int64
	Detail    string // what the door must remember
}
