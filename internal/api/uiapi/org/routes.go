// Package org answers what /ui/api has about an organization: members and
// invitations, limits and use, tokens and what arrives with them, the audit
// log; and what operators see of all organizations.
package org

import (
	"time"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/api/rest"
	"github.com/tidemark-metrics/tidemark/internal/api/shared"
	"github.com/tidemark-metrics/tidemark/internal/usage"
)

// API answers these routes.
type API struct {
	*shared.Base
	// PreviewTime is how long one answer looks at what arrived, for a token
	// that is about to be made.
	PreviewTime time.Duration
}

// New returns an API.
func New(b *shared.Base) *API {
	return &API{Base: b, PreviewTime: previewTime}
}

// Routes is the table. Every row says what it reads and answers:
// docs/interface.md and the interface's types are made of that.
func (s *API) Routes() []rest.Route {
	const Manage, View, ViewMetrics = tidemark.Manage, tidemark.View, tidemark.ViewMetrics
	nothing := rest.Nothing{}
	return rest.ForPeople([]rest.Route{
		rest.On("GET    /ui/api/demo", Manage, s.demoState).Answers(demoView{}),
		rest.On("POST   /ui/api/demo", Manage, s.startDemo).Takes(nothing).Answers(demoView{}),
		rest.On("DELETE /ui/api/demo", Manage, s.removeDemo).Answers(nothing),
		rest.On("GET    /ui/api/org", View, s.org).Answers(org{}),
		rest.On("PUT    /ui/api/org", Manage, s.updateOrg).Takes(tidemark.OrgUpdate{}).Answers(nothing),
		rest.On("GET    /ui/api/members", View, s.members).Answers(memberList{}),
		rest.On("PUT    /ui/api/members/{user}", Manage, s.changeMember).Takes(memberBody{}).Answers(nothing).Recent(),
		rest.On("DELETE /ui/api/members/{user}", Manage, s.removeMember).Answers(nothing).Recent(),
		rest.On("DELETE /ui/api/membership", View, s.leave).Answers(nothing).Recent(),
		rest.On("DELETE /ui/api/members/{user}/sessions", Manage, s.endMemberSessions).Answers(nothing),
		rest.On("PUT    /ui/api/org/second_factor", Manage, s.demandSecondFactor).Takes(demandBody{}).Answers(nothing).Recent(),
		rest.On("GET    /ui/api/invitations", Manage, s.invitations).Answers(invitationList{}),
		rest.On("POST   /ui/api/invitations", Manage, s.invite).Takes(inviteBody{}).Answers(newInvitation{}).Recent(),
		rest.On("POST   /ui/api/invitations/{id}/link", Manage, s.reinvite).Takes(nothing).Answers(newInvitation{}).Recent(),
		rest.On("DELETE /ui/api/invitations/{id}", Manage, s.uninvite).Answers(nothing),
		rest.On("GET    /ui/api/audit", Manage, s.auditLog).Answers(auditPage{}),
		rest.On("GET    /ui/api/audit/export", Manage, s.exportAudit).Answers(rest.File{}),
		rest.On("GET    /ui/api/usage", View, s.usage).Answers(orgUsage{}),
		rest.On("GET    /ui/api/limits", View, s.limits).Answers(limitList{}),
		rest.On("POST   /ui/api/limits/requests", Manage, s.askForLimit).Takes(limitRequestBody{}).Answers(nothing),
		rest.On("GET    /ui/api/tag_drops", View, s.tagDrops).Answers(tagDropList{}),
		rest.On("POST   /ui/api/tag_drops", Manage, s.dropTag).Takes(tagDropBody{}).Answers(tidemark.TagDrop{}),
		rest.On("DELETE /ui/api/tag_drops/{id}", Manage, s.keepTag).Answers(nothing),
		rest.On("GET    /ui/api/operator/machines", ViewMetrics, s.operatorMachines).About(rest.WholeServer).Answers(operatorMachines{}),
		rest.On("GET    /ui/api/operator/limits", ViewMetrics, s.operatorLimits).About(rest.WholeServer).Answers(operatorLimits{}),
		rest.On("POST   /ui/api/operator/orgs", ViewMetrics, s.createOrg).About(rest.WholeServer).Takes(shared.NameBody{}).Answers(shared.OrgOfOwn{}),
		rest.On("GET    /ui/api/operator/orgs/{id}/limits", ViewMetrics, s.operatorOrg).About(rest.WholeServer).Answers(operatorOrgLimits{}),
		rest.On("PUT    /ui/api/operator/orgs/{id}/limits", ViewMetrics, s.setOperatorLimits).About(rest.WholeServer).Takes(operatorLimitsBody{}).Answers(nothing).Recent(),
		rest.On("PUT    /ui/api/operator/orgs/{id}/requests/{limit}", ViewMetrics, s.answerLimitRequest).About(rest.WholeServer).Takes(tidemark.LimitAnswer{}).Answers(nothing).Recent(),
		rest.On("GET    /ui/api/tokens", Manage, s.tokensOverview).Answers(tokenList{}),
		rest.On("POST   /ui/api/tokens/preview", Manage, s.previewToken).Takes(tidemark.TokenUpdate{}).Answers(tokenPreview{}),
		rest.On("GET    /ui/api/tokens/{id}/senders", Manage, s.senders).Answers(senderList{}),
		rest.On("GET    /ui/api/tokens/{id}/watch", Manage, s.watchToken).Answers(rest.Events{"request": usage.RequestActivity{}}),
		rest.On("GET    /ui/api/arrivals", View, s.arrivals).Answers(arrivalList{}),
		rest.On("GET    /ui/api/arrivals/watch", View, s.watchArrivals).Answers(rest.Events{"request": usage.RequestActivity{}, "measurement": usage.MeasurementActivity{}}),
	})
}
