package store

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"

	"github.com/tidemark-metrics/tidemark"
)

// sealedService is what of a service is secret, as it is sealed.
type sealedService struct {
	Settings map[string]string `json:"settings,omitempty"`
	Signing  *tidemark.Signing `json:"signing,omitempty"`
}

// secretsColumn reads the sealed secrets of a service into it. It is the last
// of the columns: what it needs was read before it.
type secretsColumn struct {
	store   *Store
	org     tidemark.OrgID
	service *tidemark.Service
}

// Scan opens what is sealed. Secrets that cannot be read are no error: all
// else of the service is there. A setting that is there in clear was written
// by an earlier version, and later.
func (c *secretsColumn) Scan(src any) error {
	text, err := textOf(src)
	if err != nil || len(text) == 0 {
		return err
	}
	v := c.service
	plain, err := c.store.unseal(servicesSealed.at(c.org, v.ID), string(text))
	if err != nil {
		v.Unreadable = "the secrets of this service cannot be read: " + err.Error()
		return nil
	}
	var secrets sealedService
	if err := json.Unmarshal(plain, &secrets); err != nil {
		return fmt.Errorf("read the secrets of service %d: %w", v.ID, err)
	}
	v.Signing = secrets.Signing
	for name, value := range secrets.Settings {
		if _, clear := v.Settings[name]; !clear {
			v.Settings[name] = value
		}
	}
	return nil
}

// saveSettings saves the settings of a service of org: public ones as they
// are, secrets sealed for its row.
func (s *Store) saveSettings(ctx context.Context, tx conn, org tidemark.OrgID, v *tidemark.Service) error {
	s.keepSigning(v)
	public, secret := v.SplitSettings()
	sealed := ""
	if len(secret) > 0 || v.Signing != nil {
		plain, err := json.Marshal(sealedService{secret, v.Signing})
		if err != nil {
			return err
		}
		if sealed, err = s.seal(ctx, tx, servicesSealed.at(org, v.ID), plain); err != nil {
			return err
		}
	}
	return s.affect(ctx, tx, "service", `UPDATE services SET settings = ?, secrets = ? WHERE org_id = ? AND id = ?`, asJSON(&public), sealed, org, v.ID)
}

// keepSigning gives v a signing secret if its type has one, and takes it away
// if not.
func (s *Store) keepSigning(v *tidemark.Service) {
	switch t, _ := tidemark.LookupServiceType(v.Type); {
	case !t.Signed:
		v.Signing = nil
	case v.Signing == nil:
		v.Signing = tidemark.NewSigning(s.now())
	}
}

// RotateSigning gives a service of org a fresh signing secret and returns the
// service. The one before signs as well until then.
func (s *Store) RotateSigning(ctx context.Context, org tidemark.OrgID, by tidemark.Actor, id, until int64) (*tidemark.Service, error) {
	var was fields
	return editOrNot(ctx, s, s.serviceColumns(), ofOrg+` AND id = ?`, []any{org, id},
		func(v *tidemark.Service) error {
			was = fieldsOfService(v)
			if err := checkSigned(v); err != nil {
				return err
			}
			v.Signing = v.Signing.Rotated(s.now(), until)
			return nil
		},
		func(tx conn, v *tidemark.Service) error {
			if err := s.saveSettings(ctx, tx, org, v); err != nil {
				return err
			}
			is := fieldsOfService(v)
			is["signing"] = secretReplaced
			if err := s.noteChange(ctx, tx, operation{org, by, "service.rotate"}, s.serviceColumns().object(v), was, is); err != nil {
				return err
			}
			return s.bumpAlerts(ctx, tx, org)
		})
}

// checkSigned refuses services without a signing secret, and those whose
// secrets cannot be read: they would be lost.
func checkSigned(v *tidemark.Service) error {
	if t, _ := tidemark.LookupServiceType(v.Type); !t.Signed {
		return tidemark.Errorf(tidemark.Invalid, "requests to services of type %s are not signed", v.Type)
	}
	if v.Unreadable != "" {
		return tidemark.Errorf(tidemark.Unavailable, "%s", v.Unreadable)
	}
	return nil
}

// checkReadable refuses a change of a service that would lose secrets which
// cannot be read at present: the user enters all settings again.
func checkReadable(was map[string]string, v *tidemark.Service) error {
	if v.Unreadable == "" {
		return nil
	}
	if maps.Equal(was, v.Settings) {
		return tidemark.InvalidField("settings", "%s. Enter all settings again, or wait", v.Unreadable)
	}
	v.Unreadable = ""
	return nil
}
