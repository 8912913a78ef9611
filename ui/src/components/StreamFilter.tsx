import { IconPlus } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { tags } from "../api/metrics";
import type { TagFilter } from "../api/types";
import { Chip, Tag } from "./controls";
import { Pop } from "./Pop";
import classes from "./StreamFilter.module.css";

/** What a filter of streams is about: any noun with a metric and tags. */
type Filtered = { metric_name: string; tags: TagFilter[] };
type Props<T extends Filtered> = { condition: T; onChange: (c: T) => void };

export const useTagNames = (metric: string): string[] => {
  const { data } = useQuery({ ...tags.names(metric ? [metric] : []), enabled: metric !== "" });
  return data?.tags.map((t) => t.name) ?? [];
};
export const isFilter = (t: TagFilter) => (t.values ?? []).some((v) => v !== "*");

/** "where environment = production" */
export function StreamFilter<T extends Filtered>({ condition: c, onChange }: Props<T>) {
  const names = useTagNames(c.metric_name);
  const drop = (t: TagFilter) =>
    onChange({
      ...c,
      tags: t.grouped ? c.tags.map((o) => (o === t ? { ...o, values: ["*"] } : o)) : c.tags.filter((o) => o !== t),
    });
  return (
    <div className={classes.words}>
      <span className="t2">where</span>
      {c.tags.filter(isFilter).map((t) => (
        <Tag key={t.name} onRemove={() => drop(t)} removeLabel={`Remove ${t.name}`}>
          {`${t.name} = ${t.values?.join(" or ")}`}
        </Tag>
      ))}
      <AddTag
        metric={c.metric_name}
        names={names}
        onAdd={(name, value) => onChange({ ...c, tags: withValue(c.tags, name, value) })}
      />
    </div>
  );
}

/** The tags with one more value of one of them. */
export function withValue(list: TagFilter[], name: string, value: string): TagFilter[] {
  const had = list.find((t) => t.name === name);
  if (!had) return [...list, { name, values: [value] }];
  const values = (had.values ?? []).filter((v) => v !== "*" && v !== value);
  return list.map((t) => (t === had ? { ...t, values: [...values, value] } : t));
}

type AddProps = { metric: string; names: string[]; onAdd: (name: string, value: string) => void };

function AddTag({ metric, names, onAdd }: AddProps) {
  return (
    <Pop
      label="Add a tag"
      target={(p) => (
        <Chip dashed {...p}>
          <IconPlus size={14} stroke={1.6} /> tag
        </Chip>
      )}
    >
      {(close) => (
        <div className={classes.tags}>
          {names.length === 0 && <p className="t2">No tags yet.</p>}
          {names.map((name) => (
            <TagValues
              key={name}
              metric={metric}
              name={name}
              onPick={(v) => {
                onAdd(name, v);
                close();
              }}
            />
          ))}
        </div>
      )}
    </Pop>
  );
}

function TagValues({ metric, name, onPick }: { metric: string; name: string; onPick: (v: string) => void }) {
  const { data } = useQuery(tags.values([metric], name));
  return (
    <div>
      <div className="t3 mono">{name}</div>
      <div className={classes.words}>
        {data?.values.slice(0, 20).map((v) => (
          <Chip key={v.value} className="mono" onClick={() => onPick(v.value)}>
            {v.value}
          </Chip>
        ))}
      </div>
    </div>
  );
}
