import { useDebouncedValue } from "@mantine/hooks";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { objectives } from "../../api/objectives";
import type { Objective } from "../../api/types.gen";
import { Field, Input, Select } from "../../components/fields";
import { MetricSearch } from "../../components/MetricSearch";
import { fieldError } from "../../components/problems";
import { FormDialog } from "../../dialogs/FormDialog";
import { parseNumber } from "../../lib/number";
import { keptWords, share } from "../../lib/objectives";
import classes from "./Objectives.module.css";

const days = ["7", "28", "30", "90"].map((d) => ({ value: d, label: `${d} days, rolling` }));
const known = ["name", "good_metric", "total_metric", "target", "days"];

/** Makes an objective, or changes one. What it would have been is said over what is stored. */
export function ObjectiveForm({ objective, close }: { objective?: Objective; close: () => void }) {
  const client = useQueryClient();
  const navigate = useNavigate();
  const [v, setV] = useState({
    name: objective?.name ?? "",
    good: objective?.good_metric ?? "",
    total: objective?.total_metric ?? "",
    target: String(objective?.target ?? 99.9),
    days: String(objective?.days ?? 28),
  });
  const set = (change: Partial<typeof v>) => setV((old) => ({ ...old, ...change }));
  const target = parseNumber(v.target);
  const body = {
    name: v.name.trim(),
    good_metric: v.good,
    total_metric: v.total,
    target: Number.isNaN(target) ? 0 : target,
    days: Number(v.days) as Objective["days"],
  };
  const save = async () => {
    const made = objective ? await objectives.update({ id: objective.id, ...body }) : await objectives.create(body);
    await client.invalidateQueries({ queryKey: ["objectives"] });
    if (!objective) void navigate({ to: "/objectives/$id", params: { id: String(made.id) } });
  };
  return (
    <FormDialog
      title={objective ? "Edit objective" : "New objective"}
      action="Save objective"
      close={close}
      run={save}
      fields={known}
    >
      {(error) => (
        <>
          <Field label="Name" error={fieldError(error, "name")}>
            {(id) => (
              <Input
                id={id}
                data-autofocus
                value={v.name}
                placeholder="Checkout answers"
                onChange={(e) => set({ name: e.currentTarget.value })}
              />
            )}
          </Field>
          <Field label="Counts what is good" error={fieldError(error, "good_metric")}>
            {(id) => (
              <MetricSearch id={id} label="Counts what is good" value={v.good} onPick={(good) => set({ good })} />
            )}
          </Field>
          <Field label="Counts all" error={fieldError(error, "total_metric")}>
            {(id) => <MetricSearch id={id} label="Counts all" value={v.total} onPick={(total) => set({ total })} />}
          </Field>
          <div className={classes.two}>
            <Field label="Target in percent" error={fieldError(error, "target")}>
              {(id) => (
                <Input
                  id={id}
                  inputMode="decimal"
                  value={v.target}
                  onChange={(e) => set({ target: e.currentTarget.value })}
                />
              )}
            </Field>
            <Field label="Over" error={fieldError(error, "days")}>
              {(id) => <Select id={id} options={days} value={v.days} onChange={(d) => set({ days: d })} />}
            </Field>
          </div>
          <Preview body={body} />
        </>
      )}
    </FormDialog>
  );
}

type Body = { name: string; good_metric: string; total_metric: string; target: number; days: Objective["days"] };

function Preview({ body }: { body: Body }) {
  const { name: _, ...asked } = body;
  const [settled] = useDebouncedValue(JSON.stringify(asked), 400);
  const ready = body.good_metric !== "" && body.total_metric !== "" && body.target > 0 && body.target < 100;
  const { data, error } = useQuery(objectives.preview(JSON.parse(settled), ready));
  if (!ready || error) return null;
  return (
    <p className={classes.preview} role="status">
      {data ? keptWords(data.met, data.of, body.days) : "Looking at what is stored…"}
      {data?.status.achieved != null && ` Now: ${share(data.status.achieved)}.`}
    </p>
  );
}
