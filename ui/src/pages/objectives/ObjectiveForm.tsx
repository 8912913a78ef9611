import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { tags as tagsOf } from "../../api/metrics";
import { objectives } from "../../api/objectives";
import type { Objective } from "../../api/types.gen";
import { Field, Input, Select, Switch } from "../../components/fields";
import { LabelField } from "../../components/Labels";
import { MetricSearch } from "../../components/MetricSearch";
import { fieldError } from "../../components/problems";
import { Segments } from "../../components/Segments";
import { StreamFilter } from "../../components/StreamFilter";
import { useUnit } from "../../components/useUnit";
import { FormDialog } from "../../dialogs/FormDialog";
import { count } from "../../lib/format";
import { parseNumber } from "../../lib/number";
import { keptWords, share } from "../../lib/objectives";
import { useDebounced } from "../../lib/useDebounced";
import classes from "./Objectives.module.css";

const days = ["7", "28", "30", "90"].map((d) => ({ value: d, label: `${d} days, rolling` }));
const known = ["name", "good_metric", "total_metric", "target", "days", "below", "tags", "group_by", "labels"];
const kinds = [
  { value: "metric", label: "Another metric counts it" },
  { value: "below", label: "A value that is small enough" },
];

/** Makes an objective, or changes one. What it would have been is said over what is stored. */
export function ObjectiveForm({ objective, close }: { objective?: Objective; close: () => void }) {
  const client = useQueryClient();
  const navigate = useNavigate();
  const [v, setV] = useState(() => draftOf(objective));
  const set = (change: Partial<typeof v>) => setV((old) => ({ ...old, ...change }));
  const body = bodyOf(v);
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
          <Source draft={v} set={set} error={error} />
          <div className={classes.two}>
            <Field
              label="Target in percent"
              hint="99.9: of 1,000 requests one may fail."
              error={fieldError(error, "target")}
            >
              {(id) => (
                <Input
                  id={id}
                  inputMode="decimal"
                  value={v.target}
                  onChange={(e) => set({ target: e.currentTarget.value })}
                />
              )}
            </Field>
            <Field label="Over" hint="The days before now, at any time." error={fieldError(error, "days")}>
              {(id) => <Select id={id} options={days} value={v.days} onChange={(d) => set({ days: d })} />}
            </Field>
          </div>
          <Scope draft={v} set={set} error={error} />
          <Preview body={body} />
        </>
      )}
    </FormDialog>
  );
}

/** What is typed into the form. */
const draftOf = (o?: Objective) => ({
  name: o?.name ?? "",
  kind: o && o.below !== null ? "below" : "metric",
  good: o?.good_metric ?? "",
  total: o?.total_metric ?? "",
  below: o?.below == null ? "" : String(o.below),
  target: String(o?.target ?? 99.9),
  days: String(o?.days ?? 28),
  tags: o?.tags ?? [],
  group: o?.group_by ?? "",
  labels: o?.labels ?? {},
  without: o?.without_maintenance ?? false,
});
type Draft = ReturnType<typeof draftOf>;
type Part = { draft: Draft; set: (change: Partial<Draft>) => void; error: unknown };

/** What is sent: of the two ways to say what is good, the one that was chosen. */
function bodyOf(v: Draft) {
  const target = parseNumber(v.target);
  const below = parseNumber(v.below);
  return {
    name: v.name.trim(),
    good_metric: v.kind === "below" ? "" : v.good,
    total_metric: v.total,
    below: v.kind === "below" && v.below.trim() !== "" && !Number.isNaN(below) ? below : null,
    target: Number.isNaN(target) ? 0 : target,
    days: Number(v.days) as Objective["days"],
    tags: v.tags,
    group_by: v.group,
    labels: v.labels,
    without_maintenance: v.without,
  };
}

