// Package v1 answers /v1: alerts, annotations, charts, measurements, metrics,
// services, snapshots, spaces and tokens.
package v1

import (
	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/api/rest"
	"github.com/tidemark-metrics/tidemark/internal/api/shared"
	"github.com/tidemark-metrics/tidemark/internal/spare"
)

// API answers /v1.
type API struct {
	*shared.Base
	bodies *spare.List[body] // that were read
}

// New returns an API.
func New(b *shared.Base) *API { return &API{Base: b, bodies: spare.NewList[body](maxKept)} }

// Routes is /v1, but for what is older than tags.
func (s *API) Routes() []rest.Route {
	const (
		Manage, Edit, Record = tidemark.Manage, tidemark.Edit, tidemark.Record
		View, ViewMetrics    = tidemark.View, tidemark.ViewMetrics
	)
	st := s.Store
	return []rest.Route{
		rest.On("GET    /v1/alerts", View, s.alerts),
		rest.On("POST   /v1/alerts", Edit, rest.Create[tidemark.AlertUpdate](tidemark.NewAlert, st.CreateAlert, shared.RevealAlert)),
		rest.On("POST   /v1/alerts/preview", View, s.previewAlert),
		rest.On("GET    /v1/alerts/status", View, s.alertStatuses),
		rest.On("GET    /v1/alerts/{id}", View, rest.Get(rest.ByID, st.Alert, shared.RevealAlert)),
		rest.On("PUT    /v1/alerts/{id}", Edit, rest.Update[tidemark.AlertUpdate](rest.ByID, st.UpdateAlert)),
		rest.On("DELETE /v1/alerts/{id}", Edit, s.deleteAlert),
		rest.On("GET    /v1/alerts/{id}/status", View, s.alertStatus),
		rest.On("POST   /v1/alerts/{id}/clear", Edit, s.clearAlert),
		rest.On("POST   /v1/alerts/{id}/acknowledge", Edit, s.acknowledgeAlert),
		rest.On("DELETE /v1/alerts/{id}/acknowledge", Edit, s.reopenAlert),
		rest.On("GET    /v1/alerts/{id}/incidents", View, s.alertIncidents),
		rest.On("GET    /v1/alerts/{id}/deliveries", View, s.alertDeliveries),
		rest.On("POST   /v1/alerts/{id}/test", Edit, s.testAlert),
		rest.On("GET    /v1/alerts/{id}/snooze", View, s.alertSnoozes),
		rest.On("POST   /v1/alerts/{id}/snooze", Edit, s.snoozeAlert),
		rest.On("DELETE /v1/alerts/{id}/snooze", Edit, rest.Remove(rest.ByID, st.ResumeAlert)),
		rest.On("POST   /v1/alerts/{id}/services", Edit, s.attachService),
		rest.On("DELETE /v1/alerts/{id}/services/{service}", Edit, rest.Remove(rest.ByAttachment, st.DetachService)),

		rest.On("GET    /v1/annotations", ViewMetrics, rest.List("annotations", st.AnnotationStreams)),
		rest.On("GET    /v1/annotations/{name}", ViewMetrics, s.annotationStream),
		rest.On("POST   /v1/annotations/{name}", Record, s.whileRoom(unreserved(rest.CreateIn[tidemark.AnnotationEventUpdate](rest.ByNewName, s.newEvent, s.createEvent)))),
		rest.On("PUT    /v1/annotations/{name}", Edit, rest.Update[tidemark.AnnotationStreamUpdate](rest.ByName, st.UpdateStream)),
		rest.On("DELETE /v1/annotations/{name}", Edit, unreserved(rest.Remove(rest.ByName, st.DeleteStream))),
		rest.On("GET    /v1/annotations/{name}/{id}", ViewMetrics, rest.Get(rest.ByEvent, st.Event)),
		rest.On("PUT    /v1/annotations/{name}/{id}", Edit, unreserved(rest.Update[tidemark.AnnotationEventUpdate](rest.ByEvent, st.UpdateEvent))),
		rest.On("DELETE /v1/annotations/{name}/{id}", Edit, unreserved(rest.Remove(rest.ByEvent, st.DeleteEvent))),
		rest.On("POST   /v1/annotations/{name}/{id}/links", Edit, unreserved(rest.CreateIn[LinkBody](rest.ByEvent, func() *tidemark.Link { return &tidemark.Link{} }, st.CreateLink))),
		rest.On("DELETE /v1/annotations/{name}/{id}/links/{rel}", Edit, unreserved(rest.Remove(rest.ByLink, st.DeleteLink))),

		rest.On("GET    /v1/api_tokens", Manage, s.tokens),
		rest.On("POST   /v1/api_tokens", Manage, s.createToken).Recent(),
		rest.On("GET    /v1/api_tokens/{id}", Manage, s.token),
		rest.On("PUT    /v1/api_tokens/{id}", Manage, s.updateToken).Recent(),
		rest.On("DELETE /v1/api_tokens/{id}", Manage, s.deleteToken).Recent(),
		rest.On("POST   /v1/api_tokens/{id}/rotate", Manage, s.rotateToken).Recent(),
		rest.On("GET    /v1/audit", Manage, rest.List("audit", st.Audit)),

		rest.On("GET    /v1/changes", View, s.changes),

		rest.On("GET    /v1/deliveries/{id}", View, rest.Get(rest.ByID, st.Delivery)),
		rest.On("POST   /v1/deliveries/{id}/retry", Edit, s.retryDelivery),

		rest.On("GET    /v1/jobs/{id}", ViewMetrics, rest.Get(rest.ByID, st.Job)),

		rest.On("GET    /v1/objectives", View, rest.List("objectives", st.Objectives)),
		rest.On("POST   /v1/objectives", Edit, rest.Create[tidemark.ObjectiveUpdate](tidemark.NewObjective, st.CreateObjective)),
		rest.On("GET    /v1/objectives/{id}", View, rest.Get(rest.ByID, st.Objective)),
		rest.On("PUT    /v1/objectives/{id}", Edit, rest.Update[tidemark.ObjectiveUpdate](rest.ByID, st.UpdateObjective)),
		rest.On("DELETE /v1/objectives/{id}", Edit, rest.Remove(rest.ByID, st.DeleteObjective)),
		rest.On("GET    /v1/maintenance", View, rest.List("maintenance", st.MaintenanceWindows)),
		rest.On("POST   /v1/maintenance", Edit, rest.Create[tidemark.MaintenanceUpdate](tidemark.NewMaintenance, st.CreateMaintenance)),
		rest.On("GET    /v1/maintenance/{id}", View, rest.Get(rest.ByID, st.Maintenance)),
		rest.On("PUT    /v1/maintenance/{id}", Edit, rest.Update[tidemark.MaintenanceUpdate](rest.ByID, st.UpdateMaintenance)),
		rest.On("DELETE /v1/maintenance/{id}", Edit, rest.Remove(rest.ByID, st.DeleteMaintenance)),

		rest.On("GET    /v1/measurements", ViewMetrics, s.compose).ReadsMetrics(),
		rest.On("POST   /v1/measurements", Record, s.record).Measures(),
		rest.On("GET    /v1/measurements/{name}", ViewMetrics, s.measurements).ReadsMetrics(),

		rest.On("PUT    /v1/metrics", Edit, s.putMetrics),
		rest.On("DELETE /v1/metrics", Edit, s.deleteMetrics),
		rest.On("PUT    /v1/metrics/{name}", Record, s.putMetric),
		rest.On("DELETE /v1/metrics/{name}", Edit, s.deleteMetric),
		rest.On("GET    /v1/metrics/{name}/streams", ViewMetrics, s.streams).ReadsMetrics(),
		rest.On("GET    /v1/metrics/{name}/tags", ViewMetrics, s.metricTags).ReadsMetrics(),

		rest.On("GET    /v1/openapi.json", ViewMetrics, s.openAPI),

		rest.On("POST   /v1/places", Record, s.askForChecks),
		rest.On("POST   /v1/places/results", Record, s.recordFindings),

		rest.On("GET    /v1/services", View, rest.List("services", st.Services, shared.RevealService)),
		rest.On("POST   /v1/services", Edit, rest.Create[tidemark.ServiceUpdate](shared.NewService, s.createService, shared.RevealService)),
		rest.On("POST   /v1/services/preview", Edit, s.previewMessage),
		rest.On("GET    /v1/services/{id}", View, rest.Get(rest.ByID, st.Service, shared.RevealService)),
		rest.On("PUT    /v1/services/{id}", Edit, s.updateService),
		rest.On("DELETE /v1/services/{id}", Edit, rest.Remove(rest.ByID, st.DeleteService)),
		rest.On("GET    /v1/services/{id}/deliveries", View, s.serviceDeliveries),
		rest.On("POST   /v1/services/{id}/preview", Edit, s.previewMessage),

		rest.On("POST   /v1/snapshots", Edit, s.createSnapshot),
		rest.On("GET    /v1/snapshots/{id}", View, s.snapshot),
		rest.On("DELETE /v1/snapshots/{id}", Edit, rest.Remove(rest.ByID, st.DeleteSnapshot)),
		rest.On("GET    /v1/snapshots/{id}/image", View, s.snapshotImage),

		rest.On("GET    /v1/spaces", View, rest.List("spaces", st.Spaces)),
		rest.On("POST   /v1/spaces", Edit, rest.Create[tidemark.SpaceUpdate](func() *tidemark.Space { return &tidemark.Space{} }, st.CreateSpace)),
		rest.On("GET    /v1/spaces/{id}", View, s.space),
		rest.On("PUT    /v1/spaces/{id}", Edit, rest.Update[tidemark.SpaceUpdate](rest.ByID, st.UpdateSpace)),
		rest.On("DELETE /v1/spaces/{id}", Edit, rest.Remove(rest.ByID, st.DeleteSpace)),

		rest.On("GET    /v1/spaces/{space}/charts", View, rest.Get(rest.BySpace, s.charts)),
		rest.On("POST   /v1/spaces/{space}/charts", Edit, rest.CreateIn[tidemark.ChartUpdate](rest.BySpace, tidemark.NewChart, s.CreateChart)),
		rest.On("GET    /v1/spaces/{space}/charts/{id}", View, rest.Get(rest.ByChart, st.Chart)),
		rest.On("PUT    /v1/spaces/{space}/charts/{id}", Edit, rest.UpdateShow[tidemark.ChartUpdate](rest.ByChart, s.UpdateChart)),
		rest.On("POST   /v1/spaces/{space}/charts/{id}", Edit, rest.UpdateShow[tidemark.ChartUpdate](rest.ByChart, s.UpdateChart)), // as one documented curl does
		rest.On("DELETE /v1/spaces/{space}/charts/{id}", Edit, rest.Remove(rest.ByChart, st.DeleteChart)),
	}
}
