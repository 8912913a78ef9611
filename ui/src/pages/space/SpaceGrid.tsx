import { lazy, Suspense } from "react";
import type { Section } from "../../api/ui.gen";
import type { Arrangement } from "./arrangement";
import { Grid, type GridProps } from "./Grid";

const Sections = lazy(() => import("./Sections"));

export type SpaceGridProps = GridProps & {
  space: number;
  sections: Section[] | undefined;
  /** Saves sections that changed; without it they are only looked at. */
  onSections?: ((next: Arrangement, said: string) => void) | undefined;
};

/** The charts of a space: on one grid, or in sections with a grid each. */
export function SpaceGrid({ space, sections, onSections, ...grid }: SpaceGridProps) {
  if (!sections?.length) return <Grid {...grid} />;
  return (
    <Suspense fallback={null}>
      <Sections space={space} sections={sections} onSections={onSections} {...grid} />
    </Suspense>
  );
}
