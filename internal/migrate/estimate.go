package migrate

import (
	"context"
	"math"
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
	// Seconds is about how long it takes to copy and compare all, PerSecond how
	// many records a second that is: as fast as this very migration copied so
	// far, if it is Begun, or else estimated from how long they took to read.
	Seconds   float64 `json:"seconds"`
	PerSecond float64 `json:"records_per_second"`
	Begun     bool    `json:"begun"`
}

// Target is what is known of a new place before it is made.
type Target struct {
	Tiers []tsdb.Tier
	// Cost is how many times as long as reading the old place it takes to
	// copy it and compare the two.
	Cost float64
}

// Estimate reads all there is, and writes nothing. m is the migration if it has
// begun, or nil.
func (c *Copy) Estimate(ctx context.Context, to Target, m *store.Move) (*Estimate, error) {
	e := &Estimate{}
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
	began := time.Now()
	if err := c.count(ctx, plan(c.Source.Tiers(), to.Tiers, c.Now, c.Now), e); err != nil {
		return nil, err
	}
	e.Seconds = math.Ceil(time.Since(began).Seconds() * to.Cost)
	if m != nil && m.Records > 0 && m.Seconds > 0 {
		e.Begun, e.Seconds = true, math.Ceil(float64(e.Records)*m.Seconds/float64(m.Records))
	}
	e.PerSecond = float64(e.Records) / e.Seconds
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
