import type { RawSeries } from "../api/query";
import { whole } from "../lib/format";
import type { Line } from "./data";

/** More streams than these are summed up: a band, and those that are apart from it. */
export const many = 1_000;

const slate = 7;

type Part = { summary: string; label: string } & Pick<Line, "muted" | "bandTo">;

/** The lines of a band in the order they are drawn: the median over all others. */
const parts: Part[] = [
  { summary: "high", label: "highest", muted: true },
  { summary: "low", label: "lowest", muted: true },
  { summary: "p90", label: "90th percentile", muted: true, bandTo: "p10" },
  { summary: "p10", label: "10th percentile", muted: true },
  { summary: "median", label: "median" },
];

type Common = Pick<Line, "unit" | "axis" | "stream"> & {
  /** What the band is called among others. */
  name: string;
  /** How many streams it is of. */
  streams: number | undefined;
};

/** The lines of a band of many streams. The median stands for all of them in a legend. */
export function bandLines(series: RawSeries[], c: Common, values: (raw: RawSeries) => Line["values"]): Line[] {
  const key = (summary: string) => `${c.stream}|${summary}`;
  return parts.flatMap(({ summary, label, bandTo, ...look }): Line[] => {
    const raw = series.find((s) => s.summary === summary);
    if (!raw) return [];
    const of = summary === "median" && c.streams !== undefined ? `${label} of ${whole(c.streams)} streams` : label;
    return [
      {
        key: key(summary),
        label: c.name ? `${c.name} ${of}` : of,
        mono: false,
        unit: c.unit,
        axis: c.axis,
        paint: { slot: slate },
        ...look,
        ...(bandTo && { bandTo: key(bandTo) }),
        summary,
        stream: c.stream,
        tags: {},
        values: values(raw),
      },
    ];
  });
}

/** Those that a legend has: a band is one thing. */
export const named = (lines: Line[]): Line[] => lines.filter((l) => !l.summary || l.summary === "median");

/** Whether a line is grey for being one of too many, not as a part of a band. */
export const isOneOfMany = (l: Line | undefined): boolean => Boolean(l?.muted && !l.summary);

/** The lines that are streams. */
export const withoutBand = (lines: Line[]): Line[] => lines.filter((l) => !l.summary);
