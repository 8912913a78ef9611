import { IconDots, IconPlus, IconShare2, IconStar } from "@tabler/icons-react";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { lazy, Suspense, useState } from "react";
import { charts as chartApi, spaces } from "../../api/spaces";
import type { Chart } from "../../api/types";
import type { Mark } from "../../chart/Marks";
import { Button } from "../../components/Button";
import { FilterBar } from "../../components/filter/FilterBar";
import { Menu } from "../../components/Menu";
import { Page } from "../../components/Page";
import { ErrorCard, IconButton, Skeleton } from "../../components/parts";
import { useShortcuts } from "../../shell/shortcuts";
import { usePhone } from "../../shell/usePhone";
import { useSession } from "../../shell/useSession";
import { useTime } from "../../time/TimeContext";
import { TimePicker } from "../../time/TimePicker";
import { AnnotationSources } from "./AnnotationSources";
import { ChartCard } from "./ChartCard";
import { EmptySpace } from "./EmptySpace";
import { EventCard } from "./EventCard";
import { Grid } from "./Grid";
import classes from "./Space.module.css";
import { spaceMenu } from "./spaceMenu";
import { useCardActions } from "./useCardActions";
import { useLayout } from "./useLayout";
import { metricsOf, reachOf, useEvents, useSpaceFilters } from "./useSpaceView";

const Dialogs = lazy(() => import("./Dialogs"));
export type DialogName =
  | { kind: "share" | "rename" | "duplicate" | "delete" | "import" }
  | { kind: "move"; chart: Chart }
  | { kind: "annotate"; time: number };

const none: Chart[] = [];

/** A space: its charts on their grid, under one time range and one set of filters. */
export function SpaceView({ id }: { id: number }) {
  const { canEdit } = useSession();
  const time = useTime();
  const navigate = useNavigate();
  const client = useQueryClient();
  const space = useQuery(spaces.one(id));
  const { data: all } = useQuery(spaces.all);
  const { data: charts, error, refetch } = useQuery(chartApi.of(id));
  const layout = useLayout(id, charts ?? none);
  const view = useSpaceFilters(layout.stored.default_tags);
  const own = (charts ?? none).flatMap((c) =>
    c.streams.flatMap((s) => (s.type === "annotation" && s.metric ? [s.metric] : [])),
  );
  const sources = [...new Set([...layout.stored.annotations, ...own])];
  const events = useEvents(sources, time.window, layout.ready);
  const [dialog, setDialog] = useState<DialogName | null>(null);
  const [editing, setEditing] = useState(false);
  const [open, setOpen] = useState<{ event: Mark; at: DOMRect } | null>(null);
  const actions = useCardActions(
    id,
    view.dynamic,
    (chart) => setDialog({ kind: "move", chart }),
    (old, made) => layout.store({ layout: layout.boxes.map((b) => (b.chart === old ? { ...b, chart: made } : b)) }),
  );
  const phone = usePhone();
  const pins = all?.spaces.filter((s) => s.pinned).map((s) => s.id) ?? [];
  const pinned = pins.includes(id);
  const addChart = () =>
    void navigate({ to: "/spaces/$id/charts/new", params: { id: String(id) }, search: (old: object) => old } as never);
  const pin = async () => {
    await spaces.pin(pinned ? pins.filter((p) => p !== id) : [...pins, id].slice(-8));
    await client.invalidateQueries({ queryKey: spaces.all.queryKey });
  };
  useShortcuts([
    ...(canEdit
      ? [
          { keys: "c", label: "Add a chart", run: addChart },
          { keys: "e", label: "Edit the layout", run: () => setEditing(!editing) },
        ]
      : []),
    {
      keys: "f",
      label: "Wall display",
      run: () =>
        void navigate({ to: "/spaces/$id/wall", params: { id: String(id) }, search: (old: object) => old } as never),
    },
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
      heading={
        <>
          <h1 className="cut">{name || <Skeleton height={16} width={160} />}</h1>
          <IconButton
            className={classes.star ?? ""}
            label={pinned ? "Unpin" : "Pin to the sidebar"}
            active={pinned}
            aria-pressed={pinned}
            onClick={() => void pin()}
          >
            <IconStar size={17} stroke={1.6} />
          </IconButton>
        </>
      }
      tools={
        <>
          {!phone && <TimePicker />}
          {canEdit && (
            <span className={classes.wide}>
              <Button
                variant="default"
                leftSection={<IconShare2 size={15} stroke={1.6} />}
                onClick={() => setDialog({ kind: "share" })}
              >
                Share
              </Button>
              <Button variant="default" leftSection={<IconPlus size={15} stroke={1.6} />} onClick={addChart}>
                Add chart
              </Button>
            </span>
          )}
          <Menu
            label="More for this space"
            items={spaceMenu({
              id,
              name,
              canEdit,
              editing,
              pinned,
              setEditing,
              setDialog,
              addChart,
              pin,
              navigate,
              saveTags: () =>
                void layout.store({ default_tags: view.filters.map((f) => ({ name: f.name, values: f.values })) }),
            })}
            target={(p) => (
              <IconButton label="More" {...p}>
                <IconDots size={17} stroke={1.8} />
              </IconButton>
            )}
          />
        </>
      }
      filters={
        <>
          {phone && <TimePicker />}
          <FilterBar
            filters={view.filters}
            groups={view.groups}
            metrics={metricsOf(charts ?? none)}
            onFilter={view.setFilter}
            onGroup={view.setGroup}
            reach={reachOf(charts ?? none)}
          />
          <AnnotationSources
            shown={shown.length}
            sources={sources}
            onChange={(s) => void layout.store({ annotations: s })}
          />
        </>
      }
    >
      {charts && layout.ready && charts.length === 0 && (
        <EmptySpace space={id} canEdit={canEdit} onAdd={addChart} onImport={() => setDialog({ kind: "import" })} />
      )}
      {charts && layout.ready ? (
        <Grid charts={charts} boxes={layout.boxes} editable={canEdit} editing={editing} onChange={layout.change}>
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
              {...(canEdit && { onAnnotate: (at: number) => setDialog({ kind: "annotate", time: at }) })}
            />
          )}
        </Grid>
      ) : (
        <GridSkeleton />
      )}
      {open && <EventCard {...open} close={() => setOpen(null)} />}
      <Suspense fallback={null}>
        {dialog && (
          <Dialogs
            dialog={dialog}
            space={{ id, name }}
            filters={view.filters}
            sources={sources}
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
