import { useQuery } from "@tanstack/react-query";
import { useMemo, useRef } from "react";
import { history } from "../../../api/history";
import type { Dynamic } from "../../../api/query";
import type { Chart } from "../../../api/types";
import type { GridPosition } from "../../../api/ui.gen";
import { kindOf } from "../../../chart/kind";
import { ErrorCard } from "../../../components/problems";
import { Skeleton } from "../../../components/Skeleton";
import type { ChartRef, Document, Mark } from "../../../history/compare";
import { MarkWord } from "../../../history/Differences";
import { inOrder, sectionOf } from "../layout";
import space from "../Space.module.css";
import { SpaceChart } from "../SpaceChart";
import { useOnScreen } from "../useOnScreen";
import { useSpaceFilters } from "../useSpaceView";
import { spaceOf } from "./marks";
import classes from "./Versions.module.css";

type Props = { document: Document; marks: ReadonlyMap<number, Mark> };

/** The charts of a version where they were, with the data of today. */
export function VersionGrid({ document: d, marks }: Props) {
  const { charts, boxes, sections, defaults } = useMemo(() => spaceOf(d), [d]);
  const { dynamic } = useSpaceFilters(defaults);
  if (charts.length === 0) return <p className="t3">No charts.</p>;
  const parts = ["", ...sections.map((s) => s.name)];
  return parts.map((name, n) => {
    const own = inOrder(boxes.filter((b) => sectionOf(b) === n));
    if (n === 0 && own.length === 0) return null;
    return (
      <div key={`${n} ${name}`} className={classes.part}>
        {name && <h3 className={classes.section}>{name}</h3>}
        <div className={`${space.grid} ${classes.grid}`}>
          {own.map((box) => {
            const chart = charts.find((c) => c.id === box.chart);
            return (
              chart && <Card key={chart.id} box={box} chart={chart} mark={marks.get(chart.id)} dynamic={dynamic} />
            );
          })}
        </div>
      </div>
    );
  });
}

type CardProps = { box: GridPosition; chart: ChartRef; mark: Mark | undefined; dynamic: Dynamic[] };

/** One chart as it was, to be looked at only. It is read when it comes in sight. */
function Card({ box, chart: ref, mark, dynamic }: CardProps) {
  const card = useRef<HTMLDivElement>(null);
  const near = useOnScreen(card);
  const { data, error } = useQuery({
    ...history.version({ kind: "chart", id: ref.id }, ref.version),
    enabled: near,
  });
  const chart = useMemo(() => data && ({ ...data.document, id: ref.id } as unknown as Chart), [data, ref.id]);
  const kind = chart ? kindOf(chart) : ref.type;
  const name = ref.name || "Untitled";
  return (
    <div
      ref={card}
      className={space.cell}
      data-type={kind}
      style={{ gridColumn: `${box.col + 1} / span ${box.width}`, gridRow: `${box.row + 1} / span ${box.height}` }}
    >
      <article
        className={`${space.card} ${classes.card}`}
        data-type={kind}
        data-mark={mark}
        aria-label={mark ? `${name}, ${mark.toLowerCase()}` : name}
      >
        <header className={space.head}>
          <h3 className="cut">{name}</h3>
          {mark && <MarkWord mark={mark} />}
        </header>
        <div className={space.body}>
          {error && <ErrorCard error={error} what="this chart" />}
          {chart ? (
            <SpaceChart chart={chart} dynamic={dynamic} enabled={near} legend={false} />
          ) : (
            !error && <Skeleton height="100%" />
          )}
        </div>
      </article>
    </div>
  );
}
