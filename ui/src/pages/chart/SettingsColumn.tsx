import { IconChartAreaLine, IconChartLine, IconNumber123, IconX } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { spaces } from "../../api/spaces";
import type { ChartDraft, ChartType, Threshold } from "../../api/types";
import { colorOf } from "../../chart/palette";
import { useScheme } from "../../chart/useScheme";
import { Field, Input, Select, Switch } from "../../components/fields";
import { Chip, fieldError, IconButton } from "../../components/parts";
import { axisUnit, letter, patchStream, setAxisUnit, unitOptions } from "./draft";
import classes from "./Editor.module.css";

type Props = { draft: ChartDraft; onChange: (p: Partial<ChartDraft>) => void; error: unknown; space: number };

const types: { type: ChartType; label: string; icon: typeof IconChartLine }[] = [
  { type: "line", label: "Line", icon: IconChartLine },
  { type: "stacked", label: "Stacked", icon: IconChartAreaLine },
  { type: "bignumber", label: "Big number", icon: IconNumber123 },
];

const numberOr = (text: string) => (text.trim() === "" || Number.isNaN(Number(text)) ? null : Number(text));

/** Name, type, axes: few settings with good defaults. */
export function SettingsColumn({ draft: d, onChange, error, space }: Props) {
  const { data } = useQuery(spaces.all);
  const right = d.streams.some((s) => s.split_axis);
  const others = data?.spaces.filter((s) => s.id !== space) ?? [];
  return (
    <aside className={classes.settings} aria-label="Chart settings">
      <Field label="Name" error={fieldError(error, "name")}>
        {(id) => (
          <Input
            id={id}
            value={d.name}
            placeholder="Latency by percentile"
            onChange={(e) => onChange({ name: e.currentTarget.value })}
          />
        )}
      </Field>
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
        <AxisSettings draft={d} onChange={onChange} error={error} right={right} />
      )}
      <Field label="Related space">
        {(id) => (
          <Select
            id={id}
            options={[{ value: "", label: "none" }, ...others.map((s) => ({ value: String(s.id), label: s.name }))]}
            value={d.related_space ? String(d.related_space) : ""}
            onChange={(v) => onChange({ related_space: v ? Number(v) : null })}
          />
        )}
      </Field>
    </aside>
  );
}

function AxisSettings({ draft: d, onChange, error, right }: Omit<Props, "space"> & { right: boolean }) {
  const scheme = useScheme();
  const unit = axisUnit(d.streams, false);
  const unitRight = axisUnit(d.streams, true);
  const gaps = d.streams.some((s) => s.gap_detection);
  return (
    <>
      <h2>Left axis</h2>
      <Field label="Unit">
        {(id) => (
          <Select
            id={id}
            options={unitOptions(unit)}
            value={unit}
            onChange={(u) => onChange({ streams: setAxisUnit(d.streams, false, u) })}
          />
        )}
      </Field>
      <Field label="Label">
        {(id) => (
          <Input
            id={id}
            value={d.label ?? ""}
            placeholder="the unit"
            onChange={(e) => onChange({ label: e.currentTarget.value || null })}
          />
        )}
      </Field>
      <div className={classes.two}>
        <Field label="Min" error={fieldError(error, "min")}>
          {(id) => (
            <Input
              id={id}
              inputMode="decimal"
              defaultValue={d.min ?? ""}
              placeholder="Auto"
              onChange={(e) => onChange({ min: numberOr(e.currentTarget.value) })}
            />
          )}
        </Field>
        <Field label="Max" error={fieldError(error, "max")}>
          {(id) => (
            <Input
              id={id}
              inputMode="decimal"
              defaultValue={d.max ?? ""}
              placeholder="Auto"
              onChange={(e) => onChange({ max: numberOr(e.currentTarget.value) })}
            />
          )}
        </Field>
      </div>
      <Switch
        label="Logarithmic"
        checked={d.use_log_yaxis === true}
        onChange={(on) => onChange({ use_log_yaxis: on })}
      />
      <hr />
      <h2>Right axis</h2>
      {right && (
        <Field label="Unit">
          {(id) => (
            <Select
              id={id}
              options={unitOptions(unitRight)}
              value={unitRight}
              onChange={(u) => onChange({ streams: setAxisUnit(d.streams, true, u) })}
            />
          )}
        </Field>
      )}
      <div>
        <p className={classes.label}>Streams on it</p>
        <div className={classes.chips}>
          {d.streams.map((s, i) =>
            s.split_axis ? (
              <Chip
                key={i}
                onClick={() => onChange({ streams: patchStream(d.streams, i, { split_axis: undefined }) })}
                aria-label={`Move ${letter(i)} to the left axis`}
              >
                <span
                  className={classes.dot}
                  style={{ background: colorOf(s.color ? { hex: s.color } : { slot: i % 8 }, scheme) }}
                />
                {letter(i)} {s.name || s.metric || "composite"}
                <IconX size={12} stroke={1.8} />
              </Chip>
            ) : null,
          )}
          {!right && <span className="t3">None. A stream chooses its axis in its row.</span>}
        </div>
      </div>
      <hr />
      <Switch
        label="Show gaps where data is missing"
        checked={gaps}
        onChange={(on) =>
          onChange({ streams: d.streams.map((s) => (s.type === "annotation" ? s : { ...s, gap_detection: on })) })
        }
      />
    </>
  );
}

function BigNumberSettings({ draft: d, onChange }: Pick<Props, "draft" | "onChange">) {
  const unit = axisUnit(d.streams, false);
  const all = d.thresholds ?? [];
  const set = (i: number, patch: Partial<Threshold>) =>
    onChange({ thresholds: all.map((t, n) => (n === i ? { ...t, ...patch } : t)) });
  return (
    <>
      <Field label="Unit">
        {(id) => (
          <Select
            id={id}
            options={unitOptions(unit)}
            value={unit}
            onChange={(u) => onChange({ streams: setAxisUnit(d.streams, false, u) })}
          />
        )}
      </Field>
      <Field label="Value">
        {(id) => (
          <Select
            id={id}
            options={[
              { value: "last", label: "last value" },
              { value: "range", label: "over the whole range" },
            ]}
            value={d.use_last_value === false ? "range" : "last"}
            onChange={(v) => onChange({ use_last_value: v === "last" })}
          />
        )}
      </Field>
      <div>
        <p className={classes.label}>Thresholds</p>
        {all.map((t, i) => (
          <div key={i} className={classes.threshold}>
            <Select
              aria-label="Side"
              options={[
                { value: ">", label: "above" },
                { value: "<", label: "below" },
                { value: "=", label: "equal" },
              ]}
              value={t.operator}
              onChange={(v) => set(i, { operator: v as Threshold["operator"] })}
            />
            <Input
              aria-label="Value"
              inputMode="decimal"
              defaultValue={t.value}
              onChange={(e) => set(i, { value: Number(e.currentTarget.value) || 0 })}
            />
            <Select
              aria-label="Colour"
              options={[
                { value: "yellow", label: "yellow" },
                { value: "red", label: "red" },
              ]}
              value={t.type}
              onChange={(v) => set(i, { type: v as Threshold["type"] })}
            />
            <IconButton
              label="Remove threshold"
              onClick={() => onChange({ thresholds: all.filter((_, n) => n !== i) })}
            >
              <IconX size={14} stroke={1.8} />
            </IconButton>
          </div>
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
