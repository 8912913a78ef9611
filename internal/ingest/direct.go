package ingest

import (
	"math"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/protocol"
	"github.com/tidemark-metrics/tidemark/internal/tsdb"
)

// direct puts points into the batch without making items of them, where there is
// nothing to be said about any: each is a value, in time, of a metric that is
// known, and everything may be sent. It reports false where one is not; then
// they have to be looked at more closely, all of them again.
func (d *intake) direct() bool {
	if len(d.points) == 0 || d.scope != nil || len(d.dropped.drops) > 0 {
		return false
	}
	d.batch.Reset()
	d.spelled = false
	name, length := "", -1 // of the metric of the point before; its key is the beginning of d.stream
	for i := range d.points {
		p := &d.points[i]
		if length < 0 || p.Name != name {
			if !d.directMetric(p.Name) {
				return false
			}
			name, length = p.Name, len(d.stream)
		}
		at := d.now
		if p.Time != 0 {
			at = p.Time / 1000
		}
		if at < d.oldest || at > d.newest || !isDirect(p) || d.longest > 0 && length+len(p.Key) > d.longest {
			return false
		}
		d.stream = append(d.stream[:length], p.Key...)
		d.spelled = d.spelled || !p.Upper.IsSettled(d.sender)
		d.batch.AddRef(d.stream, p.Ref, at, tsdb.Single(notTooSmall(p.Value)))
	}
	d.summary = Summary{Total: len(d.points), Accepted: len(d.points)}
	return true
}

// isDirect reports whether a point is a value of a stream whose key is known.
func isDirect(p *protocol.Point) bool {
	return p.Kind < protocol.Distribution && (p.Key != "" || len(p.Labels) == 0) && math.Abs(p.Value) < tooLarge
}

// directMetric makes d.stream the key of a metric, if that is known and may be
// recorded.
func (d *intake) directMetric(name string) bool {
	if !tidemark.IsMetricName(name) {
		return false
	}
	d.stream = appendLowerText(d.stream[:0], name)
	metric := d.org.find(d.stream)
	if metric == nil || metric.metric.Type == tidemark.Composite || d.sent && tidemark.IsOwnMetric(metric.name) {
		return false
	}
	d.touched[metric] = struct{}{}
	return true
}
