import type { ChartDraft } from "../../api/types";
import { SelectRow } from "../../components/FieldRows";
import { UnitRow } from "./AxisSettings";
import { Thresholds } from "./Thresholds";

type Props = { draft: ChartDraft; onChange: (p: Partial<ChartDraft>) => void };

const over = [
  { value: "last", label: "last value" },
  { value: "range", label: "over the whole range" },
];

/** What a big number shows, and when it is coloured. */
export function BigNumberSettings({ draft: d, onChange }: Props) {
  return (
    <>
      <UnitRow draft={d} onChange={onChange} />
      <SelectRow
        label="Value"
        hint="The latest, or one number for the range."
        options={over}
        value={d.use_last_value === false ? "range" : "last"}
        onChange={(v) => onChange({ use_last_value: v === "last" })}
      />
      <Thresholds all={d.thresholds ?? []} onChange={(thresholds) => onChange({ thresholds })} />
      <hr />
    </>
  );
}
