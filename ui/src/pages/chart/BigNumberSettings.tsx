import { IconX } from "@tabler/icons-react";
import type { ChartDraft, Threshold } from "../../api/types";
import { Chip, IconButton } from "../../components/controls";
import { SelectRow } from "../../components/FieldRows";
import { Input, Select } from "../../components/fields";
import { UnitRow } from "./AxisSettings";
import classes from "./Editor.module.css";

type Props = { draft: ChartDraft; onChange: (p: Partial<ChartDraft>) => void };

const over = [
  { value: "last", label: "last value" },
  { value: "range", label: "over the whole range" },
];
const sides = [
  { value: ">", label: "above" },
  { value: "<", label: "below" },
  { value: "=", label: "equal" },
];
const colours = [
  { value: "yellow", label: "yellow" },
  { value: "red", label: "red" },
];

/** What a big number shows, and when it is coloured. */
export function BigNumberSettings({ draft: d, onChange }: Props) {
  const all = d.thresholds ?? [];
  const set = (i: number, patch: Partial<Threshold>) =>
    onChange({ thresholds: all.map((t, n) => (n === i ? { ...t, ...patch } : t)) });
  return (
    <>
      <UnitRow draft={d} onChange={onChange} />
      <SelectRow
        label="Value"
        options={over}
        value={d.use_last_value === false ? "range" : "last"}
        onChange={(v) => onChange({ use_last_value: v === "last" })}
      />
      <div>
        <p className={classes.label}>Thresholds</p>
        {all.map((t, i) => (
          <ThresholdRow
            key={i}
            threshold={t}
            onChange={(patch) => set(i, patch)}
            onRemove={() => onChange({ thresholds: all.filter((_, n) => n !== i) })}
          />
        ))}
        <Chip
          dashed
          onClick={() =>
            onChange({ thresholds: [...all, { operator: ">", value: 0, type: all.length ? "red" : "yellow" }] })
          }
        >
          + threshold
        </Chip>
      </div>
      <hr />
    </>
  );
}

type RowProps = { threshold: Threshold; onChange: (patch: Partial<Threshold>) => void; onRemove: () => void };

function ThresholdRow({ threshold: t, onChange, onRemove }: RowProps) {
  return (
    <div className={classes.threshold}>
      <Select
        aria-label="Side"
        options={sides}
        value={t.operator}
        onChange={(v) => onChange({ operator: v as Threshold["operator"] })}
      />
      <Input
        aria-label="Value"
        inputMode="decimal"
        defaultValue={t.value}
        onChange={(e) => onChange({ value: Number(e.currentTarget.value) || 0 })}
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
    </div>
  );
}
