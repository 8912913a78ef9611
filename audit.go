package tidemark

// AuditEntry records who changed what. It never holds a secret.
type AuditEntry struct {
	ID     int64          `json:"id"`
	At     int64          `json:"at"`
	Actor  string         `json:"actor"`  // token:name, user:e-mail or cli
	Action string         `json:"action"` // for example token.create
	Object string         `json:"object"` // for example token 41 "edge"
	Detail map[string]any `json:"detail"` // what changed, never a secret
}
