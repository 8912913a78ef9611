// Package auditlog sends the entries of the audit log on as they are written:
// to a file, a line each, and to a webhook. The log itself is in the store.
package auditlog

import (
	"bytes"
	"encoding/json"

	"github.com/tidemark-metrics/tidemark"
)

// line is an entry as it is sent on: with the organization, of which 0 is the
// whole server.
type line struct {
	*tidemark.AuditEntry
	Org tidemark.OrgID `json:"org"`
}

// encode returns e as a line of JSON.
func encode(e *tidemark.AuditEntry) []byte {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(line{e, e.Org}); err != nil {
		panic(err) // what was stored as JSON a moment ago
	}
	return b.Bytes()
}
