package dashboards

import (
	"net/http"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/api/rest"
)

// reportList is the reports of a space.
type reportList struct {
	Reports []*tidemark.Report `json:"reports"`
}

// reports answers GET /ui/api/spaces/:space/reports.
func (s *API) reports(r *http.Request, who tidemark.Identity) (rest.Reply, error) {
	space, err := rest.BySpace(r)
	if err != nil {
		return rest.Reply{}, err
	}
	found, err := s.Store.Reports(r.Context(), who.Org, space)
	return rest.OK(reportList{found}), err
}

// createReport answers POST /ui/api/spaces/:space/reports.
func (s *API) createReport(r *http.Request, who tidemark.Identity) (rest.Reply, error) {
	space, err := rest.BySpace(r)
	if err != nil {
		return rest.Reply{}, err
	}
	var u tidemark.ReportUpdate
	if err := rest.ReadInto(r, &u); err != nil {
		return rest.Reply{}, err
	}
	v := &tidemark.Report{Space: space}
	u.Apply(v)
	if err := s.Store.CreateReport(r.Context(), who.Org, who.Actor(), v, s.Now().Unix()); err != nil {
		return rest.Reply{}, err
	}
	return rest.Created(v, r.URL.Path), nil
}

// updateReport answers PUT /ui/api/reports/:id.
func (s *API) updateReport(r *http.Request, who tidemark.Identity) (rest.Reply, error) {
	id, err := rest.ByID(r)
	if err != nil {
		return rest.Reply{}, err
	}
	var u tidemark.ReportUpdate
	if err := rest.ReadInto(r, &u); err != nil {
		return rest.Reply{}, err
	}
	v, err := s.Store.UpdateReport(r.Context(), who.Org, who.Actor(), id, u.Apply, s.Now().Unix())
	return rest.OK(v), err
}

// sendReport answers POST /ui/api/reports/:id/send: it is drawn and sent within
// seconds, beside its schedule.
func (s *API) sendReport(r *http.Request, who tidemark.Identity) (rest.Reply, error) {
	id, err := rest.ByID(r)
	if err != nil {
		return rest.Reply{}, err
	}
	return rest.NoContent, s.Store.SendReportNow(r.Context(), who.Org, who.Actor(), id, s.Now().Unix())
}
