import { type RefObject, useEffect, useState } from "react";

/** Whether an element has come near the screen. Once seen it stays live while near. */
export function useOnScreen(ref: RefObject<Element | null>): boolean {
  const [seen, setSeen] = useState(false);
  useEffect(() => {
    if (!ref.current) return;
    const observer = new IntersectionObserver(([e]) => setSeen(e?.isIntersecting ?? false), { rootMargin: "200px" });
    observer.observe(ref.current);
    return () => observer.disconnect();
  }, [ref]);
  return seen;
}
