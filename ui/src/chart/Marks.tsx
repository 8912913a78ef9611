import type { Event } from "../api/types";
import { dayAndClock } from "../lib/format";
import type { Window } from "../time/range";
import chart from "./Chart.module.css";
import classes from "./Marks.module.css";

export type Mark = Event & { stream?: string };
export type Incident = { start: number; end: number };

const labelRoom = 560;
const letter = 6.4;

/** Where the flag of an event is: at the edge for what began before and goes on. */
const placeOf = (e: Mark, w: Window) => Math.max(e.start_time, w.start);

/** The events that have a flag: those that begin in the window, and those that go on in it, as their bands do. */
export const flagged = (events: Mark[], w: Window): Mark[] =>
  events.filter((e) => e.start_time < w.end && (e.start_time >= w.start || (e.end_time ?? 0) > w.start));

/** Which flags may have their label beside them: those that hit no other flag. */
export function labelled(events: Mark[], w: Window, width: number): Set<number> {
  const out = new Set<number>();
  if (width < labelRoom) return out;
  const x = (e: Mark) => ((placeOf(e, w) - w.start) / (w.end - w.start)) * width;
  const sorted = flagged(events, w).sort((a, b) => a.start_time - b.start_time);
  for (const [i, e] of sorted.entries()) {
    const next = sorted[i + 1];
    const room = (next ? x(next) : width) - x(e) - 20;
    if (e.title.length * letter <= room) out.add(e.id);
  }
  return out;
}

const percent = (t: number, w: Window) =>
  `${(Math.min(1, Math.max(0, (t - w.start) / (w.end - w.start))) * 100).toFixed(3)}%`;

type Props = {
  window: Window;
  width: number;
  events: Mark[];
  incidents: Incident[];
  onEvent?: ((e: Mark, at: DOMRect) => void) | undefined;
};

/** When something was going on: spans that overlap are one. */
export function spans(events: Mark[], w: Window): Incident[] {
  const out: Incident[] = [];
  const sorted = events
    .flatMap((e) =>
      e.end_time && e.end_time > w.start && e.start_time < w.end ? [{ start: e.start_time, end: e.end_time }] : [],
    )
    .sort((a, b) => a.start - b.start);
  for (const s of sorted) {
    const last = out.at(-1);
    if (last && s.start <= last.end) last.end = Math.max(last.end, s.end);
    else out.push(s);
  }
  return out;
}

/** Bands under the lines. */
export function Bands({ window: w, events, incidents }: Omit<Props, "onEvent" | "width">) {
  const right = (end: number) => `calc(100% - ${percent(end, w)})`;
  return (
    <div className={chart.under}>
      {incidents.map((i) => (
        <div
          key={i.start}
          data-band
          className={`${classes.band} ${classes.incident}`}
          style={{ left: percent(i.start, w), right: right(i.end) }}
        />
      ))}
      {spans(events, w).map((s) => (
        <div
          key={s.start}
          data-band
          className={`${classes.band} ${classes.event}`}
          style={{ left: percent(s.start, w), right: right(s.end) }}
        />
      ))}
    </div>
  );
}

/** Flags that stand for one event, or for several that are too near to each other to be told apart. */
export type Flag = { events: Mark[]; at: number };

const nearest = 18;
const most = 12;

/** Puts events together that would hide each other, and more where there are still too many. */
export function flagsOf(events: Mark[], w: Window, width: number): Flag[] {
  const sorted = [...events].sort((a, b) => a.start_time - b.start_time || a.id - b.id);
  const apart = (pixels: number): Flag[] => {
    const span = (pixels / Math.max(width, 1)) * (w.end - w.start);
    const out: Flag[] = [];
    for (const e of sorted) {
      const last = out.at(-1);
      const at = placeOf(e, w);
      if (last && at - last.at < span) last.events.push(e);
      else out.push({ events: [e], at });
    }
    return out;
  };
  const flags = apart(nearest);
  return flags.length > most ? apart(width / most) : flags;
}

const maxListed = 8;
const named = (e: Mark) => `${e.title}, ${dayAndClock(e.start_time)}`;

/** "59 annotations", and the first of them by time. */
function clusterWords(events: Mark[]): string {
  const rest = events.length - maxListed;
  const lines = events.slice(0, maxListed).map(named);
  return [`${events.length} annotations`, ...lines, ...(rest > 0 ? [`and ${rest} more`] : [])].join("\n");
}

type FlagProps = Omit<Props, "incidents"> & {
  large: boolean;
  onZoom?: ((start: number, end: number) => void) | undefined;
};

/** Flags above the lines; each opens what is known about it, and one of several zooms to them. */
export function Flags({ window: w, width, large, events, onEvent, onZoom }: FlagProps) {
  const shown = flagged(events, w);
  const flags = flagsOf(shown, w, width);
  const alone = flags.flatMap((f) => (f.events.length === 1 ? f.events : []));
  // Larger letters leave less room.
  const withLabel = labelled(shown, w, large ? width / 1.27 : width);
  const zoom = (list: Mark[]) => {
    const [first, last] = [list[0]?.start_time ?? w.start, list.at(-1)?.start_time ?? w.end];
    const room = Math.max(w.step, (last - first) * 0.1);
    onZoom?.(first - room, last + room);
  };
  return (
    <div className={chart.above}>
      {flags.map(({ events: list, at }) => {
        const [e] = list;
        if (!e) return null;
        const words = list.length === 1 ? named(e) : clusterWords(list);
        return (
          <div key={e.id} data-mark className={classes.mark} style={{ left: percent(at, w) }}>
            <button
              type="button"
              className={classes.flag}
              data-count={list.length > 1 ? list.length : undefined}
              aria-label={list.length === 1 ? words : `${words.replaceAll("\n", "; ")}. Zoom to them`}
              data-tip={words}
              onClick={(click) =>
                list.length === 1 ? onEvent?.(e, click.currentTarget.getBoundingClientRect()) : zoom(list)
              }
            />
            {alone.includes(e) && withLabel.has(e.id) && (
              <span className={classes.flagLabel} data-large={large || undefined}>
                {e.title}
              </span>
            )}
          </div>
        );
      })}
    </div>
  );
}
