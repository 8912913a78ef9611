import type { Metric } from "../../api/types";

const text = (v: unknown) => (v === null || v === undefined ? "" : String(v));
const number = (v: string) => (v === "" ? null : Number(v));

/** The properties and attributes of a metric, as a form has them. */
export function formOf(m: Metric) {
  return {
    display_name: text(m.display_name),
    description: text(m.description),
    period: text(m.period),
    composite: m.composite ?? "",
    short: text(m.attributes.display_units_short),
    long: text(m.attributes.display_units_long),
    min: text(m.attributes.display_min),
    max: text(m.attributes.display_max),
    summarize: text(m.attributes.summarize_function) || "average",
    aggregate: m.attributes.aggregate === true,
    gaps: m.attributes.gap_detection === true,
  };
}

export type Form = ReturnType<typeof formOf>;

/** The same as the API takes them; what is empty is taken away. */
export const bodyOf = (m: Metric, form: Form) => ({
  display_name: form.display_name || null,
  description: form.description || null,
  period: number(form.period),
  ...(m.type === "composite" && { type: "composite" as const, composite: form.composite }),
  attributes: {
    display_units_short: form.short || null,
    display_units_long: form.long || null,
    display_min: number(form.min),
    display_max: number(form.max),
    summarize_function: form.summarize,
    aggregate: form.aggregate,
    gap_detection: form.gaps,
  },
});
