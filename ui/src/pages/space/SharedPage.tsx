import { useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { lazy, Suspense, useCallback, useMemo, useState } from "react";
import { sharedEvents } from "../../api/annotations";
import { ApiError } from "../../api/client";
import { askShared } from "../../api/series";
import { shares } from "../../api/spaces";
import type { SharedSpace } from "../../api/ui.gen";
import type { Mark as EventMark } from "../../chart/Marks";
import { FilterBar } from "../../components/filter/FilterBar";
import { Mark } from "../../components/Mark";
import { usePageTitle } from "../../components/Page";
import { ErrorCard } from "../../components/problems";
import { day } from "../../lib/format";
import { TimeProvider, useTime } from "../../time/TimeContext";
import { TimePicker } from "../../time/TimePicker";
import { ChartCard } from "./ChartCard";
import { arrange } from "./layout";
import classes from "./Space.module.css";
import { SpaceGrid } from "./SpaceGrid";
import { GridSkeleton } from "./SpaceView";
import { useSpaceFilters } from "./useSpaceView";

const EventCard = lazy(() => import("../../chart/EventCard").then((m) => ({ default: m.EventCard })));

/** A space behind a share link: looked at without signing in. */
export function SharedPage() {
  const { key } = useParams({ from: "/s/$key" });
  const { data, error, refetch } = useQuery(shares.open(key));
  usePageTitle(data?.name ?? "Shared space");
  if (error instanceof ApiError && error.status === 404) return <Gone />;
  return (
    <main className={classes.shared}>
      {error ? <ErrorCard error={error} retry={() => void refetch()} what="this space" /> : null}
      {data ? (
        <TimeProvider>
          <Shared link={key} space={data} />
        </TimeProvider>
      ) : (
        <div style={{ padding: 20 }}>
          <GridSkeleton />
        </div>
      )}
    </main>
  );
}

/** A link that has had its time. */
export function Gone() {
  return (
    <main className={classes.gone}>
      <Mark size={40} />
      <h1>This link no longer opens.</h1>
      <p className="t2">It has expired or was revoked. Ask whoever sent it for a new one.</p>
    </main>
  );
}

const noop = () => undefined;

function Shared({ link, space }: { link: string; space: SharedSpace }) {
  const time = useTime();
  const isLocked = space.locked_tags !== null;
  const tags = space.locked_tags ?? space.default_tags;
  const view = useSpaceFilters(tags, isLocked);
  const boxes = useMemo(() => arrange(space.layout, space.charts), [space]);
  const { data: events = [] } = useQuery(sharedEvents(link, time.window));
  const [open, setOpen] = useState<{ event: EventMark; at: DOMRect } | null>(null);
  const close = useCallback(() => setOpen(null), []);
  return (
    <>
      <header className={classes.sharedTop}>
        <Mark />
        <h1 className="cut">{space.name}</h1>
        <span className="t3">{space.org}</span>
        <span style={{ marginLeft: "auto" }}>
          <TimePicker />
        </span>
      </header>
      <div className={classes.sharedFilters}>
        {(isLocked || tags.length > 0 || view.filters.length > 0) && (
          <FilterBar
            filters={view.filters}
            groups={view.groups}
            metrics={[]}
            onFilter={view.setFilter}
            onGroup={view.setGroup}
            locked={isLocked}
          />
        )}
      </div>
      <div className={classes.sharedGrid}>
        <SpaceGrid
          space={0}
          sections={space.sections}
          charts={space.charts}
          boxes={boxes}
          editable={false}
          editing={false}
          onChange={noop}
        >
          {(chart) => (
            <ChartCard
              space={0}
              chart={chart}
              dynamic={view.dynamic}
              filters={[]}
              events={events}
              canEdit={false}
              onEvent={(event, at) => setOpen({ event, at })}
              ask={askShared(link, chart.id, view.dynamic)}
            />
          )}
        </SpaceGrid>
      </div>
      <Suspense fallback={null}>{open && <EventCard {...open} close={close} readOnly />}</Suspense>
      <p
        className={classes.sharedFoot}
      >{`A read-only view of one space. This link works until ${day(space.expires_at)}.`}</p>
    </>
  );
}
