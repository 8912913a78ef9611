import { useQuery } from "@tanstack/react-query";
import { useNavigate, useParams } from "@tanstack/react-router";
import { alerts } from "../../api/alerts";
import type { AlertDetail } from "../../api/ui.gen";
import { EmptyState } from "../../components/EmptyState";
import { Page } from "../../components/Page";
import { ErrorCard } from "../../components/problems";
import { SkeletonRows } from "../../components/Skeleton";
import { useShortcuts } from "../../shell/shortcuts";
import { useSession } from "../../shell/useSession";
import { TimeProvider } from "../../time/TimeContext";
import classes from "./Alert.module.css";
import { AlertChart } from "./AlertChart";
import { AlertDescription } from "./AlertDescription";
import { AlertTools } from "./AlertTools";
import { Deliveries } from "./Deliveries";
import { Incidents } from "./Incidents";
import { StateBand } from "./StateBand";
import { useAlertSeries } from "./useAlertSeries";
import { Violating } from "./Violating";

/** One alert: its state and why, what it looks at, what happened, who was told. */
export function AlertPage() {
  const { id } = useParams({ from: "/shell/alerts/$id" });
  const { data, error, refetch } = useQuery(alerts.detail(Number(id)));
  const { canEdit } = useSession();
  const navigate = useNavigate();
  const edit = () => void navigate({ to: "/alerts/$id/edit", params: { id } });
  useShortcuts(canEdit ? [{ keys: "e", label: "Edit alert", run: edit }] : []);
  return (
    <Page
      title={data?.name ?? "Alert"}
      parent={{ to: "/alerts", label: "Alerts" }}
      crumb
      viewOnly={!canEdit}
      tools={data && canEdit && <AlertTools alert={data} edit={edit} />}
    >
      {error && !data && <ErrorCard error={error} retry={refetch} what="this alert" />}
      {!data && !error && <SkeletonRows rows={4} />}
      {data && (
        <TimeProvider>
          <Parts alert={data} />
        </TimeProvider>
      )}
    </Page>
  );
}

function Parts({ alert: a }: { alert: AlertDetail }) {
  const series = useAlertSeries(a);
  return (
    <>
      <StateBand alert={a} streams={series.lines.length} />
      <div className={classes.detail}>
        <div className={classes.stack}>
          {series.condition ? (
            <AlertChart alert={a} series={series} condition={series.condition} />
          ) : (
            <EmptyState title="This alert has no conditions: it never fires." />
          )}
          <Violating alert={a} lines={series.lines} unit={series.unit} />
          <AlertDescription alert={a} />
        </div>
        <div className={classes.stack}>
          <Incidents alert={a} unit={series.unit} />
          <Deliveries id={a.id} services={a.services} maxTries={a.max_tries} />
        </div>
      </div>
    </>
  );
}
