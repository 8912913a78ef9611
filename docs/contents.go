package docs

// Section is a part of the documentation.
type Section struct {
	Title string
	Files []string // without .md, in the order of reading
}

// Reference is the section that begins with the pages made of OpenAPI.
const Reference = "API reference"

// Contents is the documentation in the order of reading. A document that is
// not in it fails a test.
var Contents = []Section{
	{"Start", []string{"guide", "installing", "moving", "glossary"}},
	{"Send", []string{
		"sending/README", "agent", "sending/curl", "sending/names",
		"sending/prometheus", "sending/opentelemetry", "sending/influx", "sending/telegraf", "sending/graphite",
		"sending/statsd", "sending/datadog", "sending/collectd",
		"sending/go", "sending/java", "sending/dotnet", "sending/node", "sending/php", "sending/python", "sending/ruby", "sending/elixir",
		"sending/salt", "sending/terraform",
	}},
	{"Read", []string{"reading", "promql", "compose", "mcp"}},
	{"Alert", []string{"alerting", "checks", "notifications"}},
	{"Run", []string{"running", "storage", "upgrading", "runbook", "reliability"}},
	{"Secure", []string{"security", "signing-in", "audit", "outbound"}},
	{"Scale", []string{"scaling", "benchmarks"}},
	{Reference, []string{"interface"}},
}
