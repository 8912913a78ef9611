import { IconDownload } from "@tabler/icons-react";
import { type ReactNode, useMemo, useRef, useState } from "react";
import type { Loaded } from "../api/series";
import { Panel } from "../components/Panel";
import { Skeleton } from "../components/Skeleton";
import { clock, count, number } from "../lib/format";
import { csv, download, fileName } from "../lib/text";
import type { Time } from "../time/TimeContext";
import { type Line, stats, times } from "./data";
import { isolate } from "./Legend";
import { Lines } from "./Lines";
import { colorOf } from "./palette";
import { SeriesTable } from "./SeriesTable";
import { useScheme } from "./useScheme";
import classes from "./Workbench.module.css";

type Props = {
  title: string;
  unit: string;
  lines: Line[];
  loaded: Loaded | undefined;
  /** How many streams were folded into these lines. */
  streams: number | undefined;
  /** What the lines are told apart by. */
  by: string[];
  time: Time;
  tools?: ReactNode;
  view?: "groups" | "table";
  faded?: boolean;
  message?: ReactNode;
};

const page = 25;

/** A chart and, in place of its legend, a table of its lines. */
export function Workbench({
  title,
  unit,
  lines,
  loaded,
  streams,
  by,
  time,
  tools,
  view = "groups",
  faded = false,
  message,
}: Props) {
  const [from, setFrom] = useState(0);
  const [isolated, setIsolated] = useState<ReadonlySet<string>>(new Set());
  const [focused, setFocused] = useState<string | null>(null);
  const table = useRef<HTMLTableElement>(null);
  const start = Math.min(from, Math.max(0, lines.length - 1) - (Math.max(0, lines.length - 1) % page));
  const shown = useMemo(
    () => (lines.length > page ? recoloured(lines.slice(start, start + page)) : lines),
    [lines, start],
  );
  const cursor = (idx: number | null) => showAt(table.current, shown, loaded, idx);
  const save = () => {
    if (!loaded) return;
    const rows = times(loaded.window).map((t, i) => [
      new Date(t * 1000).toISOString(),
      ...lines.map((l) => l.values[i] ?? null),
    ]);
    download(fileName(title, "csv"), csv([["time", ...lines.map((l) => l.label)], ...rows]), "text/csv");
  };
  return (
    <div className={classes.bench}>
      <Panel className={classes.chart ?? ""}>
        <div className={classes.head}>
          <h2>{title}</h2>
          <span className="t3">{unit}</span>
          <div className={classes.tools}>{tools}</div>
        </div>
        <div className={classes.canvas} data-faded={faded || undefined}>
          {loaded ? (
            <Lines
              title={title}
              rangeLabel={time.label}
              kind="line"
              lines={shown}
              window={loaded.window}
              incomplete={time.canBeLive}
              isolated={isolated}
              focused={focused}
              readout={false}
              onCursor={cursor}
              onZoom={time.zoom}
              onPan={time.pan}
              onZoomOut={time.out}
            />
          ) : (
            <Skeleton height="100%" />
          )}
          {(message || (loaded && lines.length === 0)) && (
            <div className={classes.message}>{message ?? "No data for these tags in this range"}</div>
          )}
        </div>
      </Panel>
      <Panel className={classes.tablePanel ?? ""}>
        <div className={classes.head}>
          <h2>{count(lines.length, by.length ? "group" : "line")}</h2>
          {streams !== undefined && <span className="t3">{`from ${count(streams, "stream")}`}</span>}
          <div className={classes.tools}>
            {lines.length > page && <Pages total={lines.length} from={start} onChange={setFrom} />}
            <button type="button" className={classes.csv} onClick={save} disabled={lines.length === 0}>
              <IconDownload size={15} stroke={1.6} /> CSV
            </button>
          </div>
        </div>
        <div className={classes.scroll}>
          {view === "table" && loaded ? (
            <SeriesTable lines={shown} window={loaded.window} />
          ) : (
            <Groups
              ref={table}
              lines={shown}
              by={by}
              isolated={isolated}
              onFocus={setFocused}
              onIsolate={(key, add) => setIsolated(isolate(isolated, key, add))}
            />
          )}
        </div>
      </Panel>
    </div>
  );
}

const recoloured = (lines: Line[]): Line[] =>
  lines.map((l, i) => ({
    ...l,
    paint: { slot: i % 8 },
    muted: false,
    ...(i >= 8 && { dash: i >= 16 ? [2, 3] : [6, 4] }),
  }));

function Pages({ total, from, onChange }: { total: number; from: number; onChange: (n: number) => void }) {
  const to = Math.min(total, from + page);
  return (
    <span className={classes.pages}>
      <button type="button" disabled={from === 0} onClick={() => onChange(from - page)} aria-label="The ones before">
        ‹
      </button>
      {`${from + 1}-${to}`}
      <button type="button" disabled={to >= total} onClick={() => onChange(from + page)} aria-label="The next ones">
        ›
      </button>
    </span>
  );
}

/** Writes the values under the crosshair into the table, without rendering it. */
function showAt(table: HTMLTableElement | null, lines: Line[], loaded: Loaded | undefined, idx: number | null): void {
  if (!table || !loaded) return;
  const head = table.querySelector<HTMLElement>("[data-at]");
  if (head) head.textContent = idx === null ? "" : `At ${clock(loaded.window.start + idx * loaded.window.step)}`;
  const cells = table.querySelectorAll<HTMLElement>("td[data-at-cell]");
  for (const [i, l] of lines.entries()) {
    const cell = cells[i];
    if (cell) cell.textContent = idx === null || l.values[idx] == null ? "" : number(l.values[idx]);
  }
}

type GroupsProps = {
  ref: React.Ref<HTMLTableElement>;
  lines: Line[];
  by: string[];
  isolated: ReadonlySet<string>;
  onFocus: (key: string | null) => void;
  onIsolate: (key: string, add: boolean) => void;
};

function Groups({ ref, lines, by, isolated, onFocus, onIsolate }: GroupsProps) {
  const scheme = useScheme();
  return (
    <table ref={ref} className={classes.table}>
      <thead>
        <tr>
          <th scope="col">{by.join(", ") || "stream"}</th>
          <th scope="col" data-at aria-label="Under the crosshair" />
          <th scope="col">Last</th>
          <th scope="col">Min</th>
          <th scope="col">Average</th>
          <th scope="col">Max</th>
          <th scope="col">Sum</th>
        </tr>
      </thead>
      <tbody>
        {lines.map((l) => {
          const s = stats(l.values);
          const off = isolated.size > 0 && !isolated.has(l.key);
          return (
            <tr
              key={l.key}
              data-off={off || undefined}
              onPointerEnter={() => onFocus(l.key)}
              onPointerLeave={() => onFocus(null)}
            >
              <td>
                <button
                  type="button"
                  className={classes.line}
                  aria-pressed={isolated.has(l.key)}
                  onFocus={() => onFocus(l.key)}
                  onBlur={() => onFocus(null)}
                  onClick={(e) => onIsolate(l.key, e.metaKey || e.ctrlKey)}
                >
                  <span className={classes.swatch} style={{ background: colorOf(l.paint, scheme) }} />
                  <span className={l.mono ? "mono" : undefined}>{l.label}</span>
                </button>
              </td>
              <td data-at-cell className={classes.at} />
              <td>{number(s.last)}</td>
              <td>{number(s.min)}</td>
              <td>{number(s.mean)}</td>
              <td>{number(s.max)}</td>
              <td>{number(s.sum)}</td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}
