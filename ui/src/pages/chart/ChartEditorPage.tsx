import { useQuery } from "@tanstack/react-query";
import { useParams, useSearch } from "@tanstack/react-router";
import { ApiError } from "../../api/client";
import { toEdit } from "../../api/history";
import type { Chart, ChartDraft } from "../../api/types";
import { ErrorCard } from "../../components/problems";
import { Skeleton } from "../../components/Skeleton";
import { TimeProvider } from "../../time/TimeContext";
import { ChartEditor } from "./ChartEditor";
import { empty } from "./draft";

const isMissing = (err: unknown) => err instanceof ApiError && err.status === 404;

const draftOf = ({ id: _, ...draft }: Chart): ChartDraft => draft;

export function ChartEditorPage() {
  const { id, chart } = useParams({ from: "/bare/spaces/$id/charts/$chart/edit" });
  const query = toEdit<Chart>({ kind: "chart", id: Number(chart) }, `/v1/spaces/${id}/charts/${chart}`);
  const { data, error, refetch } = useQuery(query);
  if (error)
    return (
      <div style={{ padding: 20 }}>
        <ErrorCard
          error={isMissing(error) ? new Error("there is no such chart in this space") : error}
          retry={() => void refetch()}
          what="this chart"
        />
      </div>
    );
  if (!data)
    return (
      <div style={{ padding: 20 }}>
        <Skeleton height={380} radius={10} />
      </div>
    );
  return (
    <TimeProvider>
      <ChartEditor
        key={data.version}
        space={Number(id)}
        chart={Number(chart)}
        saved={draftOf(data.thing)}
        version={data.version}
        reload={() => void refetch()}
      />
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
      ? [{ composite, type: "composite" as const, gap_detection: true }]
      : [];
  return (
    <TimeProvider>
      <ChartEditor space={Number(id)} saved={{ ...empty, name: metric ?? "", streams }} isNew />
    </TimeProvider>
  );
}
