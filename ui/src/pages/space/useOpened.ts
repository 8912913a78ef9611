import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { spaces } from "../../api/spaces";
import { forgetCrash } from "../../lib/crashes";

/** Reports to the server that a space was opened, once for each visit: lists and the start page follow. */
export function useOpened(id: number): void {
  const client = useQueryClient();
  useEffect(() => {
    forgetCrash(`/spaces/${id}`);
    spaces.opened(id).then(
      () => {
        const now = Math.floor(Date.now() / 1000);
        client.setQueryData(
          spaces.all.queryKey,
          (old) => old && { ...old, spaces: old.spaces.map((s) => (s.id === id ? { ...s, opened_at: now } : s)) },
        );
      },
      () => undefined, // the page itself says what is wrong with the space, or the connection
    );
  }, [id, client]);
}