/** What is counted, and how it is known what of it is good. */
function Source({ draft: v, set, error }: Part) {
  const unit = useUnit(v.total);
  const below = v.kind === "below";
  const all = below ? "Distribution" : "Counts all";
  return (
    <>
      <Segments label="What is good" options={kinds} value={v.kind} onChange={(kind) => set({ kind })} />
      {!below && (
        <Field
          label="Counts what is good"
          hint="Such as requests that were answered."
          error={fieldError(error, "good_metric")}
        >
          {(id) => <MetricSearch id={id} label="Counts what is good" value={v.good} onPick={(good) => set({ good })} />}
        </Field>
      )}
      <Field
        label={all}
        hint={below ? "Such as how long requests took." : "Such as requests, also those that failed."}
        error={fieldError(error, "total_metric")}
      >
        {(id) => <MetricSearch id={id} label={all} value={v.total} onPick={(total) => set({ total })} />}
      </Field>
      {below && (
        <Field
          label={unit ? `Good up to, in ${unit}` : "Good up to"}
          hint="What takes longer counts as bad."
          error={belowProblem(v, error)}
        >
          {(id) => (
            <Input
              id={id}
              inputMode="decimal"
              value={v.below}
              placeholder="300"
              onChange={(e) => set({ below: e.currentTarget.value })}
            />
          )}
        </Field>
      )}
    </>
  );
}

/** Without a limit the server misses the other metric: said where it is missing. */
function belowProblem(v: Draft, error: unknown): string | undefined {
  if (v.below.trim() !== "" && Number.isNaN(parseNumber(v.below))) return "Must be a number, such as 300 or 1.5.";
  return fieldError(error, "below") ?? fieldError(error, "good_metric");
}

/** Which streams count, whether each value of a tag has its own budget, and what is left out. */
function Scope({ draft: v, set, error }: Part) {
  const { data } = useQuery({ ...tagsOf.names(v.total ? [v.total] : []), enabled: v.total !== "" });
  const names = [...new Set([...(data?.tags.map((t) => t.name) ?? []), ...(v.group ? [v.group] : [])])];
  const condition = { type: "above" as const, metric_name: v.total, tags: v.tags };
  return (
    <>
      {v.total !== "" && <StreamFilter condition={condition} onChange={({ tags }) => set({ tags })} />}
      <Field
        label="A budget for"
        hint="Each value of a tag can have a budget of its own."
        error={fieldError(error, "group_by") ?? fieldError(error, "tags")}
      >
        {(id) => (
          <Select
            id={id}
            value={v.group}
            options={[{ value: "", label: "all together" }, ...names.map((n) => ({ value: n, label: `each ${n}` }))]}
            onChange={(group) => set({ group })}
          />
        )}
      </Field>
      <Switch
        label="Without maintenance"
        hint="What happens in maintenance windows does not count."
        checked={v.without}
        onChange={(without) => set({ without })}
      />
      {v.without && (
        <p className="t2">
          Maintenance windows count that cover everything, have labels that are all among those below, or tags that all
          of its streams have.
        </p>
      )}
      <LabelField
        hint="Maintenance and lists can go by them."
        labels={v.labels}
        onChange={(labels) => set({ labels })}
        error={fieldError(error, "labels")}
      />
    </>
  );
}

type Body = ReturnType<typeof bodyOf>;

function Preview({ body }: { body: Body }) {
  const { name: _, ...asked } = body;
  const settled = useDebounced(JSON.stringify(asked), 400);
  const good = body.good_metric !== "" || body.below !== null;
  const ready = good && body.total_metric !== "" && body.target > 0 && body.target < 100;
  const { data, error } = useQuery(objectives.preview(JSON.parse(settled), ready));
  if (!ready || error) return null;
  return (
    <p className={classes.preview} role="status">
      {data ? keptWords(data.met, data.of, body.days) : "Looking at what is stored…"}
      {data?.status.achieved != null && ` Now: ${share(data.status.achieved)}.`}
      {data && data.values > 1 && ` All ${count(data.values, "value")} together.`}
    </p>
  );
}
