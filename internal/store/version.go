package store

import (
	"context"
	"encoding/json"
	"reflect"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/nonnil"
)

var objectVersionColumns = columns[tidemark.Version]{
	noun:  "version",
	names: `kind, number, at, actor, action, restored, name, document`,
	dest: func(v *tidemark.Version) []any {
		return []any{&v.Kind, &v.Number, &v.At, &v.Actor, &v.Action, &v.Restored, &v.Name, documentColumn{v}}
	},
}

// documentColumn is the document of a version whose kind was read before it.
// What was written before there was a list in it, or with none for an empty
// one, has an empty one.
type documentColumn struct{ v *tidemark.Version }

// Scan reads the document.
func (c documentColumn) Scan(src any) error {
	if err := asJSON(&c.v.Document).Scan(src); err != nil {
		return err
	}
	if t, isKnown := documentTypes[c.v.Kind]; isKnown {
		nonnil.In(t, c.v.Document)
	}
	return nil
}

// documentTypes are what the documents of versions are made of.
var documentTypes = map[tidemark.VersionKind]reflect.Type{
	tidemark.SpaceVersions: reflect.TypeFor[spaceVersion](), tidemark.ChartVersions: reflect.TypeFor[tidemark.Chart](),
	tidemark.AlertVersions: reflect.TypeFor[alertDocument](), tidemark.MetricVersions: reflect.TypeFor[tidemark.Metric](),
}

const fromVersions = `FROM object_versions WHERE org_id = ? AND kind = ? AND object = ?`

// Versions returns versions of a thing of org, the newest first: those before a
// number, or all if that is 0, and at most length. What was never changed has
// one, as it is.
func (s *Store) Versions(ctx context.Context, org tidemark.OrgID, k tidemark.VersionKey, before int64, length int) ([]*tidemark.Version, error) {
	stmt, args := fromVersions, []any{org, k.Kind, k.ID}
	if before > 0 {
		stmt, args = stmt+` AND number < ?`, append(args, before)
	}
	found, err := many(ctx, s, s.db, objectVersionColumns, stmt+` ORDER BY number DESC LIMIT ?`, append(args, length)...)
	if err != nil || len(found) > 0 || before > 0 {
		return found, err
	}
	v, err := s.unchanged(ctx, s.db, org, k)
	if err != nil {
		return nil, err
	}
	return []*tidemark.Version{v}, nil
}

// Version returns one version of a thing of org.
func (s *Store) Version(ctx context.Context, org tidemark.OrgID, k tidemark.VersionKey, number int64) (*tidemark.Version, error) {
	return s.versionOf(ctx, s.db, org, k, number)
}

func (s *Store) versionOf(ctx context.Context, q conn, org tidemark.OrgID, k tidemark.VersionKey, number int64) (*tidemark.Version, error) {
	v, err := one(ctx, s, q, objectVersionColumns, fromVersions+` AND number = ?`, org, k.Kind, k.ID, number)
	if tidemark.KindOf(err) != tidemark.NotFound || number != tidemark.FirstVersion {
		return v, err
	}
	if n, err := s.lastVersion(ctx, q, org, k); err != nil || n > 0 {
		return nil, noSuch(objectVersionColumns.noun) // the first is forgotten
	}
	return s.unchanged(ctx, q, org, k)
}

// LatestVersion returns the number of the latest version of a thing of org.
func (s *Store) LatestVersion(ctx context.Context, org tidemark.OrgID, k tidemark.VersionKey) (int64, error) {
	n, err := s.lastVersion(ctx, s.db, org, k)
	if err != nil || n > 0 {
		return n, err
	}
	v, err := s.unchanged(ctx, s.db, org, k)
	if err != nil {
		return 0, err
	}
	return v.Number, nil
}

// lastVersion returns the number of the last version that is stored, 0 if none is.
func (s *Store) lastVersion(ctx context.Context, q conn, org tidemark.OrgID, k tidemark.VersionKey) (int64, error) {
	return value[int64](ctx, s, q, "version", `SELECT COALESCE(MAX(number), 0) `+fromVersions, org, k.Kind, k.ID)
}

