import { IconArrowLeft, IconPencil, IconPrinter, IconX } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { useMemo, useState } from "react";
import { usePastSeries } from "../../api/past";
import type { Dynamic } from "../../api/query";
import { askStreams, useSeries } from "../../api/series";
import { charts as chartApi, spaces } from "../../api/spaces";
import type { Chart } from "../../api/types";
import { unitOf, useLines, usePast } from "../../chart/ChartView";
import { EventCard } from "../../chart/EventCard";
import { distributionOf, hasSeries, kindOf, summarizeOf, windowFor } from "../../chart/kind";
import type { Mark } from "../../chart/Marks";
import { NotCompared } from "../../chart/NotCompared";
import { SeriesTable } from "../../chart/SeriesTable";
import { useEvents } from "../../chart/useEvents";
import { Button } from "../../components/Button";
import { Chip, IconButton } from "../../components/controls";
import { usePageTitle } from "../../components/Page";
import { ErrorCard } from "../../components/problems";
import { useAnnotate } from "../../dialogs/useAnnotate";
import { filterSentence } from "../../lib/filters";
import { printPage } from "../../lib/print";
import { countLines } from "../../panels/counts";
import { useShortcuts } from "../../shell/shortcuts";
import { useSession } from "../../shell/useSession";
import { TimeProvider, useTime } from "../../time/TimeContext";
import { TimePicker } from "../../time/TimePicker";
import classes from "./Space.module.css";
import { SpaceChart } from "./SpaceChart";
import { useLayout } from "./useLayout";
import { useSpaceFilters } from "./useSpaceView";

const none: Chart[] = [];

/** One chart over the whole window, as a picture or as a table. */
export function FullChartPage() {
  const { id, chart } = useParams({ from: "/bare/spaces/$id/charts/$chart" });
  return (
    <TimeProvider>
      <FullChart space={Number(id)} id={Number(chart)} />
    </TimeProvider>
  );
}

function FullChart({ space, id }: { space: number; id: number }) {
  const { canEdit } = useSession();
  const { view = "chart" } = useSearch({ from: "/bare/spaces/$id/charts/$chart" });
  const navigate = useNavigate();
  const time = useTime();
  const parent = useQuery(spaces.one(space));
  const { data: charts = none, error, isSuccess, refetch } = useQuery(chartApi.of(space));
  const layout = useLayout(space, charts);
  const filters = useSpaceFilters(layout.stored.default_tags);
  const narrowed = filterSentence(filters.dynamic);
  const events = useEvents(layout.stored.annotations, time.window, layout.ready);
  const [open, setOpen] = useState<{ event: Mark; at: DOMRect } | null>(null);
  const annotate = useAnnotate(layout.stored.annotations);
  const chart = charts.find((c) => c.id === id);
  const missing = isSuccess && !chart && new Error("there is no such chart in this space");
  const back = () =>
    void navigate({
      to: "/spaces/$id",
      params: { id: String(space) },
      search: (old: object) => ({ ...old, view: undefined }),
    } as never);
  usePageTitle(chart?.name ?? "Chart");
  useShortcuts([
    { keys: "Escape", label: "Back to the space", run: back },
    ...(canEdit
      ? [
          {
            keys: "e",
            label: "Edit the chart",
            run: () =>
              void navigate({ to: "/spaces/$id/charts/$chart/edit", params: { id: String(space), chart: String(id) } }),
          },
        ]
      : []),
  ]);
  return (
    <div className={classes.full}>
      <header className={classes.fullTop}>
        <IconButton label="Back" onClick={back}>
          <IconArrowLeft size={18} stroke={1.6} />
        </IconButton>
        <span className="t2 cut">{parent.data?.name} /</span>
        <h1 className="cut">{chart?.name}</h1>
        {chart && <span className="t3">{unitOf(chart)}</span>}
        {chart && <NotCompared kind={kindOf(chart)} />}
        <div className={classes.fullTools}>
          {(!chart || hasSeries(kindOf(chart))) && (
            <Chip
              active={view === "table"}
              aria-pressed={view === "table"}
              onClick={() =>
                void navigate({
                  to: ".",
                  search: (old: object) => ({ ...old, view: view === "table" ? undefined : "table" }),
                } as never)
              }
            >
              Table
            </Chip>
          )}
          <TimePicker />
          <IconButton label="Print" onClick={printPage}>
            <IconPrinter size={17} stroke={1.6} />
          </IconButton>
          {canEdit && (
            <Button
              variant="default"
              leftSection={<IconPencil size={15} stroke={1.6} />}
              onClick={() =>
                void navigate({
                  to: "/spaces/$id/charts/$chart/edit",
                  params: { id: String(space), chart: String(id) },
                })
              }
            >
              Edit
            </Button>
          )}
          <IconButton label="Close" onClick={back}>
            <IconX size={18} stroke={1.6} />
          </IconButton>
        </div>
      </header>
      {narrowed && <p className={`t2 ${classes.fullFilter}`}>{narrowed}</p>}
      <div className={classes.fullBody}>
        <div className={classes.fullPanel}>
          {(error || missing) && <ErrorCard error={error ?? missing} retry={() => void refetch()} what="this chart" />}
          {chart &&
            layout.ready &&
            (view === "table" ? (
              <AsTable chart={chart} dynamic={filters.dynamic} />
            ) : (
              <SpaceChart
                chart={chart}
                dynamic={filters.dynamic}
                events={events}
                enabled
                onEvent={(event, at) => setOpen({ event, at })}
                {...annotate.take}
              />
            ))}
        </div>
      </div>
      {open && <EventCard {...open} close={() => setOpen(null)} />}
      {annotate.dialog}
    </div>
  );
}

function AsTable({ chart, dynamic }: { chart: Chart; dynamic: Dynamic[] }) {
  const time = useTime();
  const distribution = distributionOf(chart);
  const ask = useMemo(
    () => askStreams(chart.streams, dynamic, distributionOf(chart), summarizeOf(chart)),
    [chart, dynamic],
  );
  const key = [chart.id, chart.streams, dynamic, distribution, summarizeOf(chart)];
  const { data } = useSeries({
    key,
    ask,
    range: time.range,
    // As many values of a distribution are in a step as in the picture.
    window: distribution ? windowFor(kindOf(chart), time.window) : time.window,
    live: time.live,
    tick: time.now,
  });
  const past = usePast(chart, usePastSeries(key, ask, time, !distribution));
  const lines = useLines(chart, data);
  if (!data) return null;
  const shown = distribution ? countLines(data.results, data.window, lines[0]?.unit ?? "") : lines;
  return <SeriesTable lines={shown} window={data.window} past={past} />;
}
