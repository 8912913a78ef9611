import { IconAlertTriangle } from "@tabler/icons-react";
import type { ChartDraft } from "../api/types";
import { parts } from "../lib/format";
import classes from "./BigNumber.module.css";
import { bigValue, comparedWith, comparison, crossed, thresholdWords } from "./bigValue";
import { type Line, stats } from "./data";
import { colorOf } from "./palette";
import type { Past } from "./past";
import { Sparkline } from "./Sparkline";
import { useScheme } from "./useScheme";

type Props = {
  chart: ChartDraft;
  line: Line | undefined;
  lastWeek: Line | undefined;
  /** What was chosen to compare with; otherwise it is last week. */
  past: Past | undefined;
  incomplete: boolean;
  waiting: boolean;
  large?: boolean;
};

/** One number, one sentence, one small line to the panel's edges. */
export function BigNumber({ chart, line, lastWeek, past, incomplete, waiting, large = false }: Props) {
  const scheme = useScheme();
  const unit = line?.unit ?? "";
  const of = (l: Line | undefined) =>
    l ? bigValue(l.values, chart, chart.streams[0]?.summary_function, incomplete) : null;
  const v = of(line);
  const hit = crossed(v, chart.thresholds);
  const tone = hit ? (hit.type === "red" ? "var(--tm-red)" : "var(--tm-amb)") : undefined;
  const crossing = hit && thresholdWords(hit, unit);
  const chosen = past && comparedWith(past.than, v, of(past.lines.find((l) => l.key === line?.key)), unit);
  const usual = comparison(line ? stats(line.values).mean : null, lastWeek ? stats(lastWeek.values).mean : null, unit);
  const said = past ? [crossing, chosen].filter(Boolean).join(", ") : (crossing ?? usual);
  const shown = v === null ? { digits: waiting ? "\u00a0" : "–", unit: "" } : parts(v, unit);
  return (
    <div className={classes.box} data-large={large} data-tone={hit?.type}>
      <div className={classes.text} data-sized>
        <span className={classes.value}>
          <span className={classes.digits} data-size style={{ color: tone }}>
            {shown.digits}
          </span>
          {shown.unit && <span className={classes.unit}>{shown.unit}</span>}
        </span>
        <span className={classes.said}>
          {hit && (
            <IconAlertTriangle
              size={large ? 20 : 15}
              stroke={1.7}
              color={tone}
              aria-label={hit.type === "red" ? "Critical" : "Warning"}
            />
          )}
          <span className="cut">{v === null && !waiting ? "No data in this range" : said}</span>
        </span>
      </div>
      <div className={classes.spark}>
        <Sparkline
          values={incomplete ? (line?.values.slice(0, -1) ?? []) : (line?.values ?? [])}
          color={tone ?? colorOf(line?.paint ?? { slot: 0 }, scheme)}
          height={40}
        />
      </div>
    </div>
  );
}
