import { useMemo, useState } from "react";
import { number, pointTime, whole } from "../lib/format";
import type { Window } from "../time/range";
import chart from "./Chart.module.css";
import { type Column, withPast } from "./cells";
import { times } from "./data";
import type { Past } from "./past";
import classes from "./SeriesTable.module.css";

const page = 200;

type Props = { lines: Column[]; window: Window; past?: Past | undefined };

/** The values behind a chart, newest first, and what they are compared with. */
export function SeriesTable({ lines, window: w, past }: Props) {
  const [rows, setRows] = useState(page);
  const columns = useMemo(() => withPast(lines, w, past), [lines, w, past]);
  const all = times(w)
    .map((t, i) => ({ t, i }))
    .reverse();
  return (
    <>
      <table className={classes.table}>
        <thead>
          <tr>
            <th scope="col">Time</th>
            {columns.map((l) => (
              <th key={l.key} scope="col" className={l.mono ? "mono" : undefined}>
                {l.label}
                {l.unit && <span className="t3"> {l.unit}</span>}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {all.slice(0, rows).map(({ t, i }) => (
            <tr key={t}>
              <td className="num">{pointTime(t, w.step)}</td>
              {columns.map((l) => (
                <td key={l.key} className="num">
                  {l.values[i] == null ? "" : number(l.values[i])}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {rows < all.length && (
        <button
          type="button"
          className={chart.item}
          style={{ padding: "10px 12px" }}
          onClick={() => setRows(rows + page)}
        >
          {`${page} more of ${whole(all.length - rows)}`}
        </button>
      )}
    </>
  );
}
