import type { TagFilter } from "../../../api/types";
import type { GridPosition, Section } from "../../../api/ui.gen";
import { chartsOf, type Document, type Mark, type Row } from "../../../history/compare";
import { placed } from "../layout";

/** What became of charts, by their numbers. One that changed and moved is said to have changed. */
export function marksOf(rows: Row[]): ReadonlyMap<number, Mark> {
  const marks = new Map<number, Mark>();
  for (const { chart, mark } of rows) if (chart && !marks.has(chart.id)) marks.set(chart.id, mark);
  return marks;
}

/** A version of a space, with a place for each chart. */
export function spaceOf(d: Document) {
  const charts = chartsOf(d);
  return {
    charts,
    boxes: placed((d.layout as GridPosition[] | undefined) ?? [], charts),
    sections: (d.sections as Section[] | undefined) ?? [],
    defaults: (d.default_tags as TagFilter[] | undefined) ?? [],
  };
}
