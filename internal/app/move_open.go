package app

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"time"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/config"
	"github.com/tidemark-metrics/tidemark/internal/migrate"
	"github.com/tidemark-metrics/tidemark/internal/store"
	"github.com/tidemark-metrics/tidemark/internal/tsdb"
	"github.com/tidemark-metrics/tidemark/internal/tsdb/clickhouse"
	"github.com/tidemark-metrics/tidemark/internal/tsdb/embedded"
)

const (
	// snapshotDir is where a running server links its measurements to while
	// they are copied.
	snapshotDir = "migrating"
	// forever is a retention that nothing outlives: what is copied must not
	// expire before it is compared.
	forever = 100 * 366 * 24 * time.Hour
)

// end is one end of a migration.
type end struct {
	store  *store.Store
	engine engine
}

// snapshot links the measurements of a running server into dir.
func (rm *rooms) snapshot(ctx context.Context, dir string) error {
	local, ok := rm.engine.(measurements)
	if !ok {
		return tidemark.Errorf(tidemark.Unsupported, "the measurements are in ClickHouse and can be read there")
	}
	return local.LinkCheckpoint(ctx, dir)
}

// openSource opens the old place, whether a server runs on it or not.
func (p *places) openSource(ctx context.Context) error {
	if err := p.lockSource(); err != nil {
		return err
	}
	st, err := store.OpenAsIs(ctx, p.From.DatabaseURL())
	if err != nil {
		return err
	}
	p.source.store = st
	p.later(st.Close)
	if err := st.CheckMoved(ctx, p.From.Engine); err != nil {
		return err
	}
	if p.From.Engine == "clickhouse" {
		return p.openSharedSource(ctx)
	}
	if p.sameEngine {
		return nil
	}
	o := engineOptions(p.From, slog.New(slog.DiscardHandler))
	if p.running {
		if o.Dir, err = p.linkSource(ctx); err != nil {
			return fmt.Errorf("take a snapshot of the measurements: %w", err)
		}
	}
	e, err := embedded.Open(ctx, o)
	if err != nil {
		return err
	}
	p.source.engine = e
	p.later(e.Close)
	return nil
}

// lockSource keeps servers from being started on the old place, unless one
// runs there.
func (p *places) lockSource() error {
	if p.From.Engine == "clickhouse" {
		return nil
	}
	if err := hasData(p.From); err != nil {
		return err
	}
	unlock, err := Lock(p.From.Data)
	if errors.Is(err, ErrInUse) {
		p.running = true
		return nil
	}
	if err != nil {
		return err
	}
	p.later(func() error { unlock(); return nil })
	return nil
}

// openSharedSource opens ClickHouse, which is read beside the servers on it.
func (p *places) openSharedSource(ctx context.Context) error {
	nodes, err := p.source.store.Nodes(ctx)
	if err != nil {
		return err
	}
	for _, n := range nodes {
		p.running = p.running || n.Age <= int64(store.NodeTimeout.Seconds())
	}
	p.live = p.running
	e, err := openShared(ctx, p.From, p.source.store, time.Now)
	if err != nil {
		return err
	}
	p.source.engine = e
	p.later(e.Close)
	return nil
}

func openShared(ctx context.Context, cfg *config.Config, st *store.Store, now func() time.Time) (*clickhouse.Engine, error) {
	o, err := clickHouseOptions(cfg)
	if err != nil {
		return nil, err
	}
	o.Ledger, o.Node, o.Now = st, "migrate:"+nodeID(cfg), now
	return clickhouse.Open(ctx, o)
}

