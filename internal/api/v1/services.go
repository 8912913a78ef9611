package v1

import (
	"context"
	"maps"
	"net/http"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/api/rest"
)

// createService adds a service that the server would be able to notify.
func (s *API) createService(ctx context.Context, org tidemark.OrgID, by tidemark.Actor, v *tidemark.Service) error {
	if err := s.CheckService(ctx, v); err != nil {
		return err
	}
	return s.Store.CreateService(ctx, org, by, v)
}

// updateService answers PUT /v1/services/:id. Who sees a secret only as a mask
// could, if the secret were kept in its place, send it to an address of their
// own. So masked settings are refused, but for those who may see the secrets.
func (s *API) updateService(r *http.Request, who tidemark.Identity) (rest.Reply, error) {
	id, err := rest.ByID(r)
	if err != nil {
		return rest.Reply{}, err
	}
	var u tidemark.ServiceUpdate
	if err := rest.ReadInto(r, &u); err != nil {
		return rest.Reply{}, err
	}
	for _, v := range u.Settings.V {
		if v == tidemark.MaskedSetting && !who.SeesSecrets() {
			return rest.Reply{}, cannotSee(who)
		}
	}
	_, err = s.changeService(r.Context(), who, id, func(v *tidemark.Service) {
		stored, was := v.Settings, v.Type
		u.Apply(v)
		if v.Type != was {
			stored = nil // a secret of one type is none of another
		}
		v.Settings = unmasked(v.Settings, stored)
	})
	return rest.NoContent, err
}

func cannotSee(who tidemark.Identity) error {
	if who.Role.SeesSecrets() {
		return rest.ErrProveAgain
	}
	return tidemark.InvalidField("settings", "hold a secret that you cannot see: only an Admin can change them")
}

// unmasked is settings with what is stored in the place of masks. A mask that
// stands for nothing stays, and is refused.
func unmasked(settings, stored tidemark.Settings) tidemark.Settings {
	settings = maps.Clone(settings)
	for name, v := range settings {
		if was, there := stored[name]; there && v == tidemark.MaskedSetting {
			settings[name] = was
		}
	}
	return settings
}

// changeService changes a service, if the server would be able to notify it
// afterwards. Looking up names takes time, so it is done before the
// database is asked to hold anything.
func (s *API) changeService(ctx context.Context, who tidemark.Identity, id int64, change func(*tidemark.Service)) (*tidemark.Service, error) {
	v, err := s.Store.Service(ctx, who.Org, id)
	if err != nil {
		return nil, err
	}
	change(v)
	if err := s.CheckService(ctx, v); err != nil {
		return nil, err
	}
	return s.Store.UpdateService(ctx, who.Org, who.Actor(), id, change)
}
