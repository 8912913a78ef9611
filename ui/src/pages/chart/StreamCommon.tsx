import type { Stream } from "../../api/types";
import { parseTransform } from "../../chart/transform";
import { Field, Input, Select } from "../../components/fields";
import classes from "./Editor.module.css";
import type { StreamPatch } from "./StreamRow";

export type FormProps = { stream: Stream; onChange: (patch: StreamPatch) => void };

/** What every line has: name, unit, formula, axis. */
export function StreamCommon({ stream: s, onChange }: FormProps) {
  const wrong =
    s.transform_function !== undefined && s.transform_function !== "" && !parseTransform(s.transform_function);
  return (
    <div className={classes.fields}>
      <Field label="Name" hint="In the legend: Checkout.">
        {(id) => (
          <Input
            id={id}
            value={s.name ?? ""}
            placeholder={s.metric ?? "composite"}
            onChange={(e) => onChange({ name: e.currentTarget.value || undefined })}
          />
        )}
      </Field>
      <Field label="Unit" hint="After the value: ms.">
        {(id) => (
          <Input
            id={id}
            value={s.units_short ?? ""}
            placeholder="ms"
            onChange={(e) => onChange({ units_short: e.currentTarget.value || undefined })}
          />
        )}
      </Field>
      <Field
        label="Transform"
        hint="x is the value: x/1000."
        error={wrong ? "May use x, p, numbers and + - * / ( )." : undefined}
      >
        {(id) => (
          <Input
            id={id}
            mono
            value={s.transform_function ?? ""}
            placeholder="x/1000"
            onChange={(e) => onChange({ transform_function: e.currentTarget.value || undefined })}
          />
        )}
      </Field>
      <Field label="Axis" hint="Right for another unit.">
        {(id) => (
          <Select
            id={id}
            options={[
              { value: "left", label: "left" },
              { value: "right", label: "right" },
            ]}
            value={s.split_axis ? "right" : "left"}
            onChange={(v) => onChange({ split_axis: v === "right" ? true : undefined })}
          />
        )}
      </Field>
    </div>
  );
}
