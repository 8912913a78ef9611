import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { metrics } from "../../api/metrics";
import type { Metric } from "../../api/types";
import { Button } from "../../components/Button";
import { SelectRow, TextRow } from "../../components/FieldRows";
import { Switch } from "../../components/fields";
import { DrawerPage } from "../../components/overlays";
import { FormError, fieldError } from "../../components/problems";
import { ComposeField } from "../../compose/ComposeField";
import { summaries } from "../../lib/question";
import classes from "./Metrics.module.css";
import { bodyOf, type Form, formOf } from "./properties";

const usual = summaries.map(({ label }) => ({ value: label, label }));

/** Properties and attributes, saved together. */
export function EditMetric({ metric: m, close }: { metric: Metric; close: () => void }) {
  const client = useQueryClient();
  const [form, setForm] = useState(() => formOf(m));
  const [first] = useState(JSON.stringify(form));
  const [error, setError] = useState<unknown>();
  const save = async () => {
    try {
      await metrics.save(m.name, bodyOf(m, form));
      await client.invalidateQueries({ queryKey: ["metrics"] });
      close();
    } catch (err) {
      setError(err);
    }
  };
  return (
    <DrawerPage
      opened
      onClose={close}
      above="Metrics"
      title={<span className="mono">{m.name}</span>}
      footer={
        <>
          <Button variant="default" onClick={close}>
            Close
          </Button>
          <Button onClick={() => void save()} disabled={JSON.stringify(form) === first}>
            Save changes
          </Button>
        </>
      }
    >
      <Fields metric={m} form={form} set={(p) => setForm((f) => ({ ...f, ...p }))} error={error} />
    </DrawerPage>
  );
}

type FieldsProps = { metric: Metric; form: Form; set: (p: Partial<Form>) => void; error: unknown };

function Fields({ metric: m, form, set, error }: FieldsProps) {
  const row = (name: Exclude<keyof Form, "aggregate" | "gaps">, label: string, placeholder = "") => (
    <TextRow
      label={label}
      value={form[name]}
      placeholder={placeholder}
      error={fieldError(error, name)}
      onChange={(v) => set({ [name]: v })}
    />
  );
  return (
    <div className={classes.properties}>
      {row("display_name", "Display name", m.name)}
      {row("description", "Description")}
      {m.type === "composite" && <ComposeField value={form.composite} onChange={(composite) => set({ composite })} />}
      <TextRow
        label="Period"
        hint="Seconds between measurements. Gaps and rates are computed by it."
        value={form.period}
        placeholder="unknown"
        inputMode="numeric"
        error={fieldError(error, "period")}
        onChange={(period) => set({ period })}
      />
      <div className={classes.two}>
        {row("short", "Unit", "ms")}
        {row("long", "Unit in words", "milliseconds")}
        {row("min", "Lowest shown", "auto")}
        {row("max", "Highest shown", "auto")}
      </div>
      <SelectRow
        label="Usual summary"
        options={usual}
        value={form.summarize}
        onChange={(summarize) => set({ summarize })}
      />
      <Switch
        label="Fold all measurements of a period into one"
        checked={form.aggregate}
        onChange={(aggregate) => set({ aggregate })}
      />
      <Switch label="Show gaps where data is missing" checked={form.gaps} onChange={(gaps) => set({ gaps })} />
      <FormError error={error} fields={["display_name", "description", "period"]} />
    </div>
  );
}
