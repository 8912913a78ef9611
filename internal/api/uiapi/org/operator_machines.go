package org

import (
	"net/http"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/api/rest"
)

// operatorMachines are the servers on the control store.
type operatorMachines struct {
	tidemark.Machines
	Orgs    int   `json:"orgs"`
	Streams int64 `json:"streams"` // of all organizations
}

// operatorMachines answers GET /ui/api/operator/machines.
func (s *API) operatorMachines(r *http.Request, _ tidemark.Identity) (rest.Reply, error) {
	machines, err := s.Machines(r.Context())
	if err != nil {
		return rest.Reply{}, err
	}
	orgs, err := s.Store.Orgs(r.Context())
	if err != nil {
		return rest.Reply{}, err
	}
	stats, err := s.Engine.Stats(r.Context())
	if err != nil {
		return rest.Reply{}, err
	}
	return rest.OK(operatorMachines{Machines: *machines, Orgs: len(orgs), Streams: stats.Streams}), nil
}
