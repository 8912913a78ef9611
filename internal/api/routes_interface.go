package api

import "github.com/tidemark-metrics/tidemark"

// interfaceRoutes is what the web interface needs beyond /v1. It takes
// sessions only; docs/interface.md describes it.
func (s *Server) interfaceRoutes() []route {
	const (
		Manage, Edit      = tidemark.Manage, tidemark.Edit
		View, ViewMetrics = tidemark.View, tidemark.ViewMetrics
	)
	return []route{
		{"GET    /ui/api/signin", anyone, s.signInOptions},
		{"POST   /ui/api/session", anyone, s.signIn},
		{"GET    /ui/api/session", ViewMetrics, s.session},
		{"PUT    /ui/api/session", ViewMetrics, s.switchOrg},
		{"DELETE /ui/api/session", ViewMetrics, s.signOut},
		{"GET    /ui/api/sessions", ViewMetrics, s.sessions},
		{"DELETE /ui/api/sessions/{id}", ViewMetrics, s.endSession},
		{"GET    /ui/api/setup/{key}", anyone, s.checkSetup},
		{"POST   /ui/api/setup/{key}", anyone, s.setUp},
		{"POST   /ui/api/reset", anyone, s.askReset},
		{"POST   /ui/api/reset/{key}", anyone, s.resetPassword},
		{"GET    /ui/api/invite/{key}", anyone, s.invited},
		{"POST   /ui/api/invite/{key}", anyone, s.join},
		{"GET    /ui/api/oidc/start", anyone, s.startOIDC},
		{"GET    /ui/api/oidc/callback", anyone, s.finishOIDC},
		{"PUT    /ui/api/profile", ViewMetrics, s.changeProfile},

		{"GET    /ui/api/demo", Manage, s.demoState},
		{"POST   /ui/api/demo", Manage, s.startDemo},
		{"DELETE /ui/api/demo", Manage, s.removeDemo},

		{"GET    /ui/api/org", View, s.org},
		{"PUT    /ui/api/org", Manage, s.updateOrg},
		{"GET    /ui/api/members", View, s.members},
		{"PUT    /ui/api/members/{user}", Manage, s.changeMember},
		{"DELETE /ui/api/members/{user}", Manage, s.removeMember},
		{"GET    /ui/api/invitations", Manage, s.invitations},
		{"POST   /ui/api/invitations", Manage, s.invite},
		{"POST   /ui/api/invitations/{id}/link", Manage, s.reinvite},
		{"DELETE /ui/api/invitations/{id}", Manage, s.uninvite},
		{"GET    /ui/api/audit", Manage, list("audit", s.Store.Audit)},
		{"GET    /ui/api/usage", View, s.usage},
		{"GET    /ui/api/service_types", View, s.serviceTypes},
		{"GET    /ui/api/tokens", Manage, s.tokensOverview},
		{"GET    /ui/api/tokens/{id}/senders", Manage, s.senders},
		{"GET    /ui/api/tokens/{id}/watch", Manage, s.watchToken},
		{"GET    /ui/api/arrivals", View, s.arrivals},
		{"GET    /ui/api/arrivals/watch", View, s.watchArrivals},

		{"POST   /ui/api/query", ViewMetrics, s.queryMany},
		{"GET    /ui/api/metrics", ViewMetrics, s.searchMetrics},
		{"GET    /ui/api/metrics/{name}/uses", View, s.metricUses},
		{"GET    /ui/api/tags", ViewMetrics, s.tagsOfMetrics},
		{"POST   /ui/api/compose/check", ViewMetrics, s.checkComposite},
		{"GET    /ui/api/compose/functions", ViewMetrics, s.composeFunctions},
		{"GET    /ui/api/search", View, s.search},

		{"GET    /ui/api/alerts", View, s.alertsOverview},
		{"GET    /ui/api/alerts/{id}", View, s.alertOverview},
		{"POST   /ui/api/alerts/test", Edit, s.testDraft},
		{"GET    /ui/api/deliveries/{id}", View, s.deliveryDetail},
		{"GET    /ui/api/watch", View, s.watchFiring},
		{"POST   /ui/api/services/test", Edit, s.testServiceDraft},
		{"POST   /ui/api/services/{id}/test", Edit, s.testServiceDraft},
		{"GET    /ui/api/pictures/{key}", anyone, s.picture},
		{"GET    /ui/api/snapshots/{key}", anyone, s.openSnapshot},

		{"GET    /ui/api/spaces", View, s.spacesOverview},
		{"GET    /ui/api/spaces/{space}/layout", View, get(bySpace, s.Store.Layout)},
		{"PUT    /ui/api/spaces/{space}/layout", Edit, s.saveLayout},
		{"POST   /ui/api/spaces/{space}/duplicate", Edit, s.duplicateSpace},
		{"GET    /ui/api/spaces/{space}/export", View, s.exportSpace},
		{"POST   /ui/api/spaces/import", Edit, s.importSpace},
		{"PUT    /ui/api/pins", ViewMetrics, s.setPins},
		{"GET    /ui/api/spaces/{space}/shares", Edit, s.shares},
		{"POST   /ui/api/spaces/{space}/shares", Edit, s.createShare},
		{"DELETE /ui/api/shares/{id}", Edit, remove(byID, s.Store.DeleteShare)},
		{"GET    /ui/api/shared/{key}", anyone, s.shared},
		{"POST   /ui/api/shared/{key}/query", anyone, s.querySharedChart},
		{"GET    /ui/api/shared/{key}/annotations", anyone, s.sharedAnnotations},
	}
}
