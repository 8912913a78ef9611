import { useQuery } from "@tanstack/react-query";
import { useParams, useSearch } from "@tanstack/react-router";
import { charts } from "../../api/spaces";
import type { Chart, ChartDraft } from "../../api/types";
import { ErrorCard } from "../../components/problems";
import { Skeleton } from "../../components/Skeleton";
import { TimeProvider } from "../../time/TimeContext";
import { ChartEditor } from "./ChartEditor";
import { empty } from "./draft";

const draftOf = ({ id: _, ...draft }: Chart): ChartDraft => draft;

export function ChartEditorPage() {
  const { id, chart } = useParams({ from: "/bare/spaces/$id/charts/$chart/edit" });
  const { data, error, refetch } = useQuery(charts.of(Number(id)));
  const found = data?.find((c) => c.id === Number(chart));
  if (error || (data && !found))
    return (
      <div style={{ padding: 20 }}>
        <ErrorCard
          error={error ?? new Error("there is no such chart in this space")}
          retry={() => void refetch()}
          what="this chart"
        />
      </div>
    );
  if (!found)
    return (
      <div style={{ padding: 20 }}>
        <Skeleton height={380} radius={10} />
      </div>
    );
  return (
    <TimeProvider>
      <ChartEditor space={Number(id)} chart={Number(chart)} saved={draftOf(found)} />
    </TimeProvider>
  );
}

/** A new chart, perhaps with a first metric or composite from the address. */
export function NewChartPage() {
  const { id } = useParams({ from: "/bare/spaces/$id/charts/new" });
  const { metric, composite } = useSearch({ from: "/bare/spaces/$id/charts/new" });
  const streams = metric
    ? [{ metric, gap_detection: true }]
    : composite
      ? [{ composite, type: "composite", gap_detection: true }]
      : [];
  return (
    <TimeProvider>
      <ChartEditor space={Number(id)} saved={{ ...empty, name: metric ?? "", streams }} isNew />
    </TimeProvider>
  );
}
