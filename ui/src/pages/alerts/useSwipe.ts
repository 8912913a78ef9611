import { type ComponentProps, type PointerEvent, useEffect, useRef, useState } from "react";

/** How far a finger moves before it is a swipe and no tap. */
const slop = 10;

/** Of what is as wide as the buttons behind it, in pixels: where it is after a move that began somewhere. */
export const swipedTo = (from: number, by: number, width: number): number =>
  Math.round(Math.min(0, Math.max(-width, from + by)));

type Props = Pick<
  ComponentProps<"div">,
  "onPointerDown" | "onPointerMove" | "onPointerUp" | "onPointerCancel" | "onClickCapture"
> & { "data-swipe"?: "moving" | "open" | undefined };

/**
 * Lets a finger move something to the left, and what is behind its right edge come into sight: width pixels of it. It
 * stays open until one of that is pressed, or anything else.
 */
export function useSwipe<E extends HTMLElement>(width: number) {
  const place = useRef<E>(null);
  const start = useRef<{ x: number; at: number; moves: boolean }>(undefined);
  const [state, setState] = useState<"moving" | "open">();
  const at = useRef(0);
  const swallows = useRef(false); // the click that follows
  const to = (x: number) => {
    at.current = x;
    place.current?.style.setProperty("--swipe", `${x}px`);
  };
  const settle = (open: boolean) => {
    start.current = undefined;
    to(open ? -width : 0);
    setState(open ? "open" : undefined);
  };
  const close = useRef(() => settle(false));
  close.current = () => settle(false);
  useEffect(() => {
    if (state !== "open") return;
    const away = (e: Event) => e.target instanceof Node && !place.current?.contains(e.target) && close.current();
    document.addEventListener("pointerdown", away);
    return () => document.removeEventListener("pointerdown", away);
  }, [state]);
  const props: Props = {
    "data-swipe": state,
    onPointerDown: (e: PointerEvent) => {
      swallows.current = false;
      if (e.pointerType === "touch" && width > 0) start.current = { x: e.clientX, at: at.current, moves: false };
    },
    onPointerMove: (e: PointerEvent) => {
      const s = start.current;
      if (!s) return;
      const by = e.clientX - s.x;
      if (!s.moves) {
        if (Math.abs(by) < slop) return;
        s.moves = true;
        e.currentTarget.setPointerCapture(e.pointerId);
        setState("moving");
      }
      to(swipedTo(s.at, by, width));
    },
    onPointerUp: (e: PointerEvent) => {
      const isAction = e.target instanceof Element && e.target.closest("[data-swiped]") !== null;
      if (start.current?.moves) settle(at.current < -width / 2);
      else if (state === "open" && !isAction) {
        // Closing is all that a tap on it does.
        swallows.current = true;
        settle(false);
      }
      start.current = undefined;
    },
    // The page is scrolled instead.
    onPointerCancel: () => settle(false),
    onClickCapture: (e) => {
      if (!swallows.current) return;
      swallows.current = false;
      e.preventDefault();
      e.stopPropagation();
    },
  };
  return { place, props, isOpen: state !== undefined, close: () => settle(false) };
}
