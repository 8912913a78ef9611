import { useQuery } from "@tanstack/react-query";
import { lazy, Suspense, useState } from "react";
import { charts as chartApi, spaces } from "../../api/spaces";
import type { Chart } from "../../api/types";
import type { Mark } from "../../chart/Marks";
import { useEvents } from "../../chart/useEvents";
import { Page } from "../../components/Page";
import { ErrorCard } from "../../components/problems";
import { Skeleton } from "../../components/Skeleton";
import { tagsOf } from "../../lib/filters";
import { later } from "../../lib/spare";
import { useShortcuts } from "../../shell/shortcuts";
import { usePin } from "../../shell/usePin";
import { useSession } from "../../shell/useSession";
import { useTime } from "../../time/TimeContext";
import { ChartCard } from "./ChartCard";
import classes from "./Space.module.css";
import { SpaceFilterRow } from "./SpaceFilterRow";
import { SpaceGrid } from "./SpaceGrid";
import { SpaceHeading } from "./SpaceHeading";
import { SpaceTools } from "./SpaceTools";
import { useCardActions } from "./useCardActions";
import { useLayout } from "./useLayout";
import { useSpaceFilters, useSpaceLinks } from "./useSpaceView";

const EventCard = lazy(() => import("../../chart/EventCard").then((m) => ({ default: m.EventCard })));
// Few spaces have one, and on a slow line its parts would keep all others waiting for their data.
const MadeNotice = later(() => import("./MadeNotice"));
const EmptySpace = lazy(() => import("./EmptySpace"));
const Dialogs = lazy(() => import("./Dialogs"));
const SelectionBar = lazy(() => import("./SelectionBar"));
export type DialogName =
  | { kind: "share" | "rename" | "duplicate" | "delete" | "import" | "section" | "about" | "reports" }
  | { kind: "chartHistory"; chart: Chart }
  | { kind: "copy" | "move"; charts: Chart[] }
  | { kind: "annotate"; time: number; until?: number | undefined };

const none: Chart[] = [];

/** The annotation streams that charts bring along. */
const ownSources = (charts: Chart[]) =>
  charts.flatMap((c) => c.streams.flatMap((s) => (s.type === "annotation" && s.metric && !s.hidden ? [s.metric] : [])));

