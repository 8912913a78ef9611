import type { Chart } from "../../api/types";
import { FilterBar } from "../../components/filter/FilterBar";
import { usePhone } from "../../shell/usePhone";
import { TimePicker } from "../../time/TimePicker";
import { AnnotationSources } from "./AnnotationSources";
import { metricsOf, reachOf, type SpaceFilters } from "./useSpaceView";

type Props = {
  view: SpaceFilters;
  charts: Chart[];
  /** How many annotations are in sight. */
  shown: number;
  sources: string[];
  onSources: (sources: string[]) => void;
};

/** The row under the title: tags left, annotations right; on a phone the time comes first. */
export function SpaceFilterRow({ view, charts, shown, sources, onSources }: Props) {
  const phone = usePhone();
  return (
    <>
      {phone && <TimePicker />}
      <FilterBar
        filters={view.filters}
        groups={view.groups}
        metrics={metricsOf(charts)}
        onFilter={view.setFilter}
        onGroup={view.setGroup}
        reach={reachOf(charts)}
      />
      <AnnotationSources shown={shown} sources={sources} onChange={onSources} />
    </>
  );
}
