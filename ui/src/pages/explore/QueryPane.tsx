import { IconDots, IconEye } from "@tabler/icons-react";
import { ChartView } from "../../chart/ChartView";
import { AddToSpace } from "../../components/AddToSpace";
import { IconButton } from "../../components/controls";
import { Menu, type MenuItem } from "../../components/Menu";
import { Panel } from "../../components/Panel";
import type { Annotated } from "../../dialogs/useAnnotate";
import { letters } from "../../lib/explore";
import { useAlertOn } from "../../lib/useAlertOn";
import { useSession } from "../../shell/useSession";
import { TimeProvider, useTime } from "../../time/TimeContext";
import { TimePicker } from "../../time/TimePicker";
import classes from "./Explore.module.css";
import { QueryForm } from "./QueryForm";
import { useExploreQuery } from "./useExploreQuery";
import type { Marking } from "./useMarking";
import type { Queries } from "./useQueries";

type Props = { at: number; all: Queries; marking: Marking; onAnnotate?: Annotated };

/** One query beside others. It shares their time unless it has one of its own. */
export function QueryPane(props: Props) {
  const own = props.at > 0 && props.all.queries[props.at]?.from !== undefined;
  if (!own) return <Pane {...props} own={false} />;
  return (
    <TimeProvider prefix={`${letters[props.at]}.`}>
      <Pane {...props} own />
    </TimeProvider>
  );
}

function Pane({ at, all, marking, own, onAnnotate }: Props & { own: boolean }) {
  const time = useTime();
  const { canEdit } = useSession();
  const letter = (letters[at] ?? "").toUpperCase();
  const search = all.queries[at] ?? {};
  const hidden = search.hidden !== undefined;
  const q = useExploreQuery(search, (patch, replace) => all.change(at, patch, replace));
  const { series, error } = q;
  return (
    <section className={classes.pane} aria-label={`Query ${letter}`}>
      <Panel className={classes.panePanel ?? ""}>
        <header className={classes.paneHead}>
          <b className={classes.letter}>{letter}</b>
          {own && <TimePicker keys={false} compare={false} />}
          <div className={classes.paneTools}>
            {canEdit && q.stream && <AddToSpace chart={q.chart} disabled={Boolean(error)} />}
            {hidden && (
              <IconButton label={`Show query ${letter}`} onClick={() => all.change(at, { hidden: undefined })}>
                <IconEye size={16} stroke={1.6} />
              </IconButton>
            )}
            <PaneMenu at={at} all={all} own={own} hidden={hidden} letter={letter} marking={marking} />
          </div>
        </header>
        <QueryForm {...q.asking} />
        {!hidden && q.stream && (
          <div className={classes.paneChart} data-faded={series.isPlaceholderData || undefined}>
            {error ? (
              <p className={classes.none}>The expression has an error.</p>
            ) : (
              <ChartView
                chart={q.chart}
                loaded={series.data}
                past={q.earlier}
                incomplete={time.canBeLive}
                rangeLabel={time.label}
                error={series.data ? undefined : series.error}
                retry={() => void series.refetch()}
                wait={series.wait}
                syncKey="explore"
                onZoom={time.zoom}
                onPan={time.pan}
                onZoomOut={time.out}
                onBrush={marking.mark}
                brush={marking.brush}
                {...(onAnnotate && { onAnnotate })}
              />
            )}
          </div>
        )}
      </Panel>
    </section>
  );
}

type MenuProps = Pick<Props, "at" | "all" | "marking"> & { own: boolean; hidden: boolean; letter: string };

/** What can be done with one of several queries. */
function PaneMenu({ at, all, own, hidden, letter, marking }: MenuProps) {
  const time = useTime();
  const alertOn = useAlertOn();
  const { canEdit } = useSession();
  const search = all.queries[at] ?? {};
  const full = !all.hasRoom && `There are ${letters.length} queries at most.`;
  const ownTime: MenuItem[] =
    at === 0
      ? []
      : [
          own
            ? { label: "Share the time of the page", run: () => all.change(at, { from: undefined, to: undefined }) }
            : {
                label: "A time of its own",
                run: () => all.change(at, { from: time.range.from, to: time.range.to || undefined }),
              },
        ];
  const items: MenuItem[] = [
    { label: "What changed", run: marking.markLately },
    { label: "Duplicate", disabled: full, run: () => all.duplicate(at) },
    { label: hidden ? "Show" : "Hide", run: () => all.change(at, { hidden: hidden ? undefined : "1" }) },
    ...ownTime,
    { label: "Only this query", run: () => all.only(at) },
    ...(canEdit
      ? [
          {
            label: "Alert on this",
            disabled: !search.metric && "Save the composite as a metric first.",
            run: () => alertOn(search),
          } as MenuItem,
        ]
      : []),
    "line",
    { label: "Remove", danger: true, run: () => all.remove(at) },
  ];
  return (
    <Menu
      label={`More for query ${letter}`}
      items={items}
      target={(p) => (
        <IconButton label={`More for query ${letter}`} {...p}>
          <IconDots size={17} stroke={1.6} />
        </IconButton>
      )}
    />
  );
}
