package tidemark

// TOTP is a person's authenticator app: what it makes codes of.
type TOTP struct {
	User        int64
	Seed        Secret // base32, as people type it
	CreatedAt   int64
	ConfirmedAt int64 // 0 until a code showed that the app has the seed
	LastStep    int64 // the interval of the last code that was used
}

// Passkey is a credential of WebAuthn, in a device or a password manager.
type Passkey struct {
	ID         int64  `json:"id"`
	User       int64  `json:"-"`
	Name       string `json:"name"`
	CreatedAt  int64  `json:"created_at"`
	UsedAt     int64  `json:"used_at"` // 0 if never
	Credential string `json:"-"`       // its identifier, base64url
	Data       string `json:"-"`       // its public key and what the authenticator said of itself, as JSON
}

// maxPasskeys is how many a person may have.
const maxPasskeys = 20

// Validate reports what is wrong with p, or nil.
func (p *Passkey) Validate() error {
	var problems Problems
	problems.Text("name", p.Name, 1, 100)
	return problems.Err()
}

// SecondFactors is what a person has to prove a second time who they are.
type SecondFactors struct {
	TOTP     bool
	TOTPAt   int64 // since when
	Passkeys []*Passkey
	Codes    int // recovery codes that are left
	// DemandedBy are the organizations of theirs that demand a second factor.
	DemandedBy []string
}

// Any reports whether there is a second factor. Recovery codes are none: they
// stand in for one.
func (f *SecondFactors) Any() bool { return f.TOTP || len(f.Passkeys) > 0 }

// MayAddPasskey reports whether there is room for another passkey.
func (f *SecondFactors) MayAddPasskey() bool { return len(f.Passkeys) < maxPasskeys }
