import { IconPlus, IconX } from "@tabler/icons-react";
import { useId, useState } from "react";
import type { AlertDraft } from "../../api/alerts";
import type { EscalationStep } from "../../api/types.gen";
import { Button } from "../../components/Button";
import { IconButton } from "../../components/controls";
import { fieldError } from "../../components/problems";
import { addStep, type StepProblem, stepProblems, stepsFull } from "../../lib/escalation";
import classes from "./Editor.module.css";
import { ServiceChips } from "./ServiceChips";

type Props = {
  draft: AlertDraft;
  setDraft: (d: AlertDraft) => void;
  error: unknown;
  /** Somebody wanted to save it: what is wrong is said now. */
  tried: boolean;
};

const serverFields = ["escalation", "escalation.after_seconds", "escalation.services"];

/** Who else is notified while nobody acknowledges. */
export function Escalation({ draft, setDraft, error, tried }: Props) {
  const steps = draft.escalation;
  const set = (escalation: EscalationStep[]) => setDraft({ ...draft, escalation });
  const problems = stepProblems(steps);
  const full = stepsFull(steps);
  const said = serverFields.map((f) => fieldError(error, f)).find(Boolean);
  return (
    <section>
      <h2>Escalation</h2>
      {steps.length === 0 && <p className="t2">Nobody else is notified, however long it fires.</p>}
      <ol className={classes.steps}>
        {steps.map((s, i) => (
          <Step
            // Steps have no names of their own; they are only added at the end.
            key={i}
            place={i + 1}
            step={s}
            problem={problems[i] ?? {}}
            tried={tried}
            set={(to) => set(steps.map((other, j) => (j === i ? to : other)))}
            drop={() => set(steps.filter((_, j) => j !== i))}
          />
        ))}
      </ol>
      <Button
        variant="default"
        size="xs"
        className={classes.add ?? ""}
        disabled={Boolean(full)}
        data-tip={full || undefined}
        leftSection={<IconPlus size={14} stroke={1.6} />}
        onClick={() => set(addStep(steps))}
      >
        Add step
      </Button>
      {said && !problems.some((p) => p.after || p.services) && (
        <p role="alert" className={classes.wrong}>
          {said}
        </p>
      )}
    </section>
  );
}

type StepProps = {
  place: number;
  step: EscalationStep;
  problem: StepProblem;
  tried: boolean;
  set: (s: EscalationStep) => void;
  drop: () => void;
};

function Step({ place, step, problem, tried, set, drop }: StepProps) {
  const [left, setLeft] = useState(false);
  const id = useId();
  const after = left || tried ? problem.after : undefined;
  const whom = tried ? problem.services : undefined;
  return (
    <li>
      <div className={classes.words}>
        <label htmlFor={id} className="t2">
          Not acknowledged after
        </label>
        <span className={classes.number} data-plain={after ? undefined : true}>
          <Minutes
            id={id}
            seconds={step.after_seconds}
            wrong={after !== undefined}
            set={(after_seconds) => set({ ...step, after_seconds })}
            onLeave={setLeft}
          />
          min
        </span>
        <span className={classes.stepEnd}>
          <IconButton label={`Remove step ${place}`} onClick={drop}>
            <IconX size={14} stroke={1.6} />
          </IconButton>
        </span>
      </div>
      {after && (
        <p role="alert" id={`${id}-error`} className={classes.wrong}>
          {after}
        </p>
      )}
      <ServiceChips ids={step.services} set={(services) => set({ ...step, services })} of={`step ${place}`} />
      {whom && (
        <p role="alert" className={classes.wrong}>
          {whom}
        </p>
      )}
    </li>
  );
}

type MinutesProps = {
  id: string;
  seconds: number;
  wrong: boolean;
  set: (seconds: number) => void;
  onLeave: (left: boolean) => void;
};

/** Minutes as they are typed; what is no whole number counts as 0, which no step may have. */
function Minutes({ id, seconds, wrong, set, onLeave }: MinutesProps) {
  const [text, setText] = useState(String(seconds / 60));
  const shown = Number(text) * 60 === seconds || seconds === 0 ? text : String(seconds / 60);
  return (
    <input
      id={id}
      inputMode="numeric"
      size={Math.max(2, shown.length)}
      value={shown}
      aria-invalid={wrong || undefined}
      aria-describedby={wrong ? `${id}-error` : undefined}
      onFocus={() => onLeave(false)}
      onBlur={() => onLeave(true)}
      onChange={(e) => {
        setText(e.currentTarget.value);
        const minutes = Number(e.currentTarget.value.trim() || "x");
        set(Number.isInteger(minutes) && minutes > 0 ? minutes * 60 : 0);
      }}
    />
  );
}
