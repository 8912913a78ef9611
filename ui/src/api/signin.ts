import { queryOptions } from "@tanstack/react-query";
import { ask } from "./client";
import type { JoinBody, SetupBody } from "./ui.gen";

/** What the pages need that people see before they are signed in. */
export const signin = {
  options: queryOptions({
    queryKey: ["signin"],
    queryFn: ({ signal }) => ask("GET /ui/api/signin", { signal }),
  }),
  checkSetup: (key: string) =>
    queryOptions({
      queryKey: ["signin", "setup", key],
      queryFn: ({ signal }) => ask("GET /ui/api/setup/{key}", { at: { key }, signal }),
      retry: false,
    }),
  setUp: ({ key, ...body }: SetupBody & { key: string }) => ask("POST /ui/api/setup/{key}", { at: { key }, body }),
  invited: (key: string) =>
    queryOptions({
      queryKey: ["signin", "invite", key],
      queryFn: ({ signal }) => ask("GET /ui/api/invite/{key}", { at: { key }, signal }),
      retry: false,
    }),
  join: ({ key, ...body }: JoinBody & { key: string }) => ask("POST /ui/api/invite/{key}", { at: { key }, body }),
  askReset: (email: string) => ask("POST /ui/api/reset", { body: { email } }),
  reset: ({ key, password }: { key: string; password: string }) =>
    ask("POST /ui/api/reset/{key}", { at: { key }, body: { password } }),
};
