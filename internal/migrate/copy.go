package migrate

import (
	"context"
	"maps"
	"slices"
	"time"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/tsdb"
)

// wholeWindow is noted, in the place of a metric, of a window of which all
// metrics were copied once.
const wholeWindow = ""

// orgCopy is the copying of one organization's measurements.
type orgCopy struct {
	*pass
	org      *tidemark.Org
	windows  []window
	from, to *reader
	recopy   map[string]bool // metrics of which the new place has what the old one has not
	metrics  map[string]bool // all that were seen
}

func (c *orgCopy) run(ctx context.Context) (err error) {
	if c.from, err = newReader(ctx, c.Source, c.From, c.org.ID); err != nil {
		return err
	}
	// What is compared with each other is read in the same order.
	c.to = c.from.on(c.Target)
	all := len(c.windows)
	if c.windows, err = withData(ctx, c.windows, c.from, c.to); err != nil {
		return err
	}
	c.steps.done += all - len(c.windows)
	for i := range c.windows {
		before, began := c.out.Written, time.Now()
		if err := c.window(ctx, c.windows[i]); err != nil {
			return err
		}
		c.move.Records += c.out.Written - before
		c.move.Seconds += time.Since(began).Seconds()
		if err := c.To.SaveMove(ctx, c.move); err != nil {
			return err
		}
		c.steps.done++
		c.say(Progress{Doing: "copy", Org: c.org.Name, From: c.windows[i].start, Done: c.steps.done, Total: c.steps.total})
	}
	for _, metric := range slices.Sorted(maps.Keys(c.recopy)) {
		if err := c.copyAgain(ctx, metric); err != nil {
			return err
		}
	}
	c.out.Recopied += len(c.recopy)
	return nil
}

// window copies what is not there yet of one window.
func (c *orgCopy) window(ctx context.Context, w window) error {
	had, err := c.To.MovedParts(ctx, c.org.ID, w.start)
	if err != nil {
		return err
	}
	if _, whole := had[wholeWindow]; !whole && !w.settled {
		return c.copyAll(ctx, w)
	}
	found, err := c.from.digest(ctx, w)
	if err != nil {
		return err
	}
	c.seen(found)
	for _, metric := range slices.Sorted(maps.Keys(found)) {
		mark, copied := had[metric]
		if copied && (w.settled || mark == found[metric].mark()) {
			continue
		}
		if err := c.update(ctx, w, metric); err != nil {
			return err
		}
	}
	for metric := range had {
		if metric != wholeWindow && found[metric] == nil && !w.settled {
			c.recopy[metric] = true
		}
	}
	return nil
}

// copyAll copies a window for the first time, or one that was interrupted.
func (c *orgCopy) copyAll(ctx context.Context, w window) error {
	found, err := c.copyOf(ctx, c.from, w)
	if err != nil {
		return err
	}
	c.seen(found)
	marks := map[string]int64{wholeWindow: 0}
	for metric, d := range found {
		marks[metric] = d.mark()
	}
	return c.To.SaveMovedParts(ctx, c.org.ID, w.start, marks)
}

func (c *orgCopy) seen(found digests) {
	for metric, d := range found {
		c.metrics[metric] = true
		c.out.Records += d.Records
	}
}

// update copies a metric in a window of which something was copied earlier, and
// looks whether the new place has the same afterwards: what was deleted on the
// old one would still be there.
func (c *orgCopy) update(ctx context.Context, w window, metric string) error {
	if w.settled { // what is coarser may not be put beside what is finer
		there, err := c.to.only(metric).digest(ctx, w)
		if err != nil {
			return err
		}
		if len(there) > 0 {
			c.recopy[metric] = true
			return nil
		}
	}
	return c.copyMetric(ctx, w, metric, func(there digests, d *Digest) bool { return there.of(metric).equal(d, &w) })
}

// copyMetric copies a metric in a window, and notes it if it is right.
func (c *orgCopy) copyMetric(ctx context.Context, w window, metric string, right func(there digests, d *Digest) bool) error {
	found, err := c.copyOf(ctx, c.from.only(metric), w)
	if err != nil || len(found) == 0 {
		return err
	}
	there, err := c.to.only(metric).digest(ctx, w)
	if err != nil {
		return err
	}
	if !right(there, found[metric]) {
		c.recopy[metric] = true
		return nil
	}
	return c.To.SaveMovedParts(ctx, c.org.ID, w.start, map[string]int64{metric: found[metric].mark()})
}

// copyAgain removes a metric from the new place and copies it whole.
func (c *orgCopy) copyAgain(ctx context.Context, metric string) error {
	if err := c.forget(ctx, c.org.ID, metric); err != nil {
		return err
	}
	for _, w := range c.windows {
		// The comparison at the end has the last word.
		if err := c.copyMetric(ctx, w, metric, func(digests, *Digest) bool { return true }); err != nil {
			return err
		}
	}
	return nil
}

// copyOf writes what a reader gives of a window, and returns what that was.
func (c *orgCopy) copyOf(ctx context.Context, r *reader, w window) (digests, error) {
	found := make(digests)
	to := c.newWriter(ctx, c.org.ID, &w)
	var key []byte
	err := r.each(ctx, w, func(s *tsdb.Series) error {
		key = tsdb.AppendKey(key[:0], s.Metric, s.Tags)
		return to.add(s, key, found.of(s.Metric))
	})
	if flushed := to.flush(); err == nil {
		err = flushed
	}
	c.out.Written += to.written
	return found, err
}
