import type { VersionKind } from "../api/history";
import { ErrorCard } from "../components/problems";
import { Skeleton } from "../components/Skeleton";
import type { Document, Mark, Row } from "./compare";
import classes from "./History.module.css";
import { useDifferences } from "./useDifferences";

type Props = { kind: VersionKind; before: Document; after: Document; labels?: [string, string]; same?: string };

/** The differences between two versions, one a row. */
export function Differences({ kind, before, after, labels = ["Before", "After"], same }: Props) {
  const { rows, pending, error } = useDifferences(kind, before, after);
  if (rows.length === 0 && !pending) return <p className="t3">{same ?? "Nothing differs."}</p>;
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
          {rows.map((r) => (
            <One key={rowKey(r)} row={r} />
          ))}
          {pending && (
            <tr>
              <td colSpan={3}>
                <Skeleton height={18} />
              </td>
            </tr>
          )}
        </tbody>
      </table>
      {error && <ErrorCard error={error} what="what changed in charts" />}
    </div>
  );
}

export const rowKey = (r: Row) => `${r.mark} ${r.of} ${r.chart?.id} ${r.what} ${r.after}`;

/** What became of something, as a word in its colour. */
export const MarkWord = ({ mark }: { mark: Mark }) => (
  <span className={classes.mark} data-mark={mark}>
    {mark}
  </span>
);

function One({ row: r }: { row: Row }) {
  return (
    <tr>
      <th scope="row">
        <MarkWord mark={r.mark} /> {r.of && r.of !== r.what && <b>{`${r.of} `}</b>}
        <span className={classes.what}>{r.what}</span>
      </th>
      <td>{r.before ?? <span className="t3">not set</span>}</td>
      <td>{r.after ?? <span className="t3">not set</span>}</td>
    </tr>
  );
}
