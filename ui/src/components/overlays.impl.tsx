import { IconArrowLeft, IconX } from "@tabler/icons-react";
import {
  type CSSProperties,
  type KeyboardEvent,
  type RefObject,
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from "react";
import { createPortal } from "react-dom";
import { focusable } from "../lib/focusable";
import { usePhone } from "../shell/usePhone";
import { useQuestion } from "./confirm";
import { IconButton } from "./controls";
import type { OverlayProps } from "./overlays";
import classes from "./overlays.module.css";

/** Tab goes round in a layer and what a toast offers, and does not leave them. */
function goRound(e: globalThis.KeyboardEvent, box: HTMLElement): void {
  const at = document.activeElement;
  const places = [box, ...document.querySelectorAll<HTMLElement>("[data-toasts]")].filter((p) => focusable(p).length);
  const here = places.findIndex((p) => p.contains(at));
  // What floats over the layer has rules of its own.
  if (here < 0) return;
  const stops = focusable(places[here] as HTMLElement);
  const out = e.shiftKey ? at === stops[0] || at === box : at === stops.at(-1);
  const next = focusable(places[(here + 1) % places.length] as HTMLElement).at(e.shiftKey ? -1 : 0);
  if (!out || !next) return;
  e.preventDefault();
  next.focus();
}

/** A toast is not within the layer: its keys are heard by the document alone. */
function useGoRound(box: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const onKey = (e: globalThis.KeyboardEvent) => {
      if (e.key === "Tab" && !e.defaultPrevented && box.current && isOnTop(box.current)) goRound(e, box.current);
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, [box]);
}

/** Puts the focus into a layer: where it says, or on the first thing that can have it. */
function enter(box: HTMLElement): void {
  if (box.contains(document.activeElement)) return;
  const wanted = box.querySelector<HTMLElement>("[data-autofocus]");
  (wanted ?? focusable(box)[0] ?? box).focus({ preventScroll: true });
}

/** What had the focus may be gone with what the layer shows now: the focus stays in it. */
function useFocusInside(box: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    if (box.current) enter(box.current);
  }, [box]);
  useEffect(() => {
    if (box.current && document.activeElement === document.body && isOnTop(box.current)) enter(box.current);
  });
}

const isOnTop = (box: HTMLElement | null) =>
  box !== null && [...document.querySelectorAll("[data-layer]")].at(-1)?.contains(box);

/** Esc closes, wherever in the layer the focus is, and also where nothing has it. */
function useEscape(box: RefObject<HTMLElement | null>, closes: boolean, close: () => void): (e: KeyboardEvent) => void {
  const closer = useRef(close);
  closer.current = close;
  useEffect(() => {
    if (!closes) return;
    const lost = (e: globalThis.KeyboardEvent) => {
      const nowhere = document.activeElement === document.body && isOnTop(box.current);
      if (e.key === "Escape" && !e.isComposing && nowhere) closer.current();
    };
    window.addEventListener("keydown", lost);
    return () => window.removeEventListener("keydown", lost);
  }, [box, closes]);
  return (e) => {
    if (e.key !== "Escape" || !closes || e.nativeEvent.isComposing) return;
    e.stopPropagation(); // this one alone, not what it was opened from
    closer.current();
  };
}

/** While a layer is open the page has no scrollbar: what it took stays free, or the page would jump. */
function useScrollbarRoom(): void {
  const [room] = useState(() =>
    document.querySelector("[data-layer]") ? undefined : window.innerWidth - document.documentElement.clientWidth,
  );
  useLayoutEffect(() => {
    if (room !== undefined) document.documentElement.style.setProperty("--scrollbar", `${room}px`);
  }, [room]);
}

/** A dialog in the middle, or a drawer at the right: over a page that waits meanwhile. */
export default function Layer(props: OverlayProps) {
  const { kind = "modal", onClose, title, above, size, footer, front = false, children } = props;
  const asked = useQuestion() !== undefined;
  const phone = usePhone();
  const page = phone && kind === "drawer";
  const box = useRef<HTMLDivElement>(null);
  const id = useId();
  const onEscape = useEscape(box, front || !asked, onClose);
  useScrollbarRoom();
  useFocusInside(box);
  useGoRound(box);
  const width = typeof size === "number" ? `${size}px` : (size ?? (kind === "drawer" ? "520px" : "480px"));
  return createPortal(
    <div className={classes.layer} data-layer>
      <div className={classes.veil} onClick={onClose} aria-hidden />
      <div
        ref={box}
        className={kind === "drawer" ? classes.drawer : classes.modal}
        style={{ "--width": page ? "100%" : width } as CSSProperties}
        role="dialog"
        aria-modal
        aria-labelledby={id}
        tabIndex={-1}
        onKeyDown={onEscape}
      >
        <div className={`${classes.header} ${page ? classes.pageHead : ""}`}>
          {page && (
            <IconButton label="Back" onClick={onClose} className={classes.back ?? ""}>
              <IconArrowLeft size={20} stroke={1.6} />
            </IconButton>
          )}
          <h2 id={id}>
            {above && <span className={classes.above}>{above}</span>}
            <span className={classes.title}>{title}</span>
          </h2>
          {!page && (
            <IconButton label="Close" onClick={onClose} className={classes.close ?? ""}>
              <IconX size={18} stroke={1.8} />
            </IconButton>
          )}
        </div>
        <div className={classes.scroll}>{children}</div>
        {footer && <div className={classes.footer}>{footer}</div>}
      </div>
    </div>,
    document.body,
  );
}
