import { IconBell, IconSparkles } from "@tabler/icons-react";
import { Workbench } from "../../chart/Workbench";
import { AddToSpace } from "../../components/AddToSpace";
import { Busiest, useBusiest } from "../../components/Busiest";
import { Button } from "../../components/Button";
import { Chip } from "../../components/controls";
import { EmptyState } from "../../components/EmptyState";
import type { Annotated } from "../../dialogs/useAnnotate";
import { useAlertOn } from "../../lib/useAlertOn";
import { useSession } from "../../shell/useSession";
import { useTime } from "../../time/TimeContext";
import { QueryForm } from "./QueryForm";
import { useExploreQuery } from "./useExploreQuery";
import type { Marking } from "./useMarking";
import type { Queries } from "./useQueries";

type Props = { all: Queries; marking: Marking; onAnnotate?: Annotated };

/** A single query, with a table of its lines. */
export function OneQuery({ all, marking, ...annotate }: Props) {
  const time = useTime();
  const { canEdit } = useSession();
  const alertOn = useAlertOn();
  const search = { ...all.queries[0], ...(all.search.view && { view: all.search.view }) };
  const q = useExploreQuery(search, (patch, replace) => all.change(0, patch, replace));
  const { series, error, metric } = q;
  const table = all.search.view === "table";
  if (!q.stream)
    return (
      <>
        <QueryForm {...q.asking} />
        <Nothing busiest={q.asking.mode === "metric"} />
      </>
    );
  return (
    <>
      <QueryForm {...q.asking} />
      <Workbench
        title={q.title}
        file={metric ? `${metric} ${q.title}` : "composite"}
        unit={q.unit}
        lines={q.lines}
        loaded={error ? undefined : series.data}
        streams={q.result?.streams}
        by={metric ? q.question.groups : []}
        time={time}
        past={q.past}
        every={q.every}
        view={table ? "table" : "groups"}
        faded={series.isPlaceholderData}
        message={error && "The expression has an error."}
        error={series.data ? undefined : series.error}
        retry={() => void series.refetch()}
        wait={series.wait}
        brush={marking.brush}
        onBrush={marking.mark}
        {...annotate}
        tools={
          <>
            <Chip onClick={marking.markLately}>
              <IconSparkles size={14} stroke={1.6} aria-hidden />
              What changed
            </Chip>
            <Chip active={table} aria-pressed={table} onClick={() => all.page({ view: table ? undefined : "table" })}>
              Table of points
            </Chip>
            {canEdit && metric && (
              <Button
                variant="default"
                leftSection={<IconBell size={15} stroke={1.6} />}
                onClick={() => alertOn(search)}
              >
                Alert on this
              </Button>
            )}
            {canEdit && <AddToSpace chart={q.chart} disabled={Boolean(error)} />}
          </>
        }
      />
    </>
  );
}

/** Nothing was asked for yet: the busiest metrics are where to begin. */
function Nothing({ busiest }: { busiest: boolean }) {
  const found = useBusiest(busiest);
  return (
    <EmptyState title="Ask for a metric, or write a composite.">
      The answer appears here, and its address can be sent to anyone in your organization.
      {busiest && found && found.length > 0 && <Busiest metrics={found} to="/explore" />}
    </EmptyState>
  );
}
