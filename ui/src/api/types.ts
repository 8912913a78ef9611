/**
 * The nouns as the interface uses them. What /v1 answers comes from the
 * document of the API; what is typed into forms, and what only the interface's
 * own routes have, is written here.
 */
import type * as wire from "./types.gen";
import type * as own from "./ui.gen";

export type TagFilter = wire.Tag;

export type ChartType = wire.Chart["type"];
export type Threshold = wire.Threshold;
export type Band = wire.ChartBand;
export type ChartLink = wire.ChartLink;
/** What a chart shows beyond its type; null takes one away when it is sent. */
export type ChartAttributes = { [K in keyof wire.ChartAttributes]: wire.ChartAttributes[K] | null };
/** How a chart is shown: by its type, or by what its attributes say instead. */
export type ChartKind = ChartType | NonNullable<ChartAttributes["kind"]>;

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
  /** Of its column in a table. */
  thresholds?: Threshold[];
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
  attributes?: ChartAttributes;
};
export type Chart = ChartDraft & { id: number };

/** The wire has null for a space without a name; the interface says so in words. */
export type Space = Omit<wire.Space, "name"> & { name: string };

/** As the list has it, with a name as above. */
export type SpaceSummary = Omit<own.SpaceSummary, "name"> & { name: string };
export type Metric = wire.Metric;

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
  against?: Against;
  tags: TagFilter[];
};
/** What readings are compared with, if not the threshold itself. */
export type Against = {
  kind: "past" | "band" | "change" | "budget" | "none";
  period?: number;
  absolute?: boolean;
  weeks?: number;
  by?: "hour_of_week" | "hour_of_day";
  least?: number;
  both?: boolean;
  unusual_days?: string[];
  zone?: string;
  good_metric?: string;
  objective?: number;
  below?: number;
  without_maintenance?: boolean;
};
export type AlertState = own.AlertSummary["state"];
/** A sentence in its parts. */
export type Words = own.SentencePart[];
export type Alert = Omit<wire.Alert, "conditions" | "version" | "md"> & { conditions: Condition[] };
