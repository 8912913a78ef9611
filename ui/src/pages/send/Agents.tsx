import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { type Arrival, arrivals, type Refused } from "../../api/arrivals";
import { EmptyState } from "../../components/EmptyState";
import { Page } from "../../components/Page";
import { Panel } from "../../components/Panel";
import { ErrorCard } from "../../components/problems";
import { RelativeTime } from "../../components/RelativeTime";
import { SkeletonRows } from "../../components/Skeleton";
import { Snippets } from "../../components/Snippets";
import { type Column, TableHead } from "../../components/TableHead";
import table from "../../components/table.module.css";
import { refusal } from "../../lib/arrivals";
import { count, number } from "../../lib/format";
import { useSession } from "../../shell/useSession";
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

/** Protocols and agents: who sends here, and how another one is pointed at this server. */
export function Agents() {
  const { server, canManage } = useSession();
  const { data, error, refetch } = useQuery(arrivals);
  return (
    <Page title="Send data">
      <div className={classes.agents}>
        <section>
          <h2>What arrived in the last hour</h2>
          {error && <ErrorCard error={error} retry={refetch} what="what arrived" />}
          {!data && !error && <SkeletonRows rows={3} />}
          {data && <Hour rows={data.hour} />}
        </section>
        {data && data.problems.length > 0 && <Problems list={data.problems} />}
        <section>
          <h2>Point an agent at this server</h2>
          <p className="t2">
            Anything that spoke to AppOptics or Librato works: change its host name, keep the rest.{" "}
            {canManage ? (
              <>
                Put a Record Only token in place of <span className="mono">YOUR_TOKEN</span>:{" "}
                <Link to="/settings/tokens/new">Generate New API Token</Link>
              </>
            ) : (
              <>
                Ask an Admin for a Record Only token and put it in place of <span className="mono">YOUR_TOKEN</span>.
              </>
            )}
          </p>
          <Snippets server={server} token="YOUR_TOKEN" />
        </section>
        <section>
          <h2>Protocols</h2>
          <Panel className={classes.ways ?? ""}>
            {ways.map((w) => (
              <div key={w.path}>
                <b>{w.title}</b>
                <span className="mono">{w.path}</span>
                <span className="t2">{w.who}</span>
              </div>
            ))}
          </Panel>
        </section>
      </div>
    </Page>
  );
}

const columns: Column[] = [
  { label: "Agent" },
  { label: "Protocol", wide: true },
  { label: "Measurements", right: true },
  { label: "Last", right: true },
];

function Hour({ rows }: { rows: Arrival[] }) {
  if (rows.length === 0)
    return (
      <Panel>
        <EmptyState title="Nothing arrived in the last hour.">
          Agents send every minute or oftener: have a look whether they run.
        </EmptyState>
      </Panel>
    );
  return (
    <Panel>
      <table className={`${table.table} ${classes.hour}`}>
        <TableHead columns={columns} />
        <tbody>
          {rows.map((r) => (
            <tr key={`${r.protocol} ${r.user_agent}`}>
              <td className="mono">{r.user_agent || "no user agent"}</td>
              <td className={table.hide}>{r.protocol}</td>
              <td className={`num ${table.right}`}>{number(r.measurements)}</td>
              <td className={table.right}>
                <RelativeTime at={r.last_at} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Panel>
  );
}

type Group = Refused & { times: number };

/** The same refusal of the same agent is one line, with how often it came. */
function grouped(list: Refused[]): Group[] {
  const groups = new Map<string, Group>();
  for (const p of list) {
    const key = `${p.status} ${p.reason} ${p.user_agent}`;
    const g = groups.get(key);
    if (g) g.times++;
    else groups.set(key, { ...p, times: 1 });
  }
  return [...groups.values()].slice(0, 8);
}

function Problems({ list }: { list: Refused[] }) {
  return (
    <section>
      <h2>Refused lately</h2>
      <Panel className={classes.problems ?? ""}>
        {grouped(list).map((p) => (
          <div key={`${p.at} ${p.status} ${p.reason} ${p.user_agent}`}>
            <span>{refusal(p)}</span>
            <small className="t2">
              <span className="mono">{p.user_agent || "no user agent"}</span> · {count(p.times, "time")}, last{" "}
              <RelativeTime at={p.at} />
            </small>
          </div>
        ))}
      </Panel>
    </section>
  );
}
