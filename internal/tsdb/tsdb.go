// Package tsdb defines what the product asks of a time-series engine. The
// engines themselves are in the packages below it; tsdbtest holds the tests
// that every one of them must pass.
//
// An engine keeps records: one value, one summary or one distribution (a
// summary with a sketch), of one stream, at one second. A stream is a metric with a set of tags. Names of metrics, and names
// and values of tags, reach an engine in lower case and are compared as bytes.
package tsdb

import (
	"context"
	"iter"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/sketch"
)

// Reader reads measurements. Implementations are safe for concurrent use.
// Errors with a meaning for the caller are *tidemark.Error: Unavailable where
// a later try may succeed (disk full, too busy, shutting down), Invalid where
// the question makes no sense, TooLarge where a limit is hit.
type Reader interface {
	// Select yields one series for each stream that q picks and that has data
	// in its window, or for each group of them, ordered by metric and tags.
	// No series is not an error, and a series without a point is not yielded.
	// An error ends the sequence; Query.Validate says which questions are
	// Invalid. What is yielded
	// is valid until the next step of the sequence only, so that no more than
	// a few series are in memory at once; Series.Clone keeps one.
	Select(ctx context.Context, org tidemark.OrgID, q *Query) iter.Seq2[*Series, error]

	// Streams yields the streams that metric (a name or a glob) and filter
	// pick, ordered by metric and tags. The same rule of validity applies.
	Streams(ctx context.Context, org tidemark.OrgID, metric string, filter Filter) iter.Seq2[*Stream, error]

	// TagNames returns the names of tags that the streams of metric have,
	// with the number of streams that have each, ordered by name.
	TagNames(ctx context.Context, org tidemark.OrgID, metric string) ([]TagCount, error)

	// TagValues returns the values that a tag has among the streams of
	// metric, with the number of streams that have each, ordered by value.
	TagValues(ctx context.Context, org tidemark.OrgID, metric, tag string) ([]TagCount, error)

	// Stats returns the state of the engine, as a whole and per organization.
	Stats(ctx context.Context) (Stats, error)

	// Tiers returns the resolutions that are kept, finest first.
	Tiers() []Tier
}

// Engine keeps measurements: a Reader that also writes. The recorder alone is
// given one; everything else reads.
type Engine interface {
	Reader

	// Write stores the records of b, whole or not at all. It returns after
	// they would survive a crash and a power failure, and after they can be
	// read. Of two records of one stream and second the later write remains,
	// so writing a batch twice is writing it once; in a metric that folds
	// (see SetMode) the two become one summary instead. The engine does not
	// keep b: the caller may reset and fill it again. A record that
	// Record.Validate refuses, a key that is none, or a sketch that
	// Batch.ValidateSketches refuses is Invalid. What replaces a record
	// replaces its sketch too, and one without leaves none; what is folded is
	// merged as Distribution.Merge does.
	Write(ctx context.Context, org tidemark.OrgID, b *Batch) error

	// Fits tells, for each record of b, which limit of b.Room stands against
	// its stream, if those before it are written: "" if none does, as for all
	// streams that are known. A Write of b fails with TooLarge, and writes
	// nothing, if it is not "" for all.
	Fits(org tidemark.OrgID, b *Batch) []tidemark.LimitName

	// TagsInUse tells, for each of tags, whether a stream of org has it; where
	// the value is "", whether one has a tag of that name. It asks what there is
	// of them, not all streams there are: recorders ask it of texts that are new.
	TagsInUse(ctx context.Context, org tidemark.OrgID, tags []tidemark.Tag) ([]bool, error)

	// SetMode says how records of metric that are written from now on are
	// kept. It is durable when it returns. A metric never heard of is fine.
	SetMode(ctx context.Context, org tidemark.OrgID, metric string, m Mode) error

	// Delete forgets metric and all its data, at once and durably. A metric
	// never heard of is fine. Records written later start afresh; the mode is
	// forgotten too.
	Delete(ctx context.Context, org tidemark.OrgID, metric string) error

	Close() error
}

// Mode is how an engine keeps the records of one metric. The zero Mode is
// that of a metric that was never set: later writes replace earlier ones.
type Mode struct {
	// Fold makes one summary of all records of a stream in one Period: the
	// time of a record is floored to a multiple of Period as it is written.
	Fold   bool
	Period int64 // seconds; with Fold only
}

// Tier is a resolution that is kept: summaries of Window seconds (1 is the
// records as they were written), for the last Retention seconds.
type Tier struct {
	Window    int64
	Retention int64
}

