package alerting

import "github.com/tidemark-metrics/tidemark"

// Watched returns the names and globs of the metrics that alerts look at, by
// organization: for anyone who fetches what other servers have written.
func (e *Evaluator) Watched() map[tidemark.OrgID][]string {
	all := make(map[tidemark.OrgID][]string)
	for org, subscribed := range *e.index.Load() {
		for name := range subscribed.byName {
			all[org] = append(all[org], name)
		}
		for _, t := range subscribed.globs {
			all[org] = append(all[org], t.metric)
		}
	}
	return all
}
