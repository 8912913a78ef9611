// Package migrate copies everything a server has, control store and
// measurements, to another place: from SQLite and the embedded engine to
// PostgreSQL and ClickHouse, or back.
//
// The measurements are copied a window of time after the other. What was
// copied of each metric and window is noted in the new control store with a
// digest: a second pass reads the source again, and writes what has changed
// since. Copying the same twice is copying it once, because metrics that fold are
// told to only when all is there; so a copy that is killed is begun again. What
// the new place has and the old one has not makes the metric be copied again.
package migrate

import (
	"context"
	"fmt"
	"time"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/store"
	"github.com/tidemark-metrics/tidemark/internal/tsdb"
)

// Copy is one pass of a migration. The stores may be one and the same: then
// only measurements move.
type Copy struct {
	From, To *store.Store
	// Source and Target are nil where measurements stay where they are.
	Source tsdb.Reader
	Target tsdb.Engine

	Now      int64
	Progress func(Progress)
	// Batch is how many records are written at once; 50,000 if it is 0.
	Batch int
}

// filler is an engine that takes summaries of hours as such.
type filler interface {
	BeginFill(ctx context.Context, rawFrom int64) error
	EndFill(ctx context.Context) error
	WriteHours(ctx context.Context, org tidemark.OrgID, b *tsdb.Batch) error
}

// Progress is how far a pass is.
type Progress struct {
	Doing       string // "control store", "copy" or "compare"
	Org         string
	From        int64 // the window of time that was dealt with; 0 if it is not about measurements
	Done, Total int
	Records     int64   // written since the pass began
	Seconds     float64 // since then
}

// Outcome is what a pass came to.
type Outcome struct {
	Tables  []store.CopiedTable `json:"tables"`
	Metrics int                 `json:"metrics"`
	Records int64               `json:"records"`
	// Written is how many records this pass wrote; an earlier one may have
	// written the others.
	Written     int64        `json:"written"`
	Recopied    int          `json:"copied_anew"` // metrics of which the new place had what the old one has not
	Seconds     float64      `json:"seconds"`
	Compared    bool         `json:"compared"`
	Differing   int          `json:"differing"` // parts of a metric and a day
	Differences []Difference `json:"differences"`
}

// Pass copies what is not there yet.
func (c *Copy) Pass(ctx context.Context, m *store.Move) (*Outcome, error) {
	p := &pass{Copy: c, move: m, began: time.Now(), out: &Outcome{Differences: []Difference{}}}
	if err := p.controlStore(ctx); err != nil {
		return nil, fmt.Errorf("copy the control store: %w", err)
	}
	if c.Source != nil {
		if err := p.measurements(ctx); err != nil {
			return nil, fmt.Errorf("copy the measurements: %w", err)
		}
	}
	p.out.Seconds = time.Since(p.began).Seconds()
	return p.out, nil
}

// Finish makes the copy usable: metrics that fold are told to, and from then
// on servers may start on it.
func (c *Copy) Finish(ctx context.Context, m *store.Move) error {
	m.State = store.Finishing
	if err := c.To.SaveMove(ctx, m); err != nil {
		return err
	}
	if err := c.setModes(ctx, true); err != nil {
		return err
	}
	if f, ok := c.Target.(filler); ok {
		if err := f.EndFill(ctx); err != nil {
			return err
		}
	}
	m.State = store.Moved
	return c.To.SaveMove(ctx, m)
}

// setModes tells metrics that fold to do so, or to replace while they are
// copied.
func (c *Copy) setModes(ctx context.Context, fold bool) error {
	if c.Target == nil {
		return nil
	}
	orgs, err := c.From.Orgs(ctx)
	if err != nil {
		return err
	}
	for _, org := range orgs {
		for m, err := range c.From.EachMetric(ctx, org.ID) {
			if err != nil {
				return err
			}
			folds, period := m.Folds()
			if !folds {
				continue
			}
			mode := tsdb.Mode{}
			if fold {
				mode = tsdb.Mode{Fold: true, Period: period}
			}
			if err := c.Target.SetMode(ctx, org.ID, tidemark.MetricKey(m.Name), mode); err != nil {
				return fmt.Errorf("set the mode of %s: %w", m.Name, err)
			}
		}
	}
	return nil
}

// pass is one pass under way.
type pass struct {
	*Copy
	move  *store.Move
	began time.Time
	out   *Outcome
	steps struct{ done, total int }
}

func (p *pass) controlStore(ctx context.Context) (err error) {
	if p.From == p.To {
		return nil
	}
	p.out.Tables, err = p.From.CopyTo(ctx, p.To, func(done, total int64) {
		p.say(Progress{Doing: "control store", Done: int(done), Total: int(total)})
	})
	return err
}

func (p *pass) say(s Progress) {
	s.Records, s.Seconds = p.out.Written, time.Since(p.began).Seconds()
	p.Progress(s)
}

// measurements copies them, an organization after the other.
func (p *pass) measurements(ctx context.Context) error {
	if p.move.State == store.Finishing { // it was interrupted, and some may fold already
		if err := p.setModes(ctx, false); err != nil {
			return err
		}
		p.move.State = store.Moving
		if err := p.To.SaveMove(ctx, p.move); err != nil {
			return err
		}
	}
	if f, ok := p.Target.(filler); ok {
		if err := f.BeginFill(ctx, p.move.RawFrom); err != nil {
			return err
		}
	}
	orgs, err := p.From.Orgs(ctx)
	if err != nil {
		return err
	}
	windows := p.windows()
	p.steps.total = len(orgs) * len(windows)
	for _, org := range orgs {
		c := &orgCopy{pass: p, org: org, windows: windows, recopy: make(map[string]bool), metrics: make(map[string]bool)}
		if err := c.run(ctx); err != nil {
			return fmt.Errorf("organization %s: %w", org.Name, err)
		}
		p.out.Metrics += len(c.metrics)
	}
	return p.dropGone(ctx, orgs)
}

// dropGone removes what was copied of organizations that were deleted since.
func (p *pass) dropGone(ctx context.Context, orgs []*tidemark.Org) error {
	left := make(map[tidemark.OrgID]bool)
	for _, org := range orgs {
		left[org.ID] = true
	}
	moved, err := p.To.MovedOrgs(ctx)
	if err != nil {
		return err
	}
	for _, org := range moved {
		if left[org] {
			continue
		}
		metrics, err := p.To.MovedMetrics(ctx, org)
		if err != nil {
			return err
		}
		for _, metric := range metrics {
			if err := p.forget(ctx, org, metric); err != nil {
				return err
			}
		}
	}
	return nil
}

// forget removes what was copied of a metric.
func (p *pass) forget(ctx context.Context, org tidemark.OrgID, metric string) error {
	if metric != wholeWindow {
		if err := p.Target.Delete(ctx, org, metric); err != nil {
			return err
		}
	}
	return p.To.ForgetMoved(ctx, org, metric)
}
