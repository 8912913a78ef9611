import type { Event } from "../api/types";
import { dayAndClock } from "../lib/format";
import type { Window } from "../time/range";
import classes from "./Chart.module.css";

export type Mark = Event & { stream?: string };
export type Incident = { start: number; end: number };

const labelRoom = 560;
const letter = 6.4;

/** Which flags may have their label beside them: those that hit no other flag. */
export function labelled(events: Mark[], w: Window, width: number): Set<number> {
  const out = new Set<number>();
  if (width < labelRoom) return out;
  const x = (t: number) => ((t - w.start) / (w.end - w.start)) * width;
  const sorted = events.filter((e) => e.start_time >= w.start).sort((a, b) => a.start_time - b.start_time);
  for (const [i, e] of sorted.entries()) {
    const next = sorted[i + 1];
    const room = (next ? x(next.start_time) : width) - x(e.start_time) - 20;
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

/** Bands under the lines. */
export function Bands({ window: w, events, incidents }: Omit<Props, "onEvent" | "width">) {
  const right = (end: number) => `calc(100% - ${percent(end, w)})`;
  return (
    <div className={classes.under}>
      {incidents.map((i) => (
        <div
          key={i.start}
          data-band
          className={`${classes.band} ${classes.incident}`}
          style={{ left: percent(i.start, w), right: right(i.end) }}
        />
      ))}
      {events
        .filter((e) => e.end_time && e.end_time > w.start && e.start_time < w.end)
        .map((e) => (
          <div
            key={e.id}
            data-band
            className={`${classes.band} ${classes.event}`}
            style={{ left: percent(e.start_time, w), right: right(e.end_time ?? w.end) }}
          />
        ))}
    </div>
  );
}

/** Flags above the lines; each opens what is known about it. */
export function Flags({ window: w, width, large, events, onEvent }: Omit<Props, "incidents"> & { large: boolean }) {
  const shown = events.filter((e) => e.start_time >= w.start && e.start_time < w.end);
  // Larger letters leave less room.
  const withLabel = labelled(shown, w, large ? width / 1.27 : width);
  return (
    <div className={classes.above}>
      {shown.map((e) => (
        <div key={e.id} data-mark className={classes.mark} style={{ left: percent(e.start_time, w) }}>
          <button
            type="button"
            className={classes.flag}
            aria-label={`${e.title}, ${dayAndClock(e.start_time)}`}
            data-tip={`${e.title}, ${dayAndClock(e.start_time)}`}
            onClick={(click) => onEvent?.(e, click.currentTarget.getBoundingClientRect())}
          />
          {withLabel.has(e.id) && <span className={classes.flagLabel}>{e.title}</span>}
        </div>
      ))}
    </div>
  );
}
