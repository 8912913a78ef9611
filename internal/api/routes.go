package api

import (
	"net/http"
	"strings"

	"github.com/tidemark-metrics/tidemark"
)

// route is one endpoint: where it is, what a token must be allowed to do to
// use it, and what it does.
type route struct {
	pattern string
	action  tidemark.Action
	do      endpoint
}

// anyone is the action of the few routes that need no credentials.
const anyone = tidemark.Action(255)

// forPeople reports whether a route is part of the interface's own API, which
// takes sessions and no tokens.
func (rt route) forPeople() bool { return strings.Contains(rt.pattern, " /ui/api/") }

// An endpoint answers a request. It returns what to say; write says it.
type endpoint func(r *http.Request, who tidemark.Identity) (reply, error)

// routes is the whole API.
func (s *Server) routes() []route {
	const (
		Manage, Edit, Record = tidemark.Manage, tidemark.Edit, tidemark.Record
		View, ViewMetrics    = tidemark.View, tidemark.ViewMetrics
	)
	st := s.Store
	return []route{
		{"GET    /v1/alerts", View, masked(s.alerts)},
		{"POST   /v1/alerts", Edit, masked(create[tidemark.AlertUpdate](tidemark.NewAlert, st.CreateAlert))},
		{"POST   /v1/alerts/preview", Edit, s.previewAlert},
		{"GET    /v1/alerts/status", View, s.alertStatuses},
		{"GET    /v1/alerts/{id}", View, masked(get(byID, st.Alert))},
		{"PUT    /v1/alerts/{id}", Edit, update[tidemark.AlertUpdate](byID, st.UpdateAlert)},
		{"DELETE /v1/alerts/{id}", Edit, s.deleteAlert},
		{"GET    /v1/alerts/{id}/status", View, s.alertStatus},
		{"POST   /v1/alerts/{id}/clear", Edit, s.clearAlert},
		{"GET    /v1/alerts/{id}/incidents", View, s.alertIncidents},
		{"GET    /v1/alerts/{id}/deliveries", View, s.alertDeliveries},
		{"POST   /v1/alerts/{id}/test", Edit, s.testAlert},
		{"GET    /v1/alerts/{id}/snooze", View, s.alertSnoozes},
		{"POST   /v1/alerts/{id}/snooze", Edit, s.snoozeAlert},
		{"DELETE /v1/alerts/{id}/snooze", Edit, remove(byID, st.ResumeAlert)},
		{"POST   /v1/alerts/{id}/services", Edit, s.attachService},
		{"DELETE /v1/alerts/{id}/services/{service}", Edit, remove(byAttachment, st.DetachService)},

		{"GET    /v1/annotations", ViewMetrics, list("annotations", st.AnnotationStreams)},
		{"GET    /v1/annotations/{name}", ViewMetrics, s.annotationStream},
		{"POST   /v1/annotations/{name}", Record, unreserved(createIn[tidemark.EventUpdate](byNewName, s.newEvent, st.CreateEvent))},
		{"PUT    /v1/annotations/{name}", Edit, update[tidemark.StreamUpdate](byName, st.UpdateStream)},
		{"DELETE /v1/annotations/{name}", Edit, unreserved(remove(byName, st.DeleteStream))},
		{"GET    /v1/annotations/{name}/{id}", ViewMetrics, get(byEvent, st.Event)},
		{"PUT    /v1/annotations/{name}/{id}", Edit, unreserved(update[tidemark.EventUpdate](byEvent, st.UpdateEvent))},
		{"DELETE /v1/annotations/{name}/{id}", Edit, unreserved(remove(byEvent, st.DeleteEvent))},
		{"POST   /v1/annotations/{name}/{id}/links", Edit, unreserved(createIn[newLink](byEvent, func() *tidemark.Link { return &tidemark.Link{} }, st.CreateLink))},
		{"DELETE /v1/annotations/{name}/{id}/links/{rel}", Edit, unreserved(remove(byLink, st.DeleteLink))},

		{"GET    /v1/api_tokens", Manage, s.tokens},
		{"POST   /v1/api_tokens", Manage, s.createToken},
		{"GET    /v1/api_tokens/{id}", Manage, s.token},
		{"PUT    /v1/api_tokens/{id}", Manage, s.updateToken},
		{"DELETE /v1/api_tokens/{id}", Manage, s.deleteToken},
		{"POST   /v1/api_tokens/{id}/rotate", Manage, s.rotateToken},
		{"GET    /v1/audit", Manage, list("audit", st.Audit)},

		{"GET    /v1/deliveries/{id}", View, get(byID, st.Delivery)},
		{"POST   /v1/deliveries/{id}/retry", Edit, s.retryDelivery},

		{"GET    /v1/jobs/{id}", ViewMetrics, get(byID, st.Job)},

		{"GET    /v1/measurements", ViewMetrics, s.compose},
		{"POST   /v1/measurements", Record, s.record},
		{"GET    /v1/measurements/{name}", ViewMetrics, s.measurements},

		{"GET    /v1/metrics", ViewMetrics, s.metrics},
		{"POST   /v1/metrics", Record, s.recordLegacy},
		{"PUT    /v1/metrics", Edit, s.putMetrics},
		{"DELETE /v1/metrics", Edit, s.deleteMetrics},
		{"GET    /v1/metrics/{name}", ViewMetrics, s.metric},
		{"PUT    /v1/metrics/{name}", Record, s.putMetric},
		{"DELETE /v1/metrics/{name}", Edit, s.deleteMetric},
		{"GET    /v1/metrics/{name}/streams", ViewMetrics, s.streams},
		{"GET    /v1/metrics/{name}/tags", ViewMetrics, s.metricTags},

		{"GET    /v1/openapi.json", ViewMetrics, s.openAPI},

		{"GET    /v1/services", View, masked(list("services", st.Services))},
		{"POST   /v1/services", Edit, masked(create[tidemark.ServiceUpdate](newService, s.createService))},
		{"POST   /v1/services/preview", Edit, s.previewMessage},
		{"GET    /v1/services/{id}", View, masked(get(byID, st.Service))},
		{"PUT    /v1/services/{id}", Edit, s.updateService},
		{"DELETE /v1/services/{id}", Edit, remove(byID, st.DeleteService)},
		{"GET    /v1/services/{id}/deliveries", View, s.serviceDeliveries},
		{"POST   /v1/services/{id}/preview", Edit, s.previewMessage},

		{"POST   /v1/snapshots", Edit, s.createSnapshot},
		{"GET    /v1/snapshots/{id}", View, s.snapshot},
		{"DELETE /v1/snapshots/{id}", Edit, remove(byID, st.DeleteSnapshot)},
		{"GET    /v1/snapshots/{id}/image", View, s.snapshotImage},

		{"GET    /v1/sources", ViewMetrics, s.sources},
		{"GET    /v1/sources/{name}", ViewMetrics, get(bySourceName, s.source)},
		{"PUT    /v1/sources/{name}", Edit, s.putSource},
		{"DELETE /v1/sources/{name}", Edit, remove(bySourceName, s.deleteSource)},

		{"GET    /v1/spaces", View, list("spaces", st.Spaces)},
		{"POST   /v1/spaces", Edit, create[tidemark.SpaceUpdate](func() *tidemark.Space { return &tidemark.Space{} }, st.CreateSpace)},
		{"GET    /v1/spaces/{id}", View, s.space},
		{"PUT    /v1/spaces/{id}", Edit, update[tidemark.SpaceUpdate](byID, st.UpdateSpace)},
		{"DELETE /v1/spaces/{id}", Edit, remove(byID, st.DeleteSpace)},

		{"GET    /v1/spaces/{space}/charts", View, get(bySpace, s.charts)},
		{"POST   /v1/spaces/{space}/charts", Edit, createIn[tidemark.ChartUpdate](bySpace, tidemark.NewChart, s.createChart)},
		{"GET    /v1/spaces/{space}/charts/{id}", View, get(byChart, st.Chart)},
		{"PUT    /v1/spaces/{space}/charts/{id}", Edit, updateShow[tidemark.ChartUpdate](byChart, s.updateChart)},
		{"POST   /v1/spaces/{space}/charts/{id}", Edit, updateShow[tidemark.ChartUpdate](byChart, s.updateChart)}, // as one documented curl does
		{"DELETE /v1/spaces/{space}/charts/{id}", Edit, remove(byChart, st.DeleteChart)},
	}
}
