import { chosen, duration } from "../lib/format";

/** What fields and values of versions are called, as the editors call them. */

const fields: Record<string, string> = {
  active: "Status",
  after_seconds: "After",
  against: "Compared with",
  aggregate: "Fold all measurements of a period into one",
  annotations: "Annotations shown",
  bands: "Bands",
  color: "Colour",
  color_by: "Colour by",
  color_scale: "Softer steps for small counts",
  composite: "Definition",
  default_tags: "Filters it opens with",
  description: "Description",
  detect_reset: "Detect resets",
  display_max: "Highest shown",
  display_min: "Lowest shown",
  display_name: "Display name",
  display_units_long: "Unit in words",
  display_units_short: "Unit",
  downsample_function: "Value of each point",
  duration: "For how long",
  find: "With these words in name or labels",
  gap_detection: "Show gaps where data is missing",
  group_by: "Grouped by",
  group_function: "Streams",
  hidden: "Hidden",
  kind: "Shown as",
  label: "Label",
  layers: "Shown of the distribution",
  labels: "Labels",
  links: "Links",
  max: "Max",
  metric: "Metric",
  metric_name: "Metric",
  min: "Min",
  name: "Name",
  order: "First",
  percentiles: "Percentiles",
  period: "Period",
  space_tags: "Tags",
  rearm_per_signal: "Remind for each stream",
  rearm_seconds: "While firing, notify every",
  related_space: "Related space",
  repeat: "Repeat",
  rows: "A row for each",
  runbook_url: "Runbook URL",
  sections: "Sections",
  services: "Services",
  severity: "Severity",
  show: "Show",
  sort: "Sorted by",
  split_axis: "Axis",
  summarize_function: "Usual summary",
  summary_function: "Value of each stream",
  tags: "Tags",
  text: "Text",
  threshold: "Threshold",
  thresholds: "Thresholds",
  spark: "A small line in each row",
  top: "Rows at most",
  transform_function: "Transform",
  type: "Type",
  units_long: "Unit in words",
  units_short: "Unit",
  use_last_value: "Value",
  use_log_yaxis: "Logarithmic",
};

export function fieldWords(field: string): string {
  const text = fields[field] ?? field.replaceAll("_", " ");
  return text.charAt(0).toUpperCase() + text.slice(1);
}

const values: Record<string, Record<string, string>> = {
  type: {
    above: "Goes above",
    below: "Goes below",
    absent: "Stops reporting",
    line: "Line",
    stacked: "Stacked",
    bignumber: "Big number",
  },
  kind: {
    text: "Text",
    table: "Table",
    alerts: "Alerts",
    events: "Events",
    bar: "Bar",
    gauge: "Gauge",
    heatmap: "Heatmap",
  },
  color_by: { share: "Share of each column", count: "Count" },
  color_scale: { linear: "Off", sqrt: "On" },
  layers: { cells: "Heatmap", percentiles: "Percentiles", both: "Both" },
  order: { highest: "Highest", lowest: "Lowest" },
  rows: { streams: "Stream", values: "Range, counting streams", distribution: "Range, counting values" },
  show: { firing: "Those that fire", all: "All" },
  value: { last: "Last value", mean: "Average", min: "Lowest", max: "Highest", sum: "Sum" },
  severity: { critical: "Critical", warning: "Warning", info: "Info" },
  active: { true: "Active", false: "Inactive" },
  split_axis: { true: "Right", false: "Left" },
  use_last_value: { true: "Last value", false: "Average" },
  group_function: { breakout: "Each on its own" },
};
const seconds = new Set(["after_seconds", "duration", "period", "rearm_seconds"]);

type Tag = { name: string; values?: string[]; grouped?: boolean; dynamic?: boolean };

/** "host: web-1, web-2; one line per region". */
const tagWords = (t: Tag) =>
  [
    `${t.name}: ${t.dynamic ? "from the filter" : t.values?.length ? t.values.join(", ") : "any"}`,
    ...(t.grouped ? [`one line per ${t.name}`] : []),
  ].join("; ");

type Threshold = { operator: string; value: number; type: string };
type Band = { from: number; to: number; type: string };
const bandWords = (b: Band) => `${chosen(b.from)} to ${chosen(b.to)} ${b.type}`;
type Link = { title: string; url: string };
const linkWords = (l: Link) => `${l.title} (${l.url})`;
type Section = { name: string; folded?: boolean };
const sectionWords = (s: Section) => (s.folded ? `${s.name} (folded)` : s.name);
const thresholdWords = (t: Threshold) => `${t.operator} ${chosen(t.value)} ${t.type}`;

export type Names = { service: (id: number) => string };

/** A value as the interface writes it; nothing for what is not set. */
export function valueWords(field: string, v: unknown, names: Names): string | undefined {
  if (v === null || v === undefined || v === "") return undefined;
  if (Array.isArray(v)) return v.length ? listWords(field, v, names) : undefined;
  // Streams are known by their letters.
  if (field === "sort") return String.fromCharCode(65 + Number(v));
  if (field === "repeat") return `For each ${v}`;
  const known = values[field]?.[String(v)];
  if (known) return known;
  if (typeof v === "boolean") return v ? "On" : "Off";
  if (typeof v === "number") return seconds.has(field) ? duration(v) : chosen(v);
  if (typeof v === "object") return objectWords(v as Record<string, unknown>);
  return String(v);
}

function listWords(field: string, list: unknown[], names: Names): string {
  if (field === "services") return list.map((id) => names.service(Number(id))).join(", ");
  if (field === "tags" || field === "default_tags") return (list as Tag[]).map(tagWords).join("; ");
  if (field === "thresholds") return (list as Threshold[]).map(thresholdWords).join(", ");
  if (field === "bands") return (list as Band[]).map(bandWords).join(", ");
  if (field === "links") return (list as Link[]).map(linkWords).join(", ");
  if (field === "sections") return (list as Section[]).map(sectionWords).join(", ");
  return list.map((x) => (x !== null && typeof x === "object" ? JSON.stringify(x) : String(x))).join(", ");
}

function objectWords(v: Record<string, unknown>): string | undefined {
  const pairs = Object.entries(v).filter(([, x]) => x !== null && x !== undefined && x !== "");
  return pairs.length ? pairs.map(([k, x]) => `${k.replaceAll("_", " ")}: ${String(x)}`).join(", ") : undefined;
}
