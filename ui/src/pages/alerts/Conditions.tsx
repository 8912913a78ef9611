import { IconPlus } from "@tabler/icons-react";
import { lazy, Suspense, useState } from "react";
import type { AlertDraft } from "../../api/alerts";
import type { Condition } from "../../api/types";
import { Button } from "../../components/Button";
import { conditionProblems, type FieldProblems } from "../../lib/conditionProblems";
import { ConditionBox } from "./ConditionBox";
import classes from "./Editor.module.css";
import { newCondition } from "./newCondition";

const BuildComposite = lazy(() => import("./BuildComposite"));

type Props = {
  draft: AlertDraft;
  setDraft: (d: AlertDraft) => void;
  problems: FieldProblems;
  /** Called with the condition that is worked on. */
  onWork: (place: number) => void;
};

/** "Fires when all of these hold": each condition is a sentence of small controls. */
export function Conditions({ draft, setDraft, problems, onWork }: Props) {
  const list = draft.conditions;
  const [building, setBuilding] = useState(false);
  const wrong = conditionProblems(list, problems);
  const change = (conditions: Condition[]) => setDraft({ ...draft, conditions });
  return (
    <section>
      <h2>Fires when all of these hold</h2>
      {list.map((c, i) => (
        <div key={i} onFocusCapture={() => onWork(i)}>
          {i > 0 && <div className={classes.and}>and</div>}
          <ConditionBox
            condition={c}
            place={i}
            problems={wrong[i] ?? []}
            onChange={(next) => change(list.map((old, j) => (i === j ? next : old)))}
            {...(list.length > 1 && { onRemove: () => change(list.filter((_, j) => j !== i)) })}
          />
        </div>
      ))}
      <Button
        variant="subtle"
        size="xs"
        className={classes.add ?? ""}
        leftSection={<IconPlus size={15} stroke={1.6} />}
        onClick={() => change([...list, newCondition()])}
      >
        Add condition
      </Button>
      {list.length > 1 && (
        <p className={classes.apart}>
          Conditions are evaluated separately: one stream may meet the first and another the second. To tie them
          together, use a composite.{" "}
          <button type="button" className={classes.link} onClick={() => setBuilding(true)}>
            Build one
          </button>
        </p>
      )}
      <Suspense fallback={null}>
        {building && (
          <BuildComposite
            conditions={list}
            close={() => setBuilding(false)}
            onMade={(made) => change([made, ...list.slice(2)])}
          />
        )}
      </Suspense>
    </section>
  );
}
