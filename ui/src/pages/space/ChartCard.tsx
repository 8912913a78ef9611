import { IconArrowsMaximize, IconDots, IconFilterOff, IconPencil } from "@tabler/icons-react";
import { useNavigate } from "@tanstack/react-router";
import { type KeyboardEvent, type PointerEvent, useRef } from "react";
import type { Dynamic } from "../../api/query";
import type { Ask } from "../../api/series";
import type { Chart, Stream } from "../../api/types";
import { type ChartViewProps, unitOf } from "../../chart/ChartView";
import { hasSeries, kindOf } from "../../chart/kind";
import type { Mark } from "../../chart/Marks";
import { IconButton } from "../../components/controls";
import { Menu, type MenuItem } from "../../components/Menu";
import { type Filter, followTag, isDeaf } from "../../lib/filters";
import { searchOf } from "../../lib/question";
import classes from "./Space.module.css";
import { SpaceChart } from "./SpaceChart";
import type { CardActions } from "./useCardActions";
import { useOnScreen } from "./useOnScreen";

type Props = {
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
};

const icon = { size: 15, stroke: 1.6 };

/** A chart in its frame: title to drag, tools on hover and focus. */
export function ChartCard(props: Props) {
  const { space, chart, dynamic, filters, events, canEdit, handle, actions, large, ask } = props;
  const card = useRef<HTMLElement>(null);
  const near = useOnScreen(card);
  const navigate = useNavigate();
  const params = { id: String(space), chart: String(chart.id) };
  const search = (old: object) => old;
  const go = (to: "/spaces/$id/charts/$chart" | "/spaces/$id/charts/$chart/edit", more: object = {}) =>
    void navigate({ to, params, search: (old: object) => ({ ...search(old), ...more }) } as never);
  const deaf = filters.filter((f) => isDeaf(chart, f.name));
  const unit = unitOf(chart);
  const kind = kindOf(chart);
  return (
    <article ref={card} className={classes.card} data-type={kind} aria-label={chart.name || "Chart"}>
      <header
        className={classes.head}
        data-grab={handle !== undefined}
        {...(handle && {
          onPointerDown: (e: PointerEvent) => {
            if (!(e.target as Element).closest("button")) handle.onPointerDown(e);
          },
        })}
      >
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
        {actions && (
          <div className={classes.tools}>
            <IconButton label="Full screen" onClick={() => go("/spaces/$id/charts/$chart")}>
              <IconArrowsMaximize {...icon} />
            </IconButton>
            {canEdit && (
              <IconButton label="Edit" onClick={() => go("/spaces/$id/charts/$chart/edit")}>
                <IconPencil {...icon} />
              </IconButton>
            )}
            <Menu
              label={`More for ${chart.name}`}
              items={items({
                chart,
                canEdit,
                actions,
                card: () => card.current,
                annotate: props.onAnnotate,
                table: () => go("/spaces/$id/charts/$chart", { view: "table" }),
                filters,
                navigate,
              })}
              target={(p) => (
                <IconButton label="More" {...p}>
                  <IconDots {...icon} />
                </IconButton>
              )}
            />
          </div>
        )}
        {deaf.length > 0 && actions && canEdit && (
          <IconButton
            className={classes.struck ?? ""}
            label={`This chart has no dynamic tag ${deaf.map((f) => f.name).join(", ")}. Make it follow`}
            onClick={() => actions.save(chart, { streams: deaf.reduce((s, f) => followTag(s, f.name), chart.streams) })}
          >
            <IconFilterOff {...icon} />
          </IconButton>
        )}
      </header>
      <div className={classes.body}>
        <SpaceChart
          chart={chart}
          dynamic={dynamic}
          events={events}
          enabled={near}
          {...(large && { large })}
          {...(ask && { ask })}
          {...(actions && { onOpen: () => go("/spaces/$id/charts/$chart") })}
          {...(props.onEvent && { onEvent: props.onEvent })}
          {...(props.onAnnotate && { onAnnotate: props.onAnnotate })}
          {...(props.onFilter && { onFilter: props.onFilter })}
        />
      </div>
    </article>
  );
}

type Range = { from?: string; to?: string };
type ItemProps = {
  chart: Chart;
  canEdit: boolean;
  actions: CardActions;
  card: () => HTMLElement | null;
  annotate: Props["onAnnotate"];
  table: () => void;
  filters: Filter[];
  navigate: ReturnType<typeof useNavigate>;
};

/** One entry for each stream that something can be done with; the only one needs no name. */
const each = (
  streams: Stream[],
  verb: string,
  alone: string,
  item: (s: Stream) => Partial<Exclude<MenuItem, "line">>,
) =>
  streams.map((s) => ({
    label: streams.length === 1 ? alone : `${verb} ${s.name || s.metric || "the composite"}`,
    run: () => undefined,
    ...item(s),
  }));

const listed = 6;

function items({ chart, canEdit, actions, card, annotate, table, filters, navigate }: ItemProps): MenuItem[] {
  const streams = chart.streams.filter((s) => s.type !== "annotation" && !s.hidden).slice(0, listed);
  const go = (to: "/explore" | "/alerts/new", s: Stream) =>
    void navigate({ to, search: ({ from, to }: Range) => ({ from, to, ...searchOf(s, filters) }) } as never);
  const kind = kindOf(chart);
  const drawn: MenuItem[] = [
    {
      label: "Copy PNG",
      disabled: !["line", "stacked", "bar"].includes(kind) && "Only lines and bars have a picture.",
      run: () => {
        const el = card();
        if (el) actions.png(chart, el);
      },
    },
    { label: "CSV", run: () => actions.csv(chart) },
  ];
  const look: MenuItem[] = [
    ...(hasSeries(kind) ? [{ label: "View as table", run: table }] : []),
    { label: "History", run: () => actions.history(chart) },
    ...each(streams, "Explore", "Explore", (s) => ({ run: () => go("/explore", s) })),
    ...(hasSeries(kind) ? drawn : []),
    { label: "JSON", run: () => actions.json(chart) },
  ];
  if (!canEdit) return look;
  return [
    { label: "Duplicate", run: () => actions.duplicate(chart) },
    { label: "Move to space…", run: () => actions.move(chart) },
    ...each(streams, "Alert on", "Alert on this", (s) => ({
      disabled: !s.metric && "Save the composite as a metric first.",
      run: () => go("/alerts/new", s),
    })),
    ...(annotate
      ? [{ label: "Note what happened…", hint: "Alt click", run: () => annotate(Math.round(Date.now() / 1000)) }]
      : []),
    "line",
    ...look,
    "line",
    { label: "Delete", danger: true, run: () => actions.remove(chart) },
  ];
}
