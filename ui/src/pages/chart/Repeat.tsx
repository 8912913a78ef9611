import { useQuery } from "@tanstack/react-query";
import { tags as tagApi } from "../../api/metrics";
import type { ChartDraft } from "../../api/types";
import { SelectRow } from "../../components/FieldRows";
import { repeatBy } from "./draft";

type Props = { draft: ChartDraft; onChange: (p: Partial<ChartDraft>) => void };

/** The tag for each of whose values a chart is there once. */
export function Repeat({ draft: d, onChange }: Props) {
  const metrics = d.streams.flatMap((s) => (s.metric && s.type !== "annotation" ? [s.metric] : []));
  const { data } = useQuery({ ...tagApi.names(metrics), enabled: metrics.length > 0 });
  const chosen = d.attributes?.repeat ?? "";
  const names = [...new Set([...(data?.tags.map((t) => t.name) ?? []), ...(chosen ? [chosen] : [])])].sort();
  return (
    <SelectRow
      label="Repeat"
      hint="A chart for each value of a tag, such as host."
      options={[{ value: "", label: "once for all" }, ...names.map((n) => ({ value: n, label: `for each ${n}` }))]}
      value={chosen}
      onChange={(tag) => onChange(repeatBy(d, tag))}
    />
  );
}
