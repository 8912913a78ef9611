package tidemark

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"hash/crc32"
	"math/big"
	"strconv"
	"strings"
)

const (
	secretPrefix = "tmk_"
	secretLength = 43 // base62 digits of 256 bits
	sumLength    = 6  // base62 digits of 32 bits
	maxSecret    = 256
	minImported  = 16
	maxIdleDays  = 3650
)

// Token is a credential of an organization, with one role. Its secret is not
// part of it: only a hash is kept.
type Token struct {
	ID         int64
	Name       string
	Role       Role
	Active     bool
	Last4      string // the end of the current secret
	Imported   bool   // the current secret was not made here
	CreatedAt  int64
	CreatedBy  string // as the audit log names who made it
	UpdatedAt  int64
	LastUsedAt int64 // 0 if never
	ExpiresAt  int64 // 0 if never
	IdleDays   int64 // it is deactivated when it was not used for so many days; 0 if never
	// OldUntil is when the previous secret stops working, after a rotation;
	// 0 if there is none.
	OldUntil int64
	// Scope is what a Record Only token may send, or a View Only token read.
	Scope TokenScope
	// Networks are where it may be used from; none means anywhere.
	Networks []string
}

// ResourceID is the last segment of the token's URL.
func (t *Token) ResourceID() string { return strconv.FormatInt(t.ID, 10) }

// Validate reports what is wrong with t, or nil.
func (t *Token) Validate() error {
	var p Problems
	p.Text("name", t.Name, 1, maxText)
	if t.Role == "" {
		p.Check(false, "role", "is not present")
	} else {
		p.Check(t.Role.IsTokenRole(), "role", "must be admin, recorder or viewer")
	}
	t.Scope.check(&p, t.Role)
	checkNetworks(&p, t.Networks)
	p.Check(t.ExpiresAt >= 0 && t.ExpiresAt < maxTime, "expires_at", "is not a time in seconds since 1970")
	p.Check(t.IdleDays >= 0 && t.IdleDays <= maxIdleDays, "idle_days", "must be 1 to %d days, or 0 for never", maxIdleDays)
	return p.Err()
}

// TokenUpdate is a change to a token.
type TokenUpdate struct {
	Name      Opt[string] `json:"name"`
	Role      Opt[Role]   `json:"role"`
	Active    Opt[bool]   `json:"active"`
	ExpiresAt Opt[int64]  `json:"expires_at"`
	IdleDays  Opt[int64]  `json:"idle_days"`
	// Scope and Networks narrow the token; null widens it again.
	Scope    Opt[TokenScope] `json:"scope"`
	Networks Opt[[]string]   `json:"networks"`
}

// Apply makes the change to t.
func (u TokenUpdate) Apply(t *Token) {
	u.Name.To(&t.Name)
	u.Role.To(&t.Role)
	u.Active.To(&t.Active)
	if u.ExpiresAt.Set {
		t.ExpiresAt = u.ExpiresAt.V // null is 0 is never
	}
	if u.IdleDays.Set {
		t.IdleDays = u.IdleDays.V // here, too
	}
	if u.Scope.Set {
		t.Scope = u.Scope.V
	}
	if u.Networks.Set {
		t.Networks = u.Networks.V
	}
}

// Secret is the value of a token: what an agent sends. It prints as its mask,
// so that it cannot end up in a log by accident.
type Secret string

// NewSecret returns a fresh secret of 256 random bits: prefix, base62 digits,
// checksum.
func NewSecret() Secret {
	body := randomDigits()
	return Secret(secretPrefix + body + checksum(body))
}

// randomDigits returns 256 random bits.
func randomDigits() string {
	var bits [32]byte
	rand.Read(bits[:]) // never fails
	return base62(new(big.Int).SetBytes(bits[:]), secretLength)
}

func checksum(body string) string {
	return base62(big.NewInt(int64(crc32.ChecksumIEEE([]byte(secretPrefix+body)))), sumLength)
}

func base62(n *big.Int, digits int) string {
	s := n.Text(62)
	return strings.Repeat("0", digits-len(s)) + s
}

// ParseSecret checks the form of a secret that somebody chose or sent: one of
// ours with a right checksum, or the 64 hex digits of the old service, or any
// other text without blanks that is long enough not to be guessed.
func ParseSecret(s string) (Secret, error) {
	var p Problems
	body, ours := strings.CutPrefix(s, secretPrefix)
	switch {
	case len(s) > maxSecret:
		p.Check(false, "token", "is longer than %d characters", maxSecret)
	case ours:
		p.Check(len(body) == secretLength+sumLength && checksum(body[:secretLength]) == body[secretLength:], "token",
			"is mistyped or cut off: its checksum is wrong")
	default:
		p.Check(len(s) >= minImported, "token", "is shorter than %d characters", minImported)
		p.Check(!strings.ContainsFunc(s, func(r rune) bool { return r <= ' ' || r > '~' || r == ':' }), "token",
			"may hold letters, digits and signs, but no blanks or colons")
	}
	return Secret(s), p.Err()
}

// Hash is what is kept of a secret.
func (s Secret) Hash() string {
	sum := sha256.Sum256([]byte(s))
	return hex.EncodeToString(sum[:])
}

// Last4 is the end of the secret, by which people recognize it.
func (s Secret) Last4() string { return string(s[max(0, len(s)-4):]) }

// Imported reports whether s was made elsewhere.
func (s Secret) Imported() bool { return !strings.HasPrefix(string(s), secretPrefix) }

// String returns the secret's mask. Reveal gives the secret itself.
func (s Secret) String() string { return mask(s.Last4(), s.Imported()) }

// GoString keeps the secret out of %#v.
func (s Secret) GoString() string { return s.String() }

// Reveal returns the secret itself, for the one answer that shows it.
func (s Secret) Reveal() string { return string(s) }

// Mask is how the token's secret is shown after its creation.
func (t *Token) Mask() string { return mask(t.Last4, t.Imported) }

func mask(last4 string, imported bool) string {
	if imported {
		return "..." + last4
	}
	return secretPrefix + "..." + last4
}
