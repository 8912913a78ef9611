import { useQuery } from "@tanstack/react-query";
import { metrics } from "../api/metrics";

/** The unit that the values of a metric are shown in. */
export function useUnit(metric: string): string {
  const { data } = useQuery({ ...metrics.one(metric), enabled: metric !== "", retry: false });
  return String(data?.attributes.display_units_short ?? "");
}
