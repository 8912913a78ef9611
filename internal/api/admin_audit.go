package api

import (
	"net/http"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/api/rest"
	"github.com/tidemark-metrics/tidemark/internal/api/shared"
)

// auditOfServer answers GET /admin/audit: the audit log of all organizations
// and of the server itself, of one organization with org, and with org=0 of
// the server alone.
func (s *Server) auditOfServer(r *http.Request, _ tidemark.Identity) (rest.Reply, error) {
	var p tidemark.Problems
	org := rest.IntOf(&p, r.URL.Query(), "org", -1)
	if err := p.Err(); err != nil {
		return rest.Reply{}, err
	}
	q, err := shared.ReadAuditQuery(r, tidemark.MaxPageLength)
	if err != nil {
		return rest.Reply{}, err
	}
	var found []*tidemark.AuditEntry
	switch {
	case org < 0:
		found, err = s.Store.AuditOfAll(r.Context(), q)
	case org == 0:
		found, err = s.Store.ServerAudit(r.Context(), q)
	default:
		found, err = s.Store.AuditLog(r.Context(), tidemark.OrgID(org), q)
	}
	entries := make([]tidemark.OrgAuditEntry, len(found))
	for i, e := range found {
		entries[i] = tidemark.OrgAuditEntry{AuditEntry: *e, Organization: e.Org}
	}
	return rest.OK(map[string]any{"audit": entries}), err
}
