import { useEffect, useRef } from "react";
import classes from "./Tip.module.css";

const wait = 350;

/**
 * One tooltip for the page: whatever has data-tip shows it on hover and focus.
 * Cheaper than a component around every icon, and nothing to load.
 */
export default function TipLayer() {
  const el = useRef<HTMLDivElement>(null);
  useEffect(() => {
    let timer = 0;
    let on: Element | null = null;
    const hide = () => {
      window.clearTimeout(timer);
      on = null;
      if (el.current) el.current.hidden = true;
    };
    const show = (target: Element) => {
      const tip = el.current;
      const text = target.getAttribute("data-tip");
      if (!tip || !text || !target.isConnected) return;
      tip.textContent = text;
      tip.hidden = false;
      const r = target.getBoundingClientRect();
      const x = Math.min(Math.max(8, r.left + r.width / 2 - tip.offsetWidth / 2), innerWidth - tip.offsetWidth - 8);
      const below = r.bottom + 6 + tip.offsetHeight < innerHeight;
      tip.style.left = `${x}px`;
      tip.style.top = `${below ? r.bottom + 6 : r.top - 6 - tip.offsetHeight}px`;
    };
    const over = (e: Event) => {
      const target = e.target instanceof Element ? e.target.closest("[data-tip]") : null;
      if (target === on) return;
      hide();
      if (!target) return;
      on = target;
      timer = window.setTimeout(() => show(target), e.type === "focusin" ? 0 : wait);
    };
    const focus = (e: Event) => e.target instanceof Element && e.target.matches(":focus-visible") && over(e);
    document.addEventListener("pointerover", over);
    document.addEventListener("focusin", focus);
    for (const end of ["pointerdown", "keydown", "focusout"]) document.addEventListener(end, hide, true);
    return () => {
      hide();
      document.removeEventListener("pointerover", over);
      document.removeEventListener("focusin", focus);
      for (const end of ["pointerdown", "keydown", "focusout"]) document.removeEventListener(end, hide, true);
    };
  }, []);
  return <div ref={el} className={classes.tip} aria-hidden="true" hidden />;
}
