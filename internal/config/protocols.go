package config

import "time"

// Protocols says which protocols of other products the server speaks.
type Protocols struct {
	Prometheus, OTLP, Influx, Datadog bool

	SubqueryStep time.Duration // of PromQL's subqueries that name none

	OTLPListen                   string // for gRPC
	GraphiteListen, StatsDListen string
	GraphiteToken, StatsDToken   string
	StatsDFlush                  time.Duration
}

// Closed are the doors over HTTP that are not to be opened, by name.
func (p *Protocols) Closed() map[string]bool {
	return map[string]bool{"prometheus": !p.Prometheus, "otlp": !p.OTLP, "influx": !p.Influx, "datadog": !p.Datadog}
}

// settings are those of the protocols.
func (p *Protocols) settings() []setting {
	return []setting{
		boolean("prometheus.enabled", "true", "whether Prometheus' remote write and PromQL are answered, under /prometheus", &p.Prometheus),
		duration("prometheus.subquery_step", "15s", "step of PromQL's subqueries that name none, such as `[5m:]`, for which Prometheus takes its evaluation_interval", &p.SubqueryStep),
		boolean("otlp.enabled", "true", "whether metrics of OpenTelemetry are taken over HTTP, under /otlp", &p.OTLP),
		boolean("influx.enabled", "true", "whether InfluxDB's line protocol is taken, at /write and /api/v2/write", &p.Influx),
		boolean("datadog.enabled", "true", "whether Datadog's series are taken, at /api/v1/series and /api/v2/series", &p.Datadog),

		text("otlp.listen", "", "address to take metrics of OpenTelemetry on by gRPC, such as 0.0.0.0:4317; off if empty", &p.OTLPListen),
		text("graphite.listen", "", "address to take Graphite's lines and pickles on, by TCP and UDP, such as 0.0.0.0:2003; off if empty", &p.GraphiteListen),
		text("graphite.token", "", "value of the token for what comes there; Record Only is enough", &p.GraphiteToken).hidden(),
		text("statsd.listen", "", "address to take StatsD on, by UDP and TCP, such as 0.0.0.0:8125; off if empty", &p.StatsDListen),
		text("statsd.token", "", "value of the token for what comes there; Record Only is enough", &p.StatsDToken).hidden(),
		duration("statsd.flush", "10s", "how often what StatsD summed up is recorded", &p.StatsDFlush),
	}
}

// check reports settings that do not go together.
func (p *Protocols) check(add func(ok bool, format string, args ...any)) {
	add(p.GraphiteListen == "" || p.GraphiteToken != "", "graphite.token: is needed with graphite.listen: it says whose the data is")
	add(p.StatsDListen == "" || p.StatsDToken != "", "statsd.token: is needed with statsd.listen: it says whose the data is")
	add(p.SubqueryStep >= time.Second, "prometheus.subquery_step: must be 1s or more")
	add(p.StatsDFlush >= time.Second && p.StatsDFlush%time.Second == 0, "statsd.flush: must be a whole number of seconds, 1 or more")
}
