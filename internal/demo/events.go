package demo

import (
	"context"
	"fmt"

	"github.com/tidemark-metrics/tidemark"
)

// deployEvery is the time between two deploys, in seconds.
const deployEvery = 190 * 60

// deployedBefore is how long before the demo was made the last deploy was: the
// bad one.
const deployedBefore = 93 * 60

// annotate adds the events of a time: deploys, and the failovers.
func (d *demo) annotate(ctx context.Context, from, to int64) error {
	for _, e := range append(d.deploys(from, to), d.failovers(from, to)...) {
		stream := "deploys"
		if e.EndTime != nil {
			stream = "maintenance"
		}
		if _, err := d.Client.Annotate(ctx, stream, e); err != nil {
			return fmt.Errorf("annotate: %w", err)
		}
	}
	return nil
}

// deploys returns those that begin in [from, to).
func (d *demo) deploys(from, to int64) (all []*tidemark.AnnotationEvent) {
	first := d.troubles.made - deployedBefore
	for n := (from-first)/deployEvery - 1; first+n*deployEvery < to; n++ {
		at := first + n*deployEvery
		if at < from {
			continue
		}
		release := 181 + n // 4.18.1 is the one that is bad when the demo is made
		source := "ci"
		all = append(all, &tidemark.AnnotationEvent{
			Title: fmt.Sprintf("deploy checkout 4.%d.%d", release/10, release%10), Source: &source, StartTime: at,
			Links: []tidemark.Link{{Rel: "build", Href: fmt.Sprintf("https://ci.example.org/%d", 4000+n)}},
		})
	}
	return all
}

// failovers returns those that begin in [from, to).
func (d *demo) failovers(from, to int64) (all []*tidemark.AnnotationEvent) {
	made := d.troubles.made
	add := func(one trouble) {
		at := made + one.start
		if !one.failover || at < from || at >= to {
			return
		}
		end, source := at+min(one.length, 1800), "db-01"
		all = append(all, &tidemark.AnnotationEvent{Title: "db-01 failover", Source: &source, StartTime: at, EndTime: &end, Links: []tidemark.Link{}})
	}
	for _, one := range beforehand {
		add(one)
	}
	for n := max(1, (from-made)/again-1); made+n*again < to; n++ {
		one, _ := d.troubles.later(n)
		add(one)
	}
	return all
}
