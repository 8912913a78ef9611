import { type RefObject, useEffect, useState } from "react";
import { hidden, useWhole } from "../../lib/print";

/** Whether an element has come near the screen, or has to be there without. Once seen it stays live while near. */
export function useOnScreen(ref: RefObject<Element | null>): boolean {
  const [seen, setSeen] = useState(false);
  const whole = useWhole();
  useEffect(() => {
    const el = ref.current;
    if (!el) return;
    const observer = new IntersectionObserver(
      ([e]) => {
        const near = e?.isIntersecting ?? false;
        if (near) hidden.delete(el);
        else hidden.add(el);
        setSeen(near);
      },
      { rootMargin: "200px" },
    );
    observer.observe(el);
    return () => {
      observer.disconnect();
      hidden.delete(el);
    };
  }, [ref]);
  return seen || whole;
}
