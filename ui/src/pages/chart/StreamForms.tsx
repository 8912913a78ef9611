import { useQuery } from "@tanstack/react-query";
import { lazy, Suspense, useState } from "react";
import { annotations } from "../../api/annotations";
import type { Dynamic } from "../../api/query";
import type { TagFilter } from "../../api/types";
import type { QueryError } from "../../api/ui.gen";
import { Chip } from "../../components/controls";
import { Field, Select } from "../../components/fields";
import TagNames from "../../components/filter/TagNames";
import { MetricSearch } from "../../components/MetricSearch";
import { Pop } from "../../components/Pop";
import { ComposeField } from "../../compose/ComposeField";
import { useWhy } from "../../compose/useWhy";
import classes from "./Editor.module.css";
import { type FormProps, StreamCommon } from "./StreamCommon";
import { clean, TagChip } from "./TagChip";

const SaveMetric = lazy(() => import("./SaveMetric"));

const summaries = [
  { value: "", label: "average" },
  { value: "max", label: "max" },
  { value: "min", label: "min" },
  { value: "sum", label: "sum" },
  { value: "count", label: "count" },
];
const groupings = [
  { value: "", label: "average of the group" },
  { value: "sum", label: "sum of the group" },
  { value: "min", label: "min of the group" },
  { value: "max", label: "max of the group" },
  { value: "breakout", label: "every stream by itself" },
];

export function MetricForm({ stream: s, onChange }: FormProps) {
  const tags = s.tags ?? [];
  const setTag = (name: string, patch: Partial<TagFilter> | null) => {
    const rest = tags.filter((t) => t.name !== name);
    const old = tags.find((t) => t.name === name) ?? { name };
    const next =
      patch === null
        ? rest
        : tags.some((t) => t.name === name)
          ? tags.map((t) => (t.name === name ? clean({ ...old, ...patch }) : t))
          : [...rest, clean({ ...old, ...patch })];
    onChange({ tags: next.length ? next : undefined });
  };
  return (
    <>
      <div className={classes.fields}>
        <Field label="Metric">
          {(id) => (
            <MetricSearch
              id={id}
              value={s.metric ?? ""}
              autoFocus={!s.metric}
              onPick={(metric, found) =>
                onChange({ metric, ...(found?.units && !s.units_short && { units_short: found.units }) })
              }
            />
          )}
        </Field>
        <Field label="Show">
          {(id) => (
            <Select
              id={id}
              options={summaries}
              value={s.summary_function === "average" ? "" : (s.summary_function ?? "")}
              onChange={(v) => onChange({ summary_function: v || undefined })}
            />
          )}
        </Field>
        <Field label="Lines">
          {(id) => (
            <Select
              id={id}
              options={groupings}
              value={s.group_function === "average" ? "" : (s.group_function ?? "")}
              onChange={(v) => onChange({ group_function: v || undefined })}
            />
          )}
        </Field>
      </div>
      {s.metric && (
        <div className={classes.tags}>
          <span className="t3">Tags</span>
          {tags.map((t) => (
            <TagChip key={t.name} metric={s.metric ?? ""} tag={t} onChange={(p) => setTag(t.name, p)} />
          ))}
          <Pop
            label="Filter or group by a tag"
            width={250}
            target={(p) => (
              <Chip dashed {...p}>
                + tag
              </Chip>
            )}
          >
            {(close) => (
              <TagNames
                metrics={[s.metric ?? ""]}
                taken={tags.map((t) => t.name)}
                onPick={(name) => {
                  setTag(name, { grouped: true });
                  close();
                }}
              />
            )}
          </Pop>
        </div>
      )}
      <StreamCommon stream={s} onChange={onChange} />
    </>
  );
}

export function CompositeForm({
  stream: s,
  error,
  series,
  dynamic,
  onChange,
}: FormProps & { error: QueryError | undefined; series: number | undefined; dynamic: Dynamic[] }) {
  const [saving, setSaving] = useState(false);
  const text = s.composite ?? "";
  const why = useWhy(text, text !== "" && !error && series === 0, dynamic);
  return (
    <>
      <ComposeField
        value={text}
        onChange={(composite) => onChange({ composite })}
        error={text ? error : undefined}
        empty={why}
        autoFocus={text === ""}
        actions={
          <button
            type="button"
            className={classes.link}
            disabled={!text || error !== undefined}
            onClick={() => setSaving(true)}
          >
            Save as metric…
          </button>
        }
      />
      <StreamCommon stream={s} onChange={onChange} />
      <Suspense fallback={null}>
        {saving && (
          <SaveMetric
            composite={text}
            name={s.name ?? ""}
            close={() => setSaving(false)}
            onSaved={(metric) => onChange({ metric, composite: undefined, type: "composite" })}
          />
        )}
      </Suspense>
    </>
  );
}

export function AnnotationForm({ stream: s, onChange }: FormProps) {
  const { data } = useQuery(annotations.streams);
  const known = data?.annotations.map((a) => ({ value: a.name, label: a.display_name || a.name })) ?? [];
  return (
    <div className={classes.fields}>
      <Field label="Annotation stream">
        {(id) => (
          <Select
            id={id}
            options={[{ value: "", label: "Choose a stream" }, ...known]}
            value={s.metric ?? ""}
            onChange={(v) => onChange({ metric: v || undefined, type: "annotation" })}
          />
        )}
      </Field>
    </div>
  );
}
