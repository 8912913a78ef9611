import { type FocusEvent, type KeyboardEvent, useMemo, useRef, useState } from "react";
import { Bands, Flags } from "../chart/Marks";
import { exploreOf } from "../lib/explore";
import { absolute } from "../time/range";
import { distributionRows, endsOf, lookOf, percentileSums, type Spread } from "./distribution";
import { type At, HeatCells } from "./HeatCells";
import { HeatFoot } from "./HeatFoot";
import classes from "./Heatmap.module.css";
import { HeatTip } from "./HeatTip";
import { type Heat, streamRows, valueRows } from "./heatmap";
import { heatLimits, limitWords } from "./limits";
import { linksFrom, ofStreams } from "./links";
import { NoData } from "./NoData";
import { NoDistribution } from "./NoDistribution";
import type { PanelProps } from "./PanelView";

/** The rows of a chart, by what it wants of them. */
function useHeat({ chart, lines, loaded, incomplete }: PanelProps): Heat {
  return useMemo(() => {
    const { attributes, thresholds } = chart;
    const look = lookOf(attributes, endsOf(chart));
    if (attributes?.rows === "distribution" && loaded)
      return distributionRows(loaded.results, loaded.window, lines[0]?.unit ?? "", look, incomplete);
    return attributes?.rows === "values" ? valueRows(lines, look.ends) : streamRows(lines, thresholds ?? []);
  }, [lines, loaded, chart, incomplete]);
}

/** Which cell is pointed at, and whether it stays. What has the focus elsewhere, or Esc, lets go of it. */
function usePointed(canHold: boolean) {
  const frame = useRef<HTMLDivElement>(null);
  const [at, setAt] = useState<At | null>(null);
  const [held, setHeld] = useState(false);
  const clear = () => {
    setAt(null);
    setHeld(false);
  };
  return {
    frame,
    at,
    setAt: (to: At | null) => {
      setAt(to);
      setHeld(false);
    },
    held,
    onHold: () => setHeld(canHold && !held),
    within: {
      onBlur: (e: FocusEvent) => !e.currentTarget.contains(e.relatedTarget) && clear(),
      onKeyDown: (e: KeyboardEvent) => {
        if (e.key !== "Escape" || !at) return;
        e.stopPropagation();
        frame.current?.querySelector<HTMLElement>('[role="img"]')?.focus();
        clear();
      },
    },
  };
}

/** Many streams at once: a row for each, or for each range of values, and time across. One hue; the stronger, the more. */
export function HeatmapPanel(props: PanelProps) {
  const { chart, lines, loaded, incomplete, explore } = props;
  const heat = useHeat(props);
  const limits = useMemo(() => heatLimits(chart, heat.axis, lines[0]?.unit ?? ""), [chart, heat.axis, lines]);
  const links = useMemo(() => ofStreams(chart.attributes?.links), [chart.attributes?.links]);
  const leads = heat.rows.some((r) => r.tags && linksFrom(links, r.tags).length > 0);
  const { frame, within, ...pointed } = usePointed((explore !== undefined && heat.spread !== undefined) || leads);
  if (!loaded || lines.length === 0)
    return chart.attributes?.rows === "distribution" ? <NoDistribution {...props} /> : <NoData {...props} />;
  const { window: w } = loaded;
  const { at, held } = pointed;
  const start = w.start + (at?.col ?? 0) * w.step;
  return (
    <div ref={frame} className={classes.heat} {...within}>
      <HeatCells
        heat={heat}
        window={w}
        limits={limits}
        label={[chart.name || "Heatmap", heat.about, limitWords(limits), props.rangeLabel.toLowerCase()]
          .filter(Boolean)
          .join(", ")}
        marks={marksOf(props)}
        {...pointed}
      />
      <HeatFoot heat={heat} limits={limits} window={w} at={at} held={held} links={links} incomplete={incomplete} />
      {heat.spread && at && (
        <HeatTip
          rows={heat.rows}
          spread={heat.spread}
          window={w}
          at={at}
          frame={frame}
          explore={
            held && explore ? { ...absolute(start, start + w.step), ...exploreOf(chart.streams, explore) } : undefined
          }
        />
      )}
      {heat.spread && <Tables spread={heat.spread} incomplete={incomplete} />}
    </div>
  );
}

/** What happened meanwhile, as over lines. */
function marksOf({ events = [], loaded, large = false, onEvent, onZoom }: PanelProps) {
  const w = loaded?.window;
  if (!w || !events.some((e) => e.start_time < w.end && (e.end_time ?? e.start_time) >= w.start)) return undefined;
  return (width: number) => (
    <>
      <Bands window={w} events={events} incidents={[]} />
      <Flags window={w} width={width} large={large} events={events} onEvent={onEvent} onZoom={onZoom} />
    </>
  );
}

/** What lines and colours say over all of the time, for those who do not see them. */
const Tables = ({ spread, incomplete }: { spread: Spread; incomplete: boolean }) => (
  <div className="sr">
    <Table
      caption="Percentiles"
      heads={["Percentile", "Now", "Lowest", "Highest"]}
      rows={percentileSums(spread, incomplete)}
    />
    <Table caption="Values in each range" heads={["Range", "Values", "Share"]} rows={spread.sums} />
  </div>
);

const Table = ({ caption, heads, rows }: { caption: string; heads: string[]; rows: string[][] }) => (
  <table>
    <caption>{caption}</caption>
    <thead>
      <tr>
        {heads.map((h) => (
          <th key={h} scope="col">
            {h}
          </th>
        ))}
      </tr>
    </thead>
    <tbody>
      {rows.map(([name, ...cells]) => (
        <tr key={name}>
          <th scope="row">{name}</th>
          {cells.map((c, i) => (
            <td key={heads[i]}>{c}</td>
          ))}
        </tr>
      ))}
    </tbody>
  </table>
);
