import { IconAlertTriangle } from "@tabler/icons-react";
import { useMemo } from "react";
import type { Ask } from "../api/series";
import { useSeries } from "../api/series";
import type { ChartDraft } from "../api/types";
import { comparedWith, crossed } from "../chart/bigValue";
import { useLines } from "../chart/ChartView";
import { chosen, parts, value } from "../lib/format";
import { useTime } from "../time/TimeContext";
import { EmptyPanel } from "./EmptyPanel";
import { arc, type Ends, endsOf, fullIn, fullWords, share, thresholdsInWords, worst, zones } from "./gauge";
import { ofStreams } from "./links";
import { NoData } from "./NoData";
import classes from "./Panels.module.css";
import type { PanelProps } from "./PanelView";
import { StreamLinks } from "./StreamLinks";
import { numberOf } from "./table";

const tones = { red: "var(--tm-red)", yellow: "var(--tm-amb)" };

/** One number between its ends, that of the worst line, with the thresholds around it. */
export function GaugePanel(props: PanelProps) {
  const { chart, lines, then, incomplete, ask } = props;
  const now = worst(chart, lines, incomplete);
  if (!now) return <NoData {...props} />;
  const { line, value: v } = now;
  const ends = endsOf(chart, line.unit);
  if (!ends) return <EmptyPanel>A gauge needs to know where it ends. Set Max in its settings.</EmptyPanel>;
  const thresholds = chart.thresholds ?? [];
  const hit = crossed(v, thresholds);
  const tone = hit && tones[hit.type];
  const shown = parts(v, line.unit);
  const said = thresholdsInWords(hit, thresholds, line.unit);
  const was = then?.lines.find((l) => l.key === line.key);
  const compared =
    then && comparedWith(then.than, v, was ? numberOf(was, chart.attributes?.value, incomplete) : null, line.unit);
  return (
    <div className={classes.gauge}>
      <svg
        className={classes.dial}
        viewBox="0 0 160 100"
        role="img"
        aria-label={sentence(chart.name, now, ends, [said, compared])}
      >
        <path d={arc(80, 84, 62, 0, 1)} className={classes.track} />
        <path d={arc(80, 84, 62, 0, share(v, ends))} className={classes.hand} style={{ stroke: tone }} />
        {zones(thresholds, ends).map((z) => (
          <path
            key={`${z.type}${z.from}`}
            d={arc(80, 84, 75, z.from, z.to)}
            className={classes.zone}
            style={{ stroke: tones[z.type] }}
          />
        ))}
        <text x={80} y={80} className={classes.digits} style={{ fill: tone }}>
          {shown.digits}
          <tspan className={classes.gaugeUnit}> {shown.unit}</tspan>
        </text>
        <text x={18} y={97} className={classes.end}>
          {chosen(ends.min)}
        </text>
        <text x={142} y={97} className={classes.end}>
          {chosen(ends.max)}
        </text>
      </svg>
      {lines.length > 1 && (
        <p className={classes.said}>
          <span className={line.mono ? "mono cut" : "cut"}>{line.label}</span>
          <StreamLinks links={ofStreams(chart.attributes?.links)} name={line.label} tags={line.tags} />
        </p>
      )}
      {said && (
        <p className={classes.said}>
          <IconAlertTriangle size={14} stroke={1.8} color={tone} aria-hidden />
          {said}
        </p>
      )}
      {compared && <p>{compared}</p>}
      {ask && <Forecast chart={chart} ask={ask} of={line.key} max={ends.max} />}
    </div>
  );
}

const sentence = (
  name: string,
  { line, value: v }: { line: { label: string; unit: string }; value: number },
  ends: Ends,
  said: (string | undefined)[],
) =>
  [
    name || "Gauge",
    `${line.label} now ${value(v, line.unit)}`,
    `from ${chosen(ends.min)} to ${chosen(ends.max)}`,
    ...said.filter(Boolean),
  ].join(", ");

const week = 7 * 86_400;
const step = 3600;
const range = { from: "-7d", to: "" };

/** "full in about 9 days", where the line has grown steadily for seven. */
function Forecast({ chart, ask, of, max }: { chart: ChartDraft; ask: Ask; of: string; max: number }) {
  const { canBeLive } = useTime();
  const end = Math.floor(Date.now() / 1000 / step) * step;
  const window = useMemo(() => ({ start: end - week, end, step }), [end]);
  const { data } = useSeries({
    key: ["gauge", chart.streams, end],
    ask,
    range,
    window,
    live: false,
    tick: 0,
    enabled: canBeLive,
  });
  const line = useLines(chart, data).find((l) => l.key === of);
  const said = fullWords(line && fullIn(line.values, step, max));
  return said ? <p className="t3">{said}</p> : null;
}
