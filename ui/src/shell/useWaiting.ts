import { useEffect, useRef, useState } from "react";

type Waiting = { resolve: () => void; reject: (e: Error) => void };
type Ask = () => Promise<void>;

/**
 * Requests that wait until a person did something: while there are any, `open` asks for it; `done` and `refuse`
 * answer all of them. `on` takes what requests call.
 */
export function useWaiting(on: (ask: Ask | undefined) => void) {
  const [open, setOpen] = useState(false);
  const waiting = useRef<Waiting[]>([]);
  useEffect(() => {
    on(
      () =>
        new Promise((resolve, reject) => {
          waiting.current.push({ resolve, reject });
          setOpen(true);
        }),
    );
    return () => on(undefined);
  }, [on]);
  const finish = (act: (w: Waiting) => void) => {
    for (const w of waiting.current.splice(0)) act(w);
    setOpen(false);
  };
  return { open, done: () => finish((w) => w.resolve()), refuse: (e: Error) => finish((w) => w.reject(e)) };
}
