import { useState } from "react";
import { number, pointTime, whole } from "../lib/format";
import type { Window } from "../time/range";
import classes from "./Chart.module.css";
import { type Line, times } from "./data";

const page = 200;

type Column = Pick<Line, "key" | "label" | "mono" | "unit" | "values">;

/** The values behind a chart, newest first. */
export function SeriesTable({ lines, window: w }: { lines: Column[]; window: Window }) {
  const [rows, setRows] = useState(page);
  const all = times(w)
    .map((t, i) => ({ t, i }))
    .reverse();
  return (
    <>
      <table className={classes.table}>
        <thead>
          <tr>
            <th scope="col">Time</th>
            {lines.map((l) => (
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
              {lines.map((l) => (
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
          className={classes.item}
          style={{ padding: "10px 12px" }}
          onClick={() => setRows(rows + page)}
        >
          {`${page} more of ${whole(all.length - rows)}`}
        </button>
      )}
    </>
  );
}
