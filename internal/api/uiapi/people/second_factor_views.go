package people

import "github.com/tidemark-metrics/tidemark"

// secondFactors is what somebody has to prove a second time who they are.
type secondFactors struct {
	CodesLeft  int                 `json:"codes_left"`  // recovery codes
	DemandedBy []string            `json:"demanded_by"` // organizations that demand a second factor
	Passkeys   []*tidemark.Passkey `json:"passkeys"`
	TOTP       bool                `json:"totp"`    // an authenticator app
	TOTPAt     int64               `json:"totp_at"` // since when
}

// newTOTP is what an authenticator app makes codes of, until the first of them
// confirms it.
type newTOTP struct {
	Secret string `json:"secret"`
	URI    string `json:"uri"` // for a QR code
}

// recoveryCodes are shown once. There are none if those of before still work.
type recoveryCodes struct {
	Codes []string `json:"codes"`
}

// secondStep is who is signing in, and what they may go on with.
type secondStep struct {
	Codes    bool     `json:"codes"` // recovery codes are left
	Email    string   `json:"email"`
	Passkeys []string `json:"passkeys"` // their names
	TOTP     bool     `json:"totp"`     // an authenticator app
}

// steppedIn is a session that was opened with a second step.
type steppedIn struct {
	session
	CodesLeft *int64 `json:"codes_left,omitempty"` // recovery codes, where one was used
}

// passkeyChallenge is what an authenticator has to answer.
type passkeyChallenge struct {
	Key     string `json:"key"`     // comes back with the answer
	Options string `json:"options"` // of WebAuthn, as JSON
}

// newPasskey is a passkey that was just made, and the recovery codes that came
// with it.
type newPasskey struct {
	Codes   []string          `json:"codes"`
	Passkey *tidemark.Passkey `json:"passkey"`
}

// proofs is what somebody may prove with that it is them.
type proofs struct {
	Codes    bool       `json:"codes"`    // recovery codes are left
	OIDC     *oidcTitle `json:"oidc"`     // by signing in once more
	Passkeys []string   `json:"passkeys"` // their names
	Password bool       `json:"password"`
	TOTP     bool       `json:"totp"` // an authenticator app
}

// codeBody is a code of an authenticator app, or a recovery code.
type codeBody struct {
	Code string `json:"code"`
}
