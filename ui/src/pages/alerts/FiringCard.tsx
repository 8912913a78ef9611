import { IconChevronRight } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { alerts, conditionStream } from "../../api/alerts";
import { query, streamQueries } from "../../api/query";
import type { Condition } from "../../api/types";
import type { AlertDetail, AlertSummary, ViolatingStream } from "../../api/ui.gen";
import { align, type Cell } from "../../chart/data";
import { palette } from "../../chart/palette";
import { Sparkline } from "../../chart/Sparkline";
import { useScheme } from "../../chart/useScheme";
import { Tag } from "../../components/controls";
import { Panel } from "../../components/Panel";
import { Severity } from "../../components/Severity";
import table from "../../components/table.module.css";
import { shortMoment } from "../../lib/alertWords";
import { count, value } from "../../lib/format";
import { inWords } from "../../lib/sentence";
import { usePhone } from "../../shell/usePhone";
import { useSession } from "../../shell/useSession";
import { AcknowledgeButton } from "./Acknowledge";
import classes from "./Alerts.module.css";
import { RowMenu, SelectBox } from "./AlertTable";
import { FiringPill } from "./Pills";
import parts from "./pillsAndLinks.module.css";
import { ResolveButton } from "./Resolve";
import { SnoozeMenu } from "./Snooze";
import swipe from "./Swipe.module.css";
import { actionWidth, SwipeActions } from "./SwipeActions";
import { useQuickActions } from "./useQuickActions";
import type { Selection } from "./useSelection";
import { useSwipe } from "./useSwipe";

type CardProps = { alert: AlertSummary; selection: Selection | undefined };

/** An alert that fires: since when, why, the worst stream, and what to do at once. */
export function FiringCard({ alert: a, selection }: CardProps) {
  const { canEdit } = useSession();
  const phone = usePhone();
  const { data } = useQuery(alerts.detail(a.id));
  const condition = data?.alert.conditions[0];
  const quick = useQuickActions(a);
  const swiped = useSwipe<HTMLDivElement>(phone && canEdit ? quick.length * actionWidth : 0);
  return (
    <Panel
      ref={swiped.place}
      className={`${classes.card} ${phone ? swipe.swipes : ""}`}
      {...swiped.props}
      data-alert={a.id}
    >
      <div className={classes.cardHead}>
        {selection && <SelectBox alert={a} selection={selection} />}
        <FiringPill since={a.since} taken={Boolean(a.acknowledged_at)} />
        <Severity severity={a.severity} firing pill />
        {phone &&
          (canEdit ? (
            <div className={classes.buttons}>
              <RowMenu alert={a} />
            </div>
          ) : (
            <IconChevronRight size={18} stroke={1.6} className={classes.chevron} aria-hidden />
          ))}
        {!phone && canEdit && (
          <div className={classes.buttons}>
            {!a.acknowledged_at && <AcknowledgeButton alert={a} size="xs" />}
            <SnoozeMenu alert={a} />
            <ResolveButton alert={a} violating={(data?.violating.length ?? 0) > 0} />
          </div>
        )}
      </div>
      <div className={classes.reason}>
        <Link
          to="/alerts/$id"
          params={{ id: String(a.id) }}
          className={`${table.name} ${classes.name} ${classes.whole}`}
          data-row
        >
          {a.name}
        </Link>
        <div className="t2 breaks">{inWords(a.words)}</div>
        {!phone && data && condition && <Worst alert={data} absent={condition.type === "absent"} />}
      </div>
      <div className={classes.recent}>
        {condition && (
          <Recent condition={condition} silent={condition.type === "absent" ? data?.violating[0] : undefined} />
        )}
      </div>
      {phone && <SwipeActions actions={quick} isOpen={swiped.isOpen} close={swiped.close} />}
    </Panel>
  );
}

/** "region=eu-central 328 ms and 2 more streams"; of silence, when it began. */
function Worst({ alert: a, absent }: { alert: AlertDetail; absent: boolean }) {
  const others = a.violating.length - 1;
  const first = a.violating[0];
  if (!a.worst || !first) return null;
  return (
    <div className={classes.worst}>
      <Tag>{a.worst.stream || "the only stream"}</Tag>
      {absent ? (
        <span className="t2">{`last seen ${shortMoment(first.recorded_at)}`}</span>
      ) : (
        <b className={`num ${parts.red}`}>{value(a.worst.value, a.worst.unit)}</b>
      )}
      {others > 0 && (
        <Link to="/alerts/$id" params={{ id: String(a.alert.id) }} className={parts.link}>
          {`and ${count(others, "more stream")}`}
        </Link>
      )}
    </div>
  );
}

const hours = 3 * 3600;
const step = 60;

/** The tags of "a=1,b=2". */
const tagsOf = (stream: string) =>
  stream.split(",").flatMap((pair) => {
    const [name, ...rest] = pair.split("=");
    return name && rest.length ? [{ name, values: [rest.join("=")] }] : [];
  });

/** The last three hours of what the alert looks at, with its threshold; a silent stream falls to nothing. */
function Recent({ condition: c, silent }: { condition: Condition; silent?: ViolatingStream | undefined }) {
  const { data } = useQuery({
    queryKey: ["alerts", "recent", c.metric_name, c.tags, silent?.stream],
    queryFn: async ({ signal }): Promise<Cell[]> => {
      const end = Math.ceil(Date.now() / 60_000) * 60;
      const stream = { ...conditionStream(c, ""), group_function: c.type === "below" ? "min" : "max" };
      if (silent) stream.tags = tagsOf(silent.stream);
      const { results } = await query(
        { start: end - hours, end, resolution: step, queries: streamQueries([stream]), dynamic: [] },
        signal,
      );
      const series = results[0]?.series[0] ?? { metric: "", tags: {}, times: [], values: [] };
      return align(series, { start: end - hours, end, step }, false).slice(0, -1);
    },
    refetchInterval: 30_000,
  });
  const scheme = useScheme();
  const values = silent ? (data ?? []).map((v) => v ?? 0) : (data ?? []);
  if (values.filter((v) => v != null).length < 2) return null;
  return (
    <Sparkline
      values={values}
      color={silent ? "var(--tm-t3)" : (palette[0]?.[scheme] ?? "")}
      height={52}
      fill
      zero={silent !== undefined}
      {...(c.threshold != null && !silent && { threshold: c.threshold })}
    />
  );
}
