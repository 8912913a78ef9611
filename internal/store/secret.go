package store

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/seal"
)

// sealedColumn is a column of sealed values, with the columns that say where a
// value belongs.
type sealedColumn struct {
	table, column string
	org           string // "0" for what belongs to no organization
	id            string // of the row, a number
}

// sealedColumns are all there are: what is not in this list is not sealed
// again when the key is replaced.
var sealedColumns = []sealedColumn{servicesSealed, settingsSealed, seedsSealed}

var (
	servicesSealed = sealedColumn{"services", "secrets", "org_id", "id"}
	settingsSealed = sealedColumn{"sealed_settings", "value", "0", "id"}
	seedsSealed    = sealedColumn{"totp", "seed", "0", "user_id"}
)

// at is the field of one row.
func (c sealedColumn) at(org tidemark.OrgID, row int64) seal.Field {
	return seal.Field{Table: c.table, Column: c.column, Org: int64(org), Row: row}
}

// keySetting holds the keyState.
const keySetting = "secrets.keys"

// keyState says which key seals. It is in the database rather than in the key
// file, so that servers with different files notice.
type keyState struct {
	Current  string   `json:"current"`
	Retiring []string `json:"retiring,omitempty"` // while what they sealed is sealed again
	Past     []string `json:"past,omitempty"`     // were current once
}

// UseKeys gives the store the keys of its secrets. The first ever given to a
// database become its own.
func (s *Store) UseKeys(ctx context.Context, keys *seal.Keys) error {
	s.keys = keys
	state, err := s.keyState(ctx, s.db, "")
	ids := keys.IDs()
	if err != nil || state.Current != "" || len(ids) == 0 {
		return err
	}
	text, _ := json.Marshal(keyState{Current: ids[0]})
	_, err = s.SetSettingOnce(ctx, keySetting, text)
	return err
}

// DerivedSecret returns a secret for a purpose that all servers on the database
// derive alike, or "" for one that lacks the key.
func (s *Store) DerivedSecret(ctx context.Context, purpose string) (tidemark.Secret, error) {
	id, err := s.SealingKey(ctx)
	if err != nil || s.keys == nil {
		return "", err
	}
	return tidemark.Secret(s.keys.Derive(id, purpose)), nil
}

// SealingKey returns the id of the key that seals, or "" if there is none yet.
func (s *Store) SealingKey(ctx context.Context) (string, error) {
	state, err := s.keyState(ctx, s.db, "")
	return state.Current, err
}

// keyState reads which key seals. With lock, that stays so until the end of
// the transaction, or a value might be sealed with a key that is given up.
func (s *Store) keyState(ctx context.Context, q conn, lock string) (state keyState, err error) {
	found, err := values[[]byte](ctx, s, q, `SELECT value FROM settings WHERE name = ?`+lock, keySetting)
	if err != nil || len(found) == 0 {
		return state, err
	}
	if err := json.Unmarshal(found[0], &state); err != nil {
		return state, fmt.Errorf("read %s: %w", keySetting, err)
	}
	return state, nil
}

func (s *Store) saveKeyState(ctx context.Context, tx conn, state keyState) error {
	text, _ := json.Marshal(state)
	_, err := s.exec(ctx, tx, `UPDATE settings SET value = ? WHERE name = ?`, text, keySetting)
	return err
}

// seal returns plain sealed for a field.
func (s *Store) seal(ctx context.Context, tx conn, f seal.Field, plain []byte) (string, error) {
	state, err := s.keyState(ctx, tx, s.dialect.forUpdate)
	if err != nil {
		return "", err
	}
	if s.keys == nil {
		return "", noKey(&seal.NoKey{ID: state.Current})
	}
	sealed, err := s.keys.Seal(state.Current, f, plain)
	return sealed, noKey(err)
}

