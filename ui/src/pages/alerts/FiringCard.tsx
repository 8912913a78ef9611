import { IconBellRinging } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { alerts, conditionStream } from "../../api/alerts";
import { query, streamQueries } from "../../api/query";
import type { AlertSummary, Condition } from "../../api/types";
import { palette } from "../../chart/palette";
import { Sparkline } from "../../chart/Sparkline";
import { useScheme } from "../../chart/useScheme";
import { Panel, Tag } from "../../components/parts";
import { duration, value } from "../../lib/format";
import { useSession } from "../../shell/useSession";
import classes from "./Alerts.module.css";
import { ResolveButton, SnoozeMenu } from "./parts";

/** An alert that fires: since when, why, the worst stream, and what to do at once. */
export function FiringCard({ alert: a }: { alert: AlertSummary }) {
  const { canEdit } = useSession();
  const { data } = useQuery(alerts.detail(a.id));
  const others = (data?.violating.length ?? 1) - 1;
  const condition = data?.alert.conditions[0];
  return (
    <Panel className={classes.card ?? ""}>
      <div>
        <span className={classes.pill}>
          <IconBellRinging size={14} stroke={1.6} aria-hidden />
          {`Firing for ${duration(Math.max(60, Date.now() / 1000 - a.since))}`}
        </span>
      </div>
      <div className={classes.buttons}>
        {canEdit && <SnoozeMenu id={a.id} name={a.name} />}
        {canEdit && <ResolveButton id={a.id} name={a.name} violating={(data?.violating.length ?? 0) > 0} />}
      </div>
      <div style={{ minWidth: 0 }}>
        <Link to="/alerts/$id" params={{ id: String(a.id) }} className={classes.name ?? ""}>
          {a.name}
        </Link>
        <div className="t2">{a.sentence}</div>
        {a.worst && (
          <div>
            <Tag>{a.worst.stream || "the only stream"}</Tag>{" "}
            <b className={classes.red}>{value(a.worst.value, a.worst.unit)}</b>
            {others > 0 && <span className="t2">{` and ${others} more`}</span>}
          </div>
        )}
      </div>
      {condition && <Recent condition={condition} />}
    </Panel>
  );
}

/** The last three hours of what the alert looks at, with its threshold. */
function Recent({ condition: c }: { condition: Condition }) {
  const { data } = useQuery({
    queryKey: ["alerts", "recent", c.metric_name, c.tags],
    queryFn: ({ signal }) => {
      const end = Math.ceil(Date.now() / 60_000) * 60;
      const stream = { ...conditionStream(c, ""), group_function: c.type === "below" ? "min" : "max" };
      return query(
        { start: end - 3 * 3600, end, resolution: 60, queries: streamQueries([stream]), dynamic: [] },
        signal,
      );
    },
    refetchInterval: 30_000,
  });
  const scheme = useScheme();
  const values = data?.results[0]?.series[0]?.values ?? [];
  if (values.length < 2) return null;
  return (
    <Sparkline
      values={values}
      color={palette[0]?.[scheme] ?? ""}
      height={52}
      width={180}
      fill
      {...(c.threshold != null && { threshold: c.threshold })}
    />
  );
}
