import { type PointerEvent, type RefObject, useState } from "react";
import { atDay, type Date3 } from "../../time/week";
import { type Draft, moved, newDraft, quarter } from "./draft";

type Options = {
  grid: RefObject<HTMLElement | null>;
  week: Date3[];
  draft: Draft | undefined;
  open: (d: Draft) => Promise<boolean>;
  change: (d: Draft) => void;
};

/** Further than this it is dragged, not pressed. */
const slack = 4;

/** Dragging on the calendar: on a free place it makes a window, at an edge it changes one, in its middle it moves it. */
export function useDrag({ grid, week, draft, open, change }: Options) {
  const [dragged, setDragged] = useState<Draft>();

  /** The quarter of an hour under the pointer. */
  const momentAt = (e: { clientX: number; clientY: number }, round: (x: number) => number): number => {
    const days = [...(grid.current?.querySelectorAll<HTMLElement>("td") ?? [])];
    const boxes = days.map((d) => d.getBoundingClientRect());
    const hit = boxes.findIndex((b) => e.clientX < b.right);
    const day = hit < 0 ? boxes.length - 1 : hit;
    const box = boxes[day];
    if (!box) return 0;
    const part = Math.min(1, Math.max(0, (e.clientY - box.top) / box.height));
    return atDay(week[day] as Date3, round((part * 86_400) / quarter) * quarter);
  };

  /** Shows what a drag makes of something, and hands over what it was in the end. */
  const follow = (e: PointerEvent, next: (at: number) => Draft, finish: (last: Draft | undefined) => void) => {
    if (e.button !== 0) return;
    let last: Draft | undefined;
    const onMove = (to: globalThis.PointerEvent) => {
      if (!last && Math.hypot(to.clientX - e.clientX, to.clientY - e.clientY) <= slack) return;
      last = next(momentAt(to, Math.round));
      setDragged(last);
    };
    const stop = () => {
      window.removeEventListener("pointermove", onMove);
      window.removeEventListener("pointerup", stop);
      window.removeEventListener("pointercancel", stop);
      setDragged(undefined);
      finish(last);
    };
    window.addEventListener("pointermove", onMove);
    window.addEventListener("pointerup", stop);
    window.addEventListener("pointercancel", stop);
  };

  /** From one place on a day to another; a press alone is an hour. */
  const make = (e: PointerEvent) => {
    e.preventDefault();
    const from = momentAt(e, Math.floor);
    // A new window keeps what its form already says.
    const isNew = draft !== undefined && !draft.window;
    const made = (start: number, end: number): Draft => (isNew ? { ...draft, start, end } : newDraft(start, end));
    const next = (at: number) => (at > from ? made(from, at) : made(at, from + quarter));
    follow(e, next, (last) => {
      const d = last ?? made(from, from + 3600);
      if (isNew) change(d);
      else void open(d);
    });
  };

  /** An edge of a window, or all of it. */
  const grab = (e: PointerEvent, kind: "start" | "end" | "move", d: Draft) => {
    e.stopPropagation();
    const from = momentAt(e, Math.round);
    const next = (at: number): Draft => {
      if (kind === "start") return { ...d, start: Math.min(at, d.end - quarter) };
      if (kind === "end") return { ...d, end: Math.max(at, d.start + quarter) };
      return moved(d, d.start + at - from);
    };
    follow(e, next, (last) => last && void revise(d, last));
  };

  const revise = async (d: Draft, last: Draft) => {
    if (isOpen(draft, d) || (await open(d))) change(last);
  };
  return { dragged, make, grab };
}

const isOpen = (current: Draft | undefined, d: Draft) =>
  current !== undefined && current.window?.id === d.window?.id && current.occurrence?.start === d.occurrence?.start;
