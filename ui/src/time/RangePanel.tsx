import { useEffect, useRef, useState } from "react";
import { Button } from "../components/Button";
import { Kbd } from "../components/controls";
import { dayAndClock, step } from "../lib/format";
import { viewer } from "../lib/viewer";
import { Calendar } from "./Calendar";
import { type Day, dayIn, dayNumber, endsOf } from "./days";
import { momentOf, notADate } from "./moment";
import { isLive, presets, resolutionFor, resolve, typedRange } from "./range";
import { useFinest } from "./spacing";
import { useTime } from "./TimeContext";
import classes from "./TimePicker.module.css";

/** What a field says, and for which time the panel wrote it. */
type Typed = { text: string; at?: number };

/** Presets left, exact times right. Typing wins over the calendar. */
export default function RangePanel({ close }: { close: () => void }) {
  const time = useTime();
  const who = viewer();
  const now = time.now;
  // What is coarser than was asked for is what there is; another range does not make it finer.
  const finest = useFinest();
  const measured = finest > time.window.step ? finest : 0;
  const was = resolve(time.range, now, who);
  const written = (at: number): Typed => ({ text: dayAndClock(at, who), at });
  const [from, setFrom] = useState(() => written(was.start));
  const [to, setTo] = useState(() => (isLive(time.range) ? { text: "now" } : written(was.end)));
  const [half, setHalf] = useState(false);
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const find = (selector: string) => box.current?.querySelector<HTMLElement>(selector);
    (find("[data-autofocus]") ?? find("button"))?.focus();
  }, []);
  const start = momentOf(from.text, from.at, now, who);
  const end = momentOf(to.text, to.at, now, who);
  const problem =
    start === undefined || end === undefined ? undefined : start >= end ? "From is not before To." : undefined;
  const valid = start !== undefined && end !== undefined && !problem;

  function pick(range: (typeof presets)[number]["range"]) {
    time.setRange(range);
    close();
  }
  function apply() {
    // What is wrong is said below the fields.
    if (!valid) return box.current?.querySelector<HTMLElement>("input[aria-invalid=true]")?.focus();
    pick(typedRange(from.text, to.text, start, end));
  }
  function pickDay(d: Day) {
    const [morning, evening] = endsOf(d, who.zone);
    if (half && start !== undefined && dayNumber(d) >= dayNumber(dayIn(start, who.zone))) {
      setTo(written(Math.min(evening, now)));
      setHalf(false);
      return;
    }
    setFrom(written(morning));
    setTo(written(Math.min(evening, now)));
    setHalf(true);
  }
  return (
    <div
      ref={box}
      className={classes.panel}
      onKeyDown={(e) => {
        if (e.target instanceof HTMLInputElement || e.metaKey || e.ctrlKey) return;
        const hit = presets.find((p) => p.key.toLowerCase() === e.key.toLowerCase());
        if (hit) {
          e.preventDefault();
          pick(hit.range);
        }
      }}
    >
      <div className={classes.presets}>
        {presets.map((p) => {
          const current = p.range.from === time.range.from && p.range.to === time.range.to;
          return (
            <button
              key={p.label}
              type="button"
              data-current={current}
              data-autofocus={current || undefined}
              aria-pressed={current}
              onClick={() => pick(p.range)}
            >
              <span>{p.label}</span>
              <Kbd>{p.key}</Kbd>
            </button>
          );
        })}
      </div>
      <form
        className={classes.exact}
        noValidate
        onSubmit={(e) => {
          e.preventDefault();
          apply();
        }}
      >
        <div className={classes.fields}>
          <Field label="From" value={from.text} onChange={(text) => setFrom({ text })} wrong={start === undefined} />
          <Field
            label="To"
            value={to.text}
            onChange={(text) => setTo({ text })}
            wrong={end === undefined || problem !== undefined}
          />
        </div>
        <Calendar
          from={start === undefined ? undefined : dayIn(start, who.zone)}
          to={end === undefined ? undefined : dayIn(end, who.zone)}
          today={dayIn(now, who.zone)}
          onPick={pickDay}
        />
        <div className={classes.foot}>
          <p>
            {who.zone}. Or type <span className="mono">-36h</span> or <span className="mono">mon 9:00</span>.
            <br />
            <span role="status">
              {problem ??
                (valid
                  ? `This range shows ${step(Math.max(resolutionFor(end - start), measured))} resolution.`
                  : notADate(now))}
            </span>
          </p>
          <Button type="submit">Apply</Button>
        </div>
      </form>
    </div>
  );
}

function Field({
  label,
  value,
  onChange,
  wrong,
}: {
  label: string;
  value: string;
  onChange: (v: string) => void;
  wrong: boolean;
}) {
  return (
    <label className={classes.field}>
      {label}
      <input
        value={value}
        dir="auto"
        aria-invalid={wrong}
        onChange={(e) => onChange(e.currentTarget.value)}
        onFocus={(e) => e.currentTarget.select()}
      />
    </label>
  );
}
