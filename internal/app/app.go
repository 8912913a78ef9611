// Package app puts the rooms together: it opens, wires, starts and stops
// everything. Only it knows them all.
package app

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/api"
	"github.com/tidemark-metrics/tidemark/internal/api/rest"
	"github.com/tidemark-metrics/tidemark/internal/api/shared"
	"github.com/tidemark-metrics/tidemark/internal/auth"
	"github.com/tidemark-metrics/tidemark/internal/config"
	"github.com/tidemark-metrics/tidemark/internal/demo"
	"github.com/tidemark-metrics/tidemark/internal/ingest"
	"github.com/tidemark-metrics/tidemark/internal/notify"
	"github.com/tidemark-metrics/tidemark/internal/outbound"
	"github.com/tidemark-metrics/tidemark/internal/ports"
	"github.com/tidemark-metrics/tidemark/internal/query"
	"github.com/tidemark-metrics/tidemark/internal/spelling"
	"github.com/tidemark-metrics/tidemark/internal/store"
	"github.com/tidemark-metrics/tidemark/internal/tsdb"
	"github.com/tidemark-metrics/tidemark/internal/turns"
	"github.com/tidemark-metrics/tidemark/internal/usage"
)

// Started is what a server reports to its operator, once it answers.
type Started struct {
	URL string
	// Secret is the first Full Access token, on the first start only and
	// unless the operator chose its value.
	Secret tidemark.Secret
	// Setup is the one-time link that makes the owner, while there is nobody
	// who could sign in.
	Setup string
	// ReloadCertificate reads the TLS certificate's files again; nil where
	// there is none.
	ReloadCertificate func() error
	// ReopenAudit reopens the file of the audit log; nil where there is
	// none.
	ReopenAudit func() error
}

// rooms are everything that is open while the server runs.
type rooms struct {
	node      string // tells this server from others on the same database
	leave     func() // says that it is gone
	store     *store.Store
	engine    engine
	auth      *auth.Authenticator
	recorder  *ingest.Recorder
	spellings *spelling.Book
	querier   *query.Querier
	usage     *usage.Tracker
	limits    *tidemark.Limits
	space     *spaceGuard
	api       *api.Server
	base      *shared.Base
	ports     *ports.Set
	watch     watch
	out       *outbound.Client // for what users choose
	own       *outbound.Client // for what the operator named
	audit     audit
	mail      chan notify.Letter // nil where the server has no mail
	demos     *demo.Manager      // nil where the server is itself a demo
	meters    *meters
	site      *rest.Site
	turns     *turns.Turns

	recordedTotal atomic.Int64  // measurements
	rate          atomic.Uint64 // of them a second, the bits of a float64
	pulse         pulse
	following     chan struct{} // gets one from each loop that drops what is known, once it has begun to
	zone          string        // where this server is
	draining      atomic.Bool   // it was told to stop
	drained       chan struct{} // closed when no request is under way any more
	data          string        // the data directory
	backups       sync.Mutex    // held while one is made
	started       time.Time
}

// Run opens the stores, starts everything that runs, calls ready, and returns
// when ctx is done or something fails. What is opened first is closed last.
// The doors are opened before anything is made: a first start that fails
// because the port is taken must not leave a token that nobody was shown.
func Run(ctx context.Context, cfg *config.Config, log *slog.Logger, ready func(Started)) error {
	m := &meters{}
	log = m.logging(log)
	unlock, err := Lock(cfg.Data)
	if err != nil {
		return err
	}
	defer unlock()
	d, err := openDoors(cfg, log)
	if err != nil {
		return err
	}
	defer d.close()
	rm, err := open(ctx, cfg, log, m)
	if err != nil {
		return err
	}
	defer rm.close(log)
	started, err := rm.firstStart(ctx, cfg, d)
	if err != nil {
		return err
	}
	return rm.run(ctx, cfg, log, d, func() { ready(started) })
}