// linkSource asks the server that runs on the old place for its measurements as
// they are now. They are links: that takes no room, and no time of the server.
func (p *places) linkSource(ctx context.Context) (string, error) {
	dir := filepath.Join(absolute(p.From.Data), snapshotDir)
	if err := os.RemoveAll(dir); err != nil { // what an interrupted pass left
		return "", err
	}
	transport, err := DialAdmin(p.From.Data)
	if err != nil {
		return "", err
	}
	body, err := json.Marshal(map[string]string{"to": dir})
	if err != nil {
		return "", err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, "http://tidemark/admin/snapshot", bytes.NewReader(body))
	if err != nil {
		return "", err
	}
	req.Header.Set("Content-Type", "application/json")
	resp, err := transport.RoundTrip(req)
	if err != nil {
		return "", err
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusNoContent {
		return "", fmt.Errorf("the server answered %s", resp.Status)
	}
	p.later(func() error { return os.RemoveAll(dir) })
	return dir, nil
}

// lookAtTarget refuses a new place that has something in it, unless this
// migration put it there, and returns how far that is. It changes nothing.
func (p *places) lookAtTarget(ctx context.Context) (*store.Move, error) {
	has, err := store.HasTables(ctx, p.To.DatabaseURL())
	if err != nil {
		return nil, err
	}
	if !has {
		return nil, p.checkEngine()
	}
	st, err := store.OpenAsIs(ctx, p.To.DatabaseURL())
	if err != nil {
		return nil, err
	}
	defer st.Close()
	m, err := p.checkStore(ctx, st)
	if err != nil || m != nil {
		return m, err
	}
	return nil, p.checkEngine()
}

// checkEngine refuses a directory that has measurements.
func (p *places) checkEngine() error {
	if p.sameEngine || p.To.Engine == "clickhouse" {
		return nil
	}
	if _, err := os.Stat(filepath.Join(p.To.Data, measurementsDir)); err == nil {
		return tidemark.Errorf(tidemark.Conflict, "%s is not empty: it has measurements. Migrate to a directory that is empty or not there", p.To.Data)
	}
	return nil
}

// checkStore refuses a control store that somebody else filled.
func (p *places) checkStore(ctx context.Context, st *store.Store) (*store.Move, error) {
	m, err := st.Move(ctx)
	if err != nil {
		return nil, err
	}
	if m == nil || m.State == store.Moved {
		if p.sameStore {
			return nil, nil
		}
		orgs, err := st.Orgs(ctx)
		if err != nil {
			return nil, err
		}
		if m == nil && len(orgs) == 0 { // its tables were made, and no more
			return nil, nil
		}
		if m != nil && m.Source == p.name() {
			return nil, tidemark.Errorf(tidemark.Conflict, "the migration to %s is complete: start servers on it", storeName(p.To))
		}
		return nil, tidemark.Errorf(tidemark.Conflict, "%s is not empty: a server has used it. Migrate to a database or a directory that is empty or not there", storeName(p.To))
	}
	if m.Source != p.name() {
		return nil, tidemark.Errorf(tidemark.Conflict, "%s is being filled with the data of another place, %s. Finish that migration, or empty it first", storeName(p.To), m.Source)
	}
	return m, nil
}

// name names the old place.
func (p *places) name() string { return storeName(p.From) + " " + engineName(p.From) }

// openTarget opens the new place, and makes it if it is not there.
func (p *places) openTarget(ctx context.Context) error {
	local := p.To.Database == "" || p.To.Engine != "clickhouse"
	locked := p.From.Engine != "clickhouse" && absolute(p.To.Data) == absolute(p.From.Data)
	if local && !locked {
		unlock, err := Lock(p.To.Data)
		if err != nil {
			return err
		}
		p.later(func() error { unlock(); return nil })
	}
	begun, err := p.lookAtTarget(ctx)
	if err != nil {
		return err
	}
	if p.target.store = p.source.store; !p.sameStore {
		if p.target.store, err = store.Open(ctx, p.To.DatabaseURL()); err != nil {
			return err
		}
		p.later(p.target.store.Close)
	}
	release, err := p.target.store.LockMove(ctx)
	if err != nil {
		return err
	}
	p.later(release)
	if p.move = begun; begun == nil {
		p.move = p.newMove()
	}
	if err := p.openTargetEngine(ctx, begun == nil); err != nil {
		return err
	}
	return p.target.store.SaveMove(ctx, p.move)
}

func (p *places) newMove() *store.Move {
	m := &store.Move{Source: p.name(), InPlace: p.sameStore, State: store.Moving, StartedAt: p.now.Unix()}
	if !p.sameEngine {
		m.Engine = p.To.Engine
		m.RawFrom = migrate.RawFrom(p.source.engine.Tiers(), tiersOf(p.To), m.StartedAt)
	}
	return m
}

// tiersOf are the resolutions that a server with these settings keeps.
func tiersOf(cfg *config.Config) []tsdb.Tier {
	st := cfg.Storage
	tiers := []tsdb.Tier{{Window: 1, Retention: int64(st.RawRetention.Seconds())}}
	if cfg.Engine != "clickhouse" {
		tiers = append(tiers, tsdb.Tier{Window: 60, Retention: int64(st.MinuteRetention.Seconds())})
	}
	return append(tiers, tsdb.Tier{Window: 3600, Retention: int64(st.HourRetention.Seconds())})
}

// openTargetEngine opens the engine that is filled. A new one must be empty.
func (p *places) openTargetEngine(ctx context.Context, fresh bool) error {
	if p.sameEngine {
		return nil
	}
	if p.To.Engine != "clickhouse" {
		return p.openLocalTarget(ctx)
	}
	// Nothing expires while it is copied, however long that takes.
	e, err := openShared(ctx, p.To, p.target.store, func() time.Time { return time.Unix(p.move.StartedAt, 0) })
	if err != nil {
		return err
	}
	p.target.engine = e
	p.later(e.Close)
	if !fresh {
		return nil
	}
	empty, err := e.Empty(ctx)
	if err == nil && !empty {
		err = tidemark.Errorf(tidemark.Conflict, "the database %s in ClickHouse is not empty. Name another one with clickhouse.database, or drop it", p.To.ClickHouse.Database)
	}
	return err
}

func (p *places) openLocalTarget(ctx context.Context) error {
	o := engineOptions(p.To, slog.New(slog.DiscardHandler))
	o.RawRetention, o.MinuteRetention, o.HourRetention = forever, forever, forever
	e, err := embedded.Open(ctx, o)
	if err != nil {
		return err
	}
	p.target.engine = localTarget{e, tiersOf(p.To)}
	p.later(e.Close)
	return nil
}

// localTarget is an engine that keeps everything until it is used with the
// settings of its server.
type localTarget struct {
	*embedded.Engine
	tiers []tsdb.Tier
}

// Tiers implements tsdb.Reader.
func (t localTarget) Tiers() []tsdb.Tier { return t.tiers }
