import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { ask } from "./client";
import { named } from "./spaces";

import type { FoundSpace, SearchAnswer } from "./ui.gen";

/** What a search finds; every space has a name. */
export type Found = Omit<SearchAnswer, "spaces"> & { spaces: (Omit<FoundSpace, "name"> & { name: string })[] };

export const search = (q: string) =>
  queryOptions({
    queryKey: ["search", q],
    queryFn: async ({ signal }): Promise<Found> => {
      const answer = await ask("GET /ui/api/search", { query: { q }, signal });
      return { ...answer, spaces: answer.spaces.map(named) };
    },
    placeholderData: keepPreviousData,
    staleTime: 5_000,
  });
