import { useEffect, useRef, useState } from "react";
import { useDebounced } from "../../lib/useDebounced";

const wait = 350;

/**
 * An expression that is being typed. It goes into the address once it rests;
 * Back and links bring another one in.
 */
export function useText(
  address: string | undefined,
  active: boolean,
  write: (text: string) => void,
): [string, (text: string) => void] {
  const [text, setText] = useState(address ?? "");
  const settled = useDebounced(text, wait);
  const written = useRef(address);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only what was typed goes out
  useEffect(() => {
    if (!active || settled === (address ?? "")) return;
    written.current = settled || undefined;
    write(settled);
  }, [settled]);
  useEffect(() => {
    // Our own words coming back must not undo what was typed since.
    if (address === undefined || address === written.current) return;
    written.current = address;
    setText(address);
  }, [address]);
  return [text, setText];
}
