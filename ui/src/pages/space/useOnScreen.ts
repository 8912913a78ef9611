import { type RefObject, useEffect, useLayoutEffect, useState } from "react";
import { hidden, useWhole } from "../../lib/print";

/** So many pixels from the screen is near it. */
const near = 200;

/** Whether an element that was just put into the page is near the screen. */
function isNear(el: Element): boolean {
  const { top, bottom, height } = el.getBoundingClientRect();
  return height > 0 && bottom > -near && top < window.innerHeight + near;
}

/** Whether an element has come near the screen, or has to be there without. Once seen it stays live while near. */
export function useOnScreen(ref: RefObject<Element | null>): boolean {
  const [seen, setSeen] = useState(false);
  const whole = useWhole();
  // An observer says so once the page was painted: what is asked for then would be later by that.
  useLayoutEffect(() => setSeen(ref.current !== null && isNear(ref.current)), [ref]);
  useEffect(() => {
    const el = ref.current;
    if (!el) return;
    const observer = new IntersectionObserver(
      ([e]) => {
        const isSeen = e?.isIntersecting ?? false;
        if (isSeen) hidden.delete(el);
        else hidden.add(el);
        setSeen(isSeen);
      },
      { rootMargin: `${near}px` },
    );
    observer.observe(el);
    return () => {
      observer.disconnect();
      hidden.delete(el);
    };
  }, [ref]);
  return seen || whole;
}
