package embedded

import (
	"context"
	"iter"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/tsdb"
)

// Engine is a tsdb.Engine in a directory.
type Engine struct {
	o Options
}

var _ tsdb.Engine = (*Engine)(nil)

var errSoon = tidemark.Errorf(tidemark.Unavailable, "storage is not there yet")

// Open opens the engine in o.Dir, which is made if it is not there. A second
// engine on the same directory is refused, whichever process has the first.
func Open(ctx context.Context, o Options) (*Engine, error) { return nil, errSoon }

// Run does the work in the background (sealing, merging, tiers, retention)
// until ctx is done. Without it the writer that fills a generation seals it,
// and nothing else happens by itself; see Maintain.
func (e *Engine) Run(ctx context.Context) error { return errSoon }

// Seal moves everything that is in memory into Pebble.
func (e *Engine) Seal(ctx context.Context) error { return errSoon }

// Maintain does all work that is due now: sealing by age, repairs, tiers,
// merges, purges, retention. Run calls it again and again.
func (e *Engine) Maintain(ctx context.Context) error { return errSoon }

// Checkpoint copies the engine, as it is now, to dir, which must be empty or
// not there. Writes and reads go on.
func (e *Engine) Checkpoint(ctx context.Context, dir string, progress func(done, total int64)) error {
	return errSoon
}

// Check looks at everything in o.Dir, which no engine may have open, and
// reports what is wrong with it.
func Check(ctx context.Context, o Options, report func(Finding)) error { return errSoon }

// Repair does what Check does, and sets aside what is damaged, so that the
// rest can be used.
func Repair(ctx context.Context, o Options, report func(Finding)) error { return errSoon }

// Restore copies a checkpoint from one directory to another, which must be
// empty or not there.
func Restore(ctx context.Context, from, to string, progress func(done, total int64)) error {
	return errSoon
}

func (e *Engine) Write(ctx context.Context, org tidemark.OrgID, b *tsdb.Batch) error { return errSoon }

func (e *Engine) Select(ctx context.Context, org tidemark.OrgID, q *tsdb.Query) iter.Seq2[*tsdb.Series, error] {
	return func(yield func(*tsdb.Series, error) bool) { yield(nil, errSoon) }
}

func (e *Engine) Streams(ctx context.Context, org tidemark.OrgID, metric string, filter tsdb.Filter) iter.Seq2[*tsdb.Stream, error] {
	return func(yield func(*tsdb.Stream, error) bool) { yield(nil, errSoon) }
}

func (e *Engine) TagNames(ctx context.Context, org tidemark.OrgID, metric string) ([]tsdb.TagCount, error) {
	return nil, errSoon
}

func (e *Engine) TagValues(ctx context.Context, org tidemark.OrgID, metric, tag string) ([]tsdb.TagCount, error) {
	return nil, errSoon
}

func (e *Engine) SetMode(ctx context.Context, org tidemark.OrgID, metric string, m tsdb.Mode) error {
	return errSoon
}

func (e *Engine) Delete(ctx context.Context, org tidemark.OrgID, metric string) error { return errSoon }

func (e *Engine) Stats(ctx context.Context) (tsdb.Stats, error) { return tsdb.Stats{}, errSoon }

func (e *Engine) Tiers() []tsdb.Tier { return nil }

func (e *Engine) Close() error { return nil }
