import { useQuery } from "@tanstack/react-query";
import { metrics, tags } from "../../api/metrics";
import type { Condition } from "../../api/types";
import { Select } from "../../components/fields";
import { isFilter, useTagNames } from "../../components/StreamFilter";
import { count, whole } from "../../lib/format";
import classes from "./Editor.module.css";

type Props = { condition: Condition; onChange: (c: Condition) => void };

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
        aria-label="Evaluated"
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
