import { useSyncExternalStore } from "react";

/** A short sentence about something that happened out of sight. */
export type Toast = {
  id: number;
  text: string;
  undo?: () => void;
  /** Something else to do about it. */
  action?: { label: string; run: () => void };
  tone?: "error";
};

let current: Toast | undefined;
let next = 1;
const listeners = new Set<() => void>();
const notify = () => {
  for (const l of listeners) l();
};

/** Says something; one note is shown at a time, the newest. */
export function toast(text: string, more: Pick<Toast, "undo" | "action" | "tone"> = {}): void {
  current = { id: next++, text, ...more };
  notify();
}

export function dismiss(id?: number): void {
  if (id !== undefined && current?.id !== id) return;
  current = undefined;
  notify();
}

/** Takes back what the note is about. */
export function undoToast(): boolean {
  const undo = current?.undo;
  if (!undo) return false;
  dismiss();
  undo();
  return true;
}

export const useToast = () =>
  useSyncExternalStore(
    (l) => {
      listeners.add(l);
      return () => listeners.delete(l);
    },
    () => current,
  );
