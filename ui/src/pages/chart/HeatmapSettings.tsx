import { percentilesOf } from "../../chart/kind";
import { NumberRow, SelectRow } from "../../components/FieldRows";
import { Switch } from "../../components/fields";
import { fieldError } from "../../components/problems";
import { Segments } from "../../components/Segments";
import { UnitRow } from "./AxisSettings";
import { Bands } from "./Bands";
import { withRows } from "./draft";
import classes from "./Editor.module.css";
import type { Choice, Of } from "./KindSettings";
import { PercentileChips } from "./PercentileChips";
import { Thresholds } from "./Thresholds";

/** What the colours of a heatmap mean, by what its rows are. */
const words: Record<Choice<"rows">, string> = {
  streams: "The colour is the value. Streams with the highest average are on top.",
  values: "The colour is how many streams are in a range.",
  distribution: "The values in each step, those of all streams merged.",
};

const rowsOf: { value: Choice<"rows">; label: string }[] = [
  { value: "streams", label: "stream" },
  { value: "values", label: "range, counting streams" },
  { value: "distribution", label: "range, counting values" },
];

const layers: { value: Choice<"layers">; label: string }[] = [
  { value: "cells", label: "Heatmap" },
  { value: "percentiles", label: "Percentiles" },
  { value: "both", label: "Both" },
];

/** What the cells of a heatmap are. isLog is whether the axis of a distribution is logarithmic by itself. */
export function HeatmapSettings(props: Of & { isLog: boolean }) {
  const { draft: d, onChange, set } = props;
  const rows = d.attributes?.rows ?? "streams";
  return (
    <>
      <SelectRow
        label="A row for each"
        options={rowsOf}
        value={rows}
        hint={words[rows]}
        onChange={(v) => set(withRows(v as Choice<"rows">, d.attributes))}
      />
      {rows === "distribution" && <DistributionSettings {...props} />}
      <UnitRow draft={d} onChange={onChange} />
      {rows !== "streams" && <ValueAxisSettings {...props} isLog={rows === "distribution" && props.isLog} />}
      <hr />
      <Thresholds all={d.thresholds ?? []} onChange={(thresholds) => onChange({ thresholds })} />
      {rows === "streams" ? (
        <p className="t3">Thresholds colour cells. Bands need an axis of values: have a row for each range.</p>
      ) : (
        <Bands all={d.attributes?.bands ?? []} onChange={(bands) => set({ bands: bands.length ? bands : null })} />
      )}
      <hr />
    </>
  );
}

function DistributionSettings({ draft: d, set }: Of) {
  const { layers: shown = "cells", color_by, color_scale } = d.attributes ?? {};
  return (
    <>
      <hr />
      <h2>Distribution</h2>
      <div>
        <p className={classes.label} aria-hidden>
          Show
        </p>
        <Segments label="Show" options={layers} value={shown ?? "cells"} onChange={(v) => set({ layers: v })} />
      </div>
      <PercentileChips all={percentilesOf(d)} onChange={(percentiles) => set({ percentiles })} />
      {shown !== "percentiles" && (
        <>
          <SelectRow
            label="Colour by"
            options={[
              { value: "share", label: "share of each column" },
              { value: "count", label: "count" },
            ]}
            value={color_by ?? "share"}
            hint={
              color_by === "count"
                ? "Busy hours are darker than quiet ones."
                : "A quiet hour stays as readable as a busy one."
            }
            onChange={(v) => set({ color_by: v as Choice<"color_by"> })}
          />
          <Switch
            label="Softer steps for small counts"
            hint="Rare values stay visible beside frequent ones."
            checked={color_scale === "sqrt"}
            onChange={(on) => set({ color_scale: on ? "sqrt" : "linear" })}
          />
        </>
      )}
      <hr />
      <h2>Value axis</h2>
    </>
  );
}

export const Ends = ({ draft: d, onChange, error }: Pick<Of, "draft" | "onChange" | "error">) => (
  <div className={classes.two}>
    <NumberRow
      label="Min"
      hint="Where the axis begins."
      value={d.min}
      error={fieldError(error, "min")}
      onChange={(min) => onChange({ min })}
    />
    <NumberRow
      label="Max"
      hint="Where it ends."
      value={d.max}
      error={fieldError(error, "max")}
      onChange={(max) => onChange({ max })}
    />
  </div>
);

/** A chart that does not say whether its axis is logarithmic has the one that fits. */
const ValueAxisSettings = (props: Of & { isLog: boolean }) => (
  <>
    <Ends {...props} />
    <Switch
      label="Logarithmic"
      hint="Equal steps multiply: 1, 10, 100."
      checked={props.draft.use_log_yaxis ?? props.isLog}
      onChange={(on) => props.onChange({ use_log_yaxis: on })}
    />
  </>
);
