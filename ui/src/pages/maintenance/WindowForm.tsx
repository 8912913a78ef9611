import { IconX } from "@tabler/icons-react";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useId, useRef, useState } from "react";
import { maintenance } from "../../api/maintenance";
import { Button } from "../../components/Button";
import { useConfirm } from "../../components/confirm";
import { IconButton } from "../../components/controls";
import { Field, Input } from "../../components/fields";
import { FormError, fieldError } from "../../components/problems";
import { longDay, span } from "../../lib/format";
import { useDebounced } from "../../lib/useDebounced";
import { viewer } from "../../lib/viewer";
import { useShortcuts } from "../../shell/shortcuts";
import { usePhone } from "../../shell/usePhone";
import { toast } from "../../toasts/toast";
import { remove, save, useNow } from "./actions";
import { Consequence } from "./Consequence";
import { CoversField } from "./CoversField";
import { bodyOf, covers, type Draft, doesRepeat, endProblem } from "./draft";
import classes from "./Maintenance.module.css";
import { MomentField } from "./MomentField";
import { RepeatsField } from "./RepeatsField";

type Props = {
  draft: Draft;
  onChange: (d: Draft) => void;
  close: () => Promise<void>;
  done: () => Promise<void>;
  canEdit: boolean;
};

const known = ["name", "starts_at", "ends_at", "covers", "covers.tags", "repeat.days"];

/** Everything about one window. What it would do is said before it is saved. */
export function WindowForm({ draft: d, onChange, close, done, canEdit }: Props) {
  const phone = usePhone();
  const { error, busy, submit: send } = useSave(d, done);
  const set = (change: Partial<Draft>) => onChange({ ...d, ...change });
  const problem = endProblem({ ...d, repeats: doesRepeat(d) });
  const form = useRef<HTMLFormElement>(null);
  // What is wrong stands at its field already.
  const submit = async () =>
    problem ? form.current?.querySelector<HTMLElement>("[aria-invalid]")?.focus() : await send();
  const body = useDebounced(JSON.stringify(bodyOf(d)), 300);
  const preview = useQuery(maintenance.preview(JSON.parse(body), canEdit && !problem && !covers.isEmpty(d.covers)));
  useShortcuts([
    { keys: "Escape", label: "Close the form", run: () => void close(), hidden: true },
    { keys: "mod+s", label: "Save the window", run: () => void (canEdit && submit()) },
  ]);
  const onSubmit = (e: FormEvent) => {
    e.preventDefault();
    void submit();
  };
  return (
    <form ref={form} className={classes.form} onSubmit={onSubmit} noValidate>
      {!phone && (
        <header>
          <h2 className="cut">{d.window ? (canEdit ? "Change window" : d.name) : "New window"}</h2>
          <IconButton label="Close" onClick={() => void close()}>
            <IconX size={16} stroke={1.6} />
          </IconButton>
        </header>
      )}
      {d.window && d.occurrence && canEdit && <UnderWay draft={d} done={done} />}
      <fieldset disabled={!canEdit} className={classes.fields}>
        <Field label="Name" error={fieldError(error, "name")}>
          {(id) => (
            <Input
              id={id}
              value={d.name}
              maxLength={255}
              autoFocus={!d.window}
              onChange={(e) => set({ name: e.currentTarget.value })}
            />
          )}
        </Field>
        <div className={classes.two}>
          <MomentField
            label="Starts"
            hint="A date, or mon 9:00."
            at={d.start}
            onChange={(start) => set({ start, end: start >= d.end ? start + (d.end - d.start) : d.end })}
            error={fieldError(error, "starts_at")}
          />
          <MomentField
            label="Ends"
            hint="What still fires then notifies."
            at={d.end}
            onChange={(end) => set({ end })}
            error={problem ?? fieldError(error, "ends_at")}
          />
        </div>
        <p className={classes.reading}>{`${longDay(d.start)}, ${span(d.start, d.end)}, ${viewer().zone}`}</p>
        {d.window?.repeat && <ScopeChoice draft={d} set={set} />}
        {(!d.window?.repeat || d.scope === "later") && (
          <RepeatsField draft={d} set={set} next={preview.data?.next} error={fieldError(error, "repeat.days")} />
        )}
        <CoversField
          value={d.covers}
          onChange={(c) => set({ covers: c })}
          error={fieldError(error, "covers") ?? fieldError(error, "covers.tags")}
        />
        <Meanwhile suspends={d.suspends} onChange={(suspends) => set({ suspends })} />
      </fieldset>
      {canEdit && <Consequence draft={d} preview={preview.data} error={preview.error} />}
      <FormError error={error} fields={known} />
      {canEdit && (
        <div className={classes.actions}>
          <Button type="submit" loading={busy}>
            Save window
          </Button>
          <Button variant="subtle" onClick={() => void close()}>
            Cancel
          </Button>
          {d.window && <DeleteButton draft={d} done={done} />}
        </div>
      )}
    </form>
  );
}

