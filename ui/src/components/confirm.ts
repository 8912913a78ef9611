import { type ReactNode, useCallback, useEffect, useRef, useSyncExternalStore } from "react";

/** Something to agree to before it happens. */
export type Question = {
  /** "Delete checkout.latency.high?" */
  title: string;
  /** What is lost, and whether it comes back. */
  text?: ReactNode;
  /** Verb and object: "Delete alert". */
  action: string;
  keep?: string;
  /** What cannot be undone: the button is red and the other one has the focus. */
  danger?: boolean;
  /** Has to be typed first. For what hits data or senders. */
  name?: string;
  /** Done while the dialog waits; a failure is shown in it, and the question stays. */
  act?: () => Promise<unknown>;
};

type Asked = { id: number; question: Question; answer: (yes: boolean) => void };

let current: Asked | undefined;
let next = 1;
const listeners = new Set<() => void>();

function show(asked: Asked | undefined): void {
  current = asked;
  for (const l of listeners) l();
}

/** Ends the question that is open; the newest question ends an older one with no. */
export function answer(yes: boolean, id = current?.id): void {
  if (!current || current.id !== id) return;
  const { answer } = current;
  show(undefined);
  answer(yes);
}

export function ask(question: Question): Promise<boolean> {
  answer(false);
  return new Promise((resolve) => show({ id: next++, question, answer: resolve }));
}

export const useQuestion = () =>
  useSyncExternalStore(
    (l) => {
      listeners.add(l);
      return () => listeners.delete(l);
    },
    () => current,
  );

/**
 * Asks before something that loses work or data: `if (await confirm({…})) …`.
 * A page that goes away takes its question with it.
 */
export function useConfirm(): (question: Question) => Promise<boolean> {
  const mine = useRef<number>(undefined);
  useEffect(
    () => () => {
      if (mine.current !== undefined) answer(false, mine.current);
    },
    [],
  );
  return useCallback((question) => {
    const given = ask(question);
    mine.current = current?.id;
    return given;
  }, []);
}

/** The words of leaving a form with changes, the same on every page. */
export const discard = (what?: string): Question => ({
  title: what ? `Discard changes to ${what}?` : "Discard changes?",
  text: "What was changed here is lost.",
  action: "Discard",
  keep: "Keep editing",
  danger: true,
});
