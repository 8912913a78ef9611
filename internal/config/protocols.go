package config

// Protocols says which protocols of other products the server speaks.
type Protocols struct {
	Prometheus, OTLP, Influx, Datadog bool
}

// Closed are the doors over HTTP that are not to be opened, by name.
func (p *Protocols) Closed() map[string]bool {
	return map[string]bool{"prometheus": !p.Prometheus, "otlp": !p.OTLP, "influx": !p.Influx, "datadog": !p.Datadog}
}

// settings are those of the protocols.
func (p *Protocols) settings() []setting {
	return []setting{
		boolean("prometheus.enabled", "true", "whether Prometheus' remote write and PromQL are answered, under /prometheus", &p.Prometheus),
		boolean("otlp.enabled", "true", "whether metrics of OpenTelemetry are taken over HTTP, under /otlp", &p.OTLP),
		boolean("influx.enabled", "true", "whether InfluxDB's line protocol is taken, at /write and /api/v2/write", &p.Influx),
		boolean("datadog.enabled", "true", "whether Datadog's series are taken, at /api/v1/series and /api/v2/series", &p.Datadog),
	}
}
