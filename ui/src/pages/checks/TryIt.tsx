import { IconCheck, IconX } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { checks } from "../../api/checks";
import type { CheckUpdate } from "../../api/ui.gen";
import { took } from "../../lib/format";
import { useDebounced } from "../../lib/useDebounced";
import classes from "./Checks.module.css";

/** What the check would find now from the server: asked after every change. */
export function TryIt({ draft }: { draft: CheckUpdate & { places: string[] } }) {
  const { name: _, places, ...rest } = draft;
  const body = { ...rest, name: "draft", places: ["server"] };
  const asked = useDebounced(JSON.stringify(body), 600);
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: ["checks", "try", asked],
    queryFn: () => checks.attempt(JSON.parse(asked)),
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  const ok = data?.up === true;
  return (
    <div className={classes.tried} role="status">
      <div>
        <b>{isFetching ? "Trying…" : "Tried just now"}</b>
        <button type="button" className={classes.again} onClick={() => void refetch()}>
          Try again
        </button>
      </div>
      {!isFetching && (data || error) && (
        <p>
          {ok ? <IconCheck size={14} stroke={2} aria-label="Up" /> : <IconX size={14} stroke={2} aria-label="Down" />}
          <span className="mono">server</span>
          <span>{error ? error.message : `${data?.said}, ${took((data?.duration ?? 0) * 1000)}`}</span>
        </p>
      )}
      {places.some((p) => p !== "server") && <p className="t2">Agents look for the first time within a minute.</p>}
    </div>
  );
}
