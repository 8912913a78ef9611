import { IconChevronLeft, IconChevronRight } from "@tabler/icons-react";
import { useState } from "react";
import { whole } from "../lib/format";
import { viewer } from "../lib/viewer";
import { addMonths, type Day, dayNumber, weeks } from "./days";
import classes from "./TimePicker.module.css";

type Props = { from: Day | undefined; to: Day | undefined; today: Day; onPick: (d: Day) => void };

/** Two months side by side; the range is tinted, the future cannot be picked. */
export function Calendar({ from, to, today, onPick }: Props) {
  const [right, setRight] = useState(() => ({ y: (to ?? today).y, m: (to ?? today).m }));
  const left = addMonths(right.y, right.m, -1);
  const move = (by: number) => setRight(addMonths(right.y, right.m, by));
  return (
    <div className={classes.months}>
      <button type="button" className={classes.monthBack} aria-label="Earlier month" onClick={() => move(-1)}>
        <IconChevronLeft size={14} />
      </button>
      <button type="button" className={classes.monthOn} aria-label="Later month" onClick={() => move(1)}>
        <IconChevronRight size={14} />
      </button>
      {[left, right].map(({ y, m }) => (
        <Month key={`${y}-${m}`} y={y} m={m} from={from} to={to} today={today} onPick={onPick} />
      ))}
    </div>
  );
}

const monthName = new Intl.DateTimeFormat(viewer().locale, {
  month: "long",
  year: "numeric",
  calendar: "gregory",
  timeZone: "UTC",
});
const initials = [1, 2, 3, 4, 5, 6, 7].map((d) =>
  new Intl.DateTimeFormat(viewer().locale, { weekday: "narrow", timeZone: "UTC" }).format(Date.UTC(2024, 0, d)),
);

function Month({ y, m, from, to, today, onPick }: Props & { y: number; m: number }) {
  const name = monthName.format(Date.UTC(y, m - 1, 1));
  const [a, b] = [from && dayNumber(from), to && dayNumber(to)];
  return (
    <table className={classes.month}>
      <caption>{name}</caption>
      <thead>
        <tr>
          {initials.map((d, i) => (
            <th key={i}>{d}</th>
          ))}
        </tr>
      </thead>
      <tbody>
        {weeks(y, m).map((week, i) => (
          <tr key={i}>
            {week.map((d, j) => {
              if (!d) return <td key={j} />;
              const n = dayNumber(d);
              const end = n === a || n === b;
              const inside = a !== undefined && b !== undefined && n >= a && n <= b;
              return (
                <td key={j} data-in={inside} data-first={n === a} data-last={n === b}>
                  <button
                    type="button"
                    data-end={end}
                    aria-pressed={inside}
                    disabled={n > dayNumber(today)}
                    onClick={() => onPick(d)}
                  >
                    {whole(d.d)}
                  </button>
                </td>
              );
            })}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
