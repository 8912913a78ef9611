import { IconBellRinging } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useNavigate, useParams } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { alertList } from "../../api/alerts";
import { charts as chartApi, spaces } from "../../api/spaces";
import type { GridPosition } from "../../api/ui.gen";
import { useEvents } from "../../chart/useEvents";
import { usePageTitle } from "../../components/Page";
import { ago, clock } from "../../lib/format";
import { inWords } from "../../lib/sentence";
import { useShortcuts } from "../../shell/shortcuts";
import { TimeProvider, useTime } from "../../time/TimeContext";
import { ChartCard } from "./ChartCard";
import { gap, sectionOf } from "./layout";
import classes from "./Space.module.css";
import { SpaceGrid } from "./SpaceGrid";
import { GridSkeleton } from "./SpaceView";
import { useLayout } from "./useLayout";
import { useSpaceFilters } from "./useSpaceView";

export function WallPage() {
  const { id } = useParams({ from: "/bare/spaces/$id/wall" });
  return (
    <TimeProvider>
      <Wall id={Number(id)} />
    </TimeProvider>
  );
}

const idleAfter = 3_000;
const noop = () => undefined;

/** For a screen on the wall: no chrome, larger type, awake. */
function Wall({ id }: { id: number }) {
  const time = useTime();
  const navigate = useNavigate();
  const space = useQuery(spaces.one(id));
  const { data: charts = [] } = useQuery({ ...chartApi.of(id), refetchInterval: 60_000 });
  const layout = useLayout(id, charts);
  const view = useSpaceFilters(layout.stored.default_tags);
  const events = useEvents(layout.stored.annotations, time.window, layout.ready);
  const { data: alerts } = useQuery(alertList("firing"));
  const idle = useIdle();
  const seconds = useSeconds();
  const row = useFittingRow(layout.boxes);
  useAwake();
  usePageTitle(space.data?.name ?? "Wall");
  useShortcuts([
    {
      keys: "Escape",
      label: "Leave the wall display",
      run: () =>
        void navigate({ to: "/spaces/$id", params: { id: String(id) }, search: (old: object) => old } as never),
    },
  ]);
  const firing = alerts?.alerts.filter((a) => a.state === "firing") ?? [];
  return (
    <div className={classes.wall} data-idle={idle}>
      <header className={classes.wallTop}>
        <h1>{space.data?.name}</h1>
        <span className="t3">{time.label}</span>
        <span
          className="t3"
          style={{ marginLeft: "auto" }}
        >{`updated ${ago(Math.min(time.now, seconds), seconds)}`}</span>
        <span className={classes.wallClock} style={{ marginLeft: 0 }}>
          {clock(seconds)}
        </span>
      </header>
      {firing.length > 0 && (
        <div className={classes.firing} role="status">
          {firing.map((a) => (
            <span key={a.id}>
              <IconBellRinging size={18} stroke={1.8} style={{ verticalAlign: -3 }} /> {a.name}: {inWords(a.words)}
            </span>
          ))}
        </div>
      )}
      {layout.ready ? (
        <SpaceGrid
          space={id}
          sections={layout.stored.sections}
          charts={charts}
          boxes={layout.boxes}
          editable={false}
          editing={false}
          row={row}
          onChange={noop}
        >
          {(chart) => (
            <ChartCard
              space={id}
              chart={chart}
              dynamic={view.dynamic}
              filters={[]}
              events={events}
              canEdit={false}
              large
            />
          )}
        </SpaceGrid>
      ) : (
        <GridSkeleton />
      )}
    </div>
  );
}

const tallest = 70;
const lowest = 32;
/** What stands above the charts, and the frame around them. */
const chrome = 92;

/** How tall a row is for all charts to be in sight; where that would be too small to read, the page scrolls. */
export function fittingRow(boxes: GridPosition[], height: number): number {
  const ends = new Map<number, number>();
  for (const b of boxes) ends.set(sectionOf(b), Math.max(ends.get(sectionOf(b)) ?? 0, b.row + b.height));
  // The line of a section is about as tall as a row.
  const rows = [...ends].reduce((sum, [section, end]) => sum + end + Number(section > 0), 0) || 1;
  return Math.min(tallest, Math.max(lowest, Math.floor((height - chrome) / rows - gap)));
}

function useFittingRow(boxes: GridPosition[]): number {
  const [height, setHeight] = useState(window.innerHeight);
  useEffect(() => {
    const measure = () => setHeight(window.innerHeight);
    window.addEventListener("resize", measure);
    return () => window.removeEventListener("resize", measure);
  }, []);
  return fittingRow(boxes, height);
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
