package demo

import "github.com/tidemark-metrics/tidemark"

// holder is something that talks to the shop with a token of its own.
type holder struct {
	name     string
	role     tidemark.Role
	agent    string // what it calls itself
	address  string // where it is, if what it sends names no host
	age      int64  // of its token when the demo was made, in days
	expires  int64  // days after that; 0 for never
	inactive bool
	imported bool

	sends []string // beginnings of the names of what it measures
	reads string   // what it looks at now and then
	every int64    // how often that is, in seconds
	shift int64    // and when: seconds after midnight

	past []trace // what was seen of it before the demo was made
}

// trace is one program at one place that used a token.
type trace struct {
	agent, host string
	from, to    int64 // days before the demo was made
	daily       int64 // requests
}

const (
	telegraf = "telegraf/1.34.2 Go/1.24.1"
	statsd   = "statsd-librato-backend/2.0.1"
	wall     = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36"
)

// holders are those that talk to the shop, the oldest first: some busy, some
// about to expire, some that nobody seems to need any more.
func holders() []holder {
	return []holder{
		{name: "telegraf-production", role: tidemark.RecordOnly, agent: telegraf, address: "10.0.3.4", age: 285,
			sends: []string{"system.", "worker.", "db.", "cache."},
			past:  append(onHosts(telegraf, 8640), trace{statsd, "cache-01", 30, 0, 2160}, trace{"curl/8.9.1", "bastion-01", 27, 26, 3})},
		{name: "terraform", role: tidemark.FullAccess, agent: "terraform-provider-appoptics/0.5.1", address: "10.0.0.12", age: 285,
			reads: "/v1/alerts", every: 6 * 3600, past: []trace{{"terraform-provider-appoptics/0.5.1", "10.0.0.12", 30, 0, 46}}},
		{name: "checkout-service", role: tidemark.RecordOnly, agent: "appoptics-api-go/1.4.2", address: "10.0.3.20", age: 249,
			sends: []string{"checkout."}, past: []trace{{"appoptics-api-go/1.4.2", "10.0.3.20", 30, 0, 8640}}},
		{name: "wall-display", role: tidemark.ViewOnly, agent: wall, address: "10.0.7.31", age: 241,
			reads: "/v1/spaces", every: 120, past: []trace{{wall, "10.0.7.31", 30, 0, 720}}},
		{name: "search-statsd", role: tidemark.RecordOnly, agent: statsd, address: "10.0.3.33", age: 227,
			sends: []string{"search."}, past: []trace{{statsd, "10.0.3.33", 30, 0, 8640}}},
		{name: "nightly-export", role: tidemark.ViewOnly, agent: "python-librato/3.1.1", address: "10.0.5.2", age: 201, expires: 6,
			reads: "/v1/metrics", every: 86400, shift: 3 * 3600, past: []trace{{"python-librato/3.1.1", "10.0.5.2", 30, 0, 22}}},
		{name: "old-laptop", role: tidemark.FullAccess, age: 187, past: []trace{{"curl/8.5.0", "10.0.9.77", 95, 94, 4}}},
		{name: "imported: heroku-drain", role: tidemark.RecordOnly, agent: "l2met/2.1", address: "10.0.6.18", age: 169, imported: true,
			sends: []string{"queue."}, past: []trace{{"l2met/2.1", "10.0.6.18", 30, 0, 8640}}},
		{name: "batch-workers", role: tidemark.RecordOnly, age: 162, inactive: true,
			past: []trace{{"librato-metrics/2.1.2 (ruby; 3.3.5)", "batch-01", 40, 29, 1440}, {"librato-metrics/2.1.2 (ruby; 3.3.5)", "batch-02", 40, 29, 1440}}},
	}
}

// onHosts are traces of an agent on every host of the shop.
func onHosts(agent string, daily int64) (all []trace) {
	seen := make(map[string]bool)
	for _, s := range (&troubles{}).streams() {
		if host := s.tags["host"]; host != "" && !seen[host] && s.tags["environment"] != "staging" {
			seen[host] = true
			all = append(all, trace{agent, host, 30, 0, daily})
		}
	}
	return all
}
