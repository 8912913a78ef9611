package store

import (
	"context"
	"maps"
	"sync"
	"time"

	"github.com/tidemark-metrics/tidemark"
)

// limitSources is where that is found which each limit of an organization
// bounds: what follows FROM, with a column org_id and a row for each.
var limitSources = map[tidemark.LimitName]string{
	tidemark.LimitMetrics:      `metrics`,
	tidemark.LimitAnnotations:  `events`,
	tidemark.LimitAlerts:       `alerts`,
	tidemark.LimitObjectives:   `objectives`,
	tidemark.LimitMaintenance:  `maintenance`,
	tidemark.LimitServices:     `(SELECT org_id FROM services WHERE user_id IS NULL) AS services_of_org`,
	tidemark.LimitDevices:      `(SELECT org_id FROM services WHERE user_id IS NOT NULL) AS devices`,
	tidemark.LimitSpaces:       `spaces`,
	tidemark.LimitShares:       `shares`,
	tidemark.LimitPlaylists:    `playlists`,
	tidemark.LimitReports:      `reports`,
	tidemark.LimitSavedQueries: `saved_queries`,
	tidemark.LimitTagDrops:     `tag_drops`,
	tidemark.LimitChecks:       `checks`,
	tidemark.LimitPlaces:       `check_places`,
	tidemark.LimitTokens:       `tokens`,
	tidemark.LimitSnapshots:    `snapshots`,
	tidemark.LimitMembers:      `(SELECT org_id FROM memberships UNION ALL SELECT org_id FROM invitations) AS people`,
}

// limitCount counts what a limit of one organization bounds.
func limitCount(name tidemark.LimitName) string {
	return `SELECT COUNT(*) FROM ` + limitSources[name] + ` WHERE org_id = ?`
}

// limitGroup is limitCount for all organizations at once: each that has
// something, with its number.
func limitGroup(name tidemark.LimitName) string {
	return `SELECT org_id, COUNT(*) FROM ` + limitSources[name] + ` GROUP BY org_id`
}

// The limit of charts is for each space: what counts is the fullest one.
const (
	chartCount = `SELECT COALESCE(MAX(n), 0) FROM (SELECT COUNT(*) AS n FROM charts WHERE org_id = ? GROUP BY space_id) AS counts`
	chartGroup = `SELECT org_id, MAX(n) FROM (SELECT org_id, COUNT(*) AS n FROM charts GROUP BY org_id, space_id) AS counts GROUP BY org_id`
)

// SetLimits makes l what new things are checked against. It is called before
// the store is used.
func (s *Store) SetLimits(l *tidemark.Limits) { s.limits = l }

// room refuses one more of what a limit of org bounds where there are as many
// as there may be.
func (s *Store) room(ctx context.Context, tx conn, org tidemark.OrgID, name tidemark.LimitName) error {
	if s.limits.Of(org, name) == 0 {
		return nil
	}
	n, err := value[int64](ctx, s, tx, "organization", limitCount(name), org)
	if err != nil {
		return err
	}
	return s.limits.Check(org, name, n+1)
}

// recountEvery is how old a count of many rows may be.
const recountEvery = time.Second

// tally remembers how many rows organizations have in tables that are too long
// to be counted for each row that is added.
type tally struct {
	mu    sync.Mutex
	known map[tallyKey]*tallied
}

type tallyKey struct {
	org  tidemark.OrgID
	name tidemark.LimitName
}

type tallied struct {
	n       int64
	counted time.Time
}

// roomFor is room for n more rows of a long table: what is remembered is
// counted again where it says that there are too many, at most once a second,
// since some may have been deleted.
func (s *Store) roomFor(ctx context.Context, org tidemark.OrgID, name tidemark.LimitName, n int64) error {
	limit := s.limits.Of(org, name)
	if limit == 0 || n == 0 {
		return nil
	}
	k := tallyKey{org, name}
	if have, fresh := s.tally.get(k); have+n > limit && !fresh || have < 0 {
		counted, err := value[int64](ctx, s, s.db, "organization", limitCount(name), org)
		if err != nil {
			return err
		}
		s.tally.set(k, counted)
	}
	have, _ := s.tally.get(k)
	return s.limits.Check(org, name, have+n)
}

// added notes that rows were added to a long table.
func (s *Store) added(org tidemark.OrgID, name tidemark.LimitName, n int64) {
	s.tally.mu.Lock()
	defer s.tally.mu.Unlock()
	if t := s.tally.known[tallyKey{org, name}]; t != nil {
		t.n += n
	}
}

// get returns how many there are, -1 if that is not known, and whether it was
// counted just now.
func (t *tally) get(k tallyKey) (n int64, fresh bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	known := t.known[k]
	if known == nil {
		return -1, false
	}
	return known.n, time.Since(known.counted) < recountEvery
}

func (t *tally) set(k tallyKey, n int64) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.known == nil {
		t.known = make(map[tallyKey]*tallied)
	}
	t.known[k] = &tallied{n, time.Now()}
}

