package migrate

import (
	"context"
	"time"

	"github.com/tidemark-metrics/tidemark/internal/store"
	"github.com/tidemark-metrics/tidemark/internal/tsdb"
)

// Estimate is what a migration would copy.
type Estimate struct {
	Tables  []store.CopiedTable `json:"tables"`
	Rows    int64               `json:"rows"`
	Metrics int                 `json:"metrics"`
	Streams int64               `json:"streams"`
	Records int64               `json:"records"` // summaries of older times included
	Oldest  int64               `json:"oldest"`  // time of the earliest; 0 if there are none
	// PerSecond is how many records a second the copying is taken to write,
	// and Measured whether this very migration was as fast so far.
	PerSecond float64 `json:"records_per_second"`
	Measured  bool    `json:"measured"`
	Seconds   float64 `json:"seconds"`
}

// usualRate is how many records a second were copied, read back and compared
// on two processors.
const usualRate = 150_000

// Estimate reads all there is, and writes nothing. to are the resolutions of
// the new place; m is the migration if it has begun, or nil.
func (c *Copy) Estimate(ctx context.Context, to []tsdb.Tier, m *store.Move) (*Estimate, error) {
	e := &Estimate{PerSecond: usualRate}
	var err error
	if c.From != c.To {
		if e.Tables, err = c.From.CountRows(ctx); err != nil {
			return nil, err
		}
	}
	for _, t := range e.Tables {
		e.Rows += t.Rows
	}
	if c.Source == nil {
		return e, nil
	}
	if err := c.count(ctx, plan(c.Source.Tiers(), to, c.Now, c.Now), e); err != nil {
		return nil, err
	}
	if m != nil && m.Records > 0 && m.Seconds > 0 {
		e.PerSecond, e.Measured = float64(m.Records)/m.Seconds, true
	}
	e.Seconds = (time.Duration(float64(e.Records)/e.PerSecond*float64(time.Second)) + time.Second).Round(time.Second).Seconds()
	return e, nil
}

// count counts the records in windows.
func (c *Copy) count(ctx context.Context, windows []window, e *Estimate) error {
	orgs, err := c.From.Orgs(ctx)
	if err != nil {
		return err
	}
	for n, org := range orgs {
		r, err := newReader(ctx, c.Source, c.From, org.ID)
		if err != nil {
			return err
		}
		e.Streams += r.streams
		metrics := make(map[string]bool)
		windows, err := withData(ctx, windows, r)
		if err != nil {
			return err
		}
		for i, w := range windows {
			found, err := r.digest(ctx, w)
			if err != nil {
				return err
			}
			for metric, d := range found {
				metrics[metric] = true
				e.Records += d.Records
				if e.Oldest == 0 || d.first < e.Oldest {
					e.Oldest = d.first
				}
			}
			c.Progress(Progress{Doing: "count", Org: org.Name, From: w.start, Done: n*len(windows) + i + 1, Total: len(orgs) * len(windows)})
		}
		e.Metrics += len(metrics)
	}
	return nil
}
