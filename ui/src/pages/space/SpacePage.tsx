import { useParams, useSearch } from "@tanstack/react-router";
import { lazy, Suspense } from "react";
import { TimeProvider } from "../../time/TimeContext";
import { SpaceView } from "./SpaceView";
import { useOpened } from "./useOpened";

const ChartInSight = lazy(() => import("./ChartInSight"));

export function SpacePage() {
  const { id } = useParams({ from: "/shell/spaces/$id" });
  const { chart } = useSearch({ from: "/shell/spaces/$id" });
  useOpened(Number(id));
  return (
    // Another chart to be shown may be in a section that is folded.
    <TimeProvider key={`${id} ${chart}`}>
      <SpaceView id={Number(id)} />
      <Suspense fallback={null}>{chart && <ChartInSight chart={Number(chart)} />}</Suspense>
    </TimeProvider>
  );
}
