import { type ReactElement, type ReactNode, type RefObject, useEffect, useLayoutEffect, useRef, useState } from "react";
import { createPortal } from "react-dom";
import { focusable } from "../lib/focusable";
import classes from "./Pop.module.css";
import { type Side, sideOf } from "./sideOf";

type TargetProps = {
  ref: RefObject<HTMLButtonElement | null>;
  onClick: () => void;
  "aria-expanded": boolean;
  "aria-haspopup": "dialog" | "menu";
};
type Props = {
  /** The button that opens it. Spread the given props onto it. */
  target: (p: TargetProps) => ReactElement;
  children: (close: () => void) => ReactNode;
  label: string;
  align?: "start" | "end";
  width?: number | string;
  menu?: boolean;
  opened?: boolean;
  onChange?: (opened: boolean) => void;
  /** On a phone it comes from below. */
  sheet?: boolean;
};

/** Something that floats beside its button: closes on Esc, on a click elsewhere, and gives the focus back. */
export function Pop({
  target,
  children,
  label,
  align = "start",
  width,
  menu = false,
  opened,
  onChange,
  sheet = true,
}: Props) {
  const [own, setOwn] = useState(false);
  const open = opened ?? own;
  const button = useRef<HTMLButtonElement>(null);
  const set = (v: boolean) => {
    setOwn(v);
    onChange?.(v);
    if (!v) button.current?.focus();
  };
  return (
    <>
      {target({
        ref: button,
        onClick: () => set(!open),
        "aria-expanded": open,
        "aria-haspopup": menu ? "menu" : "dialog",
      })}
      {open &&
        createPortal(
          <Floating
            anchor={button}
            close={() => set(false)}
            label={label}
            align={align}
            width={width}
            menu={menu}
            sheet={sheet}
          >
            {children(() => set(false))}
          </Floating>,
          document.body,
        )}
    </>
  );
}

type FloatingProps = {
  anchor: RefObject<HTMLElement | null>;
  close: () => void;
  label: string;
  align: "start" | "end";
  width: number | string | undefined;
  menu: boolean;
  sheet: boolean;
  children: ReactNode;
};

const gap = 6;

function Floating({ anchor, close, label, align, width, menu, sheet, children }: FloatingProps) {
  const el = useRef<HTMLDivElement>(null);
  const closer = useRef(close);
  closer.current = close;
  const kept = useRef<Side>(undefined);
  useLayoutEffect(() => {
    const place = () => {
      const [box, a] = [el.current, anchor.current?.getBoundingClientRect()];
      if (!box || !a) return;
      const x = align === "end" ? a.right - box.offsetWidth : a.left;
      const below = a.bottom + gap;
      kept.current = sideOf({ above: a.top - gap, below: innerHeight - 8 - below }, box.offsetHeight, kept.current);
      box.style.left = `${Math.max(8, Math.min(x, innerWidth - box.offsetWidth - 8))}px`;
      box.style.top = `${kept.current === "below" ? Math.min(below, Math.max(8, innerHeight - box.offsetHeight - 8)) : a.top - gap - box.offsetHeight}px`;
    };
    place();
    const observer = new ResizeObserver(place);
    if (el.current) observer.observe(el.current);
    window.addEventListener("resize", place);
    window.addEventListener("scroll", place, true);
    return () => {
      observer.disconnect();
      window.removeEventListener("resize", place);
      window.removeEventListener("scroll", place, true);
    };
  }, [anchor, align]);
  useEffect(() => {
    const wanted = el.current?.querySelector<HTMLElement>("[data-autofocus]");
    const first = wanted ?? el.current?.querySelector<HTMLElement>("input, button, [href], [tabindex='0']");
    // What it shows may still be loading: Escape closes it nonetheless.
    (first ?? el.current)?.focus({ preventScroll: true });
    const away = (e: PointerEvent) => {
      const t = e.target as Element;
      // A float opened from within this one is not elsewhere.
      if (el.current?.contains(t) || anchor.current?.contains(t) || t.closest("[data-float]")) return;
      closer.current();
    };
    document.addEventListener("pointerdown", away);
    return () => document.removeEventListener("pointerdown", away);
  }, [anchor]);
  const float = (
    <div
      ref={el}
      data-float
      tabIndex={-1}
      className={`${classes.float} ${sheet ? classes.sheet : ""}`}
      style={{ width }}
      role={menu ? "menu" : "dialog"}
      aria-label={label}
      onKeyDown={(e) => {
        if (e.key === "Escape") {
          e.stopPropagation();
          close();
        }
        if (e.key === "Tab" && leaves(e, menu)) {
          e.preventDefault();
          close();
        }
        if (menu) moveFocus(e);
      }}
    >
      {children}
    </div>
  );
  return (
    <>
      {sheet && <div className={classes.veil} />}
      {/* At the end of the page a menu is in none of its parts: it is one. */}
      {menu ? <section aria-label={label}>{float}</section> : float}
    </>
  );
}

/** Whether Tab goes out of it: it stands at the end of the page, where nothing comes next. */
function leaves(e: React.KeyboardEvent<HTMLElement>, menu: boolean): boolean {
  const inside = focusable(e.currentTarget);
  const at = inside.indexOf(e.target as HTMLElement);
  return at >= 0 && (menu || at === (e.shiftKey ? 0 : inside.length - 1));
}

/** Up and down move through a menu, letters jump, Tab leaves. */
function moveFocus(e: React.KeyboardEvent<HTMLElement>): void {
  const items = [...e.currentTarget.querySelectorAll<HTMLElement>("[role^=menuitem]:not(:disabled)")];
  const at = items.indexOf(document.activeElement as HTMLElement);
  const to: Record<string, number> = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: items.length - 1 };
  let next = to[e.key];
  if (next === undefined && e.key.length === 1) {
    const hit = [...items.slice(at + 1), ...items.slice(0, at + 1)].find((i) =>
      i.textContent?.trim().toLowerCase().startsWith(e.key.toLowerCase()),
    );
    next = hit ? items.indexOf(hit) : undefined;
  }
  if (next === undefined || items.length === 0) return;
  e.preventDefault();
  items[(next + items.length) % items.length]?.focus();
}
