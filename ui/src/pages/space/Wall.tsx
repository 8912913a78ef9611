import { IconBellRinging } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { type ReactNode, type RefObject, useEffect, useMemo, useRef, useState } from "react";
import { alertList } from "../../api/alerts";
import { sharedEvents } from "../../api/annotations";
import { ApiError } from "../../api/client";
import type { Dynamic } from "../../api/query";
import { type Ask, askShared } from "../../api/series";
import { charts as chartApi, shares, spaces } from "../../api/spaces";
import type { Chart, TagFilter } from "../../api/types";
import type { AlertSummary, GridPosition, Section } from "../../api/ui.gen";
import type { Mark } from "../../chart/Marks";
import { useEvents } from "../../chart/useEvents";
import { usePageTitle } from "../../components/Page";
import { filterSentence } from "../../lib/filters";
import { ago, clock } from "../../lib/format";
import { turnTags } from "../../lib/playlist";
import { inWords } from "../../lib/sentence";
import { useTime } from "../../time/TimeContext";
import { ChartCard } from "./ChartCard";
import { arrange, gap, sectionOf } from "./layout";
import classes from "./Space.module.css";
import { SpaceGrid } from "./SpaceGrid";
import { GridSkeleton } from "./SpaceView";
import { useLayout } from "./useLayout";
import { useSpaceFilters } from "./useSpaceView";

const idleAfter = 3_000;
const noop = () => undefined;

type Shown = {
  space: number;
  name: string;
  ready: boolean;
  sections?: Section[] | undefined;
  charts: Chart[];
  boxes: GridPosition[];
  dynamic: Dynamic[];
  events: Mark[];
  firing?: AlertSummary[];
  ask?: (chart: Chart) => Ask;
};

/** What a playlist adds to a wall: between the name and the clock, and above the charts. */
export type Extra = { tools?: ReactNode; note?: ReactNode };

/** For a screen on the wall: no chrome, larger type, awake. */
function WallView({
  space,
  name,
  ready,
  sections,
  charts,
  boxes,
  dynamic,
  events,
  firing = [],
  ask,
  tools,
  note,
}: Shown & Extra) {
  const time = useTime();
  const idle = useIdle();
  const seconds = useSeconds();
  const above = useRef<HTMLDivElement>(null);
  const row = useFittingRow(boxes, above);
  useAwake();
  usePageTitle(name || "Wall");
  return (
    <div className={classes.wall} data-idle={idle}>
      <div ref={above}>
        <header className={classes.wallTop}>
          <h1>{name}</h1>
          <span className="t3">{time.label}</span>
          <span className="t2">{filterSentence(dynamic)}</span>
          {tools}
          <span
            className="t3"
            style={{ marginLeft: "auto" }}
          >{`updated ${ago(Math.min(time.now, seconds), seconds)}`}</span>
          <span className={classes.wallClock} style={{ marginLeft: 0 }}>
            {clock(seconds)}
          </span>
        </header>
        {note}
        {firing.length > 0 && (
          <div className={classes.firing} role="status">
            {firing.map((a) => (
              <span key={a.id}>
                <IconBellRinging size={18} stroke={1.8} style={{ verticalAlign: -3 }} /> {a.name}: {inWords(a.words)}
              </span>
            ))}
          </div>
        )}
      </div>
      {ready ? (
        <SpaceGrid
          space={space}
          sections={sections}
          charts={charts}
          boxes={boxes}
          editable={false}
          editing={false}
          row={row}
          onChange={noop}
        >
          {(chart) => (
            <ChartCard
              space={space}
              chart={chart}
              dynamic={dynamic}
              filters={[]}
              events={events}
              canEdit={false}
              large
              {...(ask && { ask: ask(chart) })}
            />
          )}
        </SpaceGrid>
      ) : (
        <GridSkeleton />
      )}
    </div>
  );
}

/** Says once that a space is not there. */
function useGone(error: unknown, onGone: (() => void) | undefined): void {
  const gone = error instanceof ApiError && error.status === 404;
  useEffect(() => {
    if (gone) onGone?.();
  }, [gone, onGone]);
}

type Own = Extra & { id: number; tags?: TagFilter[]; onGone?: () => void };