// LimitUse counts what org uses of its limits, as far as it is stored here.
func (s *Store) LimitUse(ctx context.Context, org tidemark.OrgID) (map[tidemark.LimitName]int64, error) {
	use := make(map[tidemark.LimitName]int64, len(limitSources)+1)
	count := func(name tidemark.LimitName, stmt string) (err error) {
		use[name], err = value[int64](ctx, s, s.db, "organization", stmt, org)
		return err
	}
	for name := range limitSources {
		if err := count(name, limitCount(name)); err != nil {
			return nil, err
		}
	}
	return use, count(tidemark.LimitCharts, chartCount)
}

// LimitUses is LimitUse for all organizations. One that has nothing of
// something is not in the map of it.
func (s *Store) LimitUses(ctx context.Context) (map[tidemark.LimitName]map[tidemark.OrgID]int64, error) {
	uses := make(map[tidemark.LimitName]map[tidemark.OrgID]int64)
	count := func(name tidemark.LimitName, stmt string) error {
		uses[name] = make(map[tidemark.OrgID]int64)
		for v, err := range eachOf(ctx, s, s.db, orgCountColumns, stmt) {
			if err != nil {
				return err
			}
			uses[name][v.org] = v.value
		}
		return nil
	}
	for name := range limitSources {
		if err := count(name, limitGroup(name)); err != nil {
			return nil, err
		}
	}
	return uses, count(tidemark.LimitCharts, chartGroup)
}

var orgCountColumns = columns[orgLimit]{
	noun: "count",
	dest: func(v *orgLimit) []any { return []any{&v.org, &v.value} },
}

var orgLimitColumns = columns[orgLimit]{
	noun:  "limit",
	names: `org_id, name, value`,
	dest:  func(v *orgLimit) []any { return []any{&v.org, &v.name, &v.value} },
}

type orgLimit struct {
	org   tidemark.OrgID
	name  tidemark.LimitName
	value int64
}

// OrgLimits returns the limits of all organizations that differ from the
// server's.
func (s *Store) OrgLimits(ctx context.Context) (map[tidemark.OrgID]map[tidemark.LimitName]int64, error) {
	all := make(map[tidemark.OrgID]map[tidemark.LimitName]int64)
	for v, err := range each(ctx, s, s.db, orgLimitColumns, `FROM org_limits ORDER BY org_id, name`) {
		if err != nil {
			return nil, err
		}
		if all[v.org] == nil {
			all[v.org] = make(map[tidemark.LimitName]int64)
		}
		all[v.org][v.name] = v.value
	}
	return all, nil
}

// SetOrgLimits gives org limits of its own; a nil value is that of the server
// again. Other limits stay as they are.
func (s *Store) SetOrgLimits(ctx context.Context, org tidemark.OrgID, by tidemark.Actor, values map[tidemark.LimitName]*int64) error {
	var p tidemark.Problems
	for name, v := range values {
		p.SettableLimit(string(name), name)
		if v != nil {
			p.Check(*v >= 0, string(name), "must not be negative")
			p.LimitValue(string(name), *v)
		}
	}
	if err := p.Err(); err != nil {
		return err
	}
	return s.write(ctx, func(tx conn) error {
		if _, err := one(ctx, s, tx, orgColumns, `FROM orgs WHERE id = ?`, org); err != nil {
			return err
		}
		return s.setOrgLimits(ctx, tx, operation{org, by, "limits.set"}, values)
	})
}

func (s *Store) setOrgLimits(ctx context.Context, tx conn, w operation, values map[tidemark.LimitName]*int64) error {
	for name, v := range maps.All(values) {
		if err := s.setOrgLimit(ctx, tx, w.org, name, v); err != nil {
			return err
		}
	}
	if err := s.note(ctx, tx, w, "limits", limitDetail(values)); err != nil {
		return err
	}
	return s.bump(ctx, tx, limitsTopic)
}

// limitDetail is what the audit log says of limits that were set.
func limitDetail(values map[tidemark.LimitName]*int64) map[string]any {
	detail := make(map[string]any, len(values))
	for name, v := range values {
		if detail[string(name)] = any("default"); v != nil {
			detail[string(name)] = *v
		}
	}
	return detail
}

func (s *Store) setOrgLimit(ctx context.Context, tx conn, org tidemark.OrgID, name tidemark.LimitName, v *int64) error {
	if v == nil {
		_, err := s.exec(ctx, tx, `DELETE FROM org_limits WHERE org_id = ? AND name = ?`, org, name)
		return err
	}
	_, err := s.exec(ctx, tx, `
		INSERT INTO org_limits (org_id, name, value) VALUES (?, ?, ?)
		ON CONFLICT (org_id, name) DO UPDATE SET value = excluded.value`, org, name, *v)
	return err
}

// ListenLimits is Listen for the limits of organizations.
func (s *Store) ListenLimits(ctx context.Context, changed func()) error {
	return s.listen(ctx, limitsTopic, changed)
}
