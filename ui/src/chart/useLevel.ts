import { useEffect, useMemo, useState } from "react";
import type { Loaded } from "../api/series";
import type { ChartDraft } from "../api/types";
import type { Line } from "./data";
import { kindOf } from "./kind";
import type { Past } from "./past";
import type { Level } from "./plot";

type Make = typeof import("../panels/levels").levelOf;

/** What is drawn beside the lines of a chart: bars, bands, thresholds, the past. Few charts have more than that. */
export function useLevel(
  chart: ChartDraft,
  lines: Line[],
  loaded: Loaded | undefined,
  past: Past | undefined,
  incomplete: boolean,
): Level | undefined {
  const kind = kindOf(chart);
  const { thresholds } = chart;
  const bands = chart.attributes?.bands;
  const more = kind === "bar" || Boolean(past || thresholds?.length || bands?.length);
  const [make, setMake] = useState<Make>();
  useEffect(() => {
    if (more) void import("../panels/levels").then((m) => setMake(() => m.levelOf));
  }, [more]);
  return useMemo(
    () => (more ? make?.({ kind, thresholds, bands, lines, window: loaded?.window, past, incomplete }) : undefined),
    [more, make, kind, thresholds, bands, lines, loaded?.window, past, incomplete],
  );
}
