import { IconX } from "@tabler/icons-react";
import type { Band } from "../../api/types";
import { Chip, IconButton } from "../../components/controls";
import { NumberRow } from "../../components/FieldRows";
import { Select } from "../../components/fields";
import classes from "./Editor.module.css";
import { FieldGroup } from "./FieldGroup";
import { bandProblem } from "./problems";

const colours = [
  { value: "green", label: "green" },
  { value: "yellow", label: "yellow" },
  { value: "red", label: "red" },
];

type Props = { all: Band[]; onChange: (all: Band[]) => void };

/** Ranges of values that are tinted. */
export function Bands({ all, onChange }: Props) {
  const set = (i: number, patch: Partial<Band>) => onChange(all.map((b, n) => (n === i ? { ...b, ...patch } : b)));
  return (
    <FieldGroup label="Bands" hint="Tint a range of values: green from 0 to 200.">
      {all.map((b, i) => (
        // Only the last can be removed while one types: places are names enough.
        <div key={`${i} of ${all.length}`} className={classes.band}>
          <NumberRow label="From" value={b.from} onChange={(v) => set(i, { from: v ?? Number.NaN })} />
          <NumberRow label="To" value={b.to} error={bandProblem(b)} onChange={(v) => set(i, { to: v ?? Number.NaN })} />
          <Select
            aria-label="Colour of the band"
            options={colours}
            value={b.type}
            onChange={(type) => set(i, { type: type as Band["type"] })}
          />
          <IconButton label="Remove band" onClick={() => onChange(all.filter((_, n) => n !== i))}>
            <IconX size={14} stroke={1.8} />
          </IconButton>
        </div>
      ))}
      <Chip dashed onClick={() => onChange([...all, { from: 0, to: 1, type: "green" }])}>
        + band
      </Chip>
    </FieldGroup>
  );
}
