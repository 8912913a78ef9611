package store

import (
	"context"
	"strings"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/seal"
)

// sealedRow is one sealed value.
type sealedRow struct {
	id     int64
	org    tidemark.OrgID
	sealed string
}

func (c sealedColumn) columns() columns[sealedRow] {
	return columns[sealedRow]{
		noun:  "secret",
		names: c.id + `, ` + c.org + `, ` + c.column,
		dest:  func(v *sealedRow) []any { return []any{&v.id, &v.org, &v.sealed} },
	}
}

// Rotation is the outcome of a rotation.
type Rotation struct {
	Key     string   `json:"key"`     // that seals now
	Retired []string `json:"retired"` // keys that seal nothing any more
	Sealed  int64    `json:"sealed"`
	Lost    int64    `json:"lost"` // values that no key opens; they are left as they are
}

// RotateKey seals all secrets again with another key: the one that PrepareKey
// added, or a fresh one. If it is interrupted, the next call goes on with it.
// Keys that seal nothing any more are removed from the key file at the end.
func (s *Store) RotateKey(ctx context.Context, by tidemark.Actor, progress func(done, total int64)) (*Rotation, error) {
	state, err := s.beginRotation(ctx, by)
	if err != nil {
		return nil, err
	}
	r := &Rotation{Key: state.Current, Retired: []string{}}
	if err := s.sealAnew(ctx, r, progress); err != nil {
		return nil, err
	}
	if r.Lost == 0 {
		r.Retired = append(r.Retired, state.Retiring...)
	}
	return r, s.endRotation(ctx, r)
}

// beginRotation makes another key the one that seals, unless a rotation is
// under way.
func (s *Store) beginRotation(ctx context.Context, by tidemark.Actor) (keyState, error) {
	state, err := s.keyState(ctx, s.db, "")
	if err != nil || len(state.Retiring) > 0 {
		return state, err
	}
	if s.keys == nil || !s.keys.Has(state.Current) {
		return state, noKey(&seal.NoKey{ID: state.Current})
	}
	next := s.prepared(state)
	if next == "" {
		if err := s.checkAlone(ctx); err != nil {
			return state, err
		}
		if next, err = s.addKey(); err != nil {
			return state, err
		}
	}
	err = s.write(ctx, func(tx conn) error {
		if state, err = s.keyState(ctx, tx, s.dialect.forUpdate); err != nil || len(state.Retiring) > 0 {
			return err
		}
		old := state.Current
		state = keyState{Current: next, Retiring: []string{old}, Past: append(state.Past, old)}
		if err := s.saveKeyState(ctx, tx, state); err != nil {
			return err
		}
		return s.note(ctx, tx, operation{by: by, action: "secrets.rotate"}, "key "+next, map[string]any{"from": old, "to": next})
	})
	return state, err
}

// prepared returns the key in the file that has not been used yet, or "".
func (s *Store) prepared(state keyState) string {
	for _, id := range without(s.keys.IDs(), append(state.Past, state.Current)) {
		return id
	}
	return ""
}

func (s *Store) addKey() (string, error) {
	key := seal.NewKey()
	return key.ID(), s.keys.Add(key)
}

// checkAlone refuses a key that other servers would not have.
func (s *Store) checkAlone(ctx context.Context) error {
	nodes, err := s.Nodes(ctx)
	if err != nil {
		return err
	}
	for _, n := range nodes {
		if n.ID != s.node && n.Age <= seconds(NodeTimeout) {
			return tidemark.Errorf(tidemark.Conflict, "the server %s runs on this database, too, and would not have the new key: "+
				"run tidemark secrets prepare, copy the key file to all servers unless they share it, then rotate", n.ID)
		}
	}
	return nil
}

