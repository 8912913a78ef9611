import { IconInfoCircle } from "@tabler/icons-react";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { lazy, Suspense, useRef, useState } from "react";
import { annotations } from "../../api/annotations";
import { tags as tagApi } from "../../api/metrics";
import type { Dynamic } from "../../api/query";
import type { Stream, TagFilter } from "../../api/types";
import type { MetricSummary, QueryError } from "../../api/ui.gen";
import { Chip } from "../../components/controls";
import { Field, Select } from "../../components/fields";
import TagNames from "../../components/filter/TagNames";
import { MetricSearch } from "../../components/MetricSearch";
import { Pop } from "../../components/Pop";
import { ComposeField } from "../../compose/ComposeField";
import { useWhy } from "../../compose/useWhy";
import { followed } from "../../lib/filters";
import { sameText } from "../../lib/tagOf";
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
  { value: "", label: "averaged into one line" },
  { value: "sum", label: "added up to one line" },
  { value: "min", label: "their lowest, one line" },
  { value: "max", label: "their highest, one line" },
  { value: "breakout", label: "a line for each" },
];

/** Takes a metric. One that is chosen first follows the filter of the space, as far as it has the tags. */
function usePick(s: Stream, dynamic: Dynamic[], onChange: FormProps["onChange"]) {
  const client = useQueryClient();
  const latest = useRef(onChange);
  latest.current = onChange;
  return async (metric: string, found?: MetricSummary) => {
    const unit = found?.units && !s.units_short ? { units_short: found.units } : {};
    latest.current({ metric, ...unit });
    if (s.metric || dynamic.length === 0) return;
    const { tags: has } = await client.fetchQuery(tagApi.names([metric])).catch(() => ({ tags: [] }));
    const tags = followed(
      has.map((t) => t.name),
      dynamic,
      s.tags,
    );
    if (tags.length) latest.current({ tags });
  };
}

type MetricProps = FormProps & { dynamic: Dynamic[]; distribution: boolean };

export function MetricForm({ stream: s, dynamic, distribution, onChange }: MetricProps) {
  const pick = usePick(s, dynamic, onChange);
  const tags = s.tags ?? [];
  const setTag = (name: string, patch: Partial<TagFilter> | null) => {
    const rest = tags.filter((t) => !sameText(t.name, name));
    const old = tags.find((t) => sameText(t.name, name)) ?? { name };
    const next =
      patch === null
        ? rest
        : tags.some((t) => sameText(t.name, name))
          ? tags.map((t) => (sameText(t.name, name) ? clean({ ...old, ...patch }) : t))
          : [...rest, clean({ ...old, ...patch })];
    onChange({ tags: next.length ? next : undefined });
  };
  return (
    <>
      <div className={classes.fields}>
        <Field label="Metric" hint="Found by any part of its name.">
          {(id) => (
            <MetricSearch
              id={id}
              value={s.metric ?? ""}
              autoFocus={!s.metric}
              onPick={(metric, found) => void pick(metric, found)}
            />
          )}
        </Field>
        {!distribution && <Folding stream={s} onChange={onChange} />}
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
      {distribution && (
        <p className={classes.merged}>
          <IconInfoCircle size={15} stroke={1.6} aria-hidden />
          Percentiles are computed from the merged distribution, not averaged from the streams. Values are kept to
          within 1 %.
        </p>
      )}
    </>
  );
}

/** What the measurements of a stream come to, and the streams of a group. */
const Folding = ({ stream: s, onChange }: FormProps) => (
  <>
    <Field label="Value of each stream" hint="Of a step: max shows peaks.">
      {(id) => (
        <Select
          id={id}
          options={summaries}
          value={s.summary_function === "average" ? "" : (s.summary_function ?? "")}
          onChange={(v) => onChange({ summary_function: v || undefined })}
        />
      )}
    </Field>
    <Field label="Streams" hint="Added up: the sum of all hosts.">
      {(id) => (
        <Select
          id={id}
          options={groupings}
          value={s.group_function === "average" ? "" : (s.group_function ?? "")}
          onChange={(v) => onChange({ group_function: v || undefined })}
        />
      )}
    </Field>
  </>
);

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
      <Field label="Annotation stream" hint="Its events are marks in the chart: deploys.">
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
