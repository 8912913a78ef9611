import { useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useId, useState } from "react";
import { reports } from "../../../api/reports";
import type { Service } from "../../../api/types";
import type { Report } from "../../../api/ui.gen";
import { Button } from "../../../components/Button";
import { Field, Input, Select } from "../../../components/fields";
import { FormError, fieldError } from "../../../components/problems";
import dialogs from "../../../dialogs/Dialogs.module.css";
import { dayName, fromMonday, type Weekday } from "../../../lib/weekdays";
import { rangesWith } from "../ranges";
import { type Draft, draftOf, emptyDraft, updateOf } from "./draft";
import classes from "./Reports.module.css";

const rhythms = [
  { value: "day", label: "Every day" },
  { value: "week", label: "Every week" },
  { value: "month", label: "Every month" },
];
const weekdayOptions = fromMonday.map((d) => ({ value: d, label: dayName(d) }));
const dayOptions = Array.from({ length: 31 }, (_, i) => ({
  value: String(i + 1),
  label: i === 30 ? "Last day" : `Day ${i + 1}`,
}));
const fields = ["name", "range", "schedule.time", "schedule.zone", "services"];

type Props = {
  space: number;
  /** The one that is changed; none where one is made. */
  report: Report | undefined;
  /** Those that can show a picture. */
  services: Service[];
  /** Those of a report that are there. */
  kept: (ids: number[]) => number[];
  done: () => void;
};

/** When a picture is sent, what it shows, and to whom. */
export function ReportForm({ space, report, services, kept, done }: Props) {
  const client = useQueryClient();
  const [d, setDraft] = useState<Draft>(() => (report ? draftOf(report, kept) : emptyDraft()));
  const [error, setError] = useState<unknown>();
  const [busy, setBusy] = useState(false);
  const set = (change: Partial<Draft>) => setDraft({ ...d, ...change });
  const save = async () => {
    setBusy(true);
    try {
      await (report ? reports.update(report.id, updateOf(d)) : reports.create(space, updateOf(d)));
      await client.invalidateQueries({ queryKey: reports.of(space).queryKey });
      done();
    } catch (err) {
      setError(err);
    }
    setBusy(false);
  };
  return (
    <form
      noValidate
      className={dialogs.form}
      onSubmit={(e) => {
        e.preventDefault();
        void save();
      }}
    >
      <Field label="Name" error={fieldError(error, "name")}>
        {(id) => (
          <Input
            id={id}
            placeholder="Every morning"
            value={d.name}
            onChange={(e) => set({ name: e.currentTarget.value })}
            data-autofocus
          />
        )}
      </Field>
      <When draft={d} set={set} error={error} />
      <Field label="Shows" hint="The time before it is sent." error={fieldError(error, "range")}>
        {(id) => <Select id={id} options={rangesWith(d.range)} value={d.range} onChange={(range) => set({ range })} />}
      </Field>
      <To services={services} chosen={d.services} set={set} error={fieldError(error, "services")} />
      <FormError error={error} fields={fields} />
      <div className={dialogs.actions}>
        <Button variant="default" onClick={done}>
          Cancel
        </Button>
        <Button type="submit" loading={busy}>
          Save
        </Button>
      </div>
    </form>
  );
}

type PartProps = { draft: Draft; set: (change: Partial<Draft>) => void; error: unknown };

function When({ draft: d, set, error }: PartProps) {
  return (
    <>
      <div className={dialogs.two}>
        <Field label="Sent" hint="How often it is sent.">
          {(id) => (
            <Select
              id={id}
              options={rhythms}
              value={d.every}
              onChange={(every) => set({ every: every as Draft["every"] })}
            />
          )}
        </Field>
        {d.every === "week" && (
          <Field label="On" hint="The day of the week.">
            {(id) => (
              <Select
                id={id}
                options={weekdayOptions}
                value={d.weekday}
                onChange={(day) => set({ weekday: day as Weekday })}
              />
            )}
          </Field>
        )}
        {d.every === "month" && (
          <Field label="On" hint="The day of the month.">
            {(id) => (
              <Select
                id={id}
                options={dayOptions}
                value={String(d.day)}
                onChange={(day) => set({ day: Number(day) })}
              />
            )}
          </Field>
        )}
      </div>
      <div className={dialogs.two}>
        <Field label="At" hint="In the time zone beside it." error={fieldError(error, "schedule.time")}>
          {(id) => (
            <Input
              id={id}
              type="time"
              value={d.time}
              onChange={(e) => set({ time: e.currentTarget.value.slice(0, 5) })}
            />
          )}
        </Field>
        <Zone draft={d} set={set} error={error} />
      </div>
    </>
  );
}

function Zone({ draft: d, set, error }: PartProps) {
  const list = useId();
  return (
    <Field label="Time zone" hint="Changes of clocks are followed." error={fieldError(error, "schedule.zone")}>
      {(id) => (
        <>
          <Input
            id={id}
            list={list}
            placeholder="Europe/Berlin"
            value={d.zone}
            onChange={(e) => set({ zone: e.currentTarget.value })}
          />
          <datalist id={list}>
            {["UTC", ...Intl.supportedValuesOf("timeZone")].map((z) => (
              <option key={z} value={z} />
            ))}
          </datalist>
        </>
      )}
    </Field>
  );
}

type ToProps = {
  services: Service[];
  chosen: number[];
  set: (change: Partial<Draft>) => void;
  error: string | undefined;
};

function To({ services, chosen, set, error }: ToProps) {
  return (
    <fieldset className={classes.services}>
      <legend>To</legend>
      {services.length === 0 && (
        <p className="t2">
          No service can show a picture yet. <Link to="/settings/services">Add mail or a chat</Link> first.
        </p>
      )}
      {services.map((s) => (
        <label key={s.id} className={dialogs.check}>
          <input
            type="checkbox"
            checked={chosen.includes(s.id)}
            onChange={(e) =>
              set({ services: e.currentTarget.checked ? [...chosen, s.id] : chosen.filter((id) => id !== s.id) })
            }
          />
          <span className={classes.what}>{s.title}</span>
        </label>
      ))}
      {error && (
        <p className={classes.wrong} role="alert">
          {error}
        </p>
      )}
    </fieldset>
  );
}
