import type { Range } from "./range";

const same = (a: Range, b: Range) => a.from === b.from && a.to === b.to;

/** The ranges to go back to, newest last. */
export type ZoomStack = Range[];
const depth = 20;

export const pushZoom = (stack: ZoomStack, old: Range): ZoomStack => [...stack, old].slice(-depth);

/** The browser's Back may have left the zoom: then what lies above is forgotten. */
export function settle(stack: ZoomStack, current: Range): ZoomStack {
  const at = stack.findIndex((r) => same(r, current));
  return at < 0 ? stack : stack.slice(0, at);
}
