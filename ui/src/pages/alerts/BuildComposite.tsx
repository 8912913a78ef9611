import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { check } from "../../api/compose";
import { metrics } from "../../api/metrics";
import { needs } from "../../api/required";
import type { Condition } from "../../api/types";
import { Button } from "../../components/Button";
import { Field, Input } from "../../components/fields";
import { Modal } from "../../components/overlays";
import { FormError, fieldError } from "../../components/problems";
import { ComposeField } from "../../compose/ComposeField";
import { tied } from "../../lib/backtest";
import { toast } from "../../toasts/toast";
import classes from "./Editor.module.css";
import { newCondition } from "./newCondition";

type Props = { conditions: Condition[]; close: () => void; onMade: (c: Condition) => void };

/** Two conditions made one: a composite that evaluates them on the same stream. */
export default function BuildComposite({ conditions, close, onMade }: Props) {
  const [first = newCondition(), second = newCondition()] = conditions;
  const [start] = useState(() => tied(first, second));
  const [text, setText] = useState(start.composite);
  const [name, setName] = useState(`${first.metric_name}.per.${second.metric_name.split(".").at(-1) ?? ""}`);
  const [error, setError] = useState<unknown>();
  const client = useQueryClient();
  const { data: checked } = useQuery({
    queryKey: ["compose", "check", text],
    queryFn: () => check(text),
    placeholderData: (old) => old,
  });
  const wrong = checked && !checked.ok ? checked.error : undefined;
  const save = async () => {
    if (wrong !== undefined) return; // the field says it
    try {
      const definition = { type: "composite" as const, composite: text };
      await needs(["name"], (body: { name: string }) => metrics.save(body.name, definition))({ name });
      await client.invalidateQueries({ queryKey: ["metrics"] });
      toast(`${name} is a metric now.`);
      onMade({
        ...newCondition(name),
        duration: first.duration ?? null,
        threshold: start.threshold ?? first.threshold ?? 0,
        ...(first.type === "below" && { type: "below" as const }),
      });
      close();
    } catch (err) {
      setError(err);
    }
  };
  return (
    <Modal opened onClose={close} title="Build a composite" size={680}>
      <form
        noValidate
        className={classes.build}
        onSubmit={(e) => {
          e.preventDefault();
          void save();
        }}
      >
        <p className="t2">
          It is evaluated as one series per group, so both values come from the same stream. It takes the place of the
          first two conditions.
        </p>
        <ComposeField value={text} onChange={setText} error={wrong} empty="One condition on this composite follows." />
        <Field label="Name" hint="Of the metric: letters, digits and . : - _" error={fieldError(error, "name")}>
          {(id) => <Input id={id} mono value={name} onChange={(e) => setName(e.currentTarget.value)} />}
        </Field>
        <FormError error={error} fields={["name"]} />
        <div className={classes.buildActions}>
          <Button variant="default" onClick={close}>
            Cancel
          </Button>
          <Button type="submit">Save and use it</Button>
        </div>
      </form>
    </Modal>
  );
}
