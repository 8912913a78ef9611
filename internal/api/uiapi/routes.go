// Package uiapi answers /ui/api: what the web interface needs beyond /v1.
package uiapi

import (
	"sync/atomic"
	"time"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/api/rest"
	"github.com/tidemark-metrics/tidemark/internal/api/shared"
)

// API answers /ui/api.
type API struct {
	*shared.Base
	watching *atomic.Int64 // pages that hear how many alerts fire
	gaps     *gaps
	// GapsTime is how long one answer looks for gaps of alerts.
	GapsTime time.Duration
}

// New returns an API.
func New(b *shared.Base) *API {
	return &API{Base: b, watching: new(atomic.Int64), gaps: new(gaps), GapsTime: gapsTime}
}

// Routes is what the web interface needs beyond /v1. It takes
// sessions only; docs/interface.md describes it.
func (s *API) Routes() []rest.Route {
	const (
		Manage, Edit      = tidemark.Manage, tidemark.Edit
		View, ViewMetrics = tidemark.View, tidemark.ViewMetrics
	)
	return rest.ForPeople([]rest.Route{
		rest.On("GET    /ui/api/signin", rest.Anyone, s.signInOptions),
		rest.On("POST   /ui/api/session", rest.Anyone, s.signIn),
		rest.On("GET    /ui/api/session", ViewMetrics, s.session),
		rest.On("PUT    /ui/api/session", ViewMetrics, s.switchOrg),
		rest.On("DELETE /ui/api/session", ViewMetrics, s.signOut),
		rest.On("GET    /ui/api/sessions", ViewMetrics, s.sessions),
		rest.On("DELETE /ui/api/sessions/{id}", ViewMetrics, s.endSession),
		rest.On("GET    /ui/api/setup/{key}", rest.Anyone, s.checkSetup),
		rest.On("POST   /ui/api/setup/{key}", rest.Anyone, s.setUp),
		rest.On("POST   /ui/api/reset", rest.Anyone, s.askReset),
		rest.On("POST   /ui/api/reset/{key}", rest.Anyone, s.resetPassword),
		rest.On("GET    /ui/api/invite/{key}", rest.Anyone, s.invited),
		rest.On("POST   /ui/api/invite/{key}", rest.Anyone, s.join),
		rest.On("GET    /ui/api/oidc/start", rest.Anyone, s.startOIDC),
		rest.On("GET    /ui/api/oidc/callback", rest.Anyone, s.finishOIDC),
		rest.On("PUT    /ui/api/profile", ViewMetrics, s.changeProfile),

		rest.On("GET    /ui/api/demo", Manage, s.demoState),
		rest.On("POST   /ui/api/demo", Manage, s.startDemo),
		rest.On("DELETE /ui/api/demo", Manage, s.removeDemo),

		rest.On("GET    /ui/api/org", View, s.org),
		rest.On("PUT    /ui/api/org", Manage, s.updateOrg),
		rest.On("GET    /ui/api/members", View, s.members),
		rest.On("PUT    /ui/api/members/{user}", Manage, s.changeMember),
		rest.On("DELETE /ui/api/members/{user}", Manage, s.removeMember),
		rest.On("GET    /ui/api/invitations", Manage, s.invitations),
		rest.On("POST   /ui/api/invitations", Manage, s.invite),
		rest.On("POST   /ui/api/invitations/{id}/link", Manage, s.reinvite),
		rest.On("DELETE /ui/api/invitations/{id}", Manage, s.uninvite),
		rest.On("GET    /ui/api/audit", Manage, rest.List("audit", s.Store.Audit)),
		rest.On("GET    /ui/api/usage", View, s.usage),
		rest.On("GET    /ui/api/service_types", View, s.serviceTypes),
		rest.On("GET    /ui/api/tokens", Manage, s.tokensOverview),
		rest.On("GET    /ui/api/tokens/{id}/senders", Manage, s.senders),
		rest.On("GET    /ui/api/tokens/{id}/watch", Manage, s.watchToken),
		rest.On("GET    /ui/api/arrivals", View, s.arrivals),
		rest.On("GET    /ui/api/arrivals/watch", View, s.watchArrivals),

		rest.On("POST   /ui/api/query", ViewMetrics, s.queryMany),
		rest.On("GET    /ui/api/metrics", ViewMetrics, s.searchMetrics),
		rest.On("GET    /ui/api/metrics/{name}/uses", View, s.metricUses),
		rest.On("GET    /ui/api/tags", ViewMetrics, s.tagsOfMetrics),
		rest.On("POST   /ui/api/compose/check", ViewMetrics, s.checkComposite),
		rest.On("GET    /ui/api/compose/functions", ViewMetrics, s.composeFunctions),
		rest.On("GET    /ui/api/search", View, s.search),

		rest.On("GET    /ui/api/alerts", View, s.alertsOverview),
		rest.On("GET    /ui/api/alerts/{id}", View, s.alertOverview),
		rest.On("POST   /ui/api/alerts/test", Edit, s.testDraft),
		rest.On("GET    /ui/api/deliveries/{id}", View, s.deliveryDetail),
		rest.On("GET    /ui/api/watch", View, s.watchFiring),
		rest.On("POST   /ui/api/services/test", Edit, s.testServiceDraft),
		rest.On("POST   /ui/api/services/{id}/test", Edit, s.testServiceDraft),
		rest.On("GET    /ui/api/pictures/{key}", rest.Anyone, s.picture),
		rest.On("GET    /ui/api/snapshots/{key}", rest.Anyone, s.openSnapshot),

		rest.On("GET    /ui/api/spaces", View, s.spacesOverview),
		rest.On("GET    /ui/api/spaces/{space}/layout", View, rest.Get(rest.BySpace, s.Store.Layout)),
		rest.On("PUT    /ui/api/spaces/{space}/layout", Edit, s.saveLayout),
		rest.On("POST   /ui/api/spaces/{space}/duplicate", Edit, s.duplicateSpace),
		rest.On("GET    /ui/api/spaces/{space}/export", View, s.exportSpace),
		rest.On("POST   /ui/api/spaces/import", Edit, s.importSpace),
		rest.On("PUT    /ui/api/pins", ViewMetrics, s.setPins),
		rest.On("GET    /ui/api/spaces/{space}/shares", Edit, s.shares),
		rest.On("POST   /ui/api/spaces/{space}/shares", Edit, s.createShare),
		rest.On("DELETE /ui/api/shares/{id}", Edit, rest.Remove(rest.ByID, s.Store.DeleteShare)),
		rest.On("GET    /ui/api/shared/{key}", rest.Anyone, s.shared),
		rest.On("POST   /ui/api/shared/{key}/query", rest.Anyone, s.querySharedChart),
		rest.On("GET    /ui/api/shared/{key}/annotations", rest.Anyone, s.sharedAnnotations),
	})
}
