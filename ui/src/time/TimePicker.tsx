import { IconArrowsDiff, IconChevronDown, IconChevronLeft, IconChevronRight, IconClock } from "@tabler/icons-react";
import { lazy, Suspense, useState, useSyncExternalStore } from "react";
import { connection } from "../api/client";
import { LiveDot } from "../components/LiveDot";
import { Menu } from "../components/Menu";
import { Pop } from "../components/Pop";
import { ago, step } from "../lib/format";
import { viewer } from "../lib/viewer";
import { useShortcuts } from "../shell/shortcuts";
import { compares } from "./compare";
import { shortLabel } from "./range";
import { useFinest } from "./spacing";
import { useTime } from "./TimeContext";
import classes from "./TimePicker.module.css";

const none: never[] = [];
const load = () => import("./RangePanel");
const RangePanel = lazy(load);

type Props = {
  live?: boolean;
  compare?: boolean /** One of a part of the page leaves the keys to that of the page. */;
  keys?: boolean;
};

/** The one control for time: earlier, range, later, live. */
export function TimePicker({ live = true, compare = live, keys = true }: Props) {
  const time = useTime();
  const finest = useFinest();
  const [opened, setOpened] = useState(false);
  const shortcuts = [
    { keys: "t", label: "Choose a time range", run: () => setOpened(true) },
    { keys: ",", label: "Earlier", run: time.earlier },
    { keys: ".", label: "Later", run: time.later },
    { keys: "l", label: "Live on or off", run: () => time.setLive(!time.live) },
    { keys: "r", label: "Refresh", run: time.refresh },
    ...(compare
      ? [{ keys: "w", label: "Compare with a week before", run: () => time.setCompare(time.compare ? "" : "1w") }]
      : []),
    { keys: "Backspace", label: "Leave the zoom", run: () => time.back?.go() },
  ];
  useShortcuts(keys ? shortcuts : none);
  const lost = useSyncExternalStore(connection.watch, connection.lostSince);
  const late = time.live && (lost > 0 || Date.now() / 1000 - time.now > 40);
  return (
    <div className={classes.wrap} data-print>
      {time.back && (
        <button type="button" className={classes.backChip} onClick={time.back.go}>
          {`Back to ${time.back.label}`}
        </button>
      )}
      <div className={classes.control} role="group" aria-label="Time range">
        <button
          type="button"
          className={classes.arrow}
          aria-label="Earlier"
          data-tip="Earlier  ,"
          onClick={time.earlier}
        >
          <IconChevronLeft size={15} stroke={1.6} />
        </button>
        <Pop
          label="Time range"
          align="end"
          opened={opened}
          onChange={setOpened}
          target={(p) => (
            <button
              type="button"
              className={classes.range}
              onPointerEnter={() => void load()}
              onFocus={() => void load()}
              {...p}
            >
              <IconClock size={15} stroke={1.6} className={classes.clock} aria-hidden />
              <b className={classes.full}>{time.label}</b>
              <b className={classes.short}>{shortLabel(time.range, time.now, viewer())}</b>
              <span className={classes.resolution}>{step(Math.max(time.window.step, finest))}</span>
              <IconChevronDown size={13} stroke={1.6} aria-hidden />
            </button>
          )}
        >
          {(close) => (
            <Suspense fallback={<div className={classes.waiting} />}>
              <RangePanel close={close} />
            </Suspense>
          )}
        </Pop>
        <button
          type="button"
          className={classes.arrow}
          aria-label="Later"
          data-tip="Later  ."
          disabled={time.canBeLive}
          onClick={time.later}
        >
          <IconChevronRight size={15} stroke={1.6} />
        </button>
        {live && (
          <button
            type="button"
            className={classes.live}
            aria-pressed={time.live}
            aria-label="Live"
            data-tip={late ? `Last update ${ago(lost || time.now)}` : time.live ? "Pause  l" : "Follow the clock  l"}
            onClick={() => time.setLive(!time.live)}
          >
            <LiveDot state={late ? "late" : time.live ? "live" : "paused"} beat={time.now} />
            <b>Live</b>
          </button>
        )}
        {compare && <CompareMenu />}
      </div>
    </div>
  );
}

/** With what the charts of the page are compared. */
function CompareMenu() {
  const { compare, setCompare } = useTime();
  const chosen = compares.find((c) => c.value === compare);
  return (
    <Menu
      label="Compare"
      items={compares.map((c) => ({
        label: c.label,
        checked: c.value === compare,
        run: () => setCompare(c.value),
      }))}
      target={(p) => (
        <button
          type="button"
          className={classes.live}
          data-compare
          aria-label={compare ? `Compared with the ${chosen?.short}` : "Compare"}
          data-tip="Compare  w"
          {...p}
        >
          <IconArrowsDiff size={15} stroke={1.6} aria-hidden />
          {compare && <b>{chosen?.short}</b>}
        </button>
      )}
    />
  );
}
