import { useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { lazy, Suspense, useState } from "react";
import { alerts } from "../../api/alerts";
import { useChange } from "../../api/resource";
import type { Delivery } from "../../api/types.gen";
import { Button } from "../../components/Button";
import { Panel } from "../../components/Panel";
import { Skeleton } from "../../components/Skeleton";
import { deliveryKind, deliveryState } from "../../lib/alertWords";
import { clockSeconds, moment, whole } from "../../lib/format";
import { ServiceIcon } from "../../services/ServiceIcon";
import { useSession } from "../../shell/useSession";
import { toast } from "../../toasts/toast";
import alert from "./Alert.module.css";
import classes from "./Deliveries.module.css";
import parts from "./pillsAndLinks.module.css";

const DeliveryDrawer = lazy(() => import("./DeliveryDrawer"));
const few = 4;

type Service = { id: number; type: string; title: string };
type Props = { id: number; services: Service[]; maxTries: number };

/** Who was notified of what, when, and what they answered. A row opens the message itself. */
export function Deliveries({ id, services, maxTries }: Props) {
  const { data } = useQuery(alerts.deliveries(id));
  const { delivery } = useSearch({ from: "/shell/alerts/$id" });
  const navigate = useNavigate();
  const [all, setAll] = useState(false);
  const open = (which: string | undefined) =>
    void navigate({ to: ".", search: (old: object) => ({ ...old, delivery: which }) } as never);
  if (!data) return <Skeleton height={120} radius={10} />;
  const service = ({ service_id: id, service_title: title }: Delivery): Service =>
    services.find((s) => s.id === id) ?? { id, type: "", title: title || "A service that is gone" };
  return (
    <Panel className={alert.box ?? ""}>
      <header>
        <h2>Deliveries</h2>
        {data.query.found > few && !all && (
          <button type="button" className={parts.link} onClick={() => setAll(true)}>
            {`All ${whole(data.query.found)}`}
          </button>
        )}
      </header>
      {data.deliveries.length === 0 && <p className="t2">Nothing was sent yet.</p>}
      {data.deliveries.slice(0, all ? data.deliveries.length : few).map((d) => (
        <Row key={d.id} delivery={d} service={service(d)} maxTries={maxTries} open={() => open(String(d.id))} />
      ))}
      <Suspense fallback={null}>
        {delivery && (
          <DeliveryDrawer
            id={Number(delivery)}
            title={(of) => service(of).title}
            maxTries={maxTries}
            close={() => open(undefined)}
          />
        )}
      </Suspense>
    </Panel>
  );
}

type RowProps = { delivery: Delivery; service: Service; maxTries: number; open: () => void };

function Row({ delivery: d, service, maxTries, open }: RowProps) {
  const state = deliveryState(d, maxTries);
  const said = moment(d.created_at);
  const when = said.startsWith("Today ") ? clockSeconds(d.created_at) : said;
  return (
    <div className={classes.delivery}>
      <ServiceIcon type={service.type} size={16} />
      <button type="button" className={parts.opens} onClick={open}>
        <span className="cut">
          <b>{service.title}</b> <span className="t3">{`${deliveryKind(d.kind)} ${when}`}</span>
        </span>
        <span className="t2 cut" data-tip={state.answer !== state.brief ? state.answer : undefined}>
          {state.brief}
        </span>
      </button>
      <div className={classes.outcome}>
        <span className={parts[state.tone]}>{state.word}</span>
        {(d.status === "waiting" || d.status === "failed") && <RetryNow id={d.id} />}
      </div>
    </div>
  );
}

/** Tries a delivery again at once. */
export function RetryNow({ id }: { id: number }) {
  const { canEdit } = useSession();
  const retry = useChange(["alerts"], alerts.retry, () => toast("Trying again now."));
  if (!canEdit) return null;
  return (
    <Button
      variant="subtle"
      size="xs"
      loading={retry.isPending}
      onClick={() => retry.mutate(id, { onError: (err) => toast(err.message, { tone: "error" }) })}
    >
      Retry now
    </Button>
  );
}