function useSave(d: Draft, done: () => Promise<void>) {
  const [error, setError] = useState<unknown>();
  const [busy, setBusy] = useState(false);
  const submit = async () => {
    setBusy(true);
    try {
      await save(d);
      toast(`${d.name.trim()} is saved.`);
      await done();
    } catch (err) {
      setError(err);
    }
    setBusy(false);
  };
  return { error, busy, submit };
}

/** Which of the times of a window that repeats. */
function ScopeChoice({ draft: d, set }: { draft: Draft; set: (c: Partial<Draft>) => void }) {
  return (
    <fieldset className={classes.scope}>
      <legend>Change</legend>
      {(["one", "later"] as const).map((scope) => (
        <label key={scope}>
          <input type="radio" name="scope" checked={d.scope === scope} onChange={() => set({ scope })} />
          {scope === "one" ? "This one" : "This and later"}
        </label>
      ))}
    </fieldset>
  );
}

/** What becomes of alerts while the window lasts. */
function Meanwhile({ suspends, onChange }: { suspends: boolean; onChange: (suspends: boolean) => void }) {
  const choices = [
    { value: false, label: "Evaluate, but notify nobody", says: "Incidents are kept and marked as maintenance." },
    { value: true, label: "Do not evaluate", says: "No incident begins or ends; alerts start afresh afterwards." },
  ];
  const id = useId();
  return (
    <fieldset className={classes.meanwhile}>
      <legend>Meanwhile</legend>
      {choices.map(({ value, label, says }) => (
        <div key={label}>
          <label>
            <input
              type="radio"
              name="meanwhile"
              checked={suspends === value}
              aria-describedby={`${id}${value}`}
              onChange={() => onChange(value)}
            />
            {label}
          </label>
          <p id={`${id}${value}`} className="t3">
            {says}
          </p>
        </div>
      ))}
    </fieldset>
  );
}

function UnderWay({ draft: d, done }: { draft: Draft; done: () => Promise<void> }) {
  const { window, occurrence } = d as Required<Pick<Draft, "window" | "occurrence">>;
  const act = useNow(window, occurrence, () => void done());
  const now = Date.now() / 1000;
  if (occurrence.start > now || occurrence.end <= now) return null;
  return (
    <div className={classes.underWay}>
      <b>Under way.</b>
      <Button variant="default" size="xs" onClick={act.extend}>
        Extend by 1 h
      </Button>
      <Button variant="default" size="xs" onClick={act.end}>
        End now
      </Button>
    </div>
  );
}

function DeleteButton({ draft: d, done }: { draft: Draft; done: () => Promise<void> }) {
  const confirm = useConfirm();
  const client = useQueryClient();
  const which = d.window?.repeat ? (d.scope === "one" ? " this once" : " from then on") : "";
  const run = () =>
    void confirm({
      title: `Delete ${d.window?.name}${which}?`,
      text: "Alerts that it covers notify again.",
      action: "Delete window",
      danger: true,
      act: async () => {
        await remove(d);
        await client.invalidateQueries({ queryKey: ["maintenance"] });
      },
    }).then((yes) => yes && void done());
  return (
    <Button variant="subtle" color="ember" onClick={run}>
      Delete…
    </Button>
  );
}
