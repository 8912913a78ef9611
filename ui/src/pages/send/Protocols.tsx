import { Panel } from "../../components/Panel";
import classes from "./Send.module.css";

const ways = [
  {
    title: "Measurements with tags",
    path: "POST /v1/measurements",
    who: "AppOptics clients, telegraf, Tidemark’s own",
  },
  { title: "Gauges and counters by source", path: "POST /v1/metrics", who: "Librato clients, statsd, collectd, l2met" },
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
