import { IconAlertTriangle } from "@tabler/icons-react";
import type { Ref } from "react";
import type { Loaded } from "../api/series";
import { SortHeader } from "../components/SortHeader";
import { among, clock, clockSeconds, number } from "../lib/format";
import { viewer } from "../lib/viewer";
import { valueAt } from "./columns";
import { type Line, spreadOf } from "./data";
import { colorOf } from "./palette";
import { percentWords } from "./past";
import { isBeyond, type Limit, numbers, type StreamRow } from "./streams";
import { useScheme } from "./useScheme";
import classes from "./Workbench.module.css";

type Props = {
  ref: Ref<HTMLTableElement>;
  rows: StreamRow[];
  /** The tags that have a column each; without any, lines have their names. */
  tags: string[];
  by: string[];
  sort: string;
  onSort: (sort: string) => void;
  /** Numbers beyond it are marked. */
  limit: Limit;
  /** "a week before": what the last numbers are compared with. */
  than: string | undefined;
  isolated: ReadonlySet<string>;
  onFocus: (key: string | null) => void;
  onIsolate: (key: string, add: boolean) => void;
};

/** A row for every line: the legend of a workbench, with what its values come to. */
export function GroupTable({ ref, rows, tags, by, sort, onSort, limit, than, isolated, onFocus, onIsolate }: Props) {
  const [first = "name", ...others] = tags;
  // Numbers are looked at from the highest.
  const highestFirst = (key: string) => (next: string) => onSort(sort === `-${key}` || sort === key ? next : `-${key}`);
  return (
    <table ref={ref} className={classes.table}>
      <thead>
        <tr>
          <SortHeader label={tags.length ? first : by.join(", ") || "Stream"} by={first} sort={sort} onSort={onSort} />
          {others.map((tag) => (
            <SortHeader key={tag} label={tag} by={tag} sort={sort} onSort={onSort} className={classes.tag} />
          ))}
          <th scope="col" className={classes.at}>
            <span className="sr">Under the crosshair</span>
            <span data-at />
          </th>
          {numbers.map(({ key, label }) => (
            <SortHeader
              key={key}
              label={label}
              by={key}
              sort={sort}
              onSort={highestFirst(key)}
              className={classes[`col_${key}`]}
            />
          ))}
          {than && (
            <SortHeader
              label="Change"
              tip={`Last, on ${than}`}
              by="change"
              sort={sort}
              onSort={highestFirst("change")}
            />
          )}
        </tr>
      </thead>
      <tbody>
        {rows.map((r) => (
          <Row
            key={r.line.key}
            row={r}
            tags={tags}
            limit={limit}
            than={than}
            pressed={isolated.has(r.line.key)}
            off={isolated.size > 0 && !isolated.has(r.line.key)}
            onFocus={onFocus}
            onIsolate={onIsolate}
          />
        ))}
      </tbody>
    </table>
  );
}

type RowProps = Pick<Props, "onFocus" | "onIsolate" | "tags" | "limit" | "than"> & {
  row: StreamRow;
  pressed: boolean;
  off: boolean;
};

function Row({ row, tags, limit, than, pressed, off, onFocus, onIsolate }: RowProps) {
  const scheme = useScheme();
  const { line: l, stats: s } = row;
  const [first, ...others] = tags;
  return (
    <tr data-off={off || undefined} onPointerEnter={() => onFocus(l.key)} onPointerLeave={() => onFocus(null)}>
      <td>
        <button
          type="button"
          className={classes.line}
          aria-pressed={pressed}
          data-tip={others.length ? l.label : undefined}
          onFocus={() => onFocus(l.key)}
          onBlur={() => onFocus(null)}
          onClick={(e) => onIsolate(l.key, e.metaKey || e.ctrlKey)}
        >
          <span className={classes.swatch} style={{ background: colorOf(l.paint, scheme) }} />
          <span className={l.mono ? "mono" : undefined}>
            {first === undefined ? l.label : (l.tags[first] ?? "none")}
          </span>
        </button>
      </td>
      {others.map((tag) => (
        <td key={tag} className={`mono ${classes.tag}`}>
          {l.tags[tag] ?? ""}
        </td>
      ))}
      <td data-at-cell className={classes.at} />
      {numbers.map(({ key }) => {
        const over = key !== "sum" && isBeyond(s[key], limit);
        return (
          <td key={key} className={classes[`col_${key}`]} data-over={over || undefined}>
            {over && <IconAlertTriangle size={12} stroke={2} aria-label={limit.side} />}
            {key === "sum" ? number(s[key]) : among(s[key], spreadOf(l))}
          </td>
        );
      })}
      {than && <td>{percentWords(row.change ?? null, viewer())}</td>}
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
    if (cell) cell.textContent = v === null ? "" : among(v, spreadOf(l));
  }
}
