import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { alerts } from "../../api/alerts";
import { useChange } from "../../api/resource";
import { Panel, Skeleton } from "../../components/parts";
import { deliveryKind, deliveryState, ending, lasted } from "../../lib/alertWords";
import { clockSeconds, day, moment, value } from "../../lib/format";
import { note } from "../../notes/notes";
import { useSession } from "../../shell/useSession";
import classes from "./Alerts.module.css";
import { Strip } from "./parts";

const week = 7 * 86_400;

export function Incidents({ id, unit }: { id: number; unit: string }) {
  const { data } = useQuery(alerts.incidents(id));
  if (!data) return <Skeleton height={180} />;
  const now = Date.now() / 1000;
  const recent = data.filter((i) => (i.cleared_at ?? now) > now - week);
  return (
    <Panel className={classes.box ?? ""}>
      <header>
        <h2>Incidents</h2>
        <span className="t2">{`${recent.length} in 7 days`}</span>
      </header>
      <Strip strip={recent.map((i) => [i.triggered_at, i.cleared_at ?? now])} off={false} seconds={week} />
      <div className="t3" style={{ display: "flex", justifyContent: "space-between", fontSize: 11 }}>
        <span>{day(now - week)}</span>
        <span>now</span>
      </div>
      {data.length === 0 && <p className="t2">It has not fired yet.</p>}
      <ul className={classes.line}>
        {data.slice(0, 8).map((i) => (
          <li key={i.id} data-open={i.cleared_at === null}>
            <b>{moment(i.triggered_at)}</b>{" "}
            <span className={i.cleared_at === null ? classes.red : "t2"}>{lasted(i.triggered_at, i.cleared_at)}</span>{" "}
            <span className={i.cleared_at === null ? classes.red : "t3"}>{ending(i)}</span>
            <div className="t2">
              {i.peak !== null && (
                <>
                  peak <b>{value(i.peak, unit)}</b> ·{" "}
                </>
              )}
              <span className="mono">{i.violations[0]?.stream}</span>
              {i.violations.length > 1 && ` + ${i.violations.length - 1}`}
            </div>
          </li>
        ))}
      </ul>
    </Panel>
  );
}

export function Deliveries({
  id,
  services,
  maxTries,
}: {
  id: number;
  services: { id: number; title: string }[];
  maxTries: number;
}) {
  const { data } = useQuery(alerts.deliveries(id));
  const { canEdit } = useSession();
  const retry = useChange(["alerts"], alerts.retry);
  if (!data) return <Skeleton height={120} />;
  const title = (service: number) => services.find((s) => s.id === service)?.title ?? `Service ${service}`;
  return (
    <Panel className={classes.box ?? ""}>
      <header>
        <h2>Deliveries</h2>
        <span className="t2">{data.query.found > 0 && `${data.query.found} in all`}</span>
      </header>
      {data.deliveries.length === 0 && <p className="t2">Nothing was sent yet.</p>}
      {data.deliveries.slice(0, 10).map((d) => {
        const state = deliveryState(d, maxTries);
        return (
          <div key={d.id} className={classes.delivery}>
            <div style={{ minWidth: 0 }}>
              <b>{title(d.service_id)}</b>{" "}
              <span className="t2">{`${deliveryKind(d.kind)} ${clockSeconds(d.created_at)}`}</span>
              <div className="t2 cut">{state.answer}</div>
            </div>
            <div style={{ textAlign: "right" }}>
              <span className={classes[state.tone]}>{state.word}</span>
              {canEdit && d.status !== "delivered" && d.status !== "cancelled" && (
                <div>
                  <Button
                    variant="subtle"
                    size="xs"
                    onClick={() => retry.mutate(d.id, { onSuccess: () => note("Trying again now.") })}
                  >
                    Retry now
                  </Button>
                </div>
              )}
            </div>
          </div>
        );
      })}
    </Panel>
  );
}
