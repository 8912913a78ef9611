// Package dashboards answers what /ui/api has about spaces and what is in them:
// queries, search, layouts and their history, templates, links, reports,
// playlists.
package dashboards

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
	const Edit, View, ViewMetrics = tidemark.Edit, tidemark.View, tidemark.ViewMetrics
	nothing := rest.Nothing{}
	return rest.ForPeople([]rest.Route{
		rest.On("POST   /ui/api/query", ViewMetrics, s.queryMany).Takes(shared.ManyQueries{}).Answers(queryAnswer{}),
		rest.On("POST   /ui/api/changes", View, s.changes).Takes(changesBody{}).Answers(changesAnswer{}),
		rest.On("GET    /ui/api/queries", View, s.savedQueries).Answers(savedQueryList{}),
		rest.On("POST   /ui/api/queries", Edit, s.saveQuery).Takes(savedQueryBody{}).Answers(tidemark.SavedQuery{}),
		rest.On("DELETE /ui/api/queries/{id}", Edit, s.deleteQuery).Answers(nothing),
		rest.On("GET    /ui/api/metrics", ViewMetrics, s.searchMetrics).Answers(metricPage{}),
		rest.On("GET    /ui/api/metrics/{name}/uses", View, s.metricUses).Answers(metricUseList{}),
		rest.On("GET    /ui/api/tags", ViewMetrics, s.tagsOfMetrics).Answers(tagList{}),
		rest.On("POST   /ui/api/compose/check", ViewMetrics, s.checkComposite).Takes(compositeBody{}).Answers(compositeCheck{}),
		rest.On("GET    /ui/api/compose/functions", ViewMetrics, s.composeFunctions).Answers(functionList{}),
		rest.On("GET    /ui/api/search", View, s.search).Answers(searchAnswer{}),
		rest.On("GET    /ui/api/charts", View, s.searchCharts).Answers(chartList{}),

		rest.On("GET    /ui/api/spaces", View, s.spacesOverview).Answers(spaceList{}),
		rest.On("PUT    /ui/api/spaces/{space}/opened", View, s.openedSpace).Takes(nothing).Answers(nothing),
		rest.On("PUT    /ui/api/spaces/{space}/about", Edit, s.setSpaceAbout).Takes(tidemark.SpaceAboutUpdate{}).Answers(nothing),
		rest.On("GET    /ui/api/spaces/{space}/layout", View, rest.Get(rest.BySpace, s.Store.Layout)).Answers(tidemark.Layout{}),
		rest.On("PUT    /ui/api/spaces/{space}/layout", Edit, s.saveLayout).Takes(tidemark.Layout{}).Answers(savedVersion{}),
		rest.On("POST   /ui/api/spaces/{space}/duplicate", Edit, s.duplicateSpace).Takes(duplicateBody{}).Answers(tidemark.Space{}),
		rest.On("GET    /ui/api/spaces/{space}/export", View, s.exportSpace).Answers(spaceDocument{}),
		rest.On("POST   /ui/api/spaces/import", Edit, s.importSpace).Takes(spaceDocument{}).Answers(tidemark.Space{}),
		rest.On("GET    /ui/api/history/{kind}/{id}", View, s.history).Answers(historyPage{}),
		rest.On("GET    /ui/api/history/{kind}/{id}/latest", View, s.latestVersion).Answers(savedVersion{}),
		rest.On("GET    /ui/api/history/{kind}/{id}/versions/{number}", View, s.version).Answers(tidemark.Version{}),
		rest.On("POST   /ui/api/history/{kind}/{id}/versions/{number}/restore", Edit, s.restoreVersion).Takes(restoreBody{}).Answers(savedVersion{}),
		rest.On("PUT    /ui/api/history/{kind}/{id}/versions/{number}/name", Edit, s.nameVersion).Takes(shared.NameBody{}).Answers(nothing),
		rest.On("GET    /ui/api/history/{kind}/{id}/editors", Edit, s.watchEditors).Answers(rest.Events{"editors": editorList{}}),
		rest.On("GET    /ui/api/deleted", View, s.deleted).Answers(deletedList{}),
		rest.On("GET    /ui/api/templates", View, s.templates).Answers(templateList{}),
		rest.On("POST   /ui/api/templates/{template}", Edit, s.makeTemplate).Takes(nothing).Answers(templateMade{}),
		rest.On("PUT    /ui/api/pins", ViewMetrics, s.setPins).Takes(pinsBody{}).Answers(nothing),
		rest.On("GET    /ui/api/spaces/{space}/shares", Edit, s.shares).Answers(shareList{}),
		rest.On("POST   /ui/api/spaces/{space}/shares", Edit, s.createShare).Takes(shareBody{}).Answers(newShare{}),
		rest.On("DELETE /ui/api/shares/{id}", Edit, rest.Remove(rest.ByID, s.Store.DeleteShare)).Answers(nothing),
		rest.On("GET    /ui/api/spaces/{space}/reports", Edit, s.reports).Answers(reportList{}),
		rest.On("POST   /ui/api/spaces/{space}/reports", Edit, s.createReport).Takes(tidemark.ReportUpdate{}).Answers(tidemark.Report{}),
		rest.On("PUT    /ui/api/reports/{id}", Edit, s.updateReport).Takes(tidemark.ReportUpdate{}).Answers(tidemark.Report{}),
		rest.On("DELETE /ui/api/reports/{id}", Edit, rest.Remove(rest.ByID, s.Store.DeleteReport)).Answers(nothing),
		rest.On("POST   /ui/api/reports/{id}/send", Edit, s.sendReport).Takes(nothing).Answers(nothing),
		rest.On("GET    /ui/api/playlists", View, s.playlists).Answers(playlistList{}),
		rest.On("POST   /ui/api/playlists", Edit, s.createPlaylist).Takes(tidemark.PlaylistUpdate{}).Answers(tidemark.Playlist{}),
		rest.On("PUT    /ui/api/playlists/{id}", Edit, s.updatePlaylist).Takes(tidemark.PlaylistUpdate{}).Answers(tidemark.Playlist{}),
		rest.On("DELETE /ui/api/playlists/{id}", Edit, rest.Remove(rest.ByID, s.Store.DeletePlaylist)).Answers(nothing),
		rest.On("GET    /ui/api/playlists/{id}/shares", Edit, s.playlistShares).Answers(shareList{}),
		rest.On("POST   /ui/api/playlists/{id}/shares", Edit, s.sharePlaylist).Takes(shareBody{}).Answers(newShare{}),
		rest.On("GET    /ui/api/shared/{key}/playlist", rest.Anyone, s.sharedPlaylist).Answers(sharedPlaylist{}),
		rest.On("GET    /ui/api/shared/{key}", rest.Anyone, s.shared).Answers(sharedSpace{}),
		rest.On("POST   /ui/api/shared/{key}/query", rest.Anyone, s.querySharedChart).Takes(sharedQueryBody{}).Answers(queryAnswer{}),
		rest.On("GET    /ui/api/shared/{key}/annotations", rest.Anyone, s.sharedAnnotations).Answers(sharedEventList{}),
		rest.On("GET    /ui/api/snapshots/{key}", rest.Anyone, s.openSnapshot).Answers(rest.Picture{}),
	})
}
