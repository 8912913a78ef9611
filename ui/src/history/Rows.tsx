import { useQueries } from "@tanstack/react-query";
import { history, type VersionKind } from "../api/history";
import { ErrorCard } from "../components/problems";
import { Skeleton } from "../components/Skeleton";
import { compare, type Document, type Row } from "./compare";
import classes from "./History.module.css";
import { useNames } from "./useNames";

type Props = { kind: VersionKind; before: Document; after: Document; labels?: [string, string]; same?: string };

/** The differences between two versions, one a row. */
export function Differences({ kind, before, after, labels = ["Before", "After"], same }: Props) {
  const names = useNames(kind === "alert");
  const rows = compare(kind, before, after, names);
  if (rows.length === 0) return <p className="t3">{same ?? "Nothing differs."}</p>;
  return (
    <div className={classes.scroll}>
      <table className={classes.rows}>
        <thead>
          <tr>
            <th scope="col">What</th>
            <th scope="col">{labels[0]}</th>
            <th scope="col">{labels[1]}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((r) =>
            r.chart ? (
              <ChartRows key={`${r.chart.id} ${r.mark}`} row={r} chart={r.chart} />
            ) : (
              <One key={`${r.mark} ${r.of} ${r.what} ${r.after}`} row={r} />
            ),
          )}
        </tbody>
      </table>
    </div>
  );
}

function One({ row: r }: { row: Row }) {
  return (
    <tr>
      <th scope="row">
        <span className={classes.mark} data-mark={r.mark}>
          {r.mark}
        </span>{" "}
        {r.of && r.of !== r.what && <b>{`${r.of} `}</b>}
        <span className={classes.what}>{r.what}</span>
      </th>
      <td>{r.before ?? <span className="t3">not set</span>}</td>
      <td>{r.after ?? <span className="t3">not set</span>}</td>
    </tr>
  );
}

/** What changed in a chart of a space: the chart has versions of its own. */
function ChartRows({ row: r, chart }: { row: Row; chart: NonNullable<Row["chart"]> }) {
  const names = useNames(false);
  const thing = { kind: "chart" as const, id: chart.id };
  const found = useQueries({ queries: [history.version(thing, chart.before), history.version(thing, chart.after)] });
  const [was, is] = [found[0]?.data, found[1]?.data];
  const failed = found.find((q) => q.error)?.error;
  if (!was || !is)
    return (
      <tr>
        <td colSpan={3}>
          {failed ? <ErrorCard error={failed} what={`the chart ${r.of}`} /> : <Skeleton height={18} />}
        </td>
      </tr>
    );
  const rows = compare("chart", was.document, is.document, names);
  return rows.map((one) => (
    <One
      key={`${one.of} ${one.what}`}
      row={{
        ...one,
        of: r.of,
        what: one.of && one.of !== one.what ? `${one.of}, ${one.what.toLowerCase()}` : one.what,
      }}
    />
  ));
}
