import type { Band, ChartDraft, Threshold } from "../api/types";
import { crossed, thresholdWords } from "../chart/bigValue";
import { frame, type Scheme } from "../chart/palette";
import type { ValueAxis } from "./valueAxis";

/** The colour of a threshold or of a band. */
export const tint = (type: Band["type"], scheme: Scheme) =>
  type === "green" ? { light: "#277A4B", dark: "#74C896" }[scheme] : frame[scheme][type === "red" ? "red" : "amber"];

/** What thresholds and bands are in a heatmap; places are parts of its height, from the top. */
export type HeatLimits = {
  lines: { at: number; type: Threshold["type"] }[];
  tints: { from: number; to: number; type: Band["type"] }[];
  /** The colour that a cell has instead of its own. */
  tone: (v: number) => Threshold["type"] | undefined;
  legend: { type: Threshold["type"]; words: string }[];
};

type Limited = Pick<ChartDraft, "thresholds" | "attributes">;

/** Where rows are ranges of values, a threshold is a line among them; where cells are values, it colours those beyond it. */
export function heatLimits({ thresholds, attributes }: Limited, axis: ValueAxis | undefined, unit: string): HeatLimits {
  const all = thresholds ?? [];
  const legend = all.map((t) => ({ type: t.type, words: thresholdWords(t, unit) }));
  if (!axis) return { lines: [], tints: [], tone: (v) => crossed(v, all)?.type, legend };
  const { low, high, at } = axis;
  const bands = (attributes?.bands ?? []).filter((b) => b.from < high && b.to > low);
  return {
    lines: all.filter((t) => t.value >= low && t.value <= high).map((t) => ({ at: 1 - at(t.value), type: t.type })),
    tints: bands.map((b) => ({ from: 1 - at(b.to), to: 1 - at(b.from), type: b.type })),
    tone: () => undefined,
    legend,
  };
}

/** "red above 300 ms, yellow above 200 ms" */
export const limitWords = ({ legend }: Pick<HeatLimits, "legend">): string =>
  legend.map(({ type, words }) => `${type} ${words}`).join(", ");
