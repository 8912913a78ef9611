import { useMemo } from "react";
import { useEscape } from "../../chart/useEscape";
import { type Brush, brushOf, brushText } from "../../lib/explore";
import { useTime } from "../../time/TimeContext";
import type { Queries } from "./useQueries";

export type Marking = {
  brush: Brush | undefined;
  mark: (start: number, end: number) => void;
  /** Marks the end of the time shown; grips change it. For those who cannot drag. */
  markLately: () => void;
  clear: () => void;
};

const lately = 6;

/** The range that is marked in all charts of the page. It is in the address. */
export function useMarking({ search, page }: Queries): Marking {
  const { window: w } = useTime();
  const brush = useMemo(() => brushOf(search.brush), [search.brush]);
  const clear = () => page({ brush: undefined });
  const mark = (start: number, end: number) => {
    const at = { start: Math.floor(start / w.step) * w.step, end: Math.ceil(end / w.step) * w.step };
    page({ brush: brushText(at) }, brush !== undefined);
  };
  useEscape(brush !== undefined, clear);
  return { brush, mark, markLately: () => mark(w.end - (w.end - w.start) / lately, w.end), clear };
}
