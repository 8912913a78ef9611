package alerts

import (
	"context"
	"net/http"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/api/rest"
)

// linkedIncident is what the page behind the link of a notification shows.
type linkedIncident struct {
	Alert          int64             `json:"alert_id"`
	Name           string            `json:"name"`
	Words          tidemark.Sentence `json:"words"`
	Severity       string            `json:"severity" wire:"critical|warning|info|"`
	Streams        int               `json:"streams"` // that took part
	Since          int64             `json:"since"`
	AcknowledgedAt int64             `json:"acknowledged_at"`
	AcknowledgedBy string            `json:"acknowledged_by"`
	ClearedAt      *int64            `json:"cleared_at"`
	Org            string            `json:"org"`
	OrgID          tidemark.OrgID    `json:"org_id"`
	As             string            `json:"as"` // the e-mail address of who is signed in, or empty
}

// acknowledgeBody is what somebody says who acknowledges.
type acknowledgeBody struct {
	Text string `json:"text"`
}

// openAcknowledge answers GET /ui/api/acknowledge/:key, to anyone with the
// link. It changes nothing: what scans mail follows links, too.
func (s *API) openAcknowledge(r *http.Request, _ tidemark.Identity) (rest.Reply, error) {
	if err := s.Auth.MayLook(r.PathValue("key"), s.Browser(r)); err != nil {
		return rest.Reply{}, err
	}
	org, id, err := s.openLink(r)
	if err != nil {
		return rest.Reply{}, err
	}
	return s.linked(r, org, id)
}

// acknowledgeByLink answers POST /ui/api/acknowledge/:key.
func (s *API) acknowledgeByLink(r *http.Request, _ tidemark.Identity) (rest.Reply, error) {
	if err := s.Auth.MayNote(r.PathValue("key"), s.Browser(r)); err != nil {
		return rest.Reply{}, err
	}
	org, id, err := s.openLink(r)
	if err != nil {
		return rest.Reply{}, err
	}
	var body acknowledgeBody
	if err := rest.ReadShort(r, &body); err != nil {
		return rest.Reply{}, err
	}
	by := tidemark.LinkActor(s.Address(r))
	if email := s.memberOf(r, org); email != "" {
		by = tidemark.PersonActor(email, s.Address(r))
	}
	n := &tidemark.IncidentNote{At: s.Now().Unix(), Text: body.Text}
	if _, err := s.Store.AcknowledgeIncident(r.Context(), org, by, id, n); err != nil {
		return rest.Reply{}, err
	}
	return s.linked(r, org, id)
}

func (s *API) openLink(r *http.Request) (tidemark.OrgID, int64, error) {
	if s.Alerting.OpenLink == nil {
		return 0, 0, rest.ErrNotFound
	}
	return s.Alerting.OpenLink(r.PathValue("key"))
}

// memberOf is the e-mail address of the user who is signed in, if they belong to
// org, or "".
func (s *API) memberOf(r *http.Request, org tidemark.OrgID) string {
	who, err := s.BySession(r)
	if err != nil || who.User == 0 {
		return ""
	}
	m, err := s.Store.Membership(r.Context(), org, who.User)
	if err != nil {
		return ""
	}
	return m.Email
}

func (s *API) linked(r *http.Request, org tidemark.OrgID, id int64) (rest.Reply, error) {
	ctx := r.Context()
	in, err := s.Store.Incident(ctx, org, id)
	if err != nil {
		return rest.Reply{}, err
	}
	w, err := s.Store.WatchedAlert(ctx, org, in.Alert)
	if err != nil {
		return rest.Reply{}, err
	}
	units, err := s.Store.AlertUnits(ctx, org, w.Alert)
	if err != nil {
		return rest.Reply{}, err
	}
	v := linkedIncident{
		Alert: in.Alert, Name: w.Alert.Name, Words: w.Alert.Sentence(units), Severity: w.Alert.Severity, Streams: streamsOf(in),
		Since: in.TriggeredAt, ClearedAt: in.ClearedAt, OrgID: org, As: s.memberOf(r, org),
	}
	for _, n := range in.Notes {
		switch n.Kind {
		case tidemark.NoteAcknowledged:
			v.AcknowledgedAt, v.AcknowledgedBy = n.At, n.By
		case tidemark.NoteReopened:
			v.AcknowledgedAt, v.AcknowledgedBy = 0, ""
		}
	}
	if v.Org, err = s.orgName(ctx, org); err != nil {
		return rest.Reply{}, err
	}
	return rest.OK(v), nil
}

func (s *API) orgName(ctx context.Context, org tidemark.OrgID) (string, error) {
	o, err := s.Store.Org(ctx, org)
	if err != nil {
		return "", err
	}
	return o.Name, nil
}

func streamsOf(in *tidemark.Incident) int {
	all := make(map[string]bool)
	for i := range in.Violations {
		all[in.Violations[i].Stream] = true
	}
	return len(all)
}
