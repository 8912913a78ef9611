import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { metrics } from "../../api/metrics";
import type { Metric } from "../../api/types";
import { Button } from "../../components/Button";
import { ConfirmByTyping } from "../../components/ConfirmByTyping";
import { Field, Input, Select, Switch } from "../../components/fields";
import { DrawerPage, Modal } from "../../components/overlays";
import { FormError, fieldError } from "../../components/problems";
import { ComposeField } from "../../compose/ComposeField";
import { count } from "../../lib/format";
import { note } from "../../notes/notes";

type Props = { kind: string; metric: Metric; streams: number | undefined; close: () => void; onDeleted: () => void };

export default function MetricDialogs(props: Props) {
  if (props.kind === "delete") return <Delete {...props} />;
  if (props.kind === "edit") return <Edit metric={props.metric} close={props.close} />;
  return null;
}

function Delete({ metric, streams, close, onDeleted }: Props) {
  const client = useQueryClient();
  const { data: uses } = useQuery(metrics.uses(metric.name));
  const [error, setError] = useState<unknown>();
  const [busy, setBusy] = useState(false);
  const used = [
    ...(uses?.spaces.length ? [count(uses.spaces.length, "space")] : []),
    ...(uses?.alerts.length ? [count(uses.alerts.length, "alert")] : []),
  ];
  const remove = async () => {
    setBusy(true);
    try {
      await metrics.remove(metric.name);
      await client.invalidateQueries({ queryKey: ["metrics"] });
      note(`${metric.name} and its measurements are deleted.`);
      onDeleted();
    } catch (err) {
      setError(err);
      setBusy(false);
    }
  };
  return (
    <Modal opened onClose={close} title={`Delete “${metric.name}”?`}>
      <ConfirmByTyping
        name={metric.name}
        action="Delete metric"
        onConfirm={() => void remove()}
        onCancel={close}
        busy={busy}
        error={error}
      >
        {metric.type === "composite"
          ? "Deletes this composite. The metrics it is made of stay."
          : `Deletes ${streams === undefined ? "its streams" : count(streams, "stream")} and all their measurements at once. This cannot be undone.`}
        {used.length > 0 && ` ${used.join(" and ")} use it.`}
      </ConfirmByTyping>
    </Modal>
  );
}

const text = (v: unknown) => (v === null || v === undefined ? "" : String(v));
const functions = ["average", "sum", "count", "min", "max"].map((value) => ({ value, label: value }));

/** Properties and attributes, saved together. */
function Edit({ metric: m, close }: { metric: Metric; close: () => void }) {
  const client = useQueryClient();
  const [form, setForm] = useState(() => ({
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
  }));
  const [error, setError] = useState<unknown>();
  const [first] = useState(JSON.stringify(form));
  const set = (p: Partial<typeof form>) => setForm((f) => ({ ...f, ...p }));
  const save = async () => {
    try {
      await metrics.save(m.name, {
        display_name: form.display_name || null,
        description: form.description || null,
        period: form.period ? Number(form.period) : null,
        ...(m.type === "composite" && { type: "composite" as const, composite: form.composite }),
        attributes: {
          display_units_short: form.short || null,
          display_units_long: form.long || null,
          display_min: form.min === "" ? null : Number(form.min),
          display_max: form.max === "" ? null : Number(form.max),
          summarize_function: form.summarize,
          aggregate: form.aggregate,
          gap_detection: form.gaps,
        },
      });
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
      <div style={{ display: "flex", flexDirection: "column", gap: 14 }}>
        <Field label="Display name" error={fieldError(error, "display_name")}>
          {(id) => (
            <Input
              id={id}
              value={form.display_name}
              placeholder={m.name}
              onChange={(e) => set({ display_name: e.currentTarget.value })}
            />
          )}
        </Field>
        <Field label="Description" error={fieldError(error, "description")}>
          {(id) => (
            <Input id={id} value={form.description} onChange={(e) => set({ description: e.currentTarget.value })} />
          )}
        </Field>
        {m.type === "composite" && <ComposeField value={form.composite} onChange={(composite) => set({ composite })} />}
        <Field
          label="Period"
          hint="Seconds between measurements. Gaps and rates are judged by it."
          error={fieldError(error, "period")}
        >
          {(id) => (
            <Input
              id={id}
              inputMode="numeric"
              value={form.period}
              placeholder="unknown"
              onChange={(e) => set({ period: e.currentTarget.value })}
            />
          )}
        </Field>
        <div style={{ display: "grid", gridTemplateColumns: "1fr 2fr", gap: 12 }}>
          <Field label="Unit">
            {(id) => (
              <Input
                id={id}
                value={form.short}
                placeholder="ms"
                onChange={(e) => set({ short: e.currentTarget.value })}
              />
            )}
          </Field>
          <Field label="Unit in words">
            {(id) => (
              <Input
                id={id}
                value={form.long}
                placeholder="milliseconds"
                onChange={(e) => set({ long: e.currentTarget.value })}
              />
            )}
          </Field>
        </div>
        <div style={{ display: "grid", gridTemplateColumns: "1fr 1fr", gap: 12 }}>
          <Field label="Lowest shown">
            {(id) => (
              <Input
                id={id}
                inputMode="decimal"
                value={form.min}
                placeholder="auto"
                onChange={(e) => set({ min: e.currentTarget.value })}
              />
            )}
          </Field>
          <Field label="Highest shown">
            {(id) => (
              <Input
                id={id}
                inputMode="decimal"
                value={form.max}
                placeholder="auto"
                onChange={(e) => set({ max: e.currentTarget.value })}
              />
            )}
          </Field>
        </div>
        <Field label="Usual summary">
          {(id) => (
            <Select id={id} options={functions} value={form.summarize} onChange={(summarize) => set({ summarize })} />
          )}
        </Field>
        <Switch
          label="Fold all measurements of a period into one"
          checked={form.aggregate}
          onChange={(aggregate) => set({ aggregate })}
        />
        <Switch label="Show gaps where data is missing" checked={form.gaps} onChange={(gaps) => set({ gaps })} />
        <FormError error={error} fields={["display_name", "description", "period"]} />
      </div>
    </DrawerPage>
  );
}
