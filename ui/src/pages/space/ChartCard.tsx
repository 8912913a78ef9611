import { useNavigate } from "@tanstack/react-router";
import { type KeyboardEvent, type PointerEvent, useRef } from "react";
import type { Dynamic } from "../../api/query";
import type { Ask } from "../../api/series";
import type { Chart } from "../../api/types";
import { type ChartViewProps, unitOf } from "../../chart/ChartView";
import { kindOf } from "../../chart/kind";
import type { Mark } from "../../chart/Marks";
import { NotCompared } from "../../chart/NotCompared";
import type { Filter } from "../../lib/filters";
import { later } from "../../lib/spare";
import classes from "./Space.module.css";
import { SpaceChart } from "./SpaceChart";
import type { CardActions } from "./useCardActions";
import { useOnScreen } from "./useOnScreen";

// Seen by whoever points at a chart, who does so once there is one.
const CardTools = later(() => import("./CardTools"));

export type CardProps = {
  space: number;
  chart: Chart;
  dynamic: Dynamic[];
  filters: Filter[];
  events: Mark[];
  canEdit: boolean;
  handle?: { onPointerDown: (e: PointerEvent) => void; onKeyDown: (e: KeyboardEvent) => void } | undefined;
  actions?: CardActions;
  large?: boolean;
  ask?: Ask;
  onEvent?: (e: Mark, at: DOMRect) => void;
  onAnnotate?: (time: number, until?: number) => void;
  onFilter?: ChartViewProps["onFilter"];
  /** The sections that it can be moved to, by their numbers. */
  sections?: { number: number; name: string }[];
  onSection?: (section: number) => void;
  /** Whether it is one of several that something is done with. */
  selected?: boolean;
  onSelect?: (on: boolean) => void;
};

/** A chart in its frame: title to drag, tools on hover and focus. */
export function ChartCard(props: CardProps) {
  const { space, chart, dynamic, events, handle, actions, large, ask, onSelect } = props;
  const card = useRef<HTMLElement>(null);
  const near = useOnScreen(card);
  const navigate = useNavigate();
  const open = () =>
    void navigate({
      to: "/spaces/$id/charts/$chart",
      params: { id: String(space), chart: String(chart.id) },
      search: (old: object) => old,
    } as never);
  const unit = unitOf(chart);
  const kind = kindOf(chart);
  return (
    <article
      ref={card}
      className={classes.card}
      data-type={kind}
      data-chart={chart.id}
      aria-label={chart.name || "Chart"}
    >
      <header
        className={classes.head}
        data-grab={handle !== undefined}
        {...(handle && {
          onPointerDown: (e: PointerEvent) => {
            if (!(e.target as Element).closest("button, input")) handle.onPointerDown(e);
          },
        })}
      >
        {onSelect && (
          <input
            type="checkbox"
            aria-label={`Select ${chart.name || "Untitled"}`}
            checked={props.selected ?? false}
            onChange={(e) => onSelect(e.currentTarget.checked)}
          />
        )}
        <div
          className={classes.title}
          data-grab={handle !== undefined}
          {...(handle && {
            onKeyDown: handle.onKeyDown,
            role: "button",
            tabIndex: 0,
            "aria-label": `${chart.name || "Untitled"}, press Enter to move`,
            "aria-roledescription": "movable chart",
          })}
        >
          <h2 className="cut">{chart.name || "Untitled"}</h2>
        </div>
        {unit && kind !== "bignumber" && kind !== "gauge" && <span className={`${classes.unit} cut`}>{unit}</span>}
        <NotCompared kind={kind} className={classes.unit} />
        {actions && <CardTools {...props} actions={actions} card={card} />}
      </header>
      <div className={classes.body}>
        <SpaceChart
          chart={chart}
          dynamic={dynamic}
          events={events}
          enabled={near}
          {...(large && { large })}
          {...(ask && { ask })}
          {...(actions && { onOpen: open })}
          {...(props.onEvent && { onEvent: props.onEvent })}
          {...(props.onAnnotate && { onAnnotate: props.onAnnotate })}
          {...(props.onFilter && { onFilter: props.onFilter })}
        />
      </div>
    </article>
  );
}
