import { useNavigate, useSearch } from "@tanstack/react-router";
import { createContext, type ReactNode, useCallback, useContext, useEffect, useMemo, useRef, useState } from "react";
import { viewer } from "../lib/viewer";
import { type Compare, compareOf } from "./compare";
import { absolute, defaultRange, isLive, label, type Range, shift, type Window, windowOf, zoomOut } from "./range";
import { pushZoom, settle, type ZoomStack } from "./zoom";

export type Time = {
  range: Range;
  window: Window;
  /** When the window was last moved on, in seconds. */
  now: number;
  label: string;
  live: boolean;
  /** Whether the range could be live at all: it ends now. */
  canBeLive: boolean;
  setLive: (on: boolean) => void;
  setRange: (r: Range) => void;
  zoom: (start: number, end: number) => void;
  pan: (by: number) => void;
  out: () => void;
  earlier: () => void;
  later: () => void;
  /** Where Back leads, if a zoom can be left. */
  back: { label: string; go: () => void } | undefined;
  refresh: () => void;
  /** With what the charts of the page are compared; nothing by default. */
  compare: Compare;
  setCompare: (c: Compare) => void;
};

const Context = createContext<Time | null>(null);

export function useTime(): Time {
  const t = useContext(Context);
  if (!t) throw new Error("useTime outside of TimeProvider");
  return t;
}

type Search = { from?: string | undefined; to?: string | undefined; compare?: string | undefined };
const seconds = () => Date.now() / 1000;

/** Moves on while live and while someone looks. */
function useClock(live: boolean, span: number): [number, () => void] {
  const [now, setNow] = useState(seconds);
  const tick = useCallback(() => setNow(seconds()), []);
  const every = span <= 20 * 60 ? 1_000 : 10_000;
  useEffect(() => {
    if (!live) return;
    tick();
    let timer = 0;
    const run = () => {
      window.clearInterval(timer);
      if (!document.hidden) timer = window.setInterval(tick, every);
    };
    const seen = () => {
      if (!document.hidden) tick();
      run();
    };
    run();
    document.addEventListener("visibilitychange", seen);
    return () => {
      window.clearInterval(timer);
      document.removeEventListener("visibilitychange", seen);
    };
  }, [live, every, tick]);
  return [now, tick];
}

type ProviderProps = { children: ReactNode; fallback?: Range; prefix?: string };

/**
 * The time range of a page: in its address, with live movement and a stack of
 * zooms. A part of a page with a time of its own has it there under a prefix.
 */
export function TimeProvider({ children, fallback = defaultRange, prefix = "" }: ProviderProps) {
  const all = useSearch({ strict: false }) as Record<string, string | undefined>;
  const search: Search = { from: all[`${prefix}from`], to: all[`${prefix}to`], compare: all.compare };
  const navigate = useNavigate();
  const from = search.from || fallback.from;
  const to = search.from ? (search.to ?? "") : fallback.to;
  const range = useMemo<Range>(() => ({ from, to }), [from, to]);
  const compare = compareOf(search.compare);
  const [wanted, setWanted] = useState(true);
  const stack = useRef<ZoomStack>([]);
  const shown = useRef(range);
  if (shown.current !== range) {
    // Only another range can have left the zoom: renderings in between see the old one still.
    stack.current = settle(stack.current, range);
    shown.current = range;
  }
  const live = wanted && isLive(range);
  const first = windowOf(range, seconds());
  const [now, tick] = useClock(live, first.end - first.start);
  const { start, end, step } = windowOf(range, now);
  const window_ = useMemo(() => ({ start, end, step }), [start, end, step]);

  const go = useCallback(
    (r: Range, replace = false) => {
      tick();
      void navigate({
        to: ".",
        search: (old: Search) => ({ ...old, [`${prefix}from`]: r.from, [`${prefix}to`]: r.to || undefined }),
        replace,
      } as never);
    },
    [navigate, tick, prefix],
  );
  const time = useMemo<Time>(() => {
    const leave = (r: Range) => {
      stack.current = pushZoom(stack.current, range);
      go(r);
    };
    const last = stack.current[stack.current.length - 1];
    return {
      range,
      window: window_,
      now,
      label: label(range, now, viewer()),
      live,
      canBeLive: isLive(range),
      setLive: (on) => {
        setWanted(on);
        if (on && !isLive(range)) go(stack.current.find(isLive) ?? fallback);
      },
      setRange: (r) => {
        stack.current = [];
        setWanted(true);
        go(r);
      },
      zoom: (a, b) => b - a >= 10 && leave(absolute(a, b)),
      pan: (by) => leave(absolute(Math.min(start + by, now - (end - start)), Math.min(end + by, now))),
      out: () => leave(zoomOut(range, now)),
      earlier: () => go(shift(range, -1, now)),
      later: () => go(shift(range, 1, now)),
      back: last && {
        label: label(last, now, viewer()).toLowerCase(),
        go: () => {
          stack.current = stack.current.slice(0, -1);
          go(last);
        },
      },
      refresh: tick,
      compare,
      setCompare: (c) =>
        void navigate({ to: ".", search: (old: Search) => ({ ...old, compare: c || undefined }) } as never),
    };
  }, [range, window_, now, live, go, start, end, fallback, tick, compare, navigate]);
  return <Context value={time}>{children}</Context>;
}
