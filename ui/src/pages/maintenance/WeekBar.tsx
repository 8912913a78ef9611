import { IconChevronLeft, IconChevronRight } from "@tabler/icons-react";
import { Button } from "../../components/Button";
import { IconButton } from "../../components/controls";
import { days } from "../../lib/format";
import { viewer } from "../../lib/viewer";
import { addDays, atDay, type Date3, weekNumber } from "../../time/week";
import classes from "./Maintenance.module.css";

/** Which week is shown, how to get to others, and what the colours mean. */
export function WeekBar({ week, go }: { week: Date3[]; go: (day: Date3 | undefined) => void }) {
  const first = week[0] as Date3;
  return (
    <div className={classes.bar}>
      <div className={classes.step}>
        <IconButton label="Week before" onClick={() => go(addDays(first, -7))}>
          <IconChevronLeft size={16} stroke={1.6} />
        </IconButton>
        <h2 aria-live="polite">
          {days(atDay(first), atDay(week[6] as Date3))} <small>{`week ${weekNumber(week)}`}</small>
        </h2>
        <IconButton label="Next week" onClick={() => go(addDays(first, 7))}>
          <IconChevronRight size={16} stroke={1.6} />
        </IconButton>
      </div>
      <Button variant="default" onClick={() => go(undefined)}>
        Today
      </Button>
      <p className={classes.legend}>
        <span data-kind="on">under way</span>
        <span data-kind="once">once</span>
        <span data-kind="repeats">repeats</span>
        {viewer().zone}
      </p>
    </div>
  );
}
