package app

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/config"
	"github.com/tidemark-metrics/tidemark/internal/migrate"
	"github.com/tidemark-metrics/tidemark/internal/seal"
	"github.com/tidemark-metrics/tidemark/internal/store"
)

// Migration is the moving of a server's data to another place.
type Migration struct {
	From, To *config.Config
	Progress func(migrate.Progress)
	Now      func() time.Time // time.Now
}

// Migrated is what a pass of it came to.
type Migrated struct {
	migrate.Outcome
	Complete bool   `json:"complete"` // servers may start on the new place
	Running  bool   `json:"running"`  // one runs on the old place: what it records from now on needs another pass
	Keys     string `json:"keys"`     // what is to be done about the key file, if anything
}

// ErrDiffers says that the comparison found something.
var ErrDiffers = errors.New("the new place does not have the same as the old one: run the command again, which copies what differs once more")

// Run copies what is not there yet, compares if the old place holds still, and
// completes the migration if no server runs there any more.
func (m *Migration) Run(ctx context.Context) (*Migrated, error) {
	p, err := m.places()
	if err != nil {
		return nil, err
	}
	defer p.close()
	if err := p.openSource(ctx); err != nil {
		return nil, fmt.Errorf("the old place: %w", err)
	}
	if err := p.openTarget(ctx); err != nil {
		return nil, fmt.Errorf("the new place: %w", err)
	}
	return p.pass(ctx)
}

// Estimate says what Run would copy, and changes nothing in the new place.
func (m *Migration) Estimate(ctx context.Context) (*migrate.Estimate, error) {
	p, err := m.places()
	if err != nil {
		return nil, err
	}
	defer p.close()
	if err := p.openSource(ctx); err != nil {
		return nil, fmt.Errorf("the old place: %w", err)
	}
	begun, err := p.lookAtTarget(ctx)
	if err != nil {
		return nil, fmt.Errorf("the new place: %w", err)
	}
	c := p.copying()
	if p.sameStore {
		c.To = c.From
	}
	to := migrate.Target{Tiers: tiersOf(m.To), Cost: 3}
	if m.To.Engine == "clickhouse" {
		to.Cost = 10
	}
	return c.Estimate(ctx, to, begun)
}

// places are the two ends of a migration.
type places struct {
	*Migration
	now                   time.Time
	sameStore, sameEngine bool
	source                end
	target                end
	running               bool // a server runs on the old place
	live                  bool // and is read while it records
	move                  *store.Move
	closing               []func() error // the last first
}

func (m *Migration) places() (*places, error) {
	p := &places{Migration: m, now: time.Now()}
	if m.Now != nil {
		p.now = m.Now()
	}
	p.sameStore = storeName(m.From) == storeName(m.To)
	p.sameEngine = engineName(m.From) == engineName(m.To)
	switch {
	case p.sameStore && p.sameEngine:
		return nil, tidemark.Errorf(tidemark.Invalid, "--from and --to name the same place")
	case p.sameEngine && m.To.Engine == "clickhouse":
		return nil, tidemark.Errorf(tidemark.Unsupported, "the measurements stay in the same ClickHouse: PostgreSQL belongs to it, and is moved with pg_dump and pg_restore while no server runs")
	}
	return p, nil
}

func (p *places) close() {
	for _, c := range slices.Backward(p.closing) {
		_ = c() // all that was to be kept is
	}
}

func (p *places) later(c func() error) { p.closing = append(p.closing, c) }

// storeName names a control store, without its password.
func storeName(cfg *config.Config) string {
	if cfg.Database == "" {
		return "sqlite:" + filepath.Join(absolute(cfg.Data), databaseFile)
	}
	u, err := url.Parse(cfg.Database)
	if err != nil {
		return "postgres"
	}
	u.User = nil
	return u.String()
}

// engineName names where measurements are.
func engineName(cfg *config.Config) string {
	if cfg.Engine == "clickhouse" {
		return "clickhouse:" + strings.Join(cfg.ClickHouse.URLs, ",") + "/" + cfg.ClickHouse.Database
	}
	return store.EmbeddedEngine + ":" + absolute(cfg.Data)
}

func absolute(dir string) string {
	if full, err := filepath.Abs(dir); err == nil {
		return full
	}
	return dir
}

// pass copies, compares and completes.
func (p *places) pass(ctx context.Context) (*Migrated, error) {
	c := p.copying()
	out, err := c.Pass(ctx, p.move)
	if err != nil {
		return nil, err
	}
	done := &Migrated{Running: p.running}
	if !p.live {
		if err := c.Compare(ctx, p.move, out); err != nil {
			return nil, fmt.Errorf("compare: %w", err)
		}
	}
	done.Outcome = *out
	if done.Keys, err = p.keys(ctx); err != nil {
		return nil, err
	}
	if out.Differing > 0 {
		return done, ErrDiffers
	}
	if p.running {
		return done, nil
	}
	done.Complete = true
	return done, c.Finish(ctx, p.move)
}

func (p *places) copying() *migrate.Copy {
	c := &migrate.Copy{From: p.source.store, To: p.target.store, Now: p.now.Unix(), Progress: p.Progress}
	if !p.sameEngine {
		c.Source = p.source.engine
		if p.target.engine != nil {
			c.Target = p.target.engine
		}
	}
	return c
}

// keys says what is to be done so that servers of the new place read the
// secrets, which were copied as they are: encrypted.
func (p *places) keys(ctx context.Context) (string, error) {
	current, err := p.source.store.SealingKey(ctx)
	if err != nil || current == "" || p.From.KeyFile() == p.To.KeyFile() {
		return "", err
	}
	keys, err := seal.OpenFile(p.To.KeyFile())
	if err == nil && keys.Has(current) {
		return "", nil
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return "", tidemark.Errorf(tidemark.Invalid, "%v", err)
	}
	return fmt.Sprintf("Secrets stay encrypted with the same key: copy %s to %s, or name it there with secrets.key_file.", p.From.KeyFile(), p.To.KeyFile()), nil
}