/** A space: its charts on their grid, under one time range and one set of filters. */
export function SpaceView({ id }: { id: number }) {
  const { canEdit } = useSession();
  const time = useTime();
  const links = useSpaceLinks(id);
  const pin = usePin(id);
  const space = useQuery(spaces.one(id));
  const { data: charts, error, refetch } = useQuery(chartApi.of(id));
  const layout = useLayout(id, charts ?? none);
  const view = useSpaceFilters(layout.stored.default_tags);
  const sources = [...new Set([...layout.stored.annotations, ...ownSources(charts ?? none)])];
  const events = useEvents(sources, time.window, layout.ready);
  const [dialog, setDialog] = useState<DialogName | null>(null);
  const [editing, setEditing] = useState(false);
  const [open, setOpen] = useState<{ event: Mark; at: DOMRect } | null>(null);
  const [chosen, setChosen] = useState<ReadonlySet<number>>(new Set());
  const selected = (charts ?? none).filter((c) => chosen.has(c.id));
  const replaced = async (made: Map<number, number>) => {
    await layout.store({ layout: layout.boxes.map((b) => ({ ...b, chart: made.get(b.chart) ?? b.chart })) });
  };
  const actions = useCardActions(
    id,
    view.dynamic,
    (kind, chart) => setDialog(kind === "chartHistory" ? { kind, chart } : { kind, charts: [chart] }),
    replaced,
  );
  useShortcuts([
    ...(canEdit
      ? [
          { keys: "c", label: "Add a chart", run: links.addChart },
          { keys: "e", label: "Edit the layout", run: () => setEditing(!editing) },
        ]
      : []),
    ...(editing ? [{ keys: "Escape", label: "Done with the layout", run: () => setEditing(false) }] : []),
    { keys: "f", label: "Wall display", run: links.wall },
  ]);

  if (error && !charts)
    return (
      <Page title="Space" parent={{ to: "/spaces", label: "Spaces" }}>
        <ErrorCard error={error} retry={() => void refetch()} what="this space" />
      </Page>
    );
  const name = space.data?.name ?? "";
  const shown = events.filter(
    (e) => e.start_time < time.window.end && (e.end_time ?? e.start_time) >= time.window.start,
  );
  return (
    <Page
      title={name || "Space"}
      parent={{ to: "/spaces", label: "Spaces" }}
      viewOnly={!canEdit}
      heading={<SpaceHeading name={name} pin={pin} {...(canEdit && { rename: () => setDialog({ kind: "rename" }) })} />}
      tools={
        <SpaceTools
          id={id}
          name={name}
          editing={editing}
          setEditing={setEditing}
          setDialog={setDialog}
          links={links}
          pin={pin}
          saveTags={() => void layout.store({ default_tags: tagsOf(view.filters) })}
        />
      }
      filters={
        <SpaceFilterRow
          view={view}
          charts={charts ?? none}
          shown={shown.length}
          sources={sources}
          onSources={(annotations) => void layout.store({ annotations })}
        />
      }
    >
      {charts && layout.ready && charts.length === 0 && (
        <Suspense fallback={null}>
          <EmptySpace
            space={id}
            canEdit={canEdit}
            onAdd={links.addChart}
            onImport={() => setDialog({ kind: "import" })}
          />
        </Suspense>
      )}
      {canEdit && charts && layout.ready && charts.length > 0 && <MadeNotice key={id} id={id} />}
      {charts && layout.ready ? (
        <SpaceGrid
          space={id}
          sections={layout.stored.sections}
          charts={charts}
          boxes={layout.boxes}
          editable={canEdit}
          editing={editing}
          onChange={layout.change}
          onSections={canEdit ? layout.changeSections : undefined}
        >
          {(chart, handle) => (
            <ChartCard
              space={id}
              chart={chart}
              dynamic={view.dynamic}
              filters={view.filters}
              events={shown}
              canEdit={canEdit}
              handle={handle}
              actions={actions}
              onEvent={(event, at) => setOpen({ event, at })}
              onFilter={view.setFilter}
              {...layout.sectionsOf(chart.id)}
              {...(editing && {
                selected: chosen.has(chart.id),
                onSelect: (on) =>
                  setChosen(new Set([...chosen].filter((c) => c !== chart.id).concat(on ? chart.id : []))),
              })}
              {...(canEdit && { onAnnotate: (time, until) => setDialog({ kind: "annotate", time, until }) })}
            />
          )}
        </SpaceGrid>
      ) : (
        <GridSkeleton />
      )}
      <Suspense fallback={null}>
        {editing && selected.length > 0 && (
          <SelectionBar
            charts={selected}
            actions={actions}
            open={(kind, some) => setDialog({ kind, charts: some })}
            clear={() => setChosen(new Set())}
          />
        )}
        {open && <EventCard {...open} close={() => setOpen(null)} />}
      </Suspense>
      {/* By itself: a dialog that is still loading hides nothing else, which would lose the focus. */}
      <Suspense fallback={null}>
        {dialog && (
          <Dialogs
            dialog={dialog}
            space={{ id, name }}
            filters={view.filters}
            sources={sources}
            replaced={replaced}
            addSection={(name) =>
              layout.changeSections(
                { sections: [...(layout.stored.sections ?? []), { name }], boxes: layout.boxes },
                `Section ${name} added`,
              )
            }
            close={() => setDialog(null)}
          />
        )}
      </Suspense>
    </Page>
  );
}

/** Frames of the usual size while the space is on its way. */
export function GridSkeleton() {
  return (
    <div className={classes.grid} style={{ gap: 12 }} aria-busy>
      {[3, 3, 3, 3, 7, 5].map((w, i) => (
        <div key={i} style={{ gridColumn: `span ${w}` }}>
          <Skeleton height={w === 3 ? 124 : 328} radius={10} />
        </div>
      ))}
    </div>
  );
}
