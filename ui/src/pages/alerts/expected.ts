import { align, type Line } from "../../chart/data";
import type { Expected } from "../../lib/band";
import type { Window } from "../../time/range";

const slate = 7;

/** The lines of what a condition compares with: the usual value, and the limits around it with what is between them tinted. */
export function expectedLines(e: Expected | undefined, unit: string, w: Window): Line[] {
  if (!e || e.times.length === 0) return [];
  const line = (key: string, label: string, values: (number | null)[], more: Partial<Line> = {}): Line => ({
    key: `expected.${key}`,
    label,
    mono: false,
    unit,
    axis: 0,
    paint: { slot: slate },
    muted: true,
    stream: 0,
    tags: {},
    values: values.some((v) => v !== null)
      ? align({ tags: {}, times: e.times, values: values as number[] } as never, w, false)
      : [],
    ...more,
  });
  const lines = [
    line("high", "upper limit", e.high, { bandTo: "expected.low" }),
    line("low", "lower limit", e.low),
    line("usual", "usual value", e.usual, { dash: [4, 3] }),
  ];
  return lines.filter((l) => l.values.length > 0);
}
