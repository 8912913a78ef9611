import { useEffect, useRef } from "react";
import type { ChartLink } from "../api/types";
import chart from "../chart/Chart.module.css";
import { currentValue } from "../chart/data";
import { colorOf } from "../chart/palette";
import { useScheme } from "../chart/useScheme";
import { count, pointTime, whole } from "../lib/format";
import { hrefOf } from "../lib/link";
import type { Window } from "../time/range";
import { amount } from "./counts";
import type { Spread } from "./distribution";
import type { At } from "./HeatCells";
import classes from "./Heatmap.module.css";
import type { Heat } from "./heatmap";
import { type HeatLimits, tint } from "./limits";
import { linksFrom } from "./links";

type Props = {
  heat: Heat;
  limits: HeatLimits;
  window: Window;
  at: At | null;
  /** Whether the cell stays: then its row leads on. */
  held: boolean;
  links: ChartLink[];
  incomplete: boolean;
};

/** What lines and colours mean, and what is pointed at. */
export function HeatFoot({ heat, limits, window: w, at, held, links, incomplete }: Props) {
  const { spread } = heat;
  const rest = heat.left > 0 ? `${whole(heat.rows.length)} of ${count(heat.rows.length + heat.left, "stream")}` : "";
  const leads = linksFrom(links, (at && heat.rows[at.row]?.tags) ?? {});
  const hint = leads.length > 0 && !held ? ", press for its links" : "";
  const said = at ? `${pointTime(w.start + at.col * w.step, w.step)}, ${heat.say(at.row, at.col)}${hint}` : rest;
  return (
    <div className={classes.foot}>
      {spread?.lines && <Percentiles spread={spread} incomplete={incomplete} />}
      {limits.legend.length > 0 && <Thresholds limits={limits} />}
      {spread?.cells !== false && <Ramp heat={heat} />}
      {/* Of a distribution it is beside the pointer, for those who see it. */}
      <span className={spread ? "sr" : `${classes.said} cut`} role="status">
        {said}
      </span>
      {held && leads.length > 0 && <RowLinks leads={leads} />}
    </div>
  );
}

/** Where the row of the cell leads: whoever held it goes on from there. */
function RowLinks({ leads }: { leads: ReturnType<typeof linksFrom> }) {
  const list = useRef<HTMLSpanElement>(null);
  useEffect(() => list.current?.querySelector("a")?.focus({ preventScroll: true }), []);
  return (
    <span ref={list} className={classes.links}>
      {leads.map(({ title, to }) => (
        <a key={to} href={hrefOf(to)} {...(!to.startsWith("/") && { target: "_blank", rel: "noopener noreferrer" })}>
          {title}
        </a>
      ))}
    </span>
  );
}

function Ramp({ heat }: { heat: Heat }) {
  const of = heat.spread && (heat.spread.byCount ? " values" : " of a column");
  return (
    <span className={classes.scale}>
      <span className="num">{heat.shown(heat.low)}</span>
      <span className={classes.ramp} data-soft={heat.soft || undefined} aria-hidden />
      <span className="num">{`${heat.shown(heat.high)}${of ?? ""}`}</span>
    </span>
  );
}

function Thresholds({ limits }: { limits: HeatLimits }) {
  const scheme = useScheme();
  return (
    <ul className={classes.legend} aria-label="Thresholds">
      {limits.legend.map(({ type, words }) => (
        <li key={`${type} ${words}`}>
          <span className={chart.swatch} style={{ background: tint(type, scheme) }} />
          {words}
        </li>
      ))}
    </ul>
  );
}

function Percentiles({ spread, incomplete }: { spread: Spread; incomplete: boolean }) {
  const scheme = useScheme();
  return (
    <ul className={classes.legend} aria-label="Percentiles">
      {spread.percentiles.map((p) => (
        <li key={p.key}>
          <span className={chart.swatch} style={{ background: colorOf(p.paint, scheme) }} />
          {p.label}
          <b className="num">{amount(currentValue(p.values, incomplete), spread.unit)}</b>
        </li>
      ))}
    </ul>
  );
}
