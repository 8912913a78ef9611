import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { history, type Thing } from "../api/history";
import { toast } from "../toasts/toast";

type Restore = { number: number; latest: number; said: string };

/** Brings a version back at once, and offers a way to undo it. */
export function useRestore(thing: Thing) {
  const client = useQueryClient();
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  const bring = async (number: number, seen: number): Promise<number> => {
    const { version } = await history.restore(thing, number, seen);
    await client.invalidateQueries();
    return version;
  };
  /** Whether it was restored. */
  const restore = async ({ number, latest, said }: Restore): Promise<boolean> => {
    setBusy(true);
    setError(undefined);
    try {
      const made = await bring(number, latest);
      const undo = () => void bring(latest, made).catch((err: Error) => toast(err.message, { tone: "error" }));
      toast(said, made === latest ? {} : { undo });
      return true;
    } catch (err) {
      setError(err);
      await client.invalidateQueries({ queryKey: ["history"] });
      return false;
    } finally {
      setBusy(false);
    }
  };
  return { restore, busy, error };
}
