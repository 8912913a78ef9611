import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { arrivals } from "../../api/arrivals";
import type { Arrival, Refusal } from "../../api/ui.gen";
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
import { goTo } from "../../lib/prefix";
import { deleteDemo } from "../../shell/demo";
import { useSession } from "../../shell/useSession";
import { Protocols } from "./Protocols";
import classes from "./Send.module.css";
import { useKnownTokens } from "./useKnownTokens";
import { WatchMachine } from "./WatchMachine";

/** Protocols and agents: who sends here, and how another one is pointed at this server. */
export function Agents() {
  const { server, canManage, org } = useSession();
  const { data, error, refetch } = useQuery(arrivals);
  return (
    <Page title="Send data">
      <div className={classes.agents}>
        {org.demo && <DemoNote />}
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
          <WatchMachine server={server} token="YOUR_TOKEN" />
          <Snippets
            server={server}
            token="YOUR_TOKEN"
            other={<p className={classes.aside}>The protocols below say what each path takes.</p>}
          />
        </section>
        <section>
          <h2>Protocols</h2>
          <Protocols />
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

/** Said where somebody might take the made-up for their own. */
function DemoNote() {
  const { org, canManage } = useSession();
  const remove = () => void deleteDemo(org.name).then((gone) => gone && goTo("/"));
  return (
    <Panel className={classes.demo ?? ""}>
      <span>{`${org.name} is made up: a small web shop, kept alive by this server. What you send here goes into it.`}</span>
      {canManage && (
        <button type="button" className={classes.quiet} onClick={remove}>
          Delete it…
        </button>
      )}
    </Panel>
  );
}

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

type Group = Refusal & { times: number };

/** The same refusal of the same agent is one line, with how often it came. */
function grouped(list: Refusal[]): Group[] {
  const groups = new Map<string, Group>();
  for (const p of list) {
    const key = `${p.status} ${p.reason} ${p.token_ends} ${p.user_agent}`;
    const g = groups.get(key);
    if (g) g.times++;
    else groups.set(key, { ...p, times: 1 });
  }
  return [...groups.values()].slice(0, 8);
}

function Problems({ list }: { list: Refusal[] }) {
  const known = useKnownTokens();
  return (
    <section>
      <h2>Refused lately</h2>
      <Panel className={classes.problems ?? ""}>
        {grouped(list).map((p) => (
          <div key={`${p.at} ${p.status} ${p.reason} ${p.token_ends} ${p.user_agent}`}>
            <span>{refusal(p, known)}</span>
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
