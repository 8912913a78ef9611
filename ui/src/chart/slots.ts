/** Known groups keep their places for the session; new ones come after, in order. */
export function slots(known: string[], present: string[]): string[] {
  const there = new Set(known);
  const fresh = present.filter((k) => !there.has(k)).sort();
  return fresh.length ? [...known, ...fresh] : known;
}

/** Which places the groups of a chart have, and which of too many lines are coloured. */
export type Memory = { places: Map<string, string[]>; coloured: string[] };

export const newMemory = (): Memory => ({ places: new Map(), coloured: [] });

const charts = 200;
const groups = 2_000;
const session = new Map<string, Memory["places"]>();

/** The places of a chart's groups, as long as the page is open. The chart that was seen longest ago is forgotten first. */
export function placesOf(chart: string): Memory["places"] {
  const known = session.get(chart);
  const places = known && [...known.values()].every((list) => list.length < groups) ? known : new Map();
  session.delete(chart);
  session.set(chart, places);
  const [oldest] = session.keys();
  if (session.size > charts && oldest !== undefined) session.delete(oldest);
  return places;
}
