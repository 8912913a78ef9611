import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { listen } from "../api/client";
import { showFiring } from "../components/Page";

const key = ["firing"];

/** How many alerts fire, sent by the server whenever it changes. */
export function useFiring(): number {
  const { data = 0 } = useQuery({ queryKey: key, queryFn: () => 0, enabled: false, initialData: 0 });
  return data;
}

export function useFiringWatch(): void {
  const client = useQueryClient();
  useEffect(
    () =>
      listen("/ui/api/watch", {
        firing: ({ count }: { count: number }) => {
          client.setQueryData(key, count);
          showFiring(count);
          void client.invalidateQueries({ queryKey: ["alerts"] });
        },
      }),
    [client],
  );
}
