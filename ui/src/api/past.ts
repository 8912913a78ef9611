import { useMemo } from "react";
import { before, compareWords, rangeBefore, shiftOf } from "../time/compare";
import type { Time } from "../time/TimeContext";
import { type Ask, type Loaded, useSeries } from "./series";

const grain = 60;

/** What was loaded of another time, how many seconds before that was, and what that is called. */
export type Earlier = { loaded: Loaded; by: number; than: string };

/** The data that a chart is compared with; nothing where it is compared with nothing. */
export function usePastSeries(key: unknown, ask: Ask, time: Time, enabled: boolean): Earlier | undefined {
  const { compare } = time;
  // It moves with the window, but not with every tick: what was does not change.
  const start = Math.floor(time.window.start / grain) * grain;
  const length = time.window.end - time.window.start;
  const { step } = time.window;
  const w = useMemo(() => ({ start, end: start + length, step }), [start, length, step]);
  const by = shiftOf(compare, w);
  const past = useSeries({
    key: [key, "past", w.start],
    ask,
    range: rangeBefore(time.range, compare),
    window: before(w, by),
    live: false,
    tick: 0,
    enabled: enabled && by > 0,
  });
  const loaded: Loaded | undefined = by > 0 ? past.data : undefined;
  return useMemo(() => loaded && { loaded, by, than: compareWords(compare) }, [loaded, by, compare]);
}
