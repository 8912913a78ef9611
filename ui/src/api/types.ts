/** The nouns of /v1 as the interface uses them. */

export type TagFilter = { name: string; values?: string[]; grouped?: boolean; dynamic?: boolean };

export type ChartType = "line" | "stacked" | "bignumber";
export type Threshold = { operator: ">" | "<" | "="; value: number; type: "red" | "yellow" };

export type Stream = {
  id?: number;
  metric?: string;
  type?: string;
  source?: string;
  tags?: TagFilter[];
  composite?: string;
  group_function?: string;
  summary_function?: string;
  downsample_function?: string;
  color?: string;
  name?: string;
  units_short?: string;
  units_long?: string;
  min?: number;
  max?: number;
  transform_function?: string;
  period?: number;
  split_axis?: boolean;
  gap_detection?: boolean;
  position?: number;
};

export type ChartDraft = {
  name: string;
  type: ChartType;
  streams: Stream[];
  min?: number | null;
  max?: number | null;
  label?: string | null;
  related_space?: number | null;
  thresholds?: Threshold[] | null;
  use_log_yaxis?: boolean;
  use_last_value?: boolean;
};
export type Chart = ChartDraft & { id: number };

export type Space = { id: number; name: string };
export type SpaceSummary = Space & { charts: number; pinned: boolean; opened_at: number };
export type Box = { chart: number; col: number; row: number; width: number; height: number };
export type SpaceLayout = {
  layout: Box[];
  default_tags: TagFilter[];
  annotations: string[];
  updated_at?: number;
  updated_by?: string;
};
export type Share = {
  id: number;
  name: string;
  created_at: number;
  expires_at: number;
  last_opened_at: number;
  locked_tags: TagFilter[] | null;
  url?: string;
};
export type SharedSpace = {
  name: string;
  org: string;
  charts: Chart[];
  layout: Box[];
  locked_tags: TagFilter[] | null;
  expires_at: number;
};

export type Metric = {
  name: string;
  display_name: string | null;
  type: "gauge" | "counter" | "composite";
  description: string | null;
  period: number | null;
  source_lag: number | null;
  composite?: string;
  attributes: Record<string, unknown>;
};
export type MetricSummary = {
  name: string;
  display_name: string | null;
  type: string;
  units: string;
  last_value: number | null;
  last_at: number;
  streams: number;
};

export type Event = {
  id: number;
  title: string;
  description: string | null;
  source: string | null;
  start_time: number;
  end_time: number | null;
  links: { rel: string; label: string | null; href: string }[];
};
export type AnnotationStream = { name: string; display_name: string | null };

export type Service = { id: number; type: string; title: string; settings: Record<string, string> };
export type Condition = {
  id?: number;
  type: "above" | "below" | "absent";
  metric_name: string;
  threshold?: number | null;
  duration?: number | null;
  summary_function?: string | null;
  detect_reset?: boolean;
  tags: TagFilter[];
};
export type Alert = {
  id: number;
  name: string;
  description: string | null;
  conditions: Condition[];
  services: Service[];
  attributes: { runbook_url?: string };
  active: boolean;
  rearm_seconds: number;
  rearm_per_signal: boolean;
  created_at: number;
  updated_at: number;
};
export type AlertState = "ok" | "firing" | "snoozed" | "inactive";
export type AlertSummary = {
  id: number;
  name: string;
  sentence: string;
  state: AlertState;
  since: number;
  /** When a snooze ends by itself. */
  snoozed_until?: number;
  last_fired_at: number;
  strip: [number, number][];
  worst?: { stream: string; value: number; unit: string };
  threshold: number | null;
  services: { id: number; type: string; title: string }[];
};

/** Where an expression is wrong: offset and length count characters. */
export type ComposeError = { message: string; offset: number; length: number; suggestion?: string };
