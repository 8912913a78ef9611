// Package embedded is the time-series engine of one machine: it keeps
// everything in one directory, and nothing that it has acknowledged is lost by
// a crash or a power failure.
//
// Records go through a write-ahead log into memory, and from there, a
// generation at a time, as compressed chunks into Pebble, which keeps the
// bytes. docs/storage.md has the layout and the reasons. Three packages below
// this one know nothing of the engine: chunk encodes records, catalog knows
// metrics and streams, tables keeps keys and values in Pebble. Here are
//
//	embedded engine open state stats       settings, opening and closing
//	write* head generation log_*           a batch on its way through the log into memory
//	query* read*                           a query: plan, reading, output
//	upkeep                                 what is done in the background, and when
//	seal* bucket merge*                    memory to tables, and small chunks to large ones
//	tiers* overdue* expire                 summaries of minutes and hours, late data, retention
//	metric_changes purge                   modes and deletion of metrics
//	damage check salvage backup            what is broken, and what is copied
//	keys values                            what is in the tables
//	sketches                               distributions: the format of data that has them, in memory
//
// Read write.go, seal.go, read.go, tiers.go and merge.go first.
package embedded

import (
	"runtime"
	"time"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/tsdb/embedded/tables"
)

// Options are the settings of an engine. Only Dir is needed.
type Options struct {
	Dir string
	FS  tables.FS // every file is reached through it; disk

	Shards      int   // parts of memory that writers fill side by side; 2 a core, at most 16
	MemoryBytes int64 // bound of records that are in memory only until sealed; 512 MiB
	CacheBytes  int64 // of blocks read from disk; 128 MiB

	RawRetention    time.Duration // of records as written; 8 days
	MinuteRetention time.Duration // of summaries of 60 s; 62 days
	HourRetention   time.Duration // of summaries of 3600 s; 5 years
	MinuteLag       time.Duration // age at which summaries of 60 s are made; 3 days, less than RawRetention

	GenerationRecords int           // records that are sealed together; 4 Mi, or more where there are very many streams
	GenerationAge     time.Duration // longest time that records stay unsealed; 1 hour

	WriteWait time.Duration // how long a write waits for memory before it is refused; 5 s

	MaxStreams       int // that may be known at once; 0 means no limit
	MaxStreamsPerOrg int // of one organization; 0 means no limit

	Now func() time.Time // time.Now
	// Elapsed runs evenly, whatever Now says: with it a clock that jumps ahead
	// makes no data old before it has said so for an hour. It may be nil.
	Elapsed func() time.Duration
	// Processors is how many of them one query may use; all if nil.
	Processors func() int
	Hooks      Hooks
}

// Hooks are called as things happen, from the goroutine that does them and
// sometimes under a lock: they must be quick and must not call the engine.
// Those left nil are not called.
type Hooks struct {
	Sealed          func(SealInfo)
	Merged          func(MergeInfo)
	TierBuilt       func(TierInfo)
	Repaired        func(blocks int)                      // tier blocks recomputed after late writes
	Expired         func(window int64, before time.Time)  // data of a tier was dropped
	Damaged         func(what string, err error)          // data that cannot be read was set aside
	WALTruncated    func(segment string, at, bytes int64) // the log had a torn or damaged end
	WriteRefused    func(reason string)                   // writes are refused from now on
	WriteResumed    func()                                // and accepted again
	BackgroundError func(doing string, err error)         // it will be tried again
}

// SealInfo says what one seal did.
type SealInfo struct {
	Generation uint64
	Records    int64
	Chunks     int64
	Bytes      int64 // of chunks
	Took       time.Duration
	Owners     Owners
}

// Owners says how many of the records that a piece of work was about are whose.
type Owners map[tidemark.OrgID]int64

// MergeInfo says what one merge did.
type MergeInfo struct {
	Day           time.Time // the day of the data
	Full          bool      // all of the day, rather than what was sealed last
	ChunksIn, Out int64
	Took          time.Duration
	Owners        Owners
}

// TierInfo says how far a tier reaches now.
type TierInfo struct {
	Window int64
	To     time.Time
	Blocks int64
	Took   time.Duration
}

// Finding is one thing that Check or Repair has to say about a data directory.
type Finding struct {
	Kind     string // "log", "table", "chunk", "catalogue"
	What     string // where, in words
	Detail   string
	Lost     int64 // records that cannot be read, as far as that is known
	Repaired bool
}

const day = 24 * time.Hour

func (o *Options) setDefaults(cpus int) {
	def(&o.FS, tables.Disk)
	def(&o.Shards, min(16, 2*cpus))
	def(&o.MemoryBytes, 512<<20)
	def(&o.CacheBytes, 128<<20)
	def(&o.RawRetention, 8*day)
	def(&o.MinuteRetention, 62*day)
	def(&o.HourRetention, 5*365*day)
	def(&o.MinuteLag, min(3*day, o.RawRetention/2))
	def(&o.GenerationAge, time.Hour)
	def(&o.WriteWait, 5*time.Second)
	if o.Processors == nil {
		o.Processors = func() int { return runtime.GOMAXPROCS(0) }
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	o.Hooks.setDefaults()
}

// storeOptions returns those of the tables. corrupt is called on damage.
func (o *Options) storeOptions(corrupt func(error)) tables.Options {
	return tables.Options{FS: o.FS, Dir: o.Dir, CacheBytes: o.CacheBytes, Failed: o.Hooks.BackgroundError, Corrupt: corrupt}
}

// def sets what was left at its zero value.
func def[T comparable](field *T, value T) {
	var zero T
	if *field == zero {
		*field = value
	}
}

func (h *Hooks) setDefaults() {
	if h.Sealed == nil {
		h.Sealed = func(SealInfo) {}
	}
	if h.Merged == nil {
		h.Merged = func(MergeInfo) {}
	}
	if h.TierBuilt == nil {
		h.TierBuilt = func(TierInfo) {}
	}
	if h.Repaired == nil {
		h.Repaired = func(int) {}
	}
	if h.Expired == nil {
		h.Expired = func(int64, time.Time) {}
	}
	if h.Damaged == nil {
		h.Damaged = func(string, error) {}
	}
	if h.WALTruncated == nil {
		h.WALTruncated = func(string, int64, int64) {}
	}
	if h.WriteRefused == nil {
		h.WriteRefused = func(string) {}
	}
	if h.WriteResumed == nil {
		h.WriteResumed = func() {}
	}
	if h.BackgroundError == nil {
		h.BackgroundError = func(string, error) {}
	}
}