// firstStart makes what a new server lacks. The first token comes last: it is
// shown once, so nothing may fail between its making and that.
func (rm *rooms) firstStart(ctx context.Context, cfg *config.Config, d *doors) (Started, error) {
	s := Started{URL: address(cfg, d.outer)}
	if d.cert != nil {
		s.ReloadCertificate = d.cert.Reload
	}
	if rm.audit.file != nil {
		s.ReopenAudit = rm.audit.file.Reopen
	}
	key, err := rm.setupKey(ctx, cfg)
	if err != nil {
		return s, err
	}
	if key != "" {
		s.Setup = s.URL + "/setup/" + key.Reveal()
	}
	secret, err := Bootstrap(ctx, rm.store, cfg.Bootstrap)
	if cfg.Bootstrap == "" { // the operator chose it
		s.Secret = secret
	}
	return s, err
}

// setupKey is the key of the link that makes the owner, or "" if there is one.
// Servers on one database offer the same: whichever is started last, the links
// that the others printed work.
func (rm *rooms) setupKey(ctx context.Context, cfg *config.Config) (tidemark.Secret, error) {
	if cfg.Database == "" {
		return rm.auth.NewSetupKey(ctx)
	}
	key, err := rm.store.DerivedSecret(ctx, "set-up link")
	if err != nil {
		return "", err
	}
	if key == "" { // the key file is not there, which is said elsewhere
		return rm.auth.NewSetupKey(ctx)
	}
	return rm.auth.OfferSetupKey(ctx, key)
}

// open opens everything that a server works with.
func open(ctx context.Context, cfg *config.Config, log *slog.Logger, m *meters) (*rooms, error) {
	space := newSpaceGuard(cfg.Data, cfg.Storage.FreeFloor, log, &m.refusals)
	space.prepare()
	rm, err := openAll(ctx, cfg, log, m, space)
	return rm, space.explain(err)
}

