package tidemark

// Role limits what a token or a member of an organization may do.
type Role string

const (
	FullAccess Role = "admin"
	RecordOnly Role = "recorder"
	ViewOnly   Role = "viewer"
	// Member is for people only: everything but tokens, members and the
	// secrets in services' settings. No token has it.
	Member Role = "member"
)

// IsTokenRole reports whether a token may have role r.
func (r Role) IsTokenRole() bool { return r == FullAccess || r == RecordOnly || r == ViewOnly }

// IsMemberRole reports whether a person may have role r.
func (r Role) IsMemberRole() bool { return r == FullAccess || r == Member || r == ViewOnly }

// Title is the role's name as people see it.
func (r Role) Title() string {
	switch r {
	case FullAccess:
		return "Full Access"
	case RecordOnly:
		return "Record Only"
	case ViewOnly:
		return "View Only"
	case Member:
		return "Member"
	}
	return string(r)
}

// Action is what an endpoint does, as far as permission is concerned.
type Action uint8

const (
	Manage      Action = iota // tokens, members, the audit log; the zero value, so that what names no action is closed
	Edit                      // change or delete anything else
	Record                    // write measurements, metrics' properties and annotations
	View                      // read anything but tokens
	ViewMetrics               // read metrics, measurements, annotations and jobs, as every role may
	Comment                   // say something of an incident, as everybody may who sees it
)

// Actions are all actions there are.
var Actions = []Action{Manage, Edit, Record, View, ViewMetrics, Comment}

// Allows reports whether role r may perform a. It is the whole permission
// policy.
func (r Role) Allows(a Action) bool {
	switch r {
	case FullAccess:
		return true
	case Member:
		return a != Manage
	case RecordOnly:
		return a == Record || a == ViewMetrics
	case ViewOnly:
		return a == View || a == ViewMetrics || a == Comment
	}
	return false
}

// SeesSecrets reports whether role r is shown the secrets in services'
// settings. Others see that they are set, and no more.
func (r Role) SeesSecrets() bool { return r == FullAccess }

// SeesSecrets is that of the role, for people who proved within the last
// minutes who they are.
func (who Identity) SeesSecrets() bool {
	return who.Role.SeesSecrets() && (who.User == 0 || who.Recent)
}
