package migrate

import (
	"context"
	"maps"
	"slices"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/store"
)

// maxDifferences is how many are listed; the rest is counted.
const maxDifferences = 100

// Difference is a day of a metric that is not the same on both sides.
type Difference struct {
	Org    string `json:"organization"`
	Metric string `json:"metric"`
	Day    int64  `json:"day"` // its first second
	Old    Digest `json:"old"`
	New    Digest `json:"new"`
}

// Compare reads both sides again and adds to out what is not the same. The
// next pass copies it once more.
func (c *Copy) Compare(ctx context.Context, m *store.Move, out *Outcome) error {
	out.Compared = true
	if c.Source == nil {
		return nil
	}
	p := &pass{Copy: c, move: m, out: out}
	orgs, err := c.From.Orgs(ctx)
	if err != nil {
		return err
	}
	for n, org := range orgs {
		from, err := newReader(ctx, c.Source, c.From, org.ID)
		if err != nil {
			return err
		}
		o := &comparison{pass: p, org: org, from: from, to: from.on(c.Target)}
		windows, err := withData(ctx, p.windows(), o.from, o.to)
		if err != nil {
			return err
		}
		for i := range windows {
			if err := o.window(ctx, windows[i]); err != nil {
				return err
			}
			p.Progress(Progress{Doing: "compare", Org: org.Name, From: windows[i].start, Done: n*len(windows) + i + 1, Total: len(orgs) * len(windows)})
		}
	}
	return nil
}

// comparison is that of one organization.
type comparison struct {
	*pass
	org      *tidemark.Org
	from, to *reader
}

func (c *comparison) window(ctx context.Context, w window) error {
	a, err := c.from.digest(ctx, w)
	if err != nil {
		return err
	}
	b, err := c.to.digest(ctx, w)
	if err != nil {
		return err
	}
	for metric := range b {
		a.of(metric)
	}
	for _, metric := range slices.Sorted(maps.Keys(a)) {
		if a[metric].equal(b.of(metric), &w) {
			continue
		}
		if err := c.metric(ctx, w, metric); err != nil {
			return err
		}
	}
	return nil
}

// metric finds out on which days a metric differs.
func (c *comparison) metric(ctx context.Context, w window, metric string) error {
	a, err := c.from.days(ctx, w, metric)
	if err != nil {
		return err
	}
	b, err := c.to.days(ctx, w, metric)
	if err != nil {
		return err
	}
	days := make(map[int64]bool)
	for at := range a {
		days[at] = true
	}
	for at := range b {
		days[at] = true
	}
	for _, at := range slices.Sorted(maps.Keys(days)) {
		d := Difference{Org: c.org.Name, Metric: metric, Day: at}
		if a[at] != nil {
			d.Old = *a[at]
		}
		if b[at] != nil {
			d.New = *b[at]
		}
		if d.Old.equal(&d.New, &w) {
			continue
		}
		if c.out.Differing++; len(c.out.Differences) < maxDifferences {
			c.out.Differences = append(c.out.Differences, d)
		}
	}
	return c.copyAgain(ctx, w, metric, len(a) > 0)
}

// copyAgain makes the next pass look after a metric: as one of which nothing was
// copied yet, or as one that the old place has no more.
func (c *comparison) copyAgain(ctx context.Context, w window, metric string, has bool) error {
	if !has {
		return c.To.SaveMovedParts(ctx, c.org.ID, w.start, map[string]int64{metric: 0})
	}
	return c.To.ForgetMovedPart(ctx, c.org.ID, w.start, metric)
}
