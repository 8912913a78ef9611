import { useQuery } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { maintenance } from "../../api/maintenance";
import type { Occurrence, WindowView } from "../../api/ui.gen";
import { ErrorCard } from "../../components/problems";
import { clock } from "../../lib/format";
import { viewer } from "../../lib/viewer";
import { wall } from "../../time/wall";
import { addDays, atDay, type Date3, isoDay, piecesOf } from "../../time/week";
import type { Draft } from "./draft";
import classes from "./Maintenance.module.css";
import { useDrag } from "./useDrag";
import { WindowBlock } from "./WindowBlock";

type Props = {
  week: Date3[];
  draft: Draft | undefined;
  open: (d: Draft) => Promise<boolean>;
  change: (d: Draft) => void;
  canEdit: boolean;
};

/** What a block shows: a saved time of a window, or the draft. */
export type Shown = { window: WindowView; occurrence: Occurrence } | { draft: Draft };

/** Saved times, with the draft in the place of the one that it changes. */
function timesOf(windows: WindowView[], draft: Draft | undefined) {
  const saved = windows.flatMap((window) =>
    window.occurrences
      .filter((o) => window.id !== draft?.window?.id || o.start !== draft.occurrence?.start)
      .map((o) => ({ of: { window, occurrence: o } as Shown, start: o.start, end: o.end })),
  );
  return draft ? [...saved, { of: { draft } as Shown, start: draft.start, end: draft.end }] : saved;
}

/** A week as a grid: days across, hours down. */
export function Week({ week, draft, open, change, canEdit }: Props) {
  const start = atDay(week[0] as Date3);
  const end = atDay(addDays(week[0] as Date3, 7));
  const { data, error, refetch } = useQuery(maintenance.between(start, end));
  const now = useNowTicking();
  const grid = useRef<HTMLTableRowElement>(null);
  const drag = useDrag({ grid, week, draft, open, change });
  const today = isoDay(wall(now, viewer().zone));
  const times = timesOf(data ?? [], drag.dragged ?? draft);
  return (
    <div className={classes.calendar} aria-busy={!data && !error}>
      {error && !data ? <ErrorCard error={error} retry={() => void refetch()} what="the maintenance windows" /> : null}
      <table className={classes.grid} aria-label="Maintenance windows of the week">
        <thead>
          <tr>
            <th scope="col">
              <span className="sr">Hour</span>
            </th>
            {week.map((d) => (
              <th key={isoDay(d)} scope="col" data-today={isoDay(d) === today || undefined}>
                {shortDay(atDay(d, 43_200))}
                {isoDay(d) === today && <small> today</small>}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          <tr ref={grid}>
            <th scope="row" className={classes.hours}>
              <span className="sr">All day</span>
              {Array.from({ length: 12 }, (_, i) => (
                <span key={i} className={classes.hour} style={{ top: `${(i / 12) * 100}%` }} aria-hidden>
                  {clock(atDay(week[2] as Date3, i * 7200))}
                </span>
              ))}
            </th>
            {week.map((d) => (
              <td
                key={isoDay(d)}
                className={classes.day}
                data-weekend={[0, 6].includes(wall(atDay(d, 43_200), viewer().zone).weekday) || undefined}
                data-edit={canEdit || undefined}
                onPointerDown={canEdit ? drag.make : undefined}
              >
                {piecesOf(times, d).map((p) => (
                  <WindowBlock
                    key={keyOf(p.of)}
                    piece={p}
                    now={now}
                    open={open}
                    change={change}
                    grab={canEdit ? drag.grab : undefined}
                  />
                ))}
                {isoDay(d) === today && <NowLine now={now} />}
              </td>
            ))}
          </tr>
        </tbody>
      </table>
      {data && times.length === 0 && <p className={classes.empty}>No maintenance this week.</p>}
    </div>
  );
}

const NowLine = ({ now }: { now: number }) => (
  <span className={classes.now} style={{ top: `${(wall(now, viewer().zone).secs / 864).toFixed(3)}%` }} aria-hidden />
);

const keyOf = (s: Shown) => ("draft" in s ? "draft" : `${s.window.id} ${s.occurrence.start}`);
/** "Mon 16" */
const shortDay = (at: number) =>
  new Intl.DateTimeFormat(viewer().locale, {
    timeZone: viewer().zone,
    calendar: "gregory",
    weekday: "short",
    day: "numeric",
  })
    .format(at * 1000)
    .replace(",", "");

function useNowTicking(): number {
  const [now, setNow] = useState(Date.now() / 1000);
  useEffect(() => {
    const timer = window.setInterval(() => setNow(Date.now() / 1000), 30_000);
    return () => window.clearInterval(timer);
  }, []);
  return now;
}
