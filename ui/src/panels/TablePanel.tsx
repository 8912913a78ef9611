import { IconAlertTriangle, IconArrowDown, IconArrowUp, IconDots } from "@tabler/icons-react";
import { Fragment, useMemo, useState } from "react";
import type { ChartLink } from "../api/types";
import { crossed } from "../chart/bigValue";
import { percentWords } from "../chart/past";
import { sparkPath } from "../chart/Sparkline";
import { IconButton } from "../components/controls";
import { Menu, type MenuItem } from "../components/Menu";
import { value, whole } from "../lib/format";
import { viewer } from "../lib/viewer";
import { filled, follow } from "./links";
import { NoData } from "./NoData";
import classes from "./Panels.module.css";
import type { PanelProps } from "./PanelView";
import { arranged, byChange, byName, type Column, defaultTop, type Row, scaleOf, sortOf, tableOf } from "./table";

type Sort = { column: number; lowest: boolean };
const noLinks: ChartLink[] = [];

/** The streams of a chart as columns, their groups as rows, the worst on top. */
export function TablePanel(props: PanelProps) {
  const { chart, lines, then, incomplete, onFilter } = props;
  const { attributes: a = {} } = chart;
  const table = useMemo(() => tableOf(chart, lines, incomplete, then?.lines), [chart, lines, incomplete, then]);
  const first = table.columns.findIndex((c) => c.stream === sortOf(chart));
  const [pressed, setPressed] = useState<Sort>();
  // What nobody sees any more sorts nothing.
  const own = pressed?.column === byChange && !then ? undefined : pressed;
  const sort = own ?? { column: first, lowest: a.order === "lowest" };
  if (table.rows.length === 0) return <NoData {...props} />;
  const most = a.top ?? defaultTop;
  // The top stays the top of the column it is of; a press on another head arranges what is shown.
  const best = arranged(table.rows, first, a.order === "lowest").slice(0, most);
  const rows = own ? arranged(best, own.column, own.lowest) : best;
  const scale = a.spark ? scaleOf(rows) : undefined;
  const widest = Math.max(...rows.map((r) => Math.abs(r.cells[first] ?? 0)), 0);
  const press = (column: number) =>
    setPressed({ column, lowest: sort.column === column ? !sort.lowest : column === byName });
  return (
    <div className={classes.scroll} tabIndex={-1}>
      <table className={classes.table}>
        <thead>
          <tr>
            <Head label={table.by.join(", ") || "Stream"} sort={sort} column={byName} onPress={press} />
            {table.columns.map((c, i) => (
              <Fragment key={c.stream}>
                <Head label={c.label} unit={c.unit} sort={sort} column={i} onPress={press} number />
                {scale && i === first && <th scope="col">{props.rangeLabel}</th>}
                {then && i === first && (
                  <Head label="Change" tip={`On ${then.than}`} sort={sort} column={byChange} onPress={press} number />
                )}
              </Fragment>
            ))}
            {(onFilter || a.links?.length) && (
              <th className={classes.more}>
                <span className="sr">More</span>
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {rows.map((r) => (
            <TableRow
              key={r.key}
              row={r}
              by={table.by}
              columns={table.columns}
              barred={first}
              widest={widest}
              scale={scale}
              compared={then !== undefined}
              links={a.links ?? noLinks}
              onFilter={onFilter}
            />
          ))}
        </tbody>
      </table>
      {table.total > rows.length && (
        <p
          className={classes.foot}
        >{`${a.order === "lowest" ? "lowest" : "top"} ${whole(rows.length)} of ${whole(table.total)}`}</p>
      )}
    </div>
  );
}

type HeadProps = {
  label: string;
  unit?: string;
  tip?: string;
  column: number;
  sort: Sort;
  onPress: (column: number) => void;
  number?: boolean;
};

function Head({ label, unit, tip, column, sort, onPress, number = false }: HeadProps) {
  const on = sort.column === column;
  const Arrow = sort.lowest ? IconArrowUp : IconArrowDown;
  return (
    <th
      scope="col"
      data-number={number || undefined}
      aria-sort={on ? (sort.lowest ? "ascending" : "descending") : undefined}
    >
      <button type="button" className={classes.sort} data-tip={tip} onClick={() => onPress(column)}>
        {label}
        {unit && <span className="t3"> {unit}</span>}
        {on && <Arrow size={12} stroke={1.8} aria-hidden />}
      </button>
    </th>
  );
}

type RowProps = {
  row: Row;
  by: string[];
  columns: Column[];
  /** The column with a bar beside its numbers, and what a whole bar is. */
  barred: number;
  widest: number;
  /** Of the small lines, if there are any. */
  scale: [number, number] | undefined;
  /** Whether it says how much more it is than it was. */
  compared: boolean;
  links: ChartLink[];
  onFilter: PanelProps["onFilter"];
};

/** What can be done about one row: look at it alone, or go on elsewhere. */
function itemsOf({ row, by, links, onFilter }: RowProps): MenuItem[] {
  const [tag] = by;
  const own = tag === undefined ? undefined : row.tags[tag];
  return [
    ...(onFilter && tag !== undefined && own !== undefined
      ? [{ label: `Filter to ${own}`, run: () => onFilter(tag, [own], false) }]
      : []),
    ...links.flatMap((l) => {
      const to = filled(l, row.tags);
      return to ? [{ label: l.title, run: () => void follow(to) }] : [];
    }),
  ];
}

function TableRow(props: RowProps) {
  const { row, columns, barred, widest, scale, compared, links, onFilter } = props;
  const items = itemsOf(props);
  return (
    <tr>
      <th scope="row" className="mono cut" data-tip={row.name}>
        {row.name}
      </th>
      {columns.map((c, i) => (
        <Fragment key={c.stream}>
          <NumberCell
            v={row.cells[i] ?? null}
            column={c}
            {...(i === barred && { main: true, ...(!scale && { widest }) })}
          />
          {scale && i === barred && (
            <Past row={row} scale={scale} hit={crossed(row.cells[i] ?? null, c.thresholds)?.type} />
          )}
          {compared && i === barred && <td>{percentWords(row.change, viewer())}</td>}
        </Fragment>
      ))}
      {(onFilter || links.length > 0) && (
        <td className={classes.more}>
          {items.length > 0 && (
            <Menu
              label={`More for ${row.name}`}
              items={items}
              target={(p) => (
                <IconButton label={`More for ${row.name}`} {...p}>
                  <IconDots size={14} stroke={1.8} />
                </IconButton>
              )}
            />
          )}
        </td>
      )}
    </tr>
  );
}

type CellProps = {
  v: number | null;
  column: Column;
  main?: boolean;
  /** What a whole bar beside the number is, where there is one. */
  widest?: number;
};

function NumberCell({ v, column: c, main = false, widest }: CellProps) {
  const hit = crossed(v, c.thresholds);
  return (
    <td data-tone={hit?.type} data-main={main || undefined}>
      <span className={classes.cell}>
        {hit && <IconAlertTriangle size={12} stroke={2} aria-label={hit.type === "red" ? "Critical" : "Warning"} />}
        {/* The unit stands in the head; scales such as k and MB are part of the number. */}
        {withoutUnit(value(v, c.unit), c.unit)}
      </span>
      {widest !== undefined && (
        <span className={classes.bar} aria-hidden>
          <span style={{ width: `${widest ? (100 * Math.abs(v ?? 0)) / widest : 0}%` }} />
        </span>
      )}
    </td>
  );
}

const pastWidth = 150;
const pastHeight = 18;

/** The range of a row as a small line, on the scale of all rows. */
function Past({ row, scale: [low, high], hit }: { row: Row; scale: [number, number]; hit: string | undefined }) {
  const { line, area } = sparkPath(row.past, pastWidth, pastHeight, low, high);
  return (
    <td className={classes.past} data-tone={hit}>
      <svg viewBox={`0 -1 ${pastWidth} ${pastHeight + 2}`} preserveAspectRatio="none" aria-hidden="true">
        <path d={area} />
        <path d={line} />
      </svg>
    </td>
  );
}

const withoutUnit = (text: string, unit: string) =>
  unit && text.endsWith(unit) ? text.slice(0, -unit.length).trimEnd() : text;
