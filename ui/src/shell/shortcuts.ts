import { useEffect, useRef } from "react";

/** A key or two keys after another ("g s"), what they do, and what the help calls it. */
export type Shortcut = { keys: string; label: string; run: () => void; hidden?: boolean };

const registry: { current: Shortcut }[] = [];
const off = "tidemark.keys";

export const keysAreOff = () => localStorage.getItem(off) === "off";
export const setKeys = (on: boolean) => (on ? localStorage.removeItem(off) : localStorage.setItem(off, "off"));

/** Keys of a page, for as long as it is shown. The newest wins. */
export function useShortcuts(shortcuts: Shortcut[]): void {
  const held = useRef<{ current: Shortcut }[]>([]);
  for (const [i, s] of shortcuts.entries()) {
    const h = held.current[i];
    if (h) h.current = s;
    else held.current[i] = { current: s };
  }
  const n = shortcuts.length;
  useEffect(() => {
    const mine = held.current.slice(0, n);
    registry.push(...mine);
    return () => {
      for (const m of mine) registry.splice(registry.indexOf(m), 1);
    };
  }, [n]);
}

let resting = false;

/** Single keys rest while a layer is on its way, so that what is typed ahead does nothing else. */
export function restKeys(on: boolean): void {
  resting = on;
}

/** What can be pressed now, for the help; pages before the shell. */
export function shortcuts(): Shortcut[] {
  const seen = new Set<string>();
  return [...registry]
    .reverse()
    .map((r) => r.current)
    .filter((s) => !s.hidden && !seen.has(s.keys) && seen.add(s.keys));
}

/** How a key press is written in the registry. */
export function keyName(e: Pick<KeyboardEvent, "key" | "metaKey" | "ctrlKey" | "altKey">): string {
  const key = e.key.length === 1 ? e.key.toLowerCase() : e.key;
  return e.metaKey || e.ctrlKey ? `mod+${key}` : key;
}

const typing = (el: EventTarget | null) =>
  el instanceof HTMLElement && (el.isContentEditable || ["INPUT", "TEXTAREA", "SELECT"].includes(el.tagName));

const sequenceWait = 1200;

/** Listens to the keyboard for the whole page. Returns what stops it. */
export function listenToKeys(): () => void {
  let prefix = "";
  let at = 0;
  let layered = false;
  // Looked at first: the key that closes a layer is not meant for the page under it, though the layer is gone by then.
  const look = () => {
    layered = document.querySelector("[role=dialog][aria-modal=true]") !== null;
  };
  const onKey = (e: KeyboardEvent) => {
    if (e.defaultPrevented || e.isComposing || e.altKey) return;
    const name = keyName(e);
    const plain = !name.startsWith("mod+");
    if (plain && (resting || typing(e.target) || keysAreOff())) return;
    if (plain && layered) return;
    const started = Date.now() - at < sequenceWait ? prefix : "";
    prefix = "";
    const wanted = started ? `${started} ${name}` : name;
    const hit = find(wanted) ?? (started ? find(name) : undefined);
    if (hit) {
      e.preventDefault();
      hit.run();
      return;
    }
    if (registry.some((r) => r.current.keys.startsWith(`${name} `))) {
      prefix = name;
      at = Date.now();
    }
  };
  window.addEventListener("keydown", look, true);
  window.addEventListener("keydown", onKey);
  return () => {
    window.removeEventListener("keydown", look, true);
    window.removeEventListener("keydown", onKey);
  };
}

function find(keys: string): Shortcut | undefined {
  const wanted = keys.toLowerCase(); // "escape" and "Escape" are one key
  return registry.findLast((r) => r.current.keys.toLowerCase() === wanted)?.current;
}
