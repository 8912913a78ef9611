import { IconX } from "@tabler/icons-react";
import { useId, useRef, useState } from "react";
import type { Threshold } from "../../api/types";
import { Chip, IconButton } from "../../components/controls";
import { Input, Select } from "../../components/fields";
import { numberProblem, parseNumber } from "../../lib/number";
import classes from "./Editor.module.css";
import { FieldGroup } from "./FieldGroup";

const sides = [
  { value: ">", label: "above" },
  { value: "<", label: "below" },
  { value: "=", label: "equal" },
];
const colours = [
  { value: "yellow", label: "yellow" },
  { value: "red", label: "red" },
];

type Props = { label?: string; all: Threshold[]; onChange: (all: Threshold[]) => void };

/** Values from which on something is coloured. */
export function Thresholds({ label = "Thresholds", all, onChange }: Props) {
  // Rows hold what is typed: the next one must not take over the text of one that is removed.
  const keys = useRef<number[]>([]);
  while (keys.current.length < all.length) keys.current.push(Math.max(-1, ...keys.current) + 1);
  const remove = (i: number) => {
    keys.current = keys.current.filter((_, n) => n !== i);
    onChange(all.filter((_, n) => n !== i));
  };
  const set = (i: number, patch: Partial<Threshold>) => onChange(all.map((t, n) => (n === i ? { ...t, ...patch } : t)));
  return (
    <FieldGroup label={label} hint="Colour what is beyond a value: red above 300.">
      {all.map((t, i) => (
        <ThresholdRow
          key={keys.current[i]}
          threshold={t}
          onChange={(patch) => set(i, patch)}
          onRemove={() => remove(i)}
        />
      ))}
      <Chip dashed onClick={() => onChange([...all, { operator: ">", value: 0, type: all.length ? "red" : "yellow" }])}>
        + threshold
      </Chip>
    </FieldGroup>
  );
}

type RowProps = { threshold: Threshold; onChange: (patch: Partial<Threshold>) => void; onRemove: () => void };

function ThresholdRow({ threshold: t, onChange, onRemove }: RowProps) {
  const [text, setText] = useState(Number.isFinite(t.value) ? String(t.value) : "");
  const id = useId();
  const problem = numberProblem(text);
  return (
    <div className={classes.threshold} data-error={problem ? true : undefined}>
      <Select
        aria-label="Side"
        options={sides}
        value={t.operator}
        onChange={(v) => onChange({ operator: v as Threshold["operator"] })}
      />
      <Input
        aria-label="Value"
        inputMode="decimal"
        value={text}
        aria-invalid={problem !== undefined}
        aria-describedby={problem && id}
        onChange={(e) => {
          setText(e.currentTarget.value);
          onChange({ value: parseNumber(e.currentTarget.value) });
        }}
      />
      <Select
        aria-label="Colour"
        options={colours}
        value={t.type}
        onChange={(v) => onChange({ type: v as Threshold["type"] })}
      />
      <IconButton label="Remove threshold" onClick={onRemove}>
        <IconX size={14} stroke={1.8} />
      </IconButton>
      {problem && (
        <p id={id} role="alert">
          {problem}
        </p>
      )}
    </div>
  );
}
