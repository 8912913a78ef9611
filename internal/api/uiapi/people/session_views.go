package people

import (
	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/api/shared"
)

// The shapes of answers have their fields in the order of their names.

// signInOptions is how people can sign in.
type signInOptions struct {
	MailReset  bool       `json:"mail_reset"`  // links for a new password are mailed
	NeedsSetup bool       `json:"needs_setup"` // nobody has an account yet
	OIDC       *oidcTitle `json:"oidc"`        // null where there is no such provider
	Passwords  bool       `json:"passwords"`   // without, every route that takes one answers 403
}

// oidcTitle is what the button for a sign-in provider says.
type oidcTitle struct {
	Title string `json:"title"`
}

// session is who is signed in, and where.
type session struct {
	HasData   bool              `json:"has_data"`   // the organization has metrics
	MustEnrol bool              `json:"must_enrol"` // the organization demands a second factor before anything else
	Operator  bool              `json:"operator"`   // the person looks after the server
	Org       sessionOrg        `json:"org"`
	Orgs      []shared.OrgOfOwn `json:"orgs"`
	Role      tidemark.Role     `json:"role" wire:"admin|member|viewer"`
	Server    string            `json:"server"` // the address of the server, as clients reach it
	User      sessionOwner      `json:"user"`
	Version   string            `json:"version"`
}

// sessionOrg is the organization that somebody looks at.
type sessionOrg struct {
	Demo bool           `json:"demo,omitempty"` // it is the made-up one
	ID   tidemark.OrgID `json:"id"`
	Last bool           `json:"last"` // addresses that name no organization lead here
	Name string         `json:"name"`
	// What addresses of pages name it by; empty for its id.
	ShortName string `json:"short_name"`
}

// sessionOwner is who is signed in.
type sessionOwner struct {
	Email string `json:"email"`
	ID    int64  `json:"id"`
	Name  string `json:"name"`
}

// sessionList is where somebody is signed in.
type sessionList struct {
	Sessions []openSession `json:"sessions"`
}

// openSession is one browser in which somebody is signed in.
type openSession struct {
	Address    string `json:"address"`
	CreatedAt  int64  `json:"created_at"`
	Current    bool   `json:"current"` // it is the one that asks
	ID         int64  `json:"id"`
	LastSeenAt int64  `json:"last_seen_at"`
	UserAgent  string `json:"user_agent"`
}

// setupCheck says that a link for the first start works.
type setupCheck struct {
	EmailHint string `json:"email_hint"`
}

// invited is what somebody is invited to.
type invited struct {
	Email     string        `json:"email"`
	ExpiresAt int64         `json:"expires_at"`
	OrgName   string        `json:"org_name"`
	Role      tidemark.Role `json:"role" wire:"admin|member|viewer"`
	SignedIn  bool          `json:"signed_in"` // the browser's session is that of this address
}

// accepted is the answer to what is done later, if at all.
type accepted struct{}
