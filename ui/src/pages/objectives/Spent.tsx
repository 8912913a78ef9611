import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { type ObjectiveView, objectives } from "../../api/objectives";
import type { BudgetSpent, SpentTime } from "../../api/ui.gen";
import { Panel } from "../../components/Panel";
import { ErrorCard } from "../../components/problems";
import { TableHead } from "../../components/TableHead";
import table from "../../components/table.module.css";
import { duration, weekdayAndClock, whole } from "../../lib/format";
import { firstOfEach, share, spentName } from "../../lib/objectives";
import classes from "./Objectives.module.css";

/** What spent the budget: which times, with what happened then, and which streams or values. */
export default function Spent({ id, view }: { id: number; view: ObjectiveView }) {
  const { data, error, refetch } = useQuery(objectives.spent(id, view));
  if (!data)
    return error ? (
      <ErrorCard error={error} retry={() => void refetch()} what="what spent the budget" />
    ) : (
      <Panel className={classes.box ?? ""}>
        <h2>What spent the budget</h2>
        <p className="t2">Looking at what is stored…</p>
      </Panel>
    );
  return (
    <>
      <Times times={data.times} />
      {data.spenders.length > 0 && <Spenders spent={data} />}
    </>
  );
}

const timeColumns = [
  { label: "What spent the budget" },
  { label: "When", wide: true, width: "170px" },
  { label: "Lasted", wide: true, right: true, width: "120px" },
  { label: "Bad", wide: true, right: true, width: "120px" },
  { label: "Of the budget", right: true, width: "120px" },
  { label: "Share", silent: true, wide: true, width: "180px" },
];

function Times({ times }: { times: SpentTime[] }) {
  if (times.length === 0)
    return (
      <Panel className={classes.box ?? ""}>
        <h2>What spent the budget</h2>
        <p className="t2">At no time did more fail than may.</p>
      </Panel>
    );
  return (
    <Panel>
      <table className={table.table}>
        <TableHead columns={timeColumns} />
        <tbody>
          {times.map((t) => (
            <tr key={t.start}>
              <td className={classes.first}>
                <Named time={t} />
                <div className={`${classes.second} ${table.only}`}>
                  {`${weekdayAndClock(t.start)}, ${duration(t.end - t.start)}, ${whole(t.bad)} bad`}
                </div>
              </td>
              <td className={`t2 ${table.hide}`}>{weekdayAndClock(t.start)}</td>
              <td className={`t2 num ${table.right} ${table.hide}`}>{duration(t.end - t.start)}</td>
              <td className={`num ${table.right} ${table.hide}`}>{whole(t.bad)}</td>
              <Part spent={t.spent} most={times[0]?.spent ?? 0} />
            </tr>
          ))}
        </tbody>
      </table>
    </Panel>
  );
}

/** What happened then, each with its page: the first incident of each alert, then annotations. */
function Named({ time: t }: { time: SpentTime }) {
  const links = [
    ...firstOfEach(t.incidents).map((i) => (
      <Link key={`i${i.id}`} to="/alerts/$id" params={{ id: String(i.alert_id) }} search={{ incident: String(i.id) }}>
        {i.name}
      </Link>
    )),
    ...t.annotations.map((a) => (
      <Link key={`a${a.id}`} to="/annotations/$name" params={{ name: a.stream }}>
        {a.title}
      </Link>
    )),
  ];
  if (links.length === 0) return <span className="t2">{spentName(t)}</span>;
  return (
    <>
      <span className={table.name}>{links[0]}</span>
      {links.length > 1 && <div className={`cut ${classes.second} ${classes.links}`}>{links.slice(1)}</div>}
    </>
  );
}

/** How many percent of the budget, as a number and beside the largest. */
function Part({ spent, most }: { spent: number; most: number }) {
  return (
    <>
      <td className={`num ${table.right}`}>
        <b>{share(Math.round(spent * 10) / 10)}</b>
      </td>
      <td className={table.hide}>
        <span className={classes.bar} aria-hidden>
          <span style={{ width: `${most > 0 ? (66 * spent) / most : 0}%` }} />
        </span>
      </td>
    </>
  );
}

function Spenders({ spent: { by, spenders } }: { spent: BudgetSpent }) {
  const columns = [
    { label: by ? `Spent by ${by}` : "Spent by stream" },
    { label: "In all", wide: true, right: true, width: "120px" },
    { label: "Bad", right: true, width: "120px" },
    { label: "Of the budget", right: true, width: "120px" },
    { label: "Share", silent: true, wide: true, width: "180px" },
  ];
  return (
    <Panel>
      <table className={table.table}>
        <TableHead columns={columns} />
        <tbody>
          {spenders.map((s) => (
            <tr key={s.name}>
              <td className={`mono cut ${classes.first}`}>{s.name}</td>
              <td className={`t2 num ${table.right} ${table.hide}`}>{whole(s.total)}</td>
              <td className={`num ${table.right}`}>{whole(s.bad)}</td>
              <Part spent={s.spent} most={spenders[0]?.spent ?? 0} />
            </tr>
          ))}
        </tbody>
      </table>
    </Panel>
  );
}
