package usage

import (
	"context"
	"maps"
	"time"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/store"
	"github.com/tidemark-metrics/tidemark/internal/tsdb"
)

const (
	// flowsEvery is how long that is averaged which is limited by the second:
	// as long as an organization may be over its limit of measurements.
	flowsEvery = time.Minute
	// countEvery is how often it is counted what all organizations have.
	countEvery = time.Hour
)

// LimitUses counts what each of orgs has of what limits bound.
func LimitUses(ctx context.Context, st *store.Store, engine tsdb.Reader, orgs []*tidemark.Org) (map[tidemark.OrgID]map[tidemark.LimitName]int64, error) {
	stored, err := st.LimitUses(ctx)
	if err != nil {
		return nil, err
	}
	stats, err := engine.Stats(ctx)
	if err != nil {
		return nil, err
	}
	all := make(map[tidemark.OrgID]map[tidemark.LimitName]int64, len(orgs))
	for _, o := range orgs {
		use := map[tidemark.LimitName]int64{tidemark.LimitStreams: stats.Orgs[o.ID].Streams, tidemark.LimitTagBytes: stats.Orgs[o.ID].TagBytes}
		for name, counts := range stored {
			use[name] = counts[o.ID]
		}
		all[o.ID] = use
	}
	return all, nil
}

// limitDays keeps what organizations use of their limits, the most of each day,
// in a table of the control store: a row for each limit and day. As measurements
// they would count against the very limits they are about, and could not be
// recorded where those are reached.
type limitDays struct {
	*Tracker
	flowsAt, countedAt time.Time
	day                int64
	peaks              tidemark.LimitRates // of what flows, on day, as they are saved
}

// save notes what there is to be noted now.
func (d *limitDays) save(ctx context.Context) error {
	now := d.Now()
	if day := now.Unix() / daySeconds * daySeconds; day != d.day {
		d.day, d.peaks = day, make(tidemark.LimitRates)
		if err := d.Store.DeleteLimitDays(ctx, day-(tidemark.LimitDays-1)*daySeconds); err != nil {
			return err
		}
	}
	if since := now.Sub(d.flowsAt); since >= flowsEvery {
		d.flowsAt = now
		if err := d.saveFlows(ctx, d.Limits.TakeFlows(since)); err != nil {
			return err
		}
	}
	if now.Sub(d.countedAt) < countEvery {
		return nil
	}
	d.countedAt = now
	return d.saveCounts(ctx)
}

// saveFlows saves what is more than it was before on this day.
func (d *limitDays) saveFlows(ctx context.Context, rates tidemark.LimitRates) error {
	for org, byName := range rates {
		for name, rate := range byName {
			if rate <= d.peaks[org][name] {
				delete(byName, name)
			}
		}
		if len(byName) == 0 {
			continue
		}
		if err := d.Store.AddLimitUse(ctx, org, d.day, d.Limits.FlowsOf(org)); err != nil {
			return err
		}
		if d.peaks[org] == nil {
			d.peaks[org] = make(map[tidemark.LimitName]float64)
		}
		maps.Copy(d.peaks[org], byName)
	}
	return nil
}

func (d *limitDays) saveCounts(ctx context.Context) error {
	orgs, err := d.Store.Orgs(ctx)
	if err != nil {
		return err
	}
	uses, err := LimitUses(ctx, d.Store, d.Engine, orgs)
	if err != nil {
		return err
	}
	for org, use := range uses {
		if err := d.Store.AddLimitUse(ctx, org, d.day, use); err != nil {
			return err
		}
	}
	return nil
}
