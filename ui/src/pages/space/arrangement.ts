import type { GridPosition, Section } from "../../api/ui.gen";
import { sectionOf, settle } from "./layout";

/** Sections, and where charts are in them. */
export type Arrangement = { sections: Section[]; boxes: GridPosition[] };

/** Below everything that is there. */
const atTheEnd = 1000;

const moved = (b: GridPosition, section: number): GridPosition => {
  const { section: _, ...rest } = b;
  return section > 0 ? { ...rest, section } : rest;
};

/** A chart at the end of another section. */
export const toSection = (boxes: GridPosition[], chart: number, section: number): GridPosition[] =>
  settle(boxes.map((b) => (b.chart === chart ? { ...moved(b, section), row: atTheEnd } : b)));

export const renamed = (sections: Section[], n: number, name: string): Section[] =>
  sections.map((s, i) => (i === n - 1 ? { ...s, name } : s));

export const foldedByDefault = (sections: Section[], n: number, folded: boolean): Section[] =>
  sections.map((s, i) => (i === n - 1 ? { name: s.name, ...(folded && { folded }) } : s));

/** A section with its charts in the place of its neighbour, and the other way round. */
export function swapped({ sections, boxes }: Arrangement, n: number, by: -1 | 1): Arrangement {
  const other = n + by;
  const [one, two] = [sections[n - 1], sections[other - 1]];
  if (!one || !two) return { sections, boxes };
  return {
    sections: sections.map((s, i) => (i === n - 1 ? two : i === other - 1 ? one : s)),
    boxes: boxes.map((b) => (sectionOf(b) === n ? moved(b, other) : sectionOf(b) === other ? moved(b, n) : b)),
  };
}

/** Without a section: its charts are at the end of the one before it. */
export function without({ sections, boxes }: Arrangement, n: number): Arrangement {
  return {
    sections: sections.filter((_, i) => i !== n - 1),
    boxes: settle(
      boxes.map((b) => {
        const own = sectionOf(b);
        if (own < n) return b;
        return own === n ? { ...moved(b, n - 1), row: atTheEnd + b.row } : moved(b, own - 1);
      }),
    ),
  };
}
