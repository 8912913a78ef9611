// Package people answers what /ui/api has about the person who asks: signing
// in, sessions, second factors and passkeys, invitations that are taken up,
// devices.
package people

import (
	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/api/rest"
	"github.com/tidemark-metrics/tidemark/internal/api/shared"
)

// API answers these routes.
type API struct {
	*shared.Base
}

// New returns an API.
func New(b *shared.Base) *API {
	return &API{Base: b}
}

// Routes is the table. Every row says what it reads and answers:
// docs/interface.md and the interface's types are made of that.
func (s *API) Routes() []rest.Route {
	const View, ViewMetrics = tidemark.View, tidemark.ViewMetrics
	nothing := rest.Nothing{}
	return rest.ForPeople([]rest.Route{
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
	})
}
