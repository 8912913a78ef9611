import { IconPlus } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { metrics, tags } from "../../api/metrics";
import type { Condition, TagFilter } from "../../api/types";
import { Chip, Tag } from "../../components/controls";
import { Select } from "../../components/fields";
import { Pop } from "../../components/Pop";
import { count, whole } from "../../lib/format";
import classes from "./Editor.module.css";

type Props = { condition: Condition; onChange: (c: Condition) => void };

const useTagNames = (metric: string): string[] => {
  const { data } = useQuery({ ...tags.names(metric ? [metric] : []), enabled: metric !== "" });
  return data?.tags.map((t) => t.name) ?? [];
};
const isFilter = (t: TagFilter) => (t.values ?? []).some((v) => v !== "*");

/** "where environment = production" */
export function StreamFilter({ condition: c, onChange }: Props) {
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

/** "evaluated per region 3 of them now" */
export function StreamGrouping({ condition: c, onChange }: Props) {
  const names = useTagNames(c.metric_name);
  const group = c.tags.find((t) => t.grouped)?.name ?? "";
  const setGroup = (name: string) => {
    const rest = c.tags.map((t) => ({ ...t, grouped: false })).filter(isFilter);
    const had = rest.find((t) => t.name === name);
    const next = !name
      ? rest
      : had
        ? rest.map((t) => (t === had ? { ...t, grouped: true } : t))
        : [...rest, { name, values: ["*"], grouped: true }];
    onChange({ ...c, tags: next });
  };
  return (
    <div className={classes.words}>
      <span className="t2">evaluated</span>
      <Select
        small
        aria-label="Judged"
        value={group}
        options={[
          { value: "", label: "each stream" },
          ...[...new Set([...names, ...(group ? [group] : [])])].map((n) => ({ value: n, label: `per ${n}` })),
        ]}
        onChange={setGroup}
      />
      {c.metric_name && <HowMany metric={c.metric_name} group={group} />}
    </div>
  );
}

function HowMany({ metric, group }: { metric: string; group: string }) {
  const values = useQuery({ ...tags.values([metric], group), enabled: group !== "" });
  const found = useQuery({ ...metrics.search(metric, 0, 1), enabled: group === "" });
  const streams = found.data?.metrics.find((m) => m.name === metric)?.streams;
  const n = group ? values.data?.values.length : streams;
  if (n === undefined) return null;
  return <span className={classes.many}>{group ? `${whole(n)} of them now` : `${count(n, "stream")} now`}</span>;
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
