import { queryOptions } from "@tanstack/react-query";
import { ask } from "./client";

/** What the link of a notification is for: it names its organization itself. */
export const acknowledge = {
  look: (key: string) =>
    queryOptions({
      queryKey: ["acknowledge", key],
      queryFn: ({ signal }) => ask("GET /ui/api/acknowledge/{key}", { at: { key }, org: "", signal }),
      retry: false,
    }),
  confirm: ({ key, text }: { key: string; text: string }) =>
    ask("POST /ui/api/acknowledge/{key}", { at: { key }, body: { text }, org: "" }),
};
