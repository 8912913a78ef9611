// Package alerts answers what /ui/api has about alerts: lists and pages of
// them, incidents, maintenance, services, checks.
package alerts

import (
	"time"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/api/rest"
	"github.com/tidemark-metrics/tidemark/internal/api/shared"
)

// API answers these routes.
type API struct {
	*shared.Base
	trying *counts // drafts of checks
	gaps   *gaps
	// GapsTime is how long one answer looks for gaps of alerts.
	GapsTime time.Duration
}

// New returns an API.
func New(b *shared.Base) *API {
	return &API{Base: b, trying: newCounts(), gaps: new(gaps), GapsTime: gapsTime}
}

// Routes is the table. Every row says what it reads and answers:
// docs/interface.md and the interface's types are made of that.
func (s *API) Routes() []rest.Route {
	const Manage, Edit, View = tidemark.Manage, tidemark.Edit, tidemark.View
	nothing := rest.Nothing{}
	return rest.ForPeople([]rest.Route{
		rest.On("GET    /ui/api/alerts", View, s.alertsOverview).Answers(alertList{}),
		rest.On("GET    /ui/api/alerts/{id}", View, s.alertOverview).Answers(alertDetail{}),
		rest.On("POST   /ui/api/alerts/test", Edit, s.testDraft).Takes(tidemark.AlertUpdate{}).Answers(testResultList{}),
		rest.On("POST   /ui/api/alerts/bulk", Edit, s.changeAlerts).Takes(bulkBody{}).Answers(bulkAnswer{}),
		rest.On("POST   /ui/api/alerts/{id}/duplicate", Edit, s.duplicateAlert).Takes(nothing).Answers(tidemark.Alert{}),
		rest.On("GET    /ui/api/alerts/{id}/changes", View, s.alertChanges).Answers(changeList{}),
		rest.On("GET    /ui/api/alert_views", View, s.savedViews).Answers(savedViewList{}),
		rest.On("POST   /ui/api/alert_views", View, s.saveView).Takes(savedViewBody{}).Answers(tidemark.AlertView{}),
		rest.On("DELETE /ui/api/alert_views/{id}", View, s.deleteView).Answers(nothing),
		rest.On("POST   /ui/api/alert_views/shared", Edit, s.shareView).Takes(savedViewBody{}).Answers(tidemark.AlertView{}),
		rest.On("DELETE /ui/api/alert_views/shared/{id}", Edit, s.unshareView).Answers(nothing),
		rest.On("GET    /ui/api/incidents/{id}", View, s.incident).Answers(incidentDetail{}),
		rest.On("POST   /ui/api/incidents/{id}/comments", tidemark.Comment, s.comment).Takes(commentBody{}).Answers(newComment{}),
		rest.On("PUT    /ui/api/incidents/{id}/comments/{comment}", tidemark.Comment, s.changeComment).Takes(commentBody{}).Answers(nothing),
		rest.On("GET    /ui/api/acknowledge/{key}", rest.Anyone, s.openAcknowledge).Answers(linkedIncident{}),
		rest.On("POST   /ui/api/acknowledge/{key}", rest.Anyone, s.acknowledgeByLink).Takes(acknowledgeBody{}).Answers(linkedIncident{}),
		rest.On("GET    /ui/api/maintenance", View, s.maintenance).Answers(maintenanceList{}),
		rest.On("POST   /ui/api/maintenance/preview", Edit, s.previewMaintenance).Takes(tidemark.MaintenanceUpdate{}).Answers(maintenancePreview{}),
		rest.On("POST   /ui/api/maintenance/{id}/split", Edit, s.splitMaintenance).Takes(splitBody{}).Answers(tidemark.Maintenance{}),
		rest.On("GET    /ui/api/watch", View, s.watchFiring).Answers(rest.Events{"firing": firingCount{}}),
		rest.On("GET    /ui/api/deliveries/{id}", View, s.deliveryDetail).Answers(deliveryDetail{}),
		rest.On("GET    /ui/api/pictures/{key}", rest.Anyone, s.picture).Answers(rest.Picture{}),
		rest.On("GET    /ui/api/service_types", View, s.serviceTypes).Answers(serviceTypeList{}),
		rest.On("GET    /ui/api/services/{id}", Manage, s.revealedService).Answers(tidemark.Service{}).Recent(),
		rest.On("GET    /ui/api/services/{id}/signing", Manage, s.signing).Answers(signing{}).Recent(),
		rest.On("POST   /ui/api/services/{id}/signing", Manage, s.rotateSigning).Takes(rotateBody{}).Answers(signing{}).Recent(),
		rest.On("POST   /ui/api/services/test", Edit, s.testServiceDraft).Takes(tidemark.ServiceUpdate{}).Answers(shared.ServiceTest{}),
		rest.On("POST   /ui/api/services/{id}/test", Edit, s.testServiceDraft).Takes(nothing).Answers(shared.ServiceTest{}),
		rest.On("GET    /ui/api/checks", View, s.checks).Answers(checkList{}),
		rest.On("POST   /ui/api/checks", Edit, s.createCheck).Takes(checkBody{}).Answers(newCheck{}),
		rest.On("POST   /ui/api/checks/try", Edit, s.tryCheck).Takes(tidemark.CheckUpdate{}).Answers(tidemark.CheckState{}),
		rest.On("PUT    /ui/api/checks/{id}", Edit, s.updateCheck).Takes(tidemark.CheckUpdate{}).Answers(tidemark.Check{}),
		rest.On("DELETE /ui/api/checks/{id}", Edit, rest.Remove(rest.ByID, s.Store.DeleteCheck)).Answers(nothing),
	})
}
