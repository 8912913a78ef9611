package tidemark

// AuditEntry records who changed what. It never holds a secret.
type AuditEntry struct {
	ID      int64          `json:"id"`
	At      int64          `json:"at"`
	Actor   string         `json:"actor"`            // token:name, user:e-mail, cli or server
	Address string         `json:"address"`          // where the request came from, or ""
	Action  string         `json:"action"`           // for example token.create
	Object  string         `json:"object"`           // for example token 41 "edge"
	Detail  map[string]any `json:"detail"`           // what else there is to know
	Before  map[string]any `json:"before,omitempty"` // what the changed fields were
	After   map[string]any `json:"after,omitempty"`  // and what they are
	// Count is how often it happened within the minute, where that is counted
	// instead of written down each time: refused sign-ins.
	Count int64 `json:"count,omitempty"`

	Org OrgID `json:"-"` // 0 for what is about the whole server
}

// OrgAuditEntry is an entry for operators, who see several organizations.
type OrgAuditEntry struct {
	AuditEntry
	Organization OrgID `json:"org"` // 0 for what is about the whole server
}

// AuditQuery selects entries of an audit log. Empty fields select everything.
type AuditQuery struct {
	Actor  string // part of an actor or an address
	From   string // part of an address
	Action string // an action, or several with * as a wildcard
	Object string // part of an object
	Text   string // part of an actor, an action, an object or an address
	Since  int64  // the first second
	Until  int64  // the first second after
	Before int64  // the id of the entry to go on after; 0 for the latest
	Length int    // at most as many entries
}