// PrepareKey adds a key to the key file that the next rotation uses, so that
// it can be given to other servers before.
func (s *Store) PrepareKey(ctx context.Context, by tidemark.Actor) (string, error) {
	state, err := s.keyState(ctx, s.db, "")
	if err != nil {
		return "", err
	}
	if s.keys == nil || !s.keys.Has(state.Current) {
		return "", noKey(&seal.NoKey{ID: state.Current})
	}
	if id := s.prepared(state); id != "" {
		return id, nil
	}
	id, err := s.addKey()
	if err != nil {
		return "", err
	}
	return id, s.write(ctx, func(tx conn) error {
		return s.note(ctx, tx, operation{by: by, action: "secrets.prepare"}, "key "+id, nil)
	})
}

// GiveUpKey makes a fresh key the one that seals, where the one before is
// lost. What that sealed stays unreadable, unless it is found again.
func (s *Store) GiveUpKey(ctx context.Context, by tidemark.Actor) (string, error) {
	id := ""
	err := s.write(ctx, func(tx conn) error {
		state, err := s.keyState(ctx, tx, s.dialect.forUpdate)
		if err != nil {
			return err
		}
		if s.keys == nil || state.Current == "" || s.keys.Has(state.Current) {
			return tidemark.Errorf(tidemark.Conflict, "key %s is not lost: to replace it, use tidemark secrets rotate", state.Current)
		}
		if id = s.prepared(state); id == "" {
			if id, err = s.addKey(); err != nil {
				return err
			}
		}
		old := state.Current
		if err := s.saveKeyState(ctx, tx, keyState{Current: id, Past: append(append(state.Past, state.Retiring...), old)}); err != nil {
			return err
		}
		return s.note(ctx, tx, operation{by: by, action: "secrets.give_up"}, "key "+old, map[string]any{"lost": old, "to": id})
	})
	return id, err
}

// sealAnew seals everything with the key of r that is sealed with another.
func (s *Store) sealAnew(ctx context.Context, r *Rotation, progress func(done, total int64)) error {
	total, err := s.countSealed(ctx, r.Key)
	if err != nil {
		return err
	}
	progress(0, total)
	for _, c := range sealedColumns {
		for after := int64(0); ; {
			next, err := s.sealBatch(ctx, c, after, r)
			if err != nil {
				return err
			}
			if next == after {
				break
			}
			after = next
			progress(r.Sealed+r.Lost, total)
		}
	}
	return nil
}

// sealBatch seals some rows again, those after one, and returns the last.
func (s *Store) sealBatch(ctx context.Context, c sealedColumn, after int64, r *Rotation) (last int64, err error) {
	var sealed, lost int64
	err = s.write(ctx, func(tx conn) error {
		last, sealed, lost = after, 0, 0
		rows, err := many(ctx, s, tx, c.columns(), `FROM `+c.table+` WHERE `+c.column+` <> '' AND `+c.column+` NOT LIKE ? AND `+c.id+` > ? ORDER BY `+
			c.id+` LIMIT ?`+s.dialect.forUpdate, seal.Prefix(r.Key)+"%", after, sealBatch)
		if err != nil {
			return err
		}
		for _, row := range rows {
			last = row.id
			plain, err := s.unseal(c.at(row.org, row.id), row.sealed)
			if err != nil {
				lost++
				continue
			}
			fresh, err := s.keys.Seal(r.Key, c.at(row.org, row.id), plain)
			if err != nil {
				return noKey(err)
			}
			if _, err := s.exec(ctx, tx, `UPDATE `+c.table+` SET `+c.column+` = ? WHERE `+c.id+` = ?`, fresh, row.id); err != nil {
				return err
			}
			sealed++
		}
		return nil
	})
	r.Sealed, r.Lost = r.Sealed+sealed, r.Lost+lost
	return last, err
}

