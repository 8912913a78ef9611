package clickhouse

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/ClickHouse/ch-go/proto"
	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/store"
)

const (
	// upkeepLease is held by the one server that does what one must do for
	// all: it makes the hours, and removes what is no longer kept.
	upkeepLease = "measurements"
	leaseFor    = 30 * time.Second
	upkeepEvery = 10 * time.Second
)

// upkeep is that work.
type upkeep struct {
	e     *Engine
	lease store.Lease
	// settle is how long after a commit was numbered its rows are all there,
	// or will never be.
	settle time.Duration
	// upTo is the last commit that the next round looks at, once it is settled.
	upTo int64
	at   time.Time
	dead []deadMetric
	// shards has an address of each for the round.
	shards []int
}

// deadMetric is a generation that was deleted.
type deadMetric struct {
	metricKey
	gen, from int64 // the present one, and the first of which something is left
}

// Run does, while this server holds the lease, what one must do for all,
// until ctx is done.
func (e *Engine) Run(ctx context.Context) error {
	u := &upkeep{e: e, settle: 4 * e.o.WriteWait, lease: store.Lease{Name: upkeepLease, Holder: e.o.Node}}
	ticker := time.NewTicker(upkeepEvery)
	defer ticker.Stop()
	for {
		if err := u.turn(ctx); err != nil && ctx.Err() == nil {
			e.o.Failed("housekeeping", err)
		}
		select {
		case <-ctx.Done():
			u.release()
			return nil
		case <-ticker.C:
		}
	}
}

// turn does a round if the lease is ours.
func (u *upkeep) turn(ctx context.Context) error {
	lease, held, err := u.e.o.Ledger.TakeLease(ctx, u.lease, leaseFor)
	if err != nil || !held {
		u.upTo = 0
		return err
	}
	if lease.Fence != u.lease.Fence {
		u.upTo = 0 // others may have worked meanwhile
	}
	u.lease = lease
	return u.round(ctx)
}

// renew keeps the lease through a round that takes long, as the first does after
// much was copied into the engine: else others would begin the same anew.
func (u *upkeep) renew(ctx context.Context) error {
	lease, held, err := u.e.o.Ledger.TakeLease(ctx, u.lease, leaseFor)
	if err != nil {
		return err
	}
	if !held || lease.Fence != u.lease.Fence {
		return tidemark.Errorf(tidemark.Conflict, "another server has taken over %s", upkeepLease)
	}
	return nil
}

// release lets the next server begin at once.
func (u *upkeep) release() {
	if u.lease.Fence == 0 {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Second)
	defer cancel()
	if err := u.e.o.Ledger.ReleaseLease(ctx, u.lease); err != nil {
		u.e.o.Failed("release the lease", err)
	}
}

// round notes where commits are, or deals with those up to the noted one.
func (u *upkeep) round(ctx context.Context) error {
	now := u.e.o.Now()
	if u.upTo == 0 {
		return u.note(ctx, now)
	}
	if now.Sub(u.at) < u.settle {
		return nil
	}
	if err := u.e.refresh(ctx); err != nil {
		return err
	}
	u.e.mu.RLock()
	before := u.e.marks
	u.e.mu.RUnlock()
	upTo := u.upTo
	u.upTo = 0
	var err error
	if u.shards, err = u.e.client.eachShard(ctx, &u.e.shape); err != nil {
		return err
	}
	if err := errors.Join(u.fillHours(ctx, before, upTo, now), u.removeDead(ctx)); err != nil {
		return err
	}
	before.hours, before.until = upTo, max(before.until, u.over(now))
	return u.expire(ctx, before, now)
}

// over is up to when hours are over, and all that was sent in time is there.
func (u *upkeep) over(now time.Time) int64 {
	return floor(max(0, now.Add(-u.settle).Unix()), hour)
}

func (u *upkeep) note(ctx context.Context, now time.Time) error {
	commit, _, err := u.e.o.Ledger.BeginCommit(ctx)
	if err != nil {
		return err
	}
	all, err := u.e.o.Ledger.EngineMetrics(ctx, 0)
	if err != nil {
		return err
	}
	u.dead = nil
	for _, m := range all {
		if m.Generation > m.Removed {
			u.dead = append(u.dead, deadMetric{metricKey{m.Org, m.Name}, m.Generation, m.Removed})
		}
	}
	u.upTo, u.at = commit, now
	return nil
}

