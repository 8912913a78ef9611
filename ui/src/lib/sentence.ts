import type { Words } from "../api/types";
import { chosen } from "./format";
import { type Viewer, viewer } from "./viewer";

/**
 * When an alert fires, in the server's words ("checkout.latency max above
 * 250 ms for 5 min, per region") and the viewer's digits. Was speaks of it
 * in the past: "… max was above 250 ms …".
 */
export const inWords = (words: Words, was = false, who: Viewer = viewer()): string =>
  words.map((p) => partInWords(p, was, who)).join("");

export function partInWords(p: Words[number], was = false, who: Viewer = viewer()): string {
  if (p.kind === "quantity" && p.value !== undefined) return chosen(p.value, p.unit, who);
  return p.kind === "verb" && was ? `was ${p.text}` : p.text;
}
