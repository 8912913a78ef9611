package alerts

import (
	"net/http"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/api/rest"
	"github.com/tidemark-metrics/tidemark/internal/notify"
)

// deliveryDetail answers GET /ui/api/deliveries/:id: one delivery, with the
// message as the service's settings make it. The message is built again from
// what was to be sent, so that nothing secret needs to be kept.
func (s *API) deliveryDetail(r *http.Request, who tidemark.Identity) (rest.Reply, error) {
	id, err := rest.ByID(r)
	if err != nil {
		return rest.Reply{}, err
	}
	d, err := s.Store.Delivery(r.Context(), who.Org, id)
	if err != nil {
		return rest.Reply{}, err
	}
	words, err := s.Spellings.Of(r.Context(), who.Org)
	if err != nil {
		return rest.Reply{}, err
	}
	d.Notice = words.Notice(d.Notice)
	sent, err := s.message(r, who, d)
	if err != nil {
		return rest.Reply{}, err
	}
	return rest.OK(deliveryDetail{d, sent}), nil
}

func (s *API) message(r *http.Request, who tidemark.Identity, d *tidemark.Delivery) (message, error) {
	service, err := s.Store.Recipient(r.Context(), who.Org, d.Service)
	if tidemark.KindOf(err) == tidemark.NotFound && err != nil {
		return message{Problem: "The service was deleted."}, nil
	}
	if err != nil {
		return message{}, err
	}
	if d.Notice == nil {
		return message{Problem: "The message is no longer stored."}, nil
	}
	n := notify.FromNotice(d.Notice, d.Notice.Units)
	n.DedupKey = d.Key
	if s.Alerting.Link != nil && who.Role.Allows(tidemark.Edit) {
		n.Acknowledge = s.Alerting.Link(d) // anyone who has it may acknowledge
	}
	if n.Account, err = s.Store.Account(r.Context(), who.Org); err != nil {
		return message{}, err
	}
	p, err := notify.MakePreview(service, n, s.BaseURL(r))
	if err != nil {
		return message{Problem: "The service's settings no longer make a message."}, nil
	}
	return message{Type: p.Type, Body: string(p.Body), Subject: p.Subject}, nil
}
