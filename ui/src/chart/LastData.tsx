import { useQuery } from "@tanstack/react-query";
import { metrics } from "../api/metrics";
import type { Dynamic } from "../api/query";
import type { Stream } from "../api/types";
import { ago, exact } from "../lib/format";
import { lastSeen } from "../lib/lastSeen";
import { useTime } from "../time/TimeContext";
import classes from "./ChartView.module.css";

type Props = { streams: Stream[]; dynamic: Dynamic[] };

/** "Last value 3 h ago: go there", under an empty chart, where something was there once. */
export function LastData({ streams, dynamic }: Props) {
  const time = useTime();
  const stream = streams.find((s) => s.metric && s.type !== "annotation");
  const { data } = useQuery({ ...metrics.streams(stream?.metric ?? ""), enabled: stream !== undefined, retry: false });
  const at = stream && data ? lastSeen(stream, dynamic, data.streams) : 0;
  const { start, end } = time.window;
  if (!at || (at >= start && at < end)) return null;
  const span = end - start;
  return (
    <p data-tip={exact(at)}>
      {`Last value ${ago(at)}: `}
      <button
        type="button"
        className={classes.link}
        onClick={() => time.zoom(Math.floor(at - 0.85 * span), Math.ceil(at + 0.15 * span))}
      >
        go there
      </button>
    </p>
  );
}
