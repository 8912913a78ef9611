import type { Option } from "../../components/fields";
import { presets } from "../../time/range";

const ranges = presets.map((p) => ({ value: p.range.from, label: p.label }));

/** The ranges to choose from, with the one that is chosen already. */
export const rangesWith = (range: string): Option[] =>
  ranges.some((r) => r.value === range) ? ranges : [...ranges, { value: range, label: range }];

export const rangeName = (range: string): string => rangesWith(range).find((r) => r.value === range)?.label ?? range;