// errStale refuses a change of something that was changed since it was read.
var errStale = &tidemark.Error{
	Kind: tidemark.Stale, Msg: "It was changed meanwhile: there is a later version than the one that this change is based on",
}

// checkSeen refuses a change of k that is based on an older version than the
// last. What is changed is locked.
func (s *Store) checkSeen(ctx context.Context, tx conn, w operation, k tidemark.VersionKey) error {
	if w.by.Seen == 0 {
		return nil
	}
	n, err := s.lastVersion(ctx, tx, w.org, k)
	if err == nil && max(n, tidemark.FirstVersion) != w.by.Seen {
		return errStale
	}
	return err
}

// save is a change of which a version is kept.
type save struct {
	operation
	key      tidemark.VersionKey
	space    int64 // of a chart
	restored int64 // the version that it brings back
	was, is  fields
	since    int64 // when it became what it was
}

// keep adds a version as part of tx: what it is, or what it was if it is gone.
// What was there before versions were kept gets one for what it was first.
func (s *Store) keep(ctx context.Context, tx conn, v save) error {
	if v.was != nil && v.is != nil && sameJSON(v.was, v.is) {
		return nil
	}
	last, err := s.lastVersion(ctx, tx, v.org, v.key)
	if err != nil {
		return err
	}
	if last == 0 && v.was != nil {
		last = tidemark.FirstVersion
		if err := s.addVersion(ctx, tx, v, &tidemark.Version{Number: last, At: v.since, Document: v.was}); err != nil {
			return err
		}
	}
	document := v.is
	if document == nil {
		document = v.was
	}
	err = s.addVersion(ctx, tx, v, &tidemark.Version{
		Number: last + 1, At: s.now(), Actor: v.by.String(), Action: v.action, Restored: v.restored, Document: document,
	})
	if err != nil {
		return err
	}
	return s.forgetVersions(ctx, tx, v.org, v.key)
}

func (s *Store) addVersion(ctx context.Context, tx conn, of save, v *tidemark.Version) error {
	_, err := s.exec(ctx, tx, `
		INSERT INTO object_versions (org_id, kind, object, number, space_id, at, actor, action, restored, document)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
		of.org, of.key.Kind, of.key.ID, v.Number, of.space, v.At, v.Actor, v.Action, v.Restored, asJSON(&v.Document))
	return err
}

// defaultVersionBytes is how long the documents of one thing may be together; the
// last two are kept however long they are.
const defaultVersionBytes = 4 << 20

// forgetVersions drops the oldest versions of k where there are more than are
// kept.
func (s *Store) forgetVersions(ctx context.Context, tx conn, org tidemark.OrgID, k tidemark.VersionKey) error {
	sizes, err := values[int64](ctx, s, tx, `SELECT LENGTH(document) `+fromVersions+` ORDER BY number DESC`, org, k.Kind, k.ID)
	if err != nil {
		return err
	}
	kept, bytes := 0, int64(0)
	most := s.limits.Of(org, tidemark.LimitVersions)
	for kept < len(sizes) && (most == 0 || int64(kept) < most) && (kept < 2 || bytes+sizes[kept] <= s.versionBytes) {
		bytes += sizes[kept]
		kept++
	}
	if kept = max(kept, 1); kept == len(sizes) {
		return nil
	}
	_, err = s.exec(ctx, tx, `DELETE `+fromVersions+` AND number <= (SELECT MAX(number) `+fromVersions+`) - ?`,
		org, k.Kind, k.ID, org, k.Kind, k.ID, kept)
	return err
}

// sameJSON reports whether two documents say the same.
func sameJSON(a, b map[string]any) bool {
	x, errA := json.Marshal(a)
	y, errB := json.Marshal(b)
	return errA == nil && errB == nil && string(x) == string(y)
}

// into makes what it was of the document of a version.
func into[T any](document map[string]any, v *T) error {
	text, err := json.Marshal(document)
	if err != nil {
		return err
	}
	return asJSON(v).Scan(text)
}
