import { queryOptions } from "@tanstack/react-query";
import { ask, listen } from "./client";
import type { MeasurementActivity, RequestActivity } from "./ui.gen";

export const arrivals = queryOptions({
  queryKey: ["arrivals"],
  queryFn: ({ signal }) => ask("GET /ui/api/arrivals", { signal }),
  refetchInterval: 10_000,
});

/** Reports every request and measurement of the organization until stopped. */
export const watchArrivals = (on: {
  request: (r: RequestActivity) => void;
  measurement: (m: MeasurementActivity) => void;
}) => listen("/ui/api/arrivals/watch", on);