// onShards runs a statement where the rows are: on every shard, or where
// there is one, on the server that is read from.
func (u *upkeep) onShards(ctx context.Context, sql string) error {
	st := &statement{sql: sql, settings: u.e.shape.insertSettings(u.e.o.WriteWait)}
	if u.e.shape.shards == 1 {
		return u.e.client.exec(ctx, st)
	}
	for _, at := range u.shards {
		if err := u.e.client.run(ctx, at, st); err != nil {
			return err
		}
	}
	return nil
}

// removeDead removes what generations that were deleted have left.
func (u *upkeep) removeDead(ctx context.Context) error {
	var hashes, streams []string
	for _, d := range u.dead {
		for gen := d.from; gen < d.gen; gen++ {
			hashes = append(hashes, fmt.Sprint(d.hash(gen)))
		}
		streams = append(streams, fmt.Sprintf("(org = %d AND metric = %s AND gen < %d)", d.org, quote(d.name), d.gen))
	}
	if len(hashes) == 0 {
		return nil
	}
	for table, where := range map[string]string{
		"records": "metric IN (" + strings.Join(hashes, ", ") + ")", "hours": "metric IN (" + strings.Join(hashes, ", ") + ")",
		"streams": strings.Join(streams, " OR "),
	} {
		if err := u.onShards(ctx, "ALTER TABLE "+u.e.shape.local(table)+" DELETE WHERE "+where); err != nil {
			return err
		}
	}
	for _, d := range u.dead {
		if err := u.e.o.Ledger.RemovedGenerations(ctx, d.org, d.name, d.gen); err != nil {
			return err
		}
	}
	u.dead = nil
	return nil
}

// expire drops what is older than is kept. Records go a day at a time, once
// their hours are made: first all servers stop looking for them, and
// they go in the next round, unless something is in them that is not in the
// hours.
func (u *upkeep) expire(ctx context.Context, m marks, now time.Time) error {
	e := u.e
	if err := u.dropDays(ctx, m); err != nil {
		return err
	}
	tiers := e.Tiers()
	before := max(0, now.Unix()-tiers[0].Retention) / day * day
	if before > m.rawFrom && m.until >= before {
		if err := e.o.Ledger.SetEngineMark(ctx, u.lease, rawMark, before); err != nil {
			return err
		}
	}
	return u.drop(ctx, "hours", fmt.Sprintf("SELECT DISTINCT toString(intDiv(t, 2592000)) AS x FROM %s WHERE t < %d",
		e.client.database+"."+e.shape.local("hours"), max(0, now.Unix()-tiers[1].Retention)/2592000*2592000))
}

// dropDays drops the days of records that have expired.
func (u *upkeep) dropDays(ctx context.Context, m marks) error {
	table := u.e.client.database + "." + u.e.shape.local("records")
	return u.drop(ctx, "records", fmt.Sprintf("SELECT toString(intDiv(t, 86400)) AS x FROM %s WHERE t < %d GROUP BY x HAVING max(seq) < %d",
		table, m.rawFrom, uint64(m.hours+1)<<seqBits))
}

// drop drops the partitions that a question finds, on each shard its own.
func (u *upkeep) drop(ctx context.Context, table, sql string) error {
	c := u.e.client
	for _, at := range u.shards {
		one := c
		if u.e.shape.shards > 1 {
			one = c.only(at)
		}
		found, err := one.texts(ctx, sql)
		if err != nil {
			return err
		}
		for _, partition := range found {
			if partition == "" {
				continue
			}
			if err := one.exec(ctx, &statement{sql: "ALTER TABLE " + u.e.shape.local(table) + " DROP PARTITION " + partition}); err != nil {
				return err
			}
		}
	}
	return nil
}

// numbersOf returns the column x that a question gives, in order.
func (c *client) numbersOf(ctx context.Context, sql string) ([]int64, error) {
	var x proto.ColUInt32
	var found []int64
	err := c.each(ctx, &statement{sql: sql}, proto.Results{column("x", &x)}, func(rows int) error {
		for i := range rows {
			found = append(found, int64(x.Row(i)))
		}
		return nil
	})
	return found, err
}
