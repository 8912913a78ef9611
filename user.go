package tidemark

import (
	"net/mail"
	"strings"
)

// User is a person who signs in. A user may belong to several organizations.
type User struct {
	ID        int64  `json:"id"`
	Email     string `json:"email"` // lower case; unique
	Name      string `json:"name"`
	CreatedAt int64  `json:"created_at"`

	// PasswordHash is empty for those who sign in elsewhere only.
	PasswordHash string `json:"-"`
	// Verified says that the address is known to be the person's: they read a
	// mail sent there, an issuer or the operator vouched for it. Who makes an
	// account with a link that somebody else passed on may be that somebody.
	Verified bool `json:"-"`
	// Operator says that the person looks after the server: they see which
	// organizations there are and what each uses of its limits, and set those.
	Operator bool `json:"-"`
}

// Validate reports what is wrong with u, or nil.
func (u *User) Validate() error {
	var p Problems
	a, err := mail.ParseAddress(u.Email)
	p.Check(err == nil && a.Address == u.Email, "email", "is not an e-mail address")
	p.Check(u.Email == strings.ToLower(u.Email), "email", "must be in lower case")
	p.Text("email", u.Email, 3, maxTitle)
	p.Text("name", u.Name, 0, maxTitle)
	return p.Err()
}

// Membership is a user's place in an organization.
type Membership struct {
	Org       OrgID  `json:"org_id"`
	User      int64  `json:"user_id"`
	Role      Role   `json:"role" wire:"admin|member|viewer"`
	Email     string `json:"email"`
	Name      string `json:"name"`
	OrgName   string `json:"org_name"`
	CreatedAt int64  `json:"created_at"`
	// SecondFactor says that the person has one; only Admins see it.
	SecondFactor bool `json:"second_factor,omitempty"`
	// Demanded says that the organization demands one.
	Demanded bool `json:"-"`
	// Operator says that the person is an operator of the server.
	Operator bool `json:"-"`
}

// MustEnrol reports whether the person can do nothing in the organization
// before they have a second factor.
func (m *Membership) MustEnrol() bool { return m.Demanded && !m.SecondFactor }
