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
	"github.com/tidemark-metrics/tidemark/internal/tsdb"
	"github.com/tidemark-metrics/tidemark/internal/tsdb/embedded/catalog"
	"github.com/tidemark-metrics/tidemark/internal/tsdb/embedded/tables"
	"github.com/tidemark-metrics/tidemark/internal/wal"
)

// Engine is a tsdb.Engine in a directory.
//
// Locks are taken in this order: ddl, background, changing, the log's, a
// queue's, a shard's, the catalogue's, then any other; none of the last is
// held while another is taken.
type Engine struct {
	o     Options
	life  lifetime
	lock  io.Closer // of the directory
	store *tables.Store
	log   *wal.Log
	cat   *catalog.Catalog

	commits   sync.Pool // of *commit
	batches   sync.Pool // of *batch
	workers   sync.Pool // of *worker
	queues    []queue   // one for each shard
	shardBits uint

	state   atomic.Pointer[state]
	stateMu sync.Mutex // serializes changes

	// With the log locked.
	active      *generation
	logged      int  // definitions appended to the log
	loggedTaken int  // of those, in the group that is being written, or before
	loggedSafe  int  // of those, in groups before
	cutNow      bool // close the generation with the next group

	ddl         sync.Mutex // one SetMode or Delete at a time
	changing    sync.Mutex // held while such a change is in the log and not yet in memory
	changesMu   sync.Mutex
	modeChanged map[uint32]struct{} // metrics whose mode is not in Pebble yet
	toDrop      []uint32            // deleted metrics that Pebble does not know of
	toPurge     []uint32            // deleted metrics whose data is still there

	// background serializes everything that changes what is in Pebble.
	background sync.Mutex
	buckets    map[uint32]*bucketState
	mergeHolds map[uint32]mergeHold // buckets whose last merge failed
	tiers      tierState
	expired    [hours + 1]uint32 // how far each tier was dropped since the start
	frozen     atomic.Uint32     // raw records before it are overdue, whatever the clock says

	sealNow     chan struct{}
	running     atomic.Int32
	streamCount atomic.Int64

	statsMu   sync.Mutex
	samples   map[tidemark.OrgID]int64 // sealed
	sealed    uint64                   // the last generation that samples has
	lost      int64
	refusing  string
	sealError error

	checkpointMu sync.Mutex // one at a time

	damagedMu sync.Mutex
	damaged   map[string]error // keys of chunks that cannot be read
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
	e := &Engine{
		o: o, cat: catalog.New(), queues: make([]queue, shards), shardBits: uint(bits.Len(uint(shards - 1))),
		modeChanged: make(map[uint32]struct{}), buckets: make(map[uint32]*bucketState), mergeHolds: make(map[uint32]mergeHold), sealNow: make(chan struct{}, 1),
		samples: make(map[tidemark.OrgID]int64),
	}
	e.commits.New = func() any { return new(commit) }
	e.batches.New = func() any { return new(batch) }
	e.workers.New = func() any { return new(worker) }
	e.life.ending = make(chan struct{})
	e.tiers.init()
	e.state.Store(&state{levels: make(map[uint32]levels), changed: make(chan struct{})})
	var err error
	if e.store, err = tables.Open(o.storeOptions(e.corrupt)); err != nil {
		return nil, err
	}
	sealed, err := e.load(ctx)
	if err == nil {
		err = e.openLog(ctx, sealed)
	}
	if err != nil {
		return nil, errors.Join(err, e.store.Close())
	}
	return e, nil
}

// now is the time in seconds.
func (e *Engine) now() int64 { return e.o.Now().Unix() }

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
	e.background.Lock()
	defer e.background.Unlock()
	return errors.Join(e.log.Close(), e.store.Close(), e.lock.Close())
}
