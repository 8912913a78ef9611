import type { Mark } from "../chart/Marks";
import { useEvents } from "../chart/useEvents";
import { duration, exact, moment, whole } from "../lib/format";
import { useTime } from "../time/TimeContext";
import { EmptyPanel } from "./EmptyPanel";
import classes from "./Panels.module.css";
import type { PanelProps } from "./PanelView";

const most = 50;

/** What was noted in the time of the page, the newest first: in the chart's own annotation streams, or in those of its space. */
export function EventsPanel({ chart, events = [], shared, onEvent }: PanelProps) {
  const time = useTime();
  const own = chart.streams.flatMap((s) => (s.type === "annotation" && s.metric && !s.hidden ? [s.metric] : []));
  const asked = useEvents(shared ? [] : own, time.window);
  const mine = own.length === 0 ? events : shared ? events.filter((e) => own.includes(e.stream ?? "")) : asked;
  const { start, end } = time.window;
  const all = mine
    .filter((e) => e.start_time < end && (e.end_time ?? e.start_time) >= start)
    .toSorted((a, b) => b.start_time - a.start_time || b.id - a.id);
  if (all.length === 0) return <EmptyPanel>Nothing was noted in this range.</EmptyPanel>;
  const shown = all.slice(0, chart.attributes?.top ?? most);
  return (
    <div className={classes.scroll} tabIndex={-1}>
      <ul className={classes.list} aria-label={chart.name || "Events"}>
        {shown.map((e) => (
          <li key={`${e.stream} ${e.id}`}>
            <EventLine event={e} onEvent={onEvent} />
          </li>
        ))}
      </ul>
      {all.length > shown.length && (
        <p className={classes.foot}>{`newest ${whole(shown.length)} of ${whole(all.length)}`}</p>
      )}
    </div>
  );
}

function EventLine({ event: e, onEvent }: { event: Mark; onEvent: PanelProps["onEvent"] }) {
  const lasted = e.end_time && e.end_time > e.start_time ? duration(e.end_time - e.start_time) : "";
  return (
    <>
      <time
        className={`${classes.when} num`}
        dateTime={new Date(e.start_time * 1000).toISOString()}
        data-tip={exact(e.start_time)}
      >
        {moment(e.start_time)}
      </time>
      <div className={classes.what}>
        {onEvent ? (
          <button
            type="button"
            className={`${classes.name} cut`}
            onClick={(c) => onEvent(e, c.currentTarget.getBoundingClientRect())}
          >
            {e.title}
          </button>
        ) : (
          <span className={`${classes.name} cut`}>{e.title}</span>
        )}
        <span className="t3">{[lasted, e.stream, e.source].filter(Boolean).join(", ")}</span>
      </div>
    </>
  );
}
