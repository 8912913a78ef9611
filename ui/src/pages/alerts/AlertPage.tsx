import { useQuery } from "@tanstack/react-query";
import { useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { alerts } from "../../api/alerts";
import type { AlertDetail } from "../../api/ui.gen";
import { EmptyState } from "../../components/EmptyState";
import { Labels } from "../../components/Labels";
import { Page } from "../../components/Page";
import { ErrorCard } from "../../components/problems";
import { Severity } from "../../components/Severity";
import { SkeletonRows } from "../../components/Skeleton";
import { useShortcuts } from "../../shell/shortcuts";
import { usePhone } from "../../shell/usePhone";
import { useSession } from "../../shell/useSession";
import { TimeProvider } from "../../time/TimeContext";
import classes from "./Alert.module.css";
import { AlertChart } from "./AlertChart";
import { AlertDescription } from "./AlertDescription";
import { AlertTools } from "./AlertTools";
import { Changes } from "./Changes";
import { Deliveries } from "./Deliveries";
import { EscalationPanel } from "./EscalationPanel";
import incident from "./Incident.module.css";
import { Incidents } from "./Incidents";
import { StateBand } from "./StateBand";
import { Timeline } from "./Timeline";
import { useAlertSeries } from "./useAlertSeries";
import { Violating } from "./Violating";

/** One alert: its state and why, what it looks at, what happened, who was notified. */
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
      {...(data && { heading: <Heading alert={data} /> })}
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

/** The incident that the address names, the open one, or the last. */
function useShownIncident(a: AlertDetail): number | undefined {
  const { incident } = useSearch({ from: "/shell/alerts/$id" });
  const { data: past } = useQuery(alerts.incidents(a.id));
  return Number(incident) || a.incident_id || past?.[0]?.id;
}

function Parts({ alert: a }: { alert: AlertDetail }) {
  const series = useAlertSeries(a);
  const phone = usePhone();
  const shown = useShownIncident(a);
  const notified = [...a.services, ...a.escalation.flatMap((s) => s.services)];
  const chart = series.condition ? (
    <AlertChart alert={a} series={series} condition={series.condition} />
  ) : (
    <EmptyState title="This alert has no conditions: it never fires." />
  );
  const timeline = shown && <Timeline key={shown} alert={a} incident={shown} />;
  const escalation = <EscalationPanel alert={a} />;
  const violating = <Violating alert={a} lines={series.lines} unit={series.unit} shown={shown} />;
  const incidents = <Incidents alert={a} unit={series.unit} shown={shown} />;
  const rest = (
    <>
      <AlertDescription alert={a} />
      {phone && incidents}
      <Deliveries id={a.id} services={notified} maxTries={a.max_tries} />
      <Changes id={a.id} name={a.name} />
    </>
  );
  return (
    <>
      <StateBand alert={a} streams={series.lines.length} />
      {phone ? (
        <div className={classes.stack}>
          {chart}
          {timeline}
          {escalation}
          {violating}
          {rest}
        </div>
      ) : (
        <div className={classes.detail}>
          <div className={classes.stack}>
            {escalation}
            {chart}
            {violating}
            {incidents}
          </div>
          <div className={classes.stack}>
            {timeline}
            {rest}
          </div>
        </div>
      )}
    </>
  );
}

/** The name, and what people gave it. On a phone there is room for the name alone. */
function Heading({ alert: a }: { alert: AlertDetail }) {
  const phone = usePhone();
  return (
    <div className={incident.title}>
      <h1 className="cut" title={a.name}>
        {a.name}
      </h1>
      {!phone && (
        <>
          <Severity severity={a.severity} firing={a.state === "firing"} pill />
          <Labels labels={a.labels} most={4} />
        </>
      )}
    </div>
  );
}
