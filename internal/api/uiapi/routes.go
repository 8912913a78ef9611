// Package uiapi answers /ui/api: what the web interface needs beyond /v1.
package uiapi

import (
	"slices"
	"time"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/api/rest"
	"github.com/tidemark-metrics/tidemark/internal/api/shared"
	"github.com/tidemark-metrics/tidemark/internal/api/uiapi/alerts"
	"github.com/tidemark-metrics/tidemark/internal/api/uiapi/dashboards"
	"github.com/tidemark-metrics/tidemark/internal/api/uiapi/objectives"
	"github.com/tidemark-metrics/tidemark/internal/usage"
)

// API answers /ui/api.
type API struct {
	*shared.Base
	Alerts     *alerts.API
	objectives *objectives.API
	dashboards *dashboards.API
	// PreviewTime is how long one answer looks at what arrived, for a token
	// that is about to be made.
	PreviewTime time.Duration
}

// New returns an API.
func New(b *shared.Base) *API {
	return &API{
		Base: b, Alerts: alerts.New(b), objectives: objectives.New(b), dashboards: dashboards.New(b), PreviewTime: previewTime,
	}
}

// Routes is what the web interface needs beyond /v1. It takes
// sessions only. Every row says what it reads and answers:
// docs/interface.md and the interface's types are made of that.
func (s *API) Routes() []rest.Route {
	const (
		Manage, Edit      = tidemark.Manage, tidemark.Edit
		View, ViewMetrics = tidemark.View, tidemark.ViewMetrics
	)
	nothing := rest.Nothing{}
	return slices.Concat(rest.ForPeople([]rest.Route{
		rest.On("GET    /ui/api/signin", rest.Anyone, s.signInOptions).Answers(signInOptions{}),
		rest.On("POST   /ui/api/session", rest.Anyone, s.signIn).Takes(signInBody{}).Answers(session{}),
		rest.On("GET    /ui/api/session", ViewMetrics, s.session).About(rest.OnePerson).Answers(session{}),
		rest.On("PUT    /ui/api/session", ViewMetrics, s.switchOrg).About(rest.OnePerson).Takes(switchBody{}).Answers(session{}),
		rest.On("DELETE /ui/api/session", ViewMetrics, s.signOut).About(rest.OnePerson).Answers(nothing),
		rest.On("GET    /ui/api/sessions", ViewMetrics, s.sessions).About(rest.OnePerson).Answers(sessionList{}),
		rest.On("DELETE /ui/api/sessions/{id}", ViewMetrics, s.endSession).About(rest.OnePerson).Answers(nothing),
		rest.On("GET    /ui/api/session/second", rest.Anyone, s.secondStep).Answers(secondStep{}),
		rest.On("POST   /ui/api/session/second", rest.Anyone, s.takeSecondStep).Takes(codeBody{}).Answers(steppedIn{}),
		rest.On("POST   /ui/api/session/second/passkey", rest.Anyone, s.askStepPasskey).Takes(nothing).Answers(passkeyChallenge{}),
		rest.On("PUT    /ui/api/session/second/passkey", rest.Anyone, s.stepWithPasskey).Takes(passkeyBody{}).Answers(session{}),
		rest.On("POST   /ui/api/session/passkey", rest.Anyone, s.askPasskey).Takes(nothing).Answers(passkeyChallenge{}),
		rest.On("PUT    /ui/api/session/passkey", rest.Anyone, s.signInWithPasskey).Takes(passkeyBody{}).Answers(session{}),
		rest.On("DELETE /ui/api/sessions", ViewMetrics, s.endSessions).About(rest.OnePerson).Answers(nothing),
		rest.On("GET    /ui/api/proof", ViewMetrics, s.proofs).About(rest.OnePerson).Answers(proofs{}),
		rest.On("POST   /ui/api/proof", ViewMetrics, s.prove).About(rest.OnePerson).Takes(proofBody{}).Answers(nothing),
		rest.On("POST   /ui/api/proof/passkey", ViewMetrics, s.askProof).About(rest.OnePerson).Takes(nothing).Answers(passkeyChallenge{}),
		rest.On("GET    /ui/api/second_factor", ViewMetrics, s.secondFactors).About(rest.OnePerson).Answers(secondFactors{}),
		rest.On("POST   /ui/api/second_factor/totp", ViewMetrics, s.beginTOTP).About(rest.OnePerson).Takes(nothing).Answers(newTOTP{}).Recent(),
		rest.On("PUT    /ui/api/second_factor/totp", ViewMetrics, s.confirmTOTP).About(rest.OnePerson).Takes(codeBody{}).Answers(recoveryCodes{}).Recent(),
		rest.On("DELETE /ui/api/second_factor/totp", ViewMetrics, s.removeTOTP).About(rest.OnePerson).Answers(nothing).Recent(),
		rest.On("POST   /ui/api/second_factor/codes", ViewMetrics, s.newRecoveryCodes).About(rest.OnePerson).Takes(nothing).Answers(recoveryCodes{}).Recent(),
		rest.On("POST   /ui/api/second_factor/passkeys/challenge", ViewMetrics, s.beginPasskey).About(rest.OnePerson).Takes(nothing).Answers(passkeyChallenge{}).Recent(),
		rest.On("POST   /ui/api/second_factor/passkeys", ViewMetrics, s.addPasskey).About(rest.OnePerson).Takes(newPasskeyBody{}).Answers(newPasskey{}).Recent(),
		rest.On("PUT    /ui/api/second_factor/passkeys/{id}", ViewMetrics, s.renamePasskey).About(rest.OnePerson).Takes(shared.NameBody{}).Answers(nothing),
		rest.On("DELETE /ui/api/second_factor/passkeys/{id}", ViewMetrics, s.removePasskey).About(rest.OnePerson).Answers(nothing).Recent(),
		rest.On("GET    /ui/api/setup/{key}", rest.Anyone, s.checkSetup).Answers(setupCheck{}),
		rest.On("POST   /ui/api/setup/{key}", rest.Anyone, s.setUp).Takes(setupBody{}).Answers(session{}),
		rest.On("POST   /ui/api/reset", rest.Anyone, s.askReset).Takes(askResetBody{}).Answers(accepted{}),
		rest.On("POST   /ui/api/reset/{key}", rest.Anyone, s.resetPassword).Takes(resetBody{}).Answers(nothing),
		rest.On("GET    /ui/api/invite/{key}", rest.Anyone, s.invited).Answers(invited{}),
		rest.On("POST   /ui/api/invite/{key}", rest.Anyone, s.join).Takes(joinBody{}).Answers(session{}),
		rest.On("GET    /ui/api/oidc/start", rest.Anyone, s.startOIDC).Answers(rest.Redirect{}),
		rest.On("GET    /ui/api/oidc/callback", rest.Anyone, s.finishOIDC).Answers(rest.Redirect{}),
		rest.On("PUT    /ui/api/profile", ViewMetrics, s.changeProfile).About(rest.OnePerson).Takes(profileBody{}).Answers(nothing),
		rest.On("GET    /ui/api/devices", View, s.devices).Answers(deviceList{}),
		rest.On("POST   /ui/api/devices", View, s.addDevice).Takes(deviceBody{}).Answers(tidemark.Device{}),
		rest.On("PUT    /ui/api/devices/{id}", View, s.updateDevice).Takes(tidemark.DeviceUpdate{}).Answers(tidemark.Device{}),
		rest.On("DELETE /ui/api/devices/{id}", View, s.removeDevice).Answers(nothing),
		rest.On("POST   /ui/api/devices/{id}/test", View, s.testDevice).Takes(nothing).Answers(shared.ServiceTest{}),

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
	}), s.Alerts.Routes(), s.objectives.Routes(), s.dashboards.Routes())
}
