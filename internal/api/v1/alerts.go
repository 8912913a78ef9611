package v1

import (
	"context"
	"fmt"
	"net/http"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/api/rest"
	"github.com/tidemark-metrics/tidemark/internal/api/shared"
)

// alerts answers GET /v1/alerts. With version=1 it lists alerts of the kind
// that came before these, of which there are none.
func (s *API) alerts(r *http.Request, who tidemark.Identity) (rest.Reply, error) {
	version := r.URL.Query().Get("version")
	if version != "" && version != "1" && version != "2" {
		return rest.Reply{}, tidemark.InvalidField("version", "must be 1 or 2")
	}
	find := s.Store.Alerts
	if version == "1" {
		find = func(ctx context.Context, org tidemark.OrgID, p tidemark.Page) ([]*tidemark.Alert, tidemark.Counts, error) {
			_, n, err := s.Store.Alerts(ctx, org, p)
			return []*tidemark.Alert{}, tidemark.Counts{Total: n.Total}, err
		}
	}
	return rest.List("alerts", find, shared.RevealAlert)(r, who)
}

// deleteAlert answers DELETE /v1/alerts/:id. The id may be the alert's name,
// as the old service's documents promise.
func (s *API) deleteAlert(r *http.Request, who tidemark.Identity) (rest.Reply, error) {
	id, err := rest.ByID(r)
	if name := r.PathValue("id"); err != nil && tidemark.IsAlertName(name) {
		var a *tidemark.Alert
		if a, err = s.Store.AlertByName(r.Context(), who.Org, name); err == nil {
			id = a.ID
		}
	}
	if err != nil {
		return rest.Reply{}, err
	}
	return rest.NoContent, s.Store.DeleteAlert(r.Context(), who.Org, who.Actor(), id)
}

// recentlyCleared is how long a cleared alert is listed, in seconds.
const recentlyCleared = 24 * 3600

// alertStatuses answers GET /v1/alerts/status.
func (s *API) alertStatuses(r *http.Request, who tidemark.Identity) (rest.Reply, error) {
	statuses, err := s.Store.AlertStatuses(r.Context(), who.Org, s.Now().Unix()-recentlyCleared)
	if err != nil {
		return rest.Reply{}, err
	}
	firing, cleared := []map[string]int64{}, []map[string]int64{}
	for _, st := range statuses {
		if st.Firing {
			firing = append(firing, map[string]int64{"id": st.Alert, "triggered_at": st.TriggeredAt})
		} else {
			cleared = append(cleared, map[string]int64{"id": st.Alert, "cleared_at": st.ClearedAt})
		}
	}
	return rest.OK(map[string]any{"firing": firing, "cleared": cleared}), nil
}

// alertStatus answers GET /v1/alerts/:id/status.
func (s *API) alertStatus(r *http.Request, who tidemark.Identity) (rest.Reply, error) {
	id, err := rest.ByID(r)
	if err != nil {
		return rest.Reply{}, err
	}
	st, err := s.Store.AlertStatus(r.Context(), who.Org, id)
	if err != nil {
		return rest.Reply{}, err
	}
	status := "ok"
	if st.Firing {
		status = "triggered"
	}
	return rest.OK(map[string]any{"alert": map[string]int64{"id": id}, "status": status}), nil
}

// attachService answers POST /v1/alerts/:id/services.
func (s *API) attachService(r *http.Request, who tidemark.Identity) (rest.Reply, error) {
	id, err := rest.ByID(r)
	if err != nil {
		return rest.Reply{}, err
	}
	var ref tidemark.ServiceRef
	if err := rest.ReadInto(r, &ref); err != nil {
		return rest.Reply{}, err
	}
	if ref.Service <= 0 {
		return rest.Reply{}, tidemark.InvalidField("service", "is not present")
	}
	if err := s.Store.AttachService(r.Context(), who.Org, who.Actor(), tidemark.AttachmentKey{Alert: id, Service: ref.Service}); err != nil {
		return rest.Reply{}, err
	}
	service, err := s.Store.Service(r.Context(), who.Org, ref.Service)
	if err != nil {
		return rest.Reply{}, err
	}
	shared.RevealService(who, service)
	return rest.Created(service, fmt.Sprintf("%s/%d", r.URL.EscapedPath(), ref.Service)), nil
}