// unseal returns what was sealed for a field.
func (s *Store) unseal(f seal.Field, sealed string) ([]byte, error) {
	if s.keys == nil {
		id, err := seal.KeyID(sealed)
		if err == nil {
			err = &seal.NoKey{ID: id}
		}
		return nil, noKey(err)
	}
	plain, err := s.keys.Open(f, sealed)
	return plain, noKey(err)
}

// noKey says in words that a key is missing.
func noKey(err error) error {
	missing, is := errors.AsType[*seal.NoKey](err)
	if !is {
		return err
	}
	name := "a key"
	if missing.ID != "" {
		name = "key " + missing.ID
	}
	return &tidemark.Error{Kind: tidemark.Unavailable, Err: err, Msg: "this server lacks " + name +
		", which its secrets are encrypted with: they can be neither read nor saved until its operator puts the key file back (tidemark secrets status says more)"}
}

// The secrets of the whole installation.
const (
	pictureKey = 1
	pushKey    = 2
)

// PushKey returns the key by which push services know the server: fresh, if
// there was none. One that cannot be read is an error, since a device takes
// messages of the key that it subscribed to alone.
func (s *Store) PushKey(ctx context.Context, fresh []byte) (key []byte, err error) {
	place := settingsSealed.at(0, pushKey)
	err = s.write(ctx, func(tx conn) error {
		sealed, err := s.seal(ctx, tx, place, fresh)
		if err != nil {
			return err
		}
		if _, err := s.exec(ctx, tx, `INSERT INTO sealed_settings (id, value) VALUES (?, ?) ON CONFLICT DO NOTHING`, pushKey, sealed); err != nil {
			return err
		}
		kept, err := value[string](ctx, s, tx, "setting", `SELECT value FROM sealed_settings WHERE id = ?`, pushKey)
		if err != nil {
			return err
		}
		key, err = s.unseal(place, kept)
		return err
	})
	return key, err
}

// PictureKey returns the key that links to pictures are signed with. Where it
// cannot be read there is a fresh one, for as long as the server runs: links
// from before stop working, and nothing else.
func (s *Store) PictureKey(ctx context.Context, fresh []byte) ([]byte, error) {
	key := fresh
	err := s.write(ctx, func(tx conn) error {
		found, err := values[string](ctx, s, tx, `SELECT value FROM sealed_settings WHERE id = ?`, pictureKey)
		if err != nil {
			return err
		}
		if len(found) > 0 {
			if opened, err := s.unseal(settingsSealed.at(0, pictureKey), found[0]); err == nil {
				key = opened
			}
			return nil
		}
		key, err = s.keepPictureKey(ctx, tx, fresh)
		return err
	})
	return key, err
}

// oldPictureKey is where the key was in clear.
const oldPictureKey = "alerting.picture_key"

// keepPictureKey seals the key that earlier versions kept in clear, or fresh.
func (s *Store) keepPictureKey(ctx context.Context, tx conn, fresh []byte) ([]byte, error) {
	key := fresh
	old, err := values[[]byte](ctx, s, tx, `SELECT value FROM settings WHERE name = ?`, oldPictureKey)
	if err != nil {
		return nil, err
	}
	if len(old) > 0 {
		key = old[0]
	}
	sealed, err := s.seal(ctx, tx, settingsSealed.at(0, pictureKey), key)
	if tidemark.KindOf(err) == tidemark.Unavailable && err != nil {
		return key, nil // kept for another start
	}
	if err != nil {
		return nil, err
	}
	if _, err := s.exec(ctx, tx, `INSERT INTO sealed_settings (id, value) VALUES (?, ?) ON CONFLICT DO NOTHING`, pictureKey, sealed); err != nil {
		return nil, err
	}
	_, err = s.exec(ctx, tx, `DELETE FROM settings WHERE name = ?`, oldPictureKey)
	return key, err
}

// without returns list without what is in others.
func without(list, others []string) []string {
	return slices.DeleteFunc(slices.Clone(list), func(id string) bool { return slices.Contains(others, id) })
}
