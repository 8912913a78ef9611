import {
  IconAlignLeft,
  IconBell,
  IconChartAreaLine,
  IconChartBar,
  IconChartLine,
  IconDashboard,
  IconFlag,
  IconGridDots,
  IconNumber123,
  IconTable,
} from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import type { Loaded } from "../../api/series";
import { spaces } from "../../api/spaces";
import type { ChartDraft, ChartKind } from "../../api/types";
import { hasSeries, kindOf } from "../../chart/kind";
import { SelectRow, TextRow } from "../../components/FieldRows";
import { fieldError } from "../../components/problems";
import { ofKind } from "./draft";
import classes from "./Editor.module.css";
import { KindSettings } from "./KindSettings";
import { Links } from "./Links";
import { Repeat } from "./Repeat";

type Props = {
  draft: ChartDraft;
  onChange: (p: Partial<ChartDraft>) => void;
  error: unknown;
  space: number;
  /** What the preview shows. */
  loaded: Loaded | undefined;
};

const kinds: { kind: ChartKind; label: string; icon: typeof IconChartLine }[] = [
  { kind: "line", label: "Line", icon: IconChartLine },
  { kind: "stacked", label: "Stacked", icon: IconChartAreaLine },
  { kind: "bar", label: "Bar", icon: IconChartBar },
  { kind: "bignumber", label: "Big number", icon: IconNumber123 },
  { kind: "gauge", label: "Gauge", icon: IconDashboard },
  { kind: "table", label: "Table", icon: IconTable },
  { kind: "heatmap", label: "Heatmap", icon: IconGridDots },
  { kind: "text", label: "Text", icon: IconAlignLeft },
  { kind: "alerts", label: "Alerts", icon: IconBell },
  { kind: "events", label: "Events", icon: IconFlag },
];

/** Name, type, axes: few settings with good defaults. */
export function SettingsColumn({ draft: d, onChange, error, space, loaded }: Props) {
  const { data } = useQuery(spaces.all);
  const shown = kindOf(d);
  const others = data?.spaces.filter((s) => s.id !== space) ?? [];
  return (
    <aside className={classes.settings} aria-label="Chart settings">
      <TextRow
        label="Name"
        value={d.name}
        placeholder="Latency by percentile"
        error={fieldError(error, "name")}
        onChange={(name) => onChange({ name })}
      />
      <div role="radiogroup" aria-label="Type">
        <p className={classes.label}>Type</p>
        <div className={classes.types}>
          {kinds.map(({ kind, label, icon: Icon }) => (
            <button
              key={kind}
              type="button"
              role="radio"
              aria-checked={shown === kind}
              className={classes.type}
              onClick={() => onChange(ofKind(d, kind))}
            >
              <Icon size={18} stroke={1.6} aria-hidden />
              {label}
            </button>
          ))}
        </div>
      </div>
      <hr />
      <KindSettings key={shown} draft={d} onChange={onChange} error={error} loaded={loaded} />
      {hasSeries(shown) && (
        <>
          <Repeat draft={d} onChange={onChange} />
          <Links
            all={d.attributes?.links ?? []}
            onChange={(links) => onChange({ attributes: { ...d.attributes, links: links.length ? links : null } })}
          />
          <hr />
        </>
      )}
      <SelectRow
        label="Related space"
        hint="The menu of the chart leads there."
        options={[{ value: "", label: "none" }, ...others.map((s) => ({ value: String(s.id), label: s.name }))]}
        value={d.related_space ? String(d.related_space) : ""}
        onChange={(v) => onChange({ related_space: v ? Number(v) : null })}
      />
    </aside>
  );
}
