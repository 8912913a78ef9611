/** How each client is pointed at this server, already filled in. */
export type Snippet = { id: string; label: string; code: string };

/** Stands where a token must be put that this one cannot stand in for. */
const fullAccess = "YOUR_FULL_ACCESS_TOKEN";

/** Sending takes any token that records; full says that this one may do everything. */
export function snippets(server: string, token: string, full = false): Snippet[] {
  const url = new URL(server);
  return [
    {
      id: "curl",
      label: "curl",
      code: `curl ${server}/v1/measurements \\
  -u ${token}: \\
  -H 'Content-Type: application/json' \\
  -d '{"tags":{"host":"my-laptop"},"measurements":[{"name":"hello.tide","value":42}]}'`,
    },
    {
      id: "ruby",
      label: "Ruby",
      code: `require 'appoptics/metrics'

client = AppOptics::Metrics::Client.new
client.api_endpoint = '${server}'
client.authenticate '${token}'
client.submit 'hello.tide' => { value: 42, tags: { host: 'web-1' } }`,
    },
    {
      id: "python",
      label: "Python",
      code: `import appoptics_metrics

api = appoptics_metrics.connect('${token}', hostname='${url.host}', protocol='${url.protocol.replace(":", "")}')
api.submit('hello.tide', 42, tags={'host': 'web-1'})`,
    },
    {
      id: "go",
      label: "Go",
      code: `client := appoptics.NewClient("${token}",
	appoptics.BaseURLClientOption("${server}/v1/"))
batch := &appoptics.MeasurementsBatch{Measurements: []appoptics.Measurement{
	{Name: "hello.tide", Value: 42, Tags: map[string]string{"host": "web-1"}},
}}
_, err := client.MeasurementsService().Create(batch)`,
    },
    {
      id: "statsd",
      label: "statsd",
      code: `// config.js
{
  backends: ["@appoptics/statsd-appoptics-backend"],
  appoptics: {
    api: "${server}",
    token: "${token}"
  }
}`,
    },
    {
      id: "telegraf",
      label: "telegraf",
      code: `# /etc/telegraf/telegraf.d/tidemark.conf
[[outputs.influxdb_v2]]
  urls = ["${server}"]
  token = "${token}"
  organization = "any"
  bucket = "any"`,
    },
    {
      id: "opentelemetry",
      label: "OpenTelemetry",
      code: `# in the configuration of the collector; add it to the exporters of a pipeline for metrics
exporters:
  otlphttp/tidemark:
    metrics_endpoint: ${server}/otlp/v1/metrics
    headers:
      Authorization: "Bearer ${token}"`,
    },
    {
      id: "prometheus",
      label: "Prometheus",
      code: `# prometheus.yml
remote_write:
  - url: ${server}/prometheus/api/v1/write
    authorization:
      credentials: "${token}"`,
    },
    {
      id: "collectd",
      label: "collectd",
      code: `# /etc/collectd/collectd.conf
LoadPlugin write_http
<Plugin write_http>
  <Node "tidemark">
    URL "${server}/v1/measurements"
    User "token"
    Password "${token}"
    Format "JSON"
    StoreRates true
  </Node>
</Plugin>`,
    },
    {
      id: "terraform",
      label: "Terraform",
      code: `# in the environment of terraform, which makes and changes spaces, alerts and services:
# it needs a token with Full Access
export APPOPTICS_URL="${server}/v1/"
export APPOPTICS_TOKEN="${full ? token : fullAccess}"`,
    },
  ];
}

const firstOrder = [
  ...["curl", "opentelemetry", "prometheus", "telegraf", "statsd", "collectd"],
  ...["ruby", "python", "go", "terraform"],
];

/** The same for the pages about sending: what is tried first comes first, and anything else last. */
export function sendSnippets(server: string, token: string, full = false): Snippet[] {
  const all = snippets(server, token, full);
  const other = {
    id: "other",
    label: "Other",
    code: `# Whatever can send HTTP can send measurements
POST ${server}/v1/measurements
Authorization: Bearer ${token}
Content-Type: application/json

{"tags": {"host": "my-laptop"}, "measurements": [{"name": "hello.tide", "value": 42}]}`,
  };
  return [...firstOrder.flatMap((id) => all.filter((s) => s.id === id)), other];
}
