package embedded

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/bits"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/clock"
	"github.com/tidemark-metrics/tidemark/internal/tsdb"
	"github.com/tidemark-metrics/tidemark/internal/tsdb/embedded/catalog"
	"github.com/tidemark-metrics/tidemark/internal/tsdb/embedded/tables"
	"github.com/tidemark-metrics/tidemark/internal/wal"
)

// Engine is a tsdb.Engine in a directory.
//
// Each part has its own locks beside what they guard. They are taken in this
// order: changes.one, upkeep.mu, changes.applying, the log's, a queue's, a
// shard's, the catalogue's, then any other; none of the last is held while
// another is taken.
type Engine struct {
	o       Options
	clock   *clock.Steady
	life    lifetime
	lock    io.Closer // of the directory
	log     *wal.Log
	tables  *tables.Store
	catalog *catalog.Catalog

	state    stateBox  // what a reader sees as one
	head     head      // what is not sealed
	tiers    tierState // which blocks of the tiers must be computed again
	changes  changes   // modes and deletions of metrics that are not saved
	upkeep   upkeep    // what rewrites tables
	stats    stats
	damage   damage // chunks that cannot be read
	pools    pools
	backup   sync.Mutex  // one checkpoint at a time
	sketched atomic.Bool // the data is marked as having sketches
}

// upkeep is the state of everything that rewrites tables: one at a time.
type upkeep struct {
	running atomic.Int32 // how many Run do it
	lull    lull         // when writing comes to rest

	mu         sync.Mutex
	buckets    map[uint32]*bucketState
	mergeHolds map[uint32]mergeHold // buckets whose last merge failed
	expired    [hours + 1]uint32    // how far each tier was dropped since the start
}

// pools keep memory for the next call.
type pools struct {
	commits sync.Pool // of *commit
	batches sync.Pool // of *batch
	workers sync.Pool // of *worker
}

func (p *pools) init() {
	p.commits.New = func() any { return new(commit) }
	p.batches.New = func() any { return new(batch) }
	p.workers.New = func() any { return new(worker) }
}

var _ tsdb.Engine = (*Engine)(nil)

const lockFile = "LOCK"

// Open opens the engine in o.Dir, which is made if it is not there. A second
// engine on the same directory is refused, whichever process has the first.
func Open(ctx context.Context, o Options) (*Engine, error) {
	o.setDefaults(runtime.GOMAXPROCS(0))
	if o.RawRetention < 0 || o.MinuteRetention < o.RawRetention || o.HourRetention < o.MinuteRetention || o.MinuteLag >= o.RawRetention {
		return nil, tidemark.Errorf(tidemark.Invalid, "retention of coarser data must not be shorter, and summaries of 60 s must be made before records expire")
	}
	lock, err := lockDir(&o)
	if err != nil {
		return nil, err
	}
	e, err := open(ctx, o)
	if err != nil {
		return nil, errors.Join(err, lock.Close())
	}
	e.lock = lock
	return e, nil
}

func lockDir(o *Options) (io.Closer, error) {
	if err := tables.MakeDir(o.FS, o.Dir); err != nil {
		return nil, fmt.Errorf("make data directory: %w", err)
	}
	lock, err := o.FS.Lock(o.FS.PathJoin(o.Dir, lockFile))
	if err != nil {
		return nil, &tidemark.Error{Kind: tidemark.Unavailable, Msg: "the data directory is in use by another process", Err: err}
	}
	return lock, nil
}

func open(ctx context.Context, o Options) (*Engine, error) {
	shards := 1 << bits.Len(uint(o.Shards-1)) // the next power of two
	o.Shards = shards
	e := &Engine{o: o, catalog: catalog.New(), clock: clock.Over(o.Now, o.Elapsed)}
	e.head.init(shards, e.catalog, &e.tiers, &e.sketched)
	e.changes.modeChanged = make(map[uint32]struct{})
	e.upkeep.buckets, e.upkeep.mergeHolds = make(map[uint32]*bucketState), make(map[uint32]mergeHold)
	e.stats.samples = make(map[tidemark.OrgID]int64)
	e.pools.init()
	e.life.ending = make(chan struct{})
	e.tiers.init()
	e.state.Store(&state{levels: make(map[uint32]levels), changed: make(chan struct{})})
	half, err := salvageHalfDone(o.FS, o.Dir)
	if half {
		err = finishSalvage(o.FS, o.Dir)
	}
	if err != nil {
		return nil, fmt.Errorf("finish the repair: %w", err)
	}
	if e.tables, err = tables.Open(o.storeOptions(e.corrupt)); err != nil {
		return nil, err
	}
	sealed, err := e.load(ctx)
	if err == nil {
		// Tiers of hours are built while the engine runs, whether there is data or not.
		e.clock.Start(time.Unix(int64(e.state.Load().done[hours]), 0))
		err = e.openLog(ctx, sealed)
	}
	if err != nil {
		return nil, errors.Join(err, e.tables.Close())
	}
	return e, nil
}

// now is the time in seconds. It decides what is old and what is complete, so
// a jump of the machine's clock must not show in it.
func (e *Engine) now() int64 { return e.clock.Now().Unix() }

// retention returns how long a tier is kept, in seconds.
func (e *Engine) retention(tier int) int64 {
	return int64([...]time.Duration{e.o.RawRetention, e.o.MinuteRetention, e.o.HourRetention}[tier] / time.Second)
}

// Tiers returns the resolutions that are kept, finest first.
func (e *Engine) Tiers() []tsdb.Tier {
	var tiers []tsdb.Tier
	for tier := raw; tier <= hours; tier++ {
		tiers = append(tiers, tsdb.Tier{Window: int64(window[tier]), Retention: e.retention(tier)})
	}
	return tiers
}

// Close waits for the calls under way and closes the engine. What is in
// memory is in the log as well, and is read from there by the next Open.
func (e *Engine) Close() error {
	if !e.life.close() {
		return nil
	}
	e.upkeep.mu.Lock()
	defer e.upkeep.mu.Unlock()
	return errors.Join(e.log.Close(), e.tables.Close(), e.lock.Close())
}
