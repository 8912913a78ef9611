import { useQuery } from "@tanstack/react-query";
import { maintenance } from "../../api/maintenance";
import type { Occurrence, WindowView } from "../../api/ui.gen";
import { Button } from "../../components/Button";
import { EmptyState } from "../../components/EmptyState";
import { Panel } from "../../components/Panel";
import { ErrorCard } from "../../components/problems";
import { SkeletonRows } from "../../components/Skeleton";
import { count, dayAndClock, span, weekday } from "../../lib/format";
import { viewer } from "../../lib/viewer";
import { dayName, fromMonday } from "../../lib/weekdays";
import { useRows } from "../../shell/useRows";
import { wall } from "../../time/wall";
import { addDays, atDay } from "../../time/week";
import { type Draft, draftOf } from "./draft";
import classes from "./Maintenance.module.css";

/** How many days ahead are listed one by one. */
const ahead = 14;

type Time = { window: WindowView; occurrence: Occurrence };
type Props = { open: (d: Draft) => Promise<unknown>; create: (() => void) | undefined };

/** What is under way and what comes, by day. */
export function WindowList({ open, create }: Props) {
  const today = wall(Date.now() / 1000, viewer().zone);
  const start = atDay(today);
  const { data, error, refetch } = useQuery(maintenance.between(start, atDay(addDays(today, ahead))));
  useRows();
  if (error && !data) return <ErrorCard error={error} retry={() => void refetch()} what="the maintenance windows" />;
  if (!data) return <SkeletonRows rows={5} height={54} />;
  if (data.length === 0)
    return (
      <EmptyState title="No maintenance is planned." actions={create && <Button onClick={create}>New window</Button>}>
        In a window nobody is notified of the alerts it covers.
      </EmptyState>
    );
  const now = Date.now() / 1000;
  const days = byDay(data, start, now);
  const later = data.filter((w) => w.occurrences.length === 0 && w.starts_at > now);
  return (
    <div className={classes.list}>
      {days.length === 0 && <p className="t2">{`No maintenance in the next ${ahead} days.`}</p>}
      {days.map(([title, times]) => (
        <section key={title} aria-label={title}>
          <h2>{title}</h2>
          <Rows times={times} open={open} now={now} />
        </section>
      ))}
      {later.length > 0 && (
        <section aria-label="Later">
          <h2>Later</h2>
          <Rows times={later.map((window) => ({ window, occurrence: firstOf(window) }))} open={open} now={now} dated />
        </section>
      )}
    </div>
  );
}

/** A window that has no time yet in what is listed. */
const firstOf = (w: WindowView): Occurrence => ({
  start: w.starts_at,
  end: w.repeat ? w.starts_at + 3600 : (w.ends_at ?? 0),
});

function byDay(windows: WindowView[], start: number, now: number): [string, Time[]][] {
  const times = windows
    .flatMap((window) => window.occurrences.map((occurrence) => ({ window, occurrence })))
    .filter((t) => t.occurrence.end > now)
    .sort((a, b) => a.occurrence.start - b.occurrence.start);
  const days = new Map<string, Time[]>();
  for (const t of times) {
    const at = Math.max(start, t.occurrence.start);
    const title = at < start + 86_400 && weekday(at) === weekday(start) ? "Today" : weekday(at);
    days.set(title, [...(days.get(title) ?? []), t]);
  }
  return [...days];
}

type RowsProps = { times: Time[]; open: Props["open"]; now: number; dated?: boolean };

function Rows({ times, open, now, dated = false }: RowsProps) {
  return (
    <Panel>
      <ul>
        {times.map(({ window: w, occurrence: o }) => (
          <li key={`${w.id} ${o.start}`}>
            <button type="button" data-row className={classes.row} onClick={() => void open(draftOf(w, o))}>
              <span className="num">{dated ? dayAndClock(o.start) : span(o.start, o.end)}</span>
              <b className="cut">{w.name}</b>
              <span className="t2">{repeatWords(w)}</span>
              <span className="t2">{w.covered === 0 ? "covers nothing" : count(w.covered, "alert")}</span>
              {o.start <= now && <span className={classes.on}>under way</span>}
            </button>
          </li>
        ))}
      </ul>
    </Panel>
  );
}

function repeatWords({ repeat }: WindowView): string {
  if (!repeat) return "once";
  const weeks = repeat.weeks ?? 1;
  if (repeat.days.length === 7 && weeks === 1) return "every day";
  const inOrder = fromMonday.filter((d) => repeat.days.includes(d));
  const every = weeks > 1 ? `every ${weeks} weeks on` : "every";
  return `${every} ${inOrder.map((d) => dayName(d, inOrder.length > 1 ? "short" : "long")).join(", ")}`;
}
