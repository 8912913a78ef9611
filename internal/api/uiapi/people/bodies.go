package people

import "github.com/tidemark-metrics/tidemark"

// The bodies that routes read. A field that can be left out has omitempty.

// signInBody is somebody who signs in.
type signInBody struct {
	Email    string `json:"email"`
	Password string `json:"password"`
}

// switchBody is the organization that somebody wants to look at.
type switchBody struct {
	Org int64 `json:"org_id"`
}

// setupBody is the first organization and its owner.
type setupBody struct {
	OrgName  string `json:"org_name"`
	Email    string `json:"email"`
	Password string `json:"password"`
}

// askResetBody is who wants a link for a new password.
type askResetBody struct {
	Email string `json:"email"`
}

// resetBody is a new password.
type resetBody struct {
	Password string `json:"password"`
}

// joinBody accepts an invitation.
type joinBody struct {
	New      bool   `json:"new,omitempty"`      // makes the account of the address
	Name     string `json:"name,omitempty"`     // of the new account
	Password string `json:"password,omitempty"` // of the account; not needed where its owner is signed in
}

// profileBody is what somebody changes of themselves.
type profileBody struct {
	Name     tidemark.Opt[string] `json:"name"`
	Password string               `json:"password,omitempty"`
	Current  string               `json:"current_password,omitempty"`
}

// proofBody is what somebody proves with who they are: one of these.
type proofBody struct {
	Password   string `json:"password,omitempty"`
	Code       string `json:"code,omitempty"`       // of an authenticator app, or a recovery code
	Key        string `json:"key,omitempty"`        // of a challenge
	Credential string `json:"credential,omitempty"` // the answer to it, as JSON
}

// passkeyBody is the answer of an authenticator.
type passkeyBody struct {
	Key        string `json:"key"`
	Credential string `json:"credential"` // as JSON
}

// newPasskeyBody is a new passkey.
type newPasskeyBody struct {
	Name       string `json:"name"`
	Key        string `json:"key"`
	Credential string `json:"credential"` // as JSON
}
