import { useMemo } from "react";
import type { ChartDraft } from "../api/types";
import { ChartView } from "../chart/ChartView";
import { kindOf } from "../chart/kind";
import { whole } from "../lib/format";
import { EmptyPanel } from "./EmptyPanel";
import { ofStreams } from "./links";
import { NoData } from "./NoData";
import classes from "./Panels.module.css";
import type { PanelProps } from "./PanelView";
import { apart, mostCopies } from "./repeat";
import { StreamLinks } from "./StreamLinks";

/** A chart once for each value of a tag, side by side. */
export function RepeatPanel(props: PanelProps) {
  const { chart, loaded, past, ask: _, lastWeek: __, empty: ___, then: ____, ...rest } = props;
  const tag = chart.attributes?.repeat ?? "";
  const copies = useMemo(() => (loaded ? apart(loaded, tag) : []), [loaded, tag]);
  const before = useMemo(() => (past ? apart(past.loaded, tag) : []), [past, tag]);
  const one = useMemo<ChartDraft>(() => ({ ...chart, attributes: { ...chart.attributes, repeat: null } }), [chart]);
  const links = useMemo(() => ofStreams(chart.attributes?.links), [chart.attributes?.links]);
  if (props.lines.length === 0) return <NoData {...props} />;
  if (copies.length === 0)
    return (
      <EmptyPanel>{`None of its streams is kept apart by ${tag}. Choose “One line per ${tag}” in the tags of a stream.`}</EmptyPanel>
    );
  return (
    <div className={classes.scroll} tabIndex={-1}>
      <div className={classes.copies}>
        {copies.slice(0, mostCopies).map(({ value, loaded: own }) => {
          const then = before.find((b) => b.value === value);
          return (
            <section key={value} aria-label={value} className={classes.copy} data-kind={kindOf(chart)}>
              <div className={classes.copyHead}>
                <h3 className="mono cut">{value}</h3>
                <StreamLinks links={links} name={value} tags={{ [tag]: value }} />
              </div>
              <div>
                <ChartView
                  {...rest}
                  chart={{ ...one, name: `${chart.name}, ${value}` }}
                  loaded={own}
                  {...(past && then && { past: { ...past, loaded: then.loaded } })}
                  legend={false}
                />
              </div>
            </section>
          );
        })}
      </div>
      {copies.length > mostCopies && (
        <p className={classes.foot}>{`${whole(mostCopies)} of ${whole(copies.length)} values of ${tag}`}</p>
      )}
    </div>
  );
}
