import { IconChartAreaLine, IconChartLine, IconNumber123 } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { spaces } from "../../api/spaces";
import type { ChartDraft, ChartType } from "../../api/types";
import { SelectRow, TextRow } from "../../components/FieldRows";
import { fieldError } from "../../components/problems";
import { AxisSettings } from "./AxisSettings";
import { BigNumberSettings } from "./BigNumberSettings";
import classes from "./Editor.module.css";

type Props = { draft: ChartDraft; onChange: (p: Partial<ChartDraft>) => void; error: unknown; space: number };

const types: { type: ChartType; label: string; icon: typeof IconChartLine }[] = [
  { type: "line", label: "Line", icon: IconChartLine },
  { type: "stacked", label: "Stacked", icon: IconChartAreaLine },
  { type: "bignumber", label: "Big number", icon: IconNumber123 },
];

/** Name, type, axes: few settings with good defaults. */
export function SettingsColumn({ draft: d, onChange, error, space }: Props) {
  const { data } = useQuery(spaces.all);
  const others = data?.spaces.filter((s) => s.id !== space) ?? [];
  return (
    <aside className={classes.settings} aria-label="Chart settings">
      <TextRow
        label="Name"
        value={d.name}
        placeholder="Latency by percentile"
        error={fieldError(error, "name")}
        onChange={(name) => onChange({ name })}
      />
      <div role="radiogroup" aria-label="Type">
        <p className={classes.label}>Type</p>
        <div className={classes.types}>
          {types.map(({ type, label, icon: Icon }) => (
            <button
              key={type}
              type="button"
              role="radio"
              aria-checked={d.type === type}
              className={classes.type}
              onClick={() => onChange({ type })}
            >
              <Icon size={18} stroke={1.6} aria-hidden />
              {label}
            </button>
          ))}
        </div>
      </div>
      <hr />
      {d.type === "bignumber" ? (
        <BigNumberSettings draft={d} onChange={onChange} />
      ) : (
        <AxisSettings draft={d} onChange={onChange} error={error} />
      )}
      <SelectRow
        label="Related space"
        options={[{ value: "", label: "none" }, ...others.map((s) => ({ value: String(s.id), label: s.name }))]}
        value={d.related_space ? String(d.related_space) : ""}
        onChange={(v) => onChange({ related_space: v ? Number(v) : null })}
      />
    </aside>
  );
}
