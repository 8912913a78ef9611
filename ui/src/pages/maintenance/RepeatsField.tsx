import type { Occurrence } from "../../api/ui.gen";
import { Chip } from "../../components/controls";
import { Field, Select } from "../../components/fields";
import { dayAndMonth } from "../../lib/format";
import { viewer } from "../../lib/viewer";
import { dayName, fromMonday, type Weekday } from "../../lib/weekdays";
import { type Draft, type Repeats, weekdayOf } from "./draft";
import classes from "./Maintenance.module.css";
import { MomentField } from "./MomentField";

type Props = {
  draft: Draft;
  set: (c: Partial<Draft>) => void;
  next: Occurrence[] | undefined;
  error: string | undefined;
};

/** On which days a window comes again, and until when. */
export function RepeatsField({ draft: d, set, next, error }: Props) {
  const own = weekdayOf(d.start, d.zone);
  const options: { value: Repeats; label: string }[] = [
    { value: "once", label: "does not repeat" },
    { value: "daily", label: "every day" },
    { value: "workdays", label: `every week from ${dayName("mon")} to ${dayName("fri")}` },
    { value: "weekly", label: `every week on ${dayName(own)}` },
    { value: "monthly", label: `every 4 weeks on ${dayName(own)}` },
    { value: "days", label: d.weeks > 1 ? `every ${d.weeks} weeks on some days` : "every week on some days" },
  ];
  const choose = (v: string) =>
    set({ repeats: v as Repeats, ...(v === "days" && d.days.length === 0 && { days: [own] }) });
  const toggle = (day: Weekday) =>
    set({ days: d.days.includes(day) ? d.days.filter((x) => x !== day) : [...d.days, day] });
  const hint =
    d.repeats !== "once" && next?.length ? `Next: ${next.map((o) => dayAndMonth(o.start)).join(", ")}.` : undefined;
  const zone = d.repeats !== "once" && d.zone !== viewer().zone ? ` By the clocks of ${d.zone}.` : "";
  return (
    <>
      <Field label="Repeats" error={error} hint={hint && hint + zone}>
        {(id) => <Select id={id} options={options} value={d.repeats} onChange={choose} />}
      </Field>
      {d.repeats === "days" && (
        <div className={classes.weekdays} role="group" aria-label="Days">
          {fromMonday.map((day) => (
            <Chip
              key={day}
              active={d.days.includes(day)}
              aria-pressed={d.days.includes(day)}
              aria-label={dayName(day)}
              onClick={() => toggle(day)}
            >
              {dayName(day, "short")}
            </Chip>
          ))}
        </div>
      )}
      {d.repeats !== "once" && (
        <MomentField
          label="Until"
          hint="Empty means that it goes on."
          at={d.until}
          placeholder="goes on"
          onChange={(until) => set({ until })}
          onEmpty={() => set({ until: null })}
        />
      )}
    </>
  );
}
