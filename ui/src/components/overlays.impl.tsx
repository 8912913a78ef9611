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

/** Tab goes round in a layer, and does not leave it. */
function goRound(e: KeyboardEvent, box: HTMLElement): void {
  const all = focusable(box);
  const [first, last] = [all[0], all.at(-1)];
  const at = document.activeElement;
  // What floats over the layer has rules of its own.
  if (!first || !last || !box.contains(at)) return;
  const out = e.shiftKey ? at === first || at === box : at === last;
  if (!out) return;
  e.preventDefault();
  (e.shiftKey ? last : first).focus();
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
        onKeyDown={(e) => {
          onEscape(e);
          if (e.key === "Tab" && box.current) goRound(e, box.current);
        }}
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
