import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { askStreams } from "../../api/series";
import type { ChangedStream } from "../../api/ui.gen";
import type { Cell } from "../../chart/data";
import { streamOf } from "../../lib/question";
import type { Time } from "../../time/TimeContext";

const none: never[] = [];
const sameTags = (a: Record<string, string>, b: Record<string, string>) =>
  Object.keys(a).length === Object.keys(b).length && Object.entries(a).every(([k, v]) => b[k] === v);

/** The stream of a chart that asks for this one. */
export const asStream = ({ metric, tags }: ChangedStream) => {
  const filters = Object.entries(tags).map(([name, v]) => ({ name, values: [v], not: false }));
  return streamOf(metric, { filters, groups: [], summary: "", lines: "", transform: "" });
};

/** The values of streams over the time of the page, for small lines. */
export function useSparks(streams: ChangedStream[], time: Time): Map<ChangedStream, Cell[]> {
  const { window: w } = time;
  const { data } = useQuery({
    // It stays what it was when the range was compared: the newest minute does not matter here.
    queryKey: ["sparks", streams, time.range],
    queryFn: async ({ signal }) => ({ w, ...(await askStreams(streams.map(asStream), none)(w, signal)) }),
    staleTime: Number.POSITIVE_INFINITY,
    enabled: streams.length > 0,
  });
  return useMemo(() => {
    const out = new Map<ChangedStream, Cell[]>();
    if (!data) return out;
    const step = data.resolution || data.w.step;
    for (const [i, s] of streams.entries()) {
      const line = data.results[i]?.series.find((x) => sameTags(x.tags, s.tags));
      if (!line) continue;
      const cells = new Array<Cell>(Math.ceil((data.w.end - data.w.start) / step)).fill(undefined);
      for (const [j, t] of Array.from(line.times).entries()) {
        const at = Math.floor((t - data.w.start) / step);
        if (at >= 0 && at < cells.length) cells[at] = line.values[j];
      }
      out.set(s, cells);
    }
    return out;
  }, [data, streams]);
}
