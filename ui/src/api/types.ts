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

/** A stream of a chart; one that is not saved yet has no number. */
export type Stream = Omit<wire.Stream, "id"> & { id?: number };

/** What is typed into the editor of a chart: as it is written, with all of its streams. */
export type ChartDraft = Pick<wire.ChartWrite, "min" | "max" | "label" | "related_space" | "thresholds"> & {
  name: string;
  type: ChartType;
  streams: Stream[];
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
/** One that is not saved yet has no number, and null takes away what it had. */
export type Condition = Omit<wire.Condition, "id" | "source" | Cleared> & { id?: number } & {
  [K in Cleared]?: wire.Condition[K] | null;
};
type Cleared = "threshold" | "duration" | "summary_function";
/** What readings are compared with, if not the threshold itself. */
export type Against = wire.Against;
export type AlertState = own.AlertSummary["state"];
/** A sentence in its parts. */
export type Words = own.SentencePart[];
export type Alert = Omit<wire.Alert, "conditions" | "version" | "md"> & { conditions: Condition[] };