// endRotation removes the keys that seal nothing any more. The file comes
// first: should this be interrupted, it is done again.
func (s *Store) endRotation(ctx context.Context, r *Rotation) error {
	for _, id := range r.Retired {
		if err := s.keys.Remove(id); err != nil {
			return err
		}
	}
	return s.write(ctx, func(tx conn) error {
		state, err := s.keyState(ctx, tx, s.dialect.forUpdate)
		if err != nil {
			return err
		}
		state.Retiring = nil
		return s.saveKeyState(ctx, tx, state)
	})
}

// countSealed counts what is sealed with other keys than one.
func (s *Store) countSealed(ctx context.Context, than string) (total int64, err error) {
	for _, c := range sealedColumns {
		n, err := value[int64](ctx, s, s.db, "secret", `SELECT COUNT(*) FROM `+c.table+` WHERE `+c.column+` <> '' AND `+c.column+` NOT LIKE ?`, seal.Prefix(than)+"%")
		if err != nil {
			return 0, err
		}
		total += n
	}
	return total, nil
}

// SecretsStatus is how the secrets of an installation are kept.
type SecretsStatus struct {
	File     string      `json:"file"`    // of keys
	Private  bool        `json:"private"` // only its owner can read it
	Current  string      `json:"current"` // key that seals
	Prepared string      `json:"prepared,omitempty"`
	Rotating bool        `json:"rotating"` // a rotation was begun and is not done
	Keys     []KeyStatus `json:"keys"`
	Clear    int64       `json:"clear"` // services with secrets of an earlier version, not sealed yet
}

// KeyStatus is one key.
type KeyStatus struct {
	ID     string `json:"id"`
	There  bool   `json:"there"`
	Sealed int64  `json:"sealed"` // values sealed with it
}

// SecretsStatus returns how the secrets are kept.
func (s *Store) SecretsStatus(ctx context.Context) (*SecretsStatus, error) {
	state, err := s.keyState(ctx, s.db, "")
	if err != nil {
		return nil, err
	}
	sealed, err := s.sealedByKey(ctx)
	if err != nil {
		return nil, err
	}
	v := &SecretsStatus{Current: state.Current, Rotating: len(state.Retiring) > 0, Keys: []KeyStatus{}}
	ids := []string{}
	if s.keys != nil {
		s.keys.Has(state.Current) // looks whether the file is back
		ids, v.File = s.keys.IDs(), s.keys.Path()
		v.Private, v.Prepared = seal.IsPrivate(v.File), s.prepared(state)
	}
	for _, id := range ids {
		v.Keys = append(v.Keys, KeyStatus{ID: id, There: true, Sealed: sealed[id]})
		delete(sealed, id)
	}
	if _, counted := sealed[state.Current]; !counted && state.Current != "" && len(without([]string{state.Current}, ids)) > 0 {
		sealed[state.Current] = 0
	}
	for id, n := range sealed {
		v.Keys = append(v.Keys, KeyStatus{ID: id, Sealed: n})
	}
	v.Clear, err = s.countClear(ctx)
	return v, err
}

// sealedByKey counts the sealed values of each key.
func (s *Store) sealedByKey(ctx context.Context) (map[string]int64, error) {
	counts := make(map[string]int64)
	for _, c := range sealedColumns {
		prefixes, err := values[string](ctx, s, s.db, `SELECT SUBSTR(`+c.column+`, 1, ?) FROM `+c.table+` WHERE `+c.column+` <> ''`, len(seal.Prefix("00000000")))
		if err != nil {
			return nil, err
		}
		for _, p := range prefixes {
			id, _ := seal.KeyID(p)
			counts[strings.TrimSpace(id)]++
		}
	}
	return counts, nil
}

// countClear counts the services whose secrets are not sealed yet.
func (s *Store) countClear(ctx context.Context) (n int64, err error) {
	for v, err := range each(ctx, s, s.db, clearServiceColumns, `FROM services`) {
		if err != nil {
			return n, err
		}
		if _, secret := v.SplitSettings(); len(secret) > 0 {
			n++
		}
	}
	return n, nil
}
