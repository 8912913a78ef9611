import { useQuery, useQueryClient } from "@tanstack/react-query";
import { spaces } from "../api/spaces";

export type Pin = { pinned: boolean; toggle: () => void };

/** The sidebar has room for this many. */
const most = 8;

/** Whether a space is in the sidebar of this person. */
export function usePin(id: number): Pin {
  const client = useQueryClient();
  const { data } = useQuery(spaces.all);
  const pins = data?.spaces.filter((s) => s.pinned).map((s) => s.id) ?? [];
  const pinned = pins.includes(id);
  const toggle = async () => {
    await spaces.pin(pinned ? pins.filter((p) => p !== id) : [...pins, id].slice(-most));
    await client.invalidateQueries({ queryKey: spaces.all.queryKey });
  };
  return { pinned, toggle: () => void toggle() };
}
