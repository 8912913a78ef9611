import { useQuery } from "@tanstack/react-query";
import { alertList, alerts } from "../api/alerts";
import { useChange } from "../api/resource";
import { services } from "../api/services";
import type { Delivery } from "../api/types.gen";
import { Button } from "../components/Button";
import { Skeleton } from "../components/Skeleton";
import classes from "../components/settingsPages.module.css";
import table from "../components/table.module.css";
import { deliveryKind, deliveryState } from "../lib/alertWords";
import { clockSeconds, moment, took } from "../lib/format";
import { useSession } from "../shell/useSession";
import { toast } from "../toasts/toast";
import own from "./Services.module.css";

/** What was sent to a service, newest first, with each answer in its own words. */
export function ServiceLog({ id }: { id: number }) {
  const { data } = useQuery({ ...services.deliveries(id), refetchInterval: 10_000 });
  const { data: list } = useQuery(alertList());
  const nameOf = ({ alert_id: alert, notice }: Delivery) =>
    notice.report ? notice.name : (list?.alerts.find((a) => a.id === alert)?.name ?? (alert ? `alert ${alert}` : ""));
  return (
    <>
      <div className={classes.section}>
        <h3>Deliveries</h3>
        {data && data.length > 0 && <span className="t3">the last {data.length}</span>}
      </div>
      {!data && <Skeleton height={96} />}
      {data?.length === 0 && <p className="t2">Nothing was sent yet.</p>}
      {data && data.length > 0 && (
        <div className={`${table.panel} ${classes.list}`}>
          {data.map((d) => (
            <Entry key={d.id} delivery={d} about={nameOf(d)} />
          ))}
        </div>
      )}
    </>
  );
}

function Entry({ delivery: d, about }: { delivery: Delivery; about: string }) {
  const { canEdit } = useSession();
  const retry = useChange(["services"], alerts.retry, () => toast("Trying again now."));
  const state = deliveryState(d);
  const open = d.status === "waiting" || d.status === "failed";
  return (
    <details className={own.delivery}>
      <summary>
        <span className={own.what}>
          <b>{deliveryKind(d.kind)}</b> {about}
          <small>{[moment(d.created_at), state.answer].filter(Boolean).join(" · ")}</small>
        </span>
        <span className={own[state.tone]}>{state.word}</span>
      </summary>
      <ol className={own.tries}>
        {(d.attempts ?? []).map((a, i) => (
          <li key={i}>
            <span className="num">{clockSeconds(a.at)}</span> {a.answer}{" "}
            <span className="t3">{took(a.duration_ms)}</span>
          </li>
        ))}
        {!d.attempts?.length && <li className="t3">Not tried yet.</li>}
      </ol>
      {canEdit && open && (
        <div className={own.again}>
          <Button variant="default" size="xs" loading={retry.isPending} onClick={() => retry.mutate(d.id)}>
            Retry now
          </Button>
        </div>
      )}
    </details>
  );
}