func openAll(ctx context.Context, cfg *config.Config, log *slog.Logger, m *meters, space *spaceGuard) (*rooms, error) {
	st, err := store.OpenReporting(ctx, cfg.DatabaseURL(), sayMigration(ctx, cfg, log))
	if err != nil {
		return nil, err
	}
	if err := st.CheckMoved(ctx, cfg.Engine); err != nil {
		st.Close()
		return nil, err
	}
	if err := openKeys(ctx, cfg, st); err != nil {
		st.Close()
		return nil, err
	}
	node := nodeID(cfg)
	leave, err := join(ctx, cfg, st, node)
	if err != nil {
		st.Close()
		return nil, err
	}
	order := &turns.Turns{}
	engine, err := openEngine(ctx, cfg, log, st, node, m, order)
	if err != nil {
		leave()
		st.Close()
		return nil, fmt.Errorf("open the measurements: %w", err)
	}
	limits := tidemark.NewLimits(cfg.Limits)
	st.SetLimits(limits)
	rm := &rooms{store: st, engine: engine, limits: limits, space: space, node: node, leave: leave, auth: auth.New(st, nil), out: wayOut(cfg), own: ownWayOut(cfg),
		turns: order, meters: m, data: cfg.Data, zone: cfg.Zone, drained: make(chan struct{}), following: make(chan struct{}, followers), started: time.Now()}
	rm.auth.Turns = order
	if err := rm.openAudit(cfg, log); err != nil {
		rm.close(log)
		return nil, err
	}
	if !cfg.Passwords {
		rm.auth.DisablePasswords()
	}
	rm.usage = usage.New(usage.Options{Store: st, Engine: engine, Limits: limits, OnError: func(ctx context.Context, err error) {
		log.LogAttrs(ctx, slog.LevelWarn, "usage not saved", slog.Any("err", err))
	}})
	rm.spellings = spelling.New(st, func(org tidemark.OrgID) {
		log.LogAttrs(ctx, slog.LevelWarn, "no more spellings of tags are kept: further ones are shown in lower case",
			slog.Int64("org", int64(org)), slog.Int("most", tidemark.MaxSpellings))
	})
	rm.recorder = ingest.New(ingest.Options{
		Engine: engine, Metrics: st, Spellings: rm.spellings,
		Limits: limits, Refusing: rm.space.Refusing,
		OnWrite: rm.usage.Wrote, OnRecords: rm.recorded,
	})
	rm.querier = query.New(query.Options{
		Engine: engine, Catalog: rm.recorder, Spellings: rm.spellings, Organizations: limits,
		Limits: query.Limits{Together: int(limits.Server(tidemark.LimitQueryMemory))},
	})
	if err := rm.openWatch(ctx, cfg, log); err != nil {
		rm.close(log)
		return nil, err
	}
	rm.site = &rest.Site{Logger: log, PublicURL: cfg.PublicURL, TrustedProxies: cfg.TrustedProxies, Turns: order}
	o := shared.Options{
		Store: st, Limits: limits, Refusing: rm.space.Refusing, Auth: rm.auth, Recorder: rm.recorder, Querier: rm.querier, Engine: engine, Spellings: rm.spellings, Usage: rm.usage,
		OIDC: signInElsewhere(cfg, rm.own), Guard: rm.out, Probe: rm.probe, SendMail: rm.openMail(cfg), Alerting: rm.watch.alerting(cfg),
		Site: rm.site, Version: Version(), Stopping: ctx.Done(), AuditKeep: cfg.Audit.Keep, Closed: cfg.Protocols.Closed(), SubqueryStep: cfg.Protocols.SubqueryStep, LeftOut: rm.meters.leaveOut,
		Settle: settling(engine), Machines: func(ctx context.Context) (*tidemark.Machines, error) { return rm.machines(ctx, cfg) },
		Backup: func(ctx context.Context, by tidemark.Actor, where string, progress func(string, int64, int64)) error {
			return rm.backUpNow(ctx, cfg, by, where, progress)
		},
		Snapshot: rm.snapshot,
	}
	if !cfg.Demo {
		rm.demos = rm.newDemos(log)
		o.Demo = rm.demos
	} else {
		o.Welcome = rm.welcome(log)
	}
	rm.api = api.New(o)
	rm.base = shared.New(o)
	return rm, nil
}

// recorded gets the measurements themselves.
func (rm *rooms) recorded(org tidemark.OrgID, b *tsdb.Batch) {
	rm.recordedTotal.Add(int64(b.Len()))
	rm.tellAlerts(org, b)
}

// tellAlerts gives measurements to the alerts.
func (rm *rooms) tellAlerts(org tidemark.OrgID, b *tsdb.Batch) {
	if _, shared := rm.engine.(arriving); !shared { // else the evaluating server fetches them
		rm.watch.evaluator.Load().Wrote(org, b)
	}
}

// signInElsewhere is the issuer that vouches for people, if there is one.
func signInElsewhere(cfg *config.Config, own *outbound.Client) *auth.OIDC {
	o := cfg.OIDC
	if o.Issuer == "" {
		return nil
	}
	return &auth.OIDC{
		Issuer: o.Issuer, ClientID: o.ClientID, ClientSecret: o.ClientSecret, Title: o.Title, GroupsClaim: o.GroupsClaim,
		AdminGroups: o.AdminGroups, MemberGroups: o.MemberGroups, ViewerGroups: o.ViewerGroups,
		AllowedDomains: o.AllowedDomains, Session: o.Session, TrustEmail: o.TrustEmail, Client: own.HTTP(), Reach: own.AllowURL,
	}
}

// resting is how long the engine may take at the end to make the next start
// quick. What it does not finish is in its log.
const resting = 10 * time.Second

