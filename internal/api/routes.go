package api

import (
	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/api/rest"
)

// routes is the whole API.
func (s *Server) routes() []rest.Route {
	const (
		Manage, Edit, Record = tidemark.Manage, tidemark.Edit, tidemark.Record
		View, ViewMetrics    = tidemark.View, tidemark.ViewMetrics
	)
	st := s.Store
	return []rest.Route{
		rest.On("GET    /v1/alerts", View, masked(s.alerts)),
		rest.On("POST   /v1/alerts", Edit, masked(rest.Create[tidemark.AlertUpdate](tidemark.NewAlert, st.CreateAlert))),
		rest.On("POST   /v1/alerts/preview", Edit, s.previewAlert),
		rest.On("GET    /v1/alerts/status", View, s.alertStatuses),
		rest.On("GET    /v1/alerts/{id}", View, masked(rest.Get(rest.ByID, st.Alert))),
		rest.On("PUT    /v1/alerts/{id}", Edit, rest.Update[tidemark.AlertUpdate](rest.ByID, st.UpdateAlert)),
		rest.On("DELETE /v1/alerts/{id}", Edit, s.deleteAlert),
		rest.On("GET    /v1/alerts/{id}/status", View, s.alertStatus),
		rest.On("POST   /v1/alerts/{id}/clear", Edit, s.clearAlert),
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
		rest.On("POST   /v1/annotations/{name}", Record, unreserved(rest.CreateIn[tidemark.EventUpdate](rest.ByNewName, s.newEvent, st.CreateEvent))),
		rest.On("PUT    /v1/annotations/{name}", Edit, rest.Update[tidemark.StreamUpdate](rest.ByName, st.UpdateStream)),
		rest.On("DELETE /v1/annotations/{name}", Edit, unreserved(rest.Remove(rest.ByName, st.DeleteStream))),
		rest.On("GET    /v1/annotations/{name}/{id}", ViewMetrics, rest.Get(rest.ByEvent, st.Event)),
		rest.On("PUT    /v1/annotations/{name}/{id}", Edit, unreserved(rest.Update[tidemark.EventUpdate](rest.ByEvent, st.UpdateEvent))),
		rest.On("DELETE /v1/annotations/{name}/{id}", Edit, unreserved(rest.Remove(rest.ByEvent, st.DeleteEvent))),
		rest.On("POST   /v1/annotations/{name}/{id}/links", Edit, unreserved(rest.CreateIn[newLink](rest.ByEvent, func() *tidemark.Link { return &tidemark.Link{} }, st.CreateLink))),
		rest.On("DELETE /v1/annotations/{name}/{id}/links/{rel}", Edit, unreserved(rest.Remove(rest.ByLink, st.DeleteLink))),

		rest.On("GET    /v1/api_tokens", Manage, s.tokens),
		rest.On("POST   /v1/api_tokens", Manage, s.createToken),
		rest.On("GET    /v1/api_tokens/{id}", Manage, s.token),
		rest.On("PUT    /v1/api_tokens/{id}", Manage, s.updateToken),
		rest.On("DELETE /v1/api_tokens/{id}", Manage, s.deleteToken),
		rest.On("POST   /v1/api_tokens/{id}/rotate", Manage, s.rotateToken),
		rest.On("GET    /v1/audit", Manage, rest.List("audit", st.Audit)),

		rest.On("GET    /v1/deliveries/{id}", View, rest.Get(rest.ByID, st.Delivery)),
		rest.On("POST   /v1/deliveries/{id}/retry", Edit, s.retryDelivery),

		rest.On("GET    /v1/jobs/{id}", ViewMetrics, rest.Get(rest.ByID, st.Job)),

		rest.On("GET    /v1/measurements", ViewMetrics, s.compose),
		rest.On("POST   /v1/measurements", Record, s.record),
		rest.On("GET    /v1/measurements/{name}", ViewMetrics, s.measurements),

		rest.On("GET    /v1/metrics", ViewMetrics, s.metrics),
		rest.On("POST   /v1/metrics", Record, s.recordLegacy),
		rest.On("PUT    /v1/metrics", Edit, s.putMetrics),
		rest.On("DELETE /v1/metrics", Edit, s.deleteMetrics),
		rest.On("GET    /v1/metrics/{name}", ViewMetrics, s.metric),
		rest.On("PUT    /v1/metrics/{name}", Record, s.putMetric),
		rest.On("DELETE /v1/metrics/{name}", Edit, s.deleteMetric),
		rest.On("GET    /v1/metrics/{name}/streams", ViewMetrics, s.streams),
		rest.On("GET    /v1/metrics/{name}/tags", ViewMetrics, s.metricTags),

		rest.On("GET    /v1/openapi.json", ViewMetrics, s.openAPI),

		rest.On("GET    /v1/services", View, masked(rest.List("services", st.Services))),
		rest.On("POST   /v1/services", Edit, masked(rest.Create[tidemark.ServiceUpdate](newService, s.createService))),
		rest.On("POST   /v1/services/preview", Edit, s.previewMessage),
		rest.On("GET    /v1/services/{id}", View, masked(rest.Get(rest.ByID, st.Service))),
		rest.On("PUT    /v1/services/{id}", Edit, s.updateService),
		rest.On("DELETE /v1/services/{id}", Edit, rest.Remove(rest.ByID, st.DeleteService)),
		rest.On("GET    /v1/services/{id}/deliveries", View, s.serviceDeliveries),
		rest.On("POST   /v1/services/{id}/preview", Edit, s.previewMessage),

		rest.On("POST   /v1/snapshots", Edit, s.createSnapshot),
		rest.On("GET    /v1/snapshots/{id}", View, s.snapshot),
		rest.On("DELETE /v1/snapshots/{id}", Edit, rest.Remove(rest.ByID, st.DeleteSnapshot)),
		rest.On("GET    /v1/snapshots/{id}/image", View, s.snapshotImage),

		rest.On("GET    /v1/sources", ViewMetrics, s.sources),
		rest.On("GET    /v1/sources/{name}", ViewMetrics, rest.Get(bySourceName, s.source)),
		rest.On("PUT    /v1/sources/{name}", Edit, s.putSource),
		rest.On("DELETE /v1/sources/{name}", Edit, rest.Remove(bySourceName, s.deleteSource)),

		rest.On("GET    /v1/spaces", View, rest.List("spaces", st.Spaces)),
		rest.On("POST   /v1/spaces", Edit, rest.Create[tidemark.SpaceUpdate](func() *tidemark.Space { return &tidemark.Space{} }, st.CreateSpace)),
		rest.On("GET    /v1/spaces/{id}", View, s.space),
		rest.On("PUT    /v1/spaces/{id}", Edit, rest.Update[tidemark.SpaceUpdate](rest.ByID, st.UpdateSpace)),
		rest.On("DELETE /v1/spaces/{id}", Edit, rest.Remove(rest.ByID, st.DeleteSpace)),

		rest.On("GET    /v1/spaces/{space}/charts", View, rest.Get(rest.BySpace, s.charts)),
		rest.On("POST   /v1/spaces/{space}/charts", Edit, rest.CreateIn[tidemark.ChartUpdate](rest.BySpace, tidemark.NewChart, s.createChart)),
		rest.On("GET    /v1/spaces/{space}/charts/{id}", View, rest.Get(rest.ByChart, st.Chart)),
		rest.On("PUT    /v1/spaces/{space}/charts/{id}", Edit, rest.UpdateShow[tidemark.ChartUpdate](rest.ByChart, s.updateChart)),
		rest.On("POST   /v1/spaces/{space}/charts/{id}", Edit, rest.UpdateShow[tidemark.ChartUpdate](rest.ByChart, s.updateChart)), // as one documented curl does
		rest.On("DELETE /v1/spaces/{space}/charts/{id}", Edit, rest.Remove(rest.ByChart, st.DeleteChart)),
	}
}
