import type { Ref } from "react";
import type { Loaded } from "../api/series";
import { clock, clockSeconds, number } from "../lib/format";
import { valueAt } from "./columns";
import { type Line, stats } from "./data";
import { colorOf } from "./palette";
import { useScheme } from "./useScheme";
import classes from "./Workbench.module.css";

type Props = {
  ref: Ref<HTMLTableElement>;
  lines: Line[];
  by: string[];
  isolated: ReadonlySet<string>;
  onFocus: (key: string | null) => void;
  onIsolate: (key: string, add: boolean) => void;
};

/** A row for every line: the legend of a workbench, with what its values come to. */
export function GroupTable({ ref, lines, by, isolated, onFocus, onIsolate }: Props) {
  return (
    <table ref={ref} className={classes.table}>
      <thead>
        <tr>
          <th scope="col">{by.join(", ") || "Stream"}</th>
          <th scope="col" data-at aria-label="Under the crosshair" />
          {["Last", "Min", "Average", "Max", "Sum"].map((name) => (
            <th key={name} scope="col">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {lines.map((l) => (
          <Row
            key={l.key}
            line={l}
            pressed={isolated.has(l.key)}
            off={isolated.size > 0 && !isolated.has(l.key)}
            onFocus={onFocus}
            onIsolate={onIsolate}
          />
        ))}
      </tbody>
    </table>
  );
}

type RowProps = Pick<Props, "onFocus" | "onIsolate"> & { line: Line; pressed: boolean; off: boolean };

function Row({ line: l, pressed, off, onFocus, onIsolate }: RowProps) {
  const scheme = useScheme();
  const s = stats(l.values);
  return (
    <tr data-off={off || undefined} onPointerEnter={() => onFocus(l.key)} onPointerLeave={() => onFocus(null)}>
      <td>
        <button
          type="button"
          className={classes.line}
          aria-pressed={pressed}
          onFocus={() => onFocus(l.key)}
          onBlur={() => onFocus(null)}
          onClick={(e) => onIsolate(l.key, e.metaKey || e.ctrlKey)}
        >
          <span className={classes.swatch} style={{ background: colorOf(l.paint, scheme) }} />
          <span className={l.mono ? "mono" : undefined}>{l.label}</span>
        </button>
      </td>
      <td data-at-cell className={classes.at} />
      {[s.last, s.min, s.mean, s.max, s.sum].map((v, i) => (
        <td key={i}>{number(v)}</td>
      ))}
    </tr>
  );
}

/** Writes the values under the crosshair into the table, without rendering it. */
export function showAt(
  table: HTMLTableElement | null,
  lines: Line[],
  loaded: Loaded | undefined,
  idx: number | null,
): void {
  if (!table || !loaded) return;
  const { start, step } = loaded.window;
  const head = table.querySelector<HTMLElement>("[data-at]");
  if (head) head.textContent = idx === null ? "" : `At ${(step < 60 ? clockSeconds : clock)(start + idx * step)}`;
  const cells = table.querySelectorAll<HTMLElement>("td[data-at-cell]");
  for (const [i, l] of lines.entries()) {
    const cell = cells[i];
    const v = idx === null ? null : valueAt(l.values, idx);
    if (cell) cell.textContent = v === null ? "" : number(v);
  }
}
