import { IconArrowsMaximize, IconDots, IconFilterOff, IconPencil } from "@tabler/icons-react";
import { useNavigate } from "@tanstack/react-router";
import type { RefObject } from "react";
import type { Chart, Stream } from "../../api/types";
import { hasSeries, kindOf } from "../../chart/kind";
import { IconButton } from "../../components/controls";
import { Menu, type MenuItem } from "../../components/Menu";
import { explorable, exploreOf, letters } from "../../lib/explore";
import { type Filter, followTag, isDeaf } from "../../lib/filters";
import { searchOf } from "../../lib/question";
import { follow, linksFrom } from "../../panels/links";
import { toast } from "../../toasts/toast";
import type { CardProps } from "./ChartCard";
import classes from "./Space.module.css";
import type { CardActions } from "./useCardActions";

const icon = { size: 15, stroke: 1.6 };
const none: never[] = [];

type Props = CardProps & { actions: CardActions; card: RefObject<HTMLElement | null> };

/** What can be done with a chart: seen on hover and focus. */
export default function CardTools(props: Props) {
  const { space, chart, filters, canEdit, actions, card } = props;
  const navigate = useNavigate();
  const params = { id: String(space), chart: String(chart.id) };
  const go = (to: "/spaces/$id/charts/$chart" | "/spaces/$id/charts/$chart/edit", more: object = {}) =>
    void navigate({ to, params, search: (old: object) => ({ ...old, ...more }) } as never);
  const deaf = filters.filter((f) => isDeaf(chart, f.name));
  return (
    <>
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
            sections: props.sections ?? none,
            onSection: props.onSection,
          })}
          target={(p) => (
            <IconButton label="More" {...p}>
              <IconDots {...icon} />
            </IconButton>
          )}
        />
      </div>
      {deaf.length > 0 && canEdit && (
        <IconButton
          className={classes.struck ?? ""}
          label={`This chart has no dynamic tag ${deaf.map((f) => f.name).join(", ")}. Make it follow`}
          onClick={() => actions.save(chart, { streams: deaf.reduce((s, f) => followTag(s, f.name), chart.streams) })}
        >
          <IconFilterOff {...icon} />
        </IconButton>
      )}
    </>
  );
}

type Range = { from?: string; to?: string; compare?: string };
type ItemProps = {
  chart: Chart;
  canEdit: boolean;
  actions: CardActions;
  card: () => HTMLElement | null;
  annotate: CardProps["onAnnotate"];
  table: () => void;
  filters: Filter[];
  navigate: ReturnType<typeof useNavigate>;
  sections: NonNullable<CardProps["sections"]>;
  onSection: CardProps["onSection"];
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

/** The tags that the filter of the page leaves one value of. */
const known = (filters: Filter[]) =>
  Object.fromEntries(filters.flatMap((f) => (f.values.length === 1 && !f.not ? [[f.name, f.values[0] ?? ""]] : [])));

function items(p: ItemProps): MenuItem[] {
  const { chart, canEdit, actions, card, annotate, table, filters, navigate, onSection } = p;
  const streams = chart.streams.filter((s) => s.type !== "annotation" && !s.hidden).slice(0, listed);
  const alertOn = (s: Stream) => void navigate({ to: "/alerts/new", search: searchOf(s, filters) } as never);
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
  const links = linksFrom(chart.attributes?.links ?? [], known(filters)).map(({ title, to }) => ({
    label: title,
    run: () => void follow(to),
  }));
  const look: MenuItem[] = [
    ...links,
    ...(chart.related_space
      ? [{ label: "Related space", run: () => void follow(`/spaces/${chart.related_space}`) }]
      : []),
    ...(hasSeries(kind) ? [{ label: "View as table", run: table }] : []),
    { label: "History", run: () => actions.history(chart) },
    ...(streams.length > 0
      ? [
          {
            label: "Open in Explore",
            run: () => {
              void navigate({
                to: "/explore",
                search: ({ from, to, compare }: Range) => ({ from, to, compare, ...exploreOf(chart.streams, filters) }),
              } as never);
              const all = explorable(chart.streams).length;
              if (all > letters.length) toast(`Explore shows the first ${letters.length} of ${all} streams.`);
            },
          },
        ]
      : []),
    ...(hasSeries(kind) ? drawn : []),
    { label: "JSON", run: () => actions.json(chart) },
  ];
  if (!canEdit) return look;
  return [
    { label: "Duplicate", run: () => actions.duplicate(chart) },
    { label: "Copy to space…", run: () => actions.copy(chart) },
    { label: "Move to space…", run: () => actions.move(chart) },
    ...(onSection
      ? p.sections.map(({ number, name }) => ({ label: `Move to “${name}”`, run: () => onSection(number) }))
      : []),
    ...each(streams, "Alert on", "Alert on this", (s) => ({
      disabled: !s.metric && "Save the composite as a metric first.",
      run: () => alertOn(s),
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
