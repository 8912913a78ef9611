import { type RefObject, useLayoutEffect, useState } from "react";

export type Size = { width: number; height: number };

/** How large an element is; a change is seen once a frame. */
export function useSize(el: RefObject<HTMLElement | null>): Size {
  const [size, setSize] = useState<Size>({ width: 0, height: 0 });
  useLayoutEffect(() => {
    const box = el.current;
    if (!box) return;
    let frame = 0;
    const measure = () => setSize({ width: box.clientWidth, height: box.clientHeight });
    const observer = new ResizeObserver(() => {
      cancelAnimationFrame(frame);
      frame = requestAnimationFrame(measure);
    });
    measure();
    observer.observe(box);
    return () => {
      observer.disconnect();
      cancelAnimationFrame(frame);
    };
  }, [el]);
  return size;
}
