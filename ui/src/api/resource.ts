import { type QueryKey, queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { call } from "./client";

export type Page<T> = { items: T[]; total: number };
type Listed<T> = { query: { total: number; found: number } } & Record<string, T[]>;

/**
 * The five shapes of the API, once, for every resource that has them: the twin
 * of internal/api/rest/shapes.go.
 */
export function resource<T extends { id: number }, Draft = Omit<T, "id">>(noun: string) {
  const path = `/v1/${noun}`;
  return {
    noun,
    list: (offset = 0, length = 100) =>
      queryOptions({
        queryKey: [noun, "list", offset, length],
        queryFn: async ({ signal }): Promise<Page<T>> => {
          const answer = await call<Listed<T>>("GET", `${path}?offset=${offset}&length=${length}`, undefined, signal);
          return { items: answer[noun] ?? [], total: answer.query.found };
        },
      }),
    one: (id: number) =>
      queryOptions({
        queryKey: [noun, id],
        queryFn: ({ signal }) => call<T>("GET", `${path}/${id}`, undefined, signal),
      }),
    create: (draft: Draft) => call<T>("POST", path, draft),
    update: ({ id, ...patch }: Partial<Draft> & { id: number }) => call<T>("PUT", `${path}/${id}`, patch),
    remove: (id: number) => call<void>("DELETE", `${path}/${id}`),
  };
}

/**
 * A change to something. Everything that pages show of it is fetched again.
 * `done` runs before that: what is fetched may take the component away that
 * asked for the change, and what `mutate` is told to do then with it.
 */
export function useChange<Arg, Result>(
  keys: QueryKey | { noun: string },
  change: (arg: Arg) => Promise<Result>,
  done?: (result: Result, arg: Arg) => void,
) {
  const client = useQueryClient();
  const queryKey = "noun" in keys ? [(keys as { noun: string }).noun] : (keys as QueryKey);
  return useMutation({
    mutationFn: change,
    onSuccess: (result, arg) => {
      done?.(result, arg);
      return client.invalidateQueries({ queryKey });
    },
  });
}
