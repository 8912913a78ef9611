import { useQuery } from "@tanstack/react-query";
import { metrics } from "../api/metrics";
import { NoData } from "./NoData";
import type { PanelProps } from "./PanelView";

/** Why there is no distribution: a query was refused, none is kept, or there are no values. */
export function NoDistribution(props: PanelProps) {
  const { chart, loaded, shared } = props;
  const refused = loaded?.results.find((r) => r.error)?.error?.message;
  const metric = chart.streams.find((s) => s.metric && s.type !== "annotation" && !s.hidden)?.metric;
  // Single values are counted as long as they are kept one by one, so only what has none is asked about.
  const { data } = useQuery({
    ...metrics.one(metric ?? ""),
    enabled: loaded !== undefined && !refused && !shared && metric !== undefined,
    retry: false,
  });
  const single = data && data.attributes?.distribution !== true;
  const words = refused
    ? `Could not load: ${refused}`
    : single
      ? `${metric} keeps single values, so there is nothing to spread. Use a line, or send a histogram.`
      : "No distribution for these tags in this range";
  return <NoData {...props} words={words} />;
}