// Function is what a query makes of the records in one step of one stream.
type Function uint8

const (
	Mean       Function = iota // sum / count of everything in the step
	Sum                        // of the records' sums
	Count                      // of what the records summarize
	Min                        // the smallest
	Max                        // the largest
	Last                       // the latest record's last value
	StdDev                     // population standard deviation
	Derivative                 // difference of Last to that of the point before; drops stay negative; the first point of the window is left out
	All                        // everything: Series.Summaries instead of Values

	// Percentile is the value at Query.Quantile of everything in the step,
	// within the error of the sketch (1 %) and never outside of the least and
	// the largest value. A record without a sketch counts if it is a single
	// value; a summary of several has no distribution and is left out, except
	// that its least and largest count as such. A step without anything of
	// which the distribution is known has no point.
	//
	// Single values that an engine made a summary of, by folding or for a
	// coarser tier, keep their distribution if a record with a sketch is among
	// them; otherwise it is up to the engine how long they count.
	Percentile
	// Distributions is what percentiles are made of: Series.Summaries, of
	// everything, and Series.Sketches, of those values whose distribution is
	// known, instead of Values. It has the same points as Percentile.
	Distributions
)

// GroupFunction is what a query makes of the values that the streams of one
// group have at one time.
type GroupFunction uint8

const (
	GroupMean GroupFunction = iota // of the streams' values, each counting once
	GroupSum
	GroupMin
	GroupMax
	// GroupMerge merges what the streams have in a step before the Function is
	// applied, so that the result is of everything in the group: a mean in
	// which each value counts once, a percentile of all values. Last is of the
	// last of the streams in order. It works with every Function but
	// Derivative.
	GroupMerge
)

// Query asks for series. Times are seconds since the epoch, Start inclusive,
// End exclusive. Steps are multiples of Step since the epoch; a window that
// starts or ends within a step has only the records that lie in the window in
// it.
type Query struct {
	Metric     string // a name, or a glob with *
	Filter     Filter // the zero Filter picks every stream
	Start, End int64
	Step       int64 // 1 gives the records as they were written
	Function   Function
	Quantile   float64 // 0 to 1, for Percentile only

	// GroupBy makes one series of all streams of one metric that agree in these tags;
	// streams that lack one of them are left out. Group makes it happen: with
	// Group and no GroupBy, all streams become one series without tags.
	Group         bool
	GroupBy       []string
	GroupFunction GroupFunction
}

// Series is one stream, or one group of streams, of one metric. A step
// without data has no point.
type Series struct {
	Metric    string
	Tags      tidemark.Tags    // of a group: its tags only
	Times     []int64          // starts of steps, ascending
	Values    []float64        // one a time; nil for All and Distributions
	Summaries []Summary        // one a time, for All and Distributions only
	Sketches  []*sketch.Sketch // one a time, for Distributions only
}

// SketchAt returns what is known of how the values of point i are distributed,
// or nil.
func (s *Series) SketchAt(i int) *sketch.Sketch {
	if i >= len(s.Sketches) || s.Sketches[i] == nil || s.Sketches[i].Len() == 0 {
		return nil
	}
	return s.Sketches[i]
}

// Clone returns a copy of s that stays valid.
func (s *Series) Clone() *Series {
	c := &Series{
		Metric: s.Metric, Tags: append(tidemark.Tags{}, s.Tags...), Times: append([]int64{}, s.Times...),
		Values: append([]float64(nil), s.Values...), Summaries: append([]Summary(nil), s.Summaries...),
	}
	for _, k := range s.Sketches {
		c.Sketches = append(c.Sketches, k.Clone())
	}
	return c
}

// Stream is one stream, as lists of streams show it.
type Stream struct {
	Metric   string
	Tags     tidemark.Tags
	LastSeen int64 // time of the latest record; 0 if its data has expired
}

// TagCount is a name or value of a tag, and how many streams have it.
type TagCount struct {
	Name    string
	Streams int
}

// Stats is the state of an engine.
type Stats struct {
	Streams int64 // known now
	Samples int64 // records written since the engine was made
	Bytes   int64 // on disk
	Memory  int64 // bytes of records not yet sealed
	Lost    int64 // records or chunks found damaged, and set aside
	Orgs    map[tidemark.OrgID]OrgStats
	// Refusing is why writes are refused at present, or "".
	Refusing string
}

// OrgStats is an organization's part of it.
type OrgStats struct {
	Streams int64
	Samples int64
	Bytes   int64 // an estimate by the organization's share of samples
	// TagBytes is the memory for names of metrics and for tags.
	TagBytes int64
}
