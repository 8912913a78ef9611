import { queryOptions } from "@tanstack/react-query";
import { ask } from "./client";

export const demo = {
  state: queryOptions({
    queryKey: ["demo"],
    queryFn: ({ signal }) => ask("GET /ui/api/demo", { signal }),
    refetchInterval: (q) => (q.state.data?.state === "filling" ? 500 : false),
  }),
  start: () => ask("POST /ui/api/demo"),
  remove: () => ask("DELETE /ui/api/demo"),
};
