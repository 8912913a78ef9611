import { Panel } from "../../components/Panel";
import classes from "./Send.module.css";

const ways = [
  {
    title: "Measurements with tags",
    path: "POST /v1/measurements",
    who: "AppOptics clients, telegraf, Tidemark’s own",
  },
  { title: "Gauges and counters by source", path: "POST /v1/metrics", who: "Librato clients, statsd, collectd, l2met" },
  { title: "OpenTelemetry", path: "POST /otlp/v1/metrics", who: "SDKs, the collector" },
  {
    title: "Prometheus remote write",
    path: "POST /prometheus/api/v1/write",
    who: "Prometheus, and agents that write as it does",
  },
  { title: "InfluxDB lines", path: "POST /api/v2/write, /write", who: "telegraf, clients for InfluxDB" },
  { title: "Datadog series", path: "POST /api/v2/series, /api/v1/series", who: "Datadog’s agent and clients" },
  { title: "Graphite and StatsD", path: "graphite.listen, statsd.listen", who: "on ports that the operator opens" },
  { title: "Annotations", path: "POST /v1/annotations/:name", who: "deploy scripts, cron jobs" },
];

/** The protocols that are spoken here. */
export function Protocols() {
  return (
    <Panel className={classes.ways ?? ""}>
      {ways.map((w) => (
        <div key={w.path}>
          <b>{w.title}</b>
          <span className="mono">{w.path}</span>
          <span className="t2">{w.who}</span>
        </div>
      ))}
    </Panel>
  );
}
