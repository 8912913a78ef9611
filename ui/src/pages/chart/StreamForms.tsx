import { IconX } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { lazy, Suspense, useState } from "react";
import { annotations } from "../../api/annotations";
import { tags as tagApi } from "../../api/metrics";
import type { ComposeError, Stream, TagFilter } from "../../api/types";
import { parseTransform } from "../../chart/transform";
import { Field, Input, Select, Switch } from "../../components/fields";
import { TagNames } from "../../components/filter/FilterBar";
import { MetricSearch } from "../../components/MetricSearch";
import { Pop } from "../../components/Pop";
import { Chip } from "../../components/parts";
import { ComposeField } from "../../compose/ComposeField";
import classes from "./Editor.module.css";
import type { StreamPatch } from "./StreamRow";

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

type FormProps = { stream: Stream; onChange: (patch: StreamPatch) => void };

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
      <Common stream={s} onChange={onChange} />
    </>
  );
}

/** Flags that are off are left out, as the API does. */
function clean(t: TagFilter): TagFilter {
  return {
    name: t.name,
    ...(t.values?.length && !t.dynamic && { values: t.values }),
    ...(t.grouped && { grouped: true }),
    ...(t.dynamic && { dynamic: true }),
  };
}

function TagChip({
  metric,
  tag,
  onChange,
}: {
  metric: string;
  tag: TagFilter;
  onChange: (p: Partial<TagFilter> | null) => void;
}) {
  const { data } = useQuery(tagApi.values([metric], tag.name));
  const values = tag.values ?? [];
  const said = tag.dynamic ? "from space" : values.length ? `is ${values.join(" or ")}` : "";
  return (
    <Pop
      label={`Tag ${tag.name}`}
      width={270}
      target={(p) => (
        <Chip active={tag.grouped === true || tag.dynamic === true || values.length > 0} {...p}>
          <b className="mono">{tag.name}</b> {said}
          {tag.grouped && <span>one line each</span>}
        </Chip>
      )}
    >
      {(close) => (
        <div className={classes.tagPanel}>
          <Switch
            label={`One line per ${tag.name}`}
            checked={tag.grouped === true}
            onChange={(grouped) => onChange({ grouped })}
          />
          <Switch
            label="Values from the space's filter"
            checked={tag.dynamic === true}
            onChange={(dynamic) => onChange({ dynamic })}
          />
          {!tag.dynamic && (
            <div className={classes.tagValues}>
              {data?.values.map((v) => (
                <label key={v.value}>
                  <input
                    type="checkbox"
                    checked={values.includes(v.value)}
                    onChange={() =>
                      onChange({
                        values: values.includes(v.value) ? values.filter((x) => x !== v.value) : [...values, v.value],
                      })
                    }
                  />
                  <span className="mono cut">{v.value}</span>
                  <span className="t3">{v.streams}</span>
                </label>
              ))}
            </div>
          )}
          {!tag.dynamic && <PatternField values={values} onAdd={(v) => onChange({ values: [...values, v] })} />}
          <button
            type="button"
            className={classes.removeTag}
            onClick={() => {
              close();
              onChange(null);
            }}
          >
            <IconX size={13} stroke={1.8} /> Remove this tag
          </button>
        </div>
      )}
    </Pop>
  );
}

function PatternField({ values, onAdd }: { values: string[]; onAdd: (v: string) => void }) {
  const [text, setText] = useState("");
  return (
    <Input
      mono
      aria-label="A pattern"
      placeholder="or a pattern: web-*, !web-03"
      value={text}
      onChange={(e) => setText(e.currentTarget.value)}
      onKeyDown={(e) => {
        const v = text.trim();
        if (e.key !== "Enter" || !v || values.includes(v)) return;
        e.preventDefault();
        onAdd(v);
        setText("");
      }}
    />
  );
}

/** What every line has: name, unit, formula, axis. */
function Common({ stream: s, onChange }: FormProps) {
  const wrong =
    s.transform_function !== undefined && s.transform_function !== "" && !parseTransform(s.transform_function);
  return (
    <div className={classes.fields}>
      <Field label="Name">
        {(id) => (
          <Input
            id={id}
            value={s.name ?? ""}
            placeholder={s.metric ?? "composite"}
            onChange={(e) => onChange({ name: e.currentTarget.value || undefined })}
          />
        )}
      </Field>
      <Field label="Unit">
        {(id) => (
          <Input
            id={id}
            value={s.units_short ?? ""}
            placeholder="ms"
            onChange={(e) => onChange({ units_short: e.currentTarget.value || undefined })}
          />
        )}
      </Field>
      <Field label="Transform" error={wrong ? "May use x, p, numbers and + - * / ( )." : undefined}>
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
      <Field label="Axis">
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

export function CompositeForm({
  stream: s,
  error,
  series,
  onChange,
}: FormProps & { error: ComposeError | undefined; series: number | undefined }) {
  const [saving, setSaving] = useState(false);
  const text = s.composite ?? "";
  return (
    <>
      <ComposeField
        value={text}
        onChange={(composite) => onChange({ composite })}
        error={text ? error : undefined}
        empty={text && series === 0 ? "No points in this range." : undefined}
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
      <Common stream={s} onChange={onChange} />
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
