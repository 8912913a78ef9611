/**
 * The nouns as the interface uses them. What /v1 answers comes from the
 * document of the API; what is typed into forms, and what only the interface's
 * own routes have, is written here.
 */
import type * as wire from "./types.gen";

export type TagFilter = wire.Tag;

export type ChartType = wire.Chart["type"];
export type Threshold = wire.Threshold;

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
  /** Kept in the chart, but neither asked for nor drawn. */
  hidden?: boolean;
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

/** The wire has null for a space without a name; the interface says so in words. */
export type Space = Omit<wire.Space, "name"> & { name: string };
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

export type Metric = wire.Metric;
export type MetricSummary = {
  name: string;
  display_name: string | null;
  type: string;
  units: string;
  last_value: number | null;
  last_at: number;
  streams: number;
};

export type Event = wire.Event;
export type AnnotationStream = Pick<wire.AnnotationStream, "name" | "display_name">;

export type Service = wire.Service;
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
export type Alert = Omit<wire.Alert, "conditions" | "version" | "md"> & { conditions: Condition[] };
export type AlertState = "ok" | "firing" | "snoozed" | "inactive";
/** A sentence in its parts. */
export type Words = wire.Backtest["conditions"][number]["words"];
export type AlertSummary = {
  id: number;
  name: string;
  words: Words;
  state: AlertState;
  since: number;
  /** When a snooze ends by itself. */
  snoozed_until?: number;
  last_fired_at: number;
  strip: [number, number][];
  /** When it was not judged: no measurements, or no such alert yet. Missing while that is not known. */
  unjudged?: [number, number][];
  worst?: { stream: string; value: number; unit: string };
  threshold: number | null;
  services: { id: number; type: string; title: string }[];
  /** Why what happens to it cannot be saved; until then nobody is told. */
  trouble?: { since: number; reason: string };
};

/** Where an expression is wrong: offset and length count characters. */
export type ComposeError = { message: string; offset: number; length: number; suggestion?: string };