func (rm *rooms) close(log *slog.Logger) {
	rm.leave()
	if e, ok := rm.engine.(interface{ Rest(context.Context) error }); ok {
		ctx, cancel := context.WithTimeout(context.Background(), resting)
		if err := e.Rest(ctx); err != nil {
			log.Warn("measurements stay in the log", slog.Any("err", err))
		}
		cancel()
	}
	if err := errors.Join(rm.engine.Close(), rm.store.Close(), rm.audit.close()); err != nil {
		log.Error("close", slog.Any("err", err))
	}
}

// run starts what runs and waits for its end.
func (rm *rooms) run(ctx context.Context, cfg *config.Config, log *slog.Logger, d *doors, ready func()) error {
	g, ctx := errgroup.WithContext(ctx)
	s := &starter{group: g, ctx: ctx}
	rm.openPorts(cfg, log, d)
	outer := rm.handler(cfg)
	if cfg.LogRequests {
		outer = logRequests(outer, log, rm.site.Address)
	}
	s.start("metrics", rm.followMetrics)
	s.start("spellings", rm.followSpellings)
	rm.warm(ctx, log)
	s.start("listen", func(ctx context.Context) error {
		defer close(rm.drained)
		return serve(ctx, d.outer, outer, d.cert, log)
	})
	s.start("operator", func(ctx context.Context) error { return serve(ctx, d.admin, rm.operator(), nil, log) })
	rm.startPorts(s, log, d)
	s.start("credentials", rm.auth.Run)
	s.start("usage", rm.usage.Run)
	s.start("storage", rm.engine.Run)
	s.start("node", func(ctx context.Context) error { return rm.beat(ctx, cfg, log) })
	s.start("limits", func(ctx context.Context) error { return rm.followLimits(ctx, log) })
	s.start("free space", rm.space.Run)
	s.start("turns", rm.turns.Watch)
	s.start("seal secrets", func(ctx context.Context) error { return rm.sealSecrets(ctx, log) })
	s.start("prune", func(ctx context.Context) error { return rm.prune(ctx, cfg, log) })
	s.start("own metrics", func(ctx context.Context) error { return rm.recordOwn(ctx, cfg, log) })
	s.start("heartbeat", func(ctx context.Context) error { return rm.heartbeat(ctx, cfg, log) })
	s.start("audit webhook", rm.audit.run)
	s.start("checks", func(ctx context.Context) error { return rm.runChecks(ctx, log) })
	s.start("reports", func(ctx context.Context) error { return rm.runReports(ctx, log) })
	if cfg.Backup.Every > 0 {
		s.start("backup", func(ctx context.Context) error { return rm.backUp(ctx, cfg, log) })
	}
	if rm.mail != nil {
		s.start("mail", func(ctx context.Context) error { return rm.post(ctx, cfg, log) })
	}
	rm.startAlerting(s, cfg, log)
	ready()
	return g.Wait()
}

// startAlerting starts what evaluates alerts and notifies, and demos.
func (rm *rooms) startAlerting(s *starter, cfg *config.Config, log *slog.Logger) {
	evaluate := func() {
		s.start("evaluate alerts", func(ctx context.Context) error { return rm.runEvaluator(ctx, log) })
		s.start("notify", rm.watch.dispatcher.Run)
	}
	if cfg.Demo {
		// A demo makes up the past of its alerts before anybody evaluates them.
		s.start("demo", func(ctx context.Context) error { return rm.demo(ctx, log, evaluate) })
		return
	}
	evaluate()
	s.start("demos of tenants", rm.demos.Run)
}

// followMetrics makes changes of metrics by other processes known to the
// recorder, which remembers them.
func (rm *rooms) followMetrics(ctx context.Context) error {
	if err := rm.store.ListenMetrics(ctx, rm.follows(rm.recorder.Invalidate)); ctx.Err() == nil {
		return err
	}
	return nil
}

// followSpellings makes how other servers saw tags first written known here.
func (rm *rooms) followSpellings(ctx context.Context) error {
	if err := rm.store.ListenSpellings(ctx, rm.follows(rm.spellings.Invalidate)); ctx.Err() == nil {
		return err
	}
	return nil
}
