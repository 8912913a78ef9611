import { useQuery, useQueryClient } from "@tanstack/react-query";
import { lazy, Suspense, useState } from "react";
import { saveSeen, toEdit } from "../../api/history";
import { metrics } from "../../api/metrics";
import type { Metric } from "../../api/types";
import { Button } from "../../components/Button";
import { SelectRow, TextRow } from "../../components/FieldRows";
import { Switch } from "../../components/fields";
import { DrawerPage } from "../../components/overlays";
import { FormError, fieldError } from "../../components/problems";
import { ComposeField } from "../../compose/ComposeField";
import { useConcurrency } from "../../history/useConcurrency";
import { summaries } from "../../lib/question";
import classes from "./Metrics.module.css";
import { bodyOf, type Form, formOf } from "./properties";

const Concurrent = lazy(() => import("../../history/Concurrent"));

const usual = summaries.map(({ label }) => ({ value: label, label }));

/** Composites are written by hand, so they have versions; of others there is one. */
export function EditMetric({ metric, close }: { metric: Metric; close: () => void }) {
  const composite = metric.type === "composite";
  const path = `/v1/metrics/${encodeURIComponent(metric.name)}`;
  const { data, error, refetch } = useQuery({
    ...toEdit<Metric>({ kind: "metric", id: metric.name }, path),
    enabled: composite,
  });
  if (composite && !data && !error) return null;
  const version = data?.version ?? 0;
  return (
    <Properties
      key={version}
      metric={data?.thing ?? metric}
      version={version}
      reload={() => void refetch()}
      close={close}
    />
  );
}

type Props = { metric: Metric; version: number; reload: () => void; close: () => void };

/** Properties and attributes, saved together. */
function Properties({ metric: m, version, reload, close }: Props) {
  const client = useQueryClient();
  const [form, setForm] = useState(() => formOf(m));
  const [first] = useState(JSON.stringify(form));
  const [error, setError] = useState<unknown>();
  const others = useConcurrency(version);
  const save = async (over = version) => {
    try {
      const body = bodyOf(m, form);
      if (over) await saveSeen(`/v1/metrics/${encodeURIComponent(m.name)}`, body, over);
      else await metrics.save(m.name, body);
      await client.invalidateQueries({ queryKey: ["metrics"] });
      close();
    } catch (err) {
      setError(others.refused(err) ? undefined : err);
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
      {version > 0 && (
        <Suspense fallback={null}>
          <Concurrent
            thing={{ kind: "metric", id: m.name }}
            with={others}
            takeTheirs={reload}
            saveMine={(over) => void save(over)}
          />
        </Suspense>
      )}
      <Fields metric={m} form={form} set={(p) => setForm((f) => ({ ...f, ...p }))} error={error} />
    </DrawerPage>
  );
}

type FieldsProps = { metric: Metric; form: Form; set: (p: Partial<Form>) => void; error: unknown };

function Fields({ metric: m, form, set, error }: FieldsProps) {
  const row = (name: Exclude<keyof Form, "aggregate" | "gaps">, label: string, hint: string, placeholder = "") => (
    <TextRow
      label={label}
      hint={hint}
      value={form[name]}
      placeholder={placeholder}
      error={fieldError(error, name)}
      onChange={(v) => set({ [name]: v })}
    />
  );
  return (
    <div className={classes.properties}>
      {row("display_name", "Display name", "What charts and lists call it.", m.name)}
      {row("description", "Description", "What is measured, and by what.")}
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
        {row("short", "Unit", "Written after every value.", "ms")}
        {row("long", "Unit in words", "Where there is room for it.", "milliseconds")}
        {row("min", "Lowest shown", "Where the axis of charts begins.", "auto")}
        {row("max", "Highest shown", "Where it ends.", "auto")}
      </div>
      <SelectRow
        label="Usual summary"
        hint="What becomes of the measurements in a step, if a chart does not say."
        options={usual}
        value={form.summarize}
        onChange={(summarize) => set({ summarize })}
      />
      <Switch
        label="Fold all measurements of a period into one"
        hint="For several senders of one stream; otherwise the later of two replaces the earlier."
        checked={form.aggregate}
        onChange={(aggregate) => set({ aggregate })}
      />
      <Switch
        label="Show gaps where data is missing"
        hint="Otherwise lines go on to the next value."
        checked={form.gaps}
        onChange={(gaps) => set({ gaps })}
      />
      <FormError error={error} fields={["display_name", "description", "period"]} />
    </div>
  );
}