/** A space of one's organization on the wall, with the filters of the address or those that are given. */
export function OwnWall({ id, tags, onGone, ...extra }: Own) {
  const time = useTime();
  const space = useQuery(spaces.one(id));
  const { data: charts = [] } = useQuery({ ...chartApi.of(id), refetchInterval: 60_000 });
  const layout = useLayout(id, charts);
  const view = useSpaceFilters(layout.stored.default_tags);
  const events = useEvents(layout.stored.annotations, time.window, layout.ready);
  const { data: alerts } = useQuery(alertList("firing"));
  useGone(space.error, onGone);
  return (
    <WallView
      space={id}
      name={space.data?.name ?? ""}
      ready={layout.ready}
      sections={layout.stored.sections}
      charts={charts}
      boxes={layout.boxes}
      dynamic={tags ? turnTags(layout.stored.default_tags, tags) : view.dynamic}
      events={events}
      firing={alerts?.alerts.filter((a) => a.state === "firing") ?? []}
      {...extra}
    />
  );
}

type Shared = Extra & { link: string; id: number; tags?: TagFilter[] | undefined; onGone?: () => void };

/** A space behind a link on the wall. */
export function SharedWall({ link, id, tags, onGone, ...extra }: Shared) {
  const time = useTime();
  const { data, error } = useQuery({ ...shares.open(link, id), refetchInterval: 60_000 });
  const { data: events = [] } = useQuery(sharedEvents(link, time.window, id));
  const boxes = useMemo(() => (data ? arrange(data.layout, data.charts) : []), [data]);
  const dynamic = useMemo(() => turnTags(data?.locked_tags ?? data?.default_tags ?? [], tags), [data, tags]);
  useGone(error, onGone);
  return (
    <WallView
      space={0}
      name={data?.name ?? ""}
      ready={data !== undefined}
      sections={data?.sections}
      charts={data?.charts ?? []}
      boxes={boxes}
      dynamic={dynamic}
      events={events}
      ask={(chart) => askShared(link, chart.id, dynamic, id)}
      {...extra}
    />
  );
}

const tallest = 70;
const lowest = 24;
/** What is around the charts, without what stands above them. */
const frame = 52;
/** How tall a wall's name and clock are, until it was measured. */
const top = 40;

/** How tall a row is for all charts to be in sight; where that would be too small to read, the page scrolls. */
export function fittingRow(boxes: GridPosition[], height: number, above = top): number {
  const ends = new Map<number, number>();
  for (const b of boxes) ends.set(sectionOf(b), Math.max(ends.get(sectionOf(b)) ?? 0, b.row + b.height));
  // The line of a section is about as tall as a row.
  const rows = [...ends].reduce((sum, [section, end]) => sum + end + Number(section > 0), 0) || 1;
  return Math.min(tallest, Math.max(lowest, Math.floor((height - above - frame) / rows - gap)));
}

/** Alerts that fire, and what a playlist says, come and go above the charts. */
function useFittingRow(boxes: GridPosition[], above: RefObject<HTMLElement | null>): number {
  const [size, setSize] = useState({ height: window.innerHeight, above: top });
  useEffect(() => {
    const measure = () => setSize({ height: window.innerHeight, above: above.current?.offsetHeight ?? top });
    const watched = new ResizeObserver(measure);
    if (above.current) watched.observe(above.current);
    window.addEventListener("resize", measure);
    return () => {
      watched.disconnect();
      window.removeEventListener("resize", measure);
    };
  }, [above]);
  return fittingRow(boxes, size.height, size.above);
}

/** A mouse that was left over a chart must not hold a crosshair there for days. */
function forgetPointer(): void {
  for (const plot of document.querySelectorAll(".u-over")) plot.dispatchEvent(new MouseEvent("mouseleave"));
}

function useSeconds(): number {
  const [now, setNow] = useState(Date.now() / 1000);
  useEffect(() => {
    const timer = window.setInterval(() => setNow(Date.now() / 1000), 1_000);
    return () => window.clearInterval(timer);
  }, []);
  return now;
}

function useIdle(): boolean {
  const [idle, setIdle] = useState(false);
  useEffect(() => {
    const rest = () => {
      setIdle(true);
      forgetPointer();
    };
    let timer = window.setTimeout(rest, idleAfter);
    const wake = () => {
      setIdle(false);
      window.clearTimeout(timer);
      timer = window.setTimeout(rest, idleAfter);
    };
    window.addEventListener("pointermove", wake);
    return () => {
      window.clearTimeout(timer);
      window.removeEventListener("pointermove", wake);
    };
  }, []);
  return idle;
}

/** Asks the browser not to let the screen sleep, again whenever the page comes back. */
function useAwake(): void {
  useEffect(() => {
    let lock: WakeLockSentinel | undefined;
    const ask = async () => {
      if (document.hidden || !("wakeLock" in navigator)) return;
      lock = await navigator.wakeLock.request("screen").catch(() => undefined);
    };
    void ask();
    document.addEventListener("visibilitychange", ask);
    return () => {
      document.removeEventListener("visibilitychange", ask);
      void lock?.release();
    };
  }, []);
}
