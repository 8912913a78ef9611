import { useQuery } from "@tanstack/react-query";
import { alerts } from "../../api/alerts";
import type { DeliveryDetail } from "../../api/ui.gen";
import { CopyButton } from "../../components/CopyButton";
import { DrawerPage } from "../../components/overlays";
import { ErrorCard } from "../../components/problems";
import { Skeleton } from "../../components/Skeleton";
import { deliveryKind, deliveryState } from "../../lib/alertWords";
import { clockSeconds, exact, took, weekdayAndClock } from "../../lib/format";
import { RetryNow } from "./Deliveries";
import classes from "./Deliveries.module.css";
import parts from "./pillsAndLinks.module.css";

type Props = { id: number; title: (delivery: DeliveryDetail) => string; maxTries: number; close: () => void };

/** One delivery: every try with its answer, and what was sent. */
export default function DeliveryDrawer({ id, title, maxTries, close }: Props) {
  const { data, error, refetch } = useQuery(alerts.delivery(id));
  return (
    <DrawerPage
      opened
      onClose={close}
      above={data ? title(data) : "Delivery"}
      title={data ? `${deliveryKind(data.kind)} ${weekdayAndClock(data.created_at)}` : "Delivery"}
    >
      {error && <ErrorCard error={error} retry={refetch} what="this delivery" />}
      {!data && !error && <Skeleton height={240} />}
      {data && <Sent delivery={data} maxTries={maxTries} />}
    </DrawerPage>
  );
}

function Sent({ delivery: d, maxTries }: { delivery: DeliveryDetail; maxTries: number }) {
  const state = deliveryState(d, maxTries);
  const tries = d.attempts ?? [];
  const { message } = d;
  return (
    <>
      <div className={classes.sentHead}>
        <h3>The answer</h3>
        <span className={parts[state.tone]}>{state.word}</span>
      </div>
      {tries.length === 0 && <p className="t2">Not tried yet.</p>}
      <ol className={classes.tries}>
        {tries.map((t, i) => (
          <li key={i}>
            <span className="num t3" data-tip={exact(t.at)}>
              {clockSeconds(t.at)}
            </span>
            <span className={t.ok ? undefined : parts.red}>{t.answer}</span>
            <span className="num t3">{took(t.duration_ms)}</span>
          </li>
        ))}
      </ol>
      {d.status === "waiting" && tries.length > 0 && (
        <p className={classes.next}>
          <span className="t2">{state.answer.replace(/^.*?, (?=try )/, "")}</span>
          <RetryNow id={d.id} />
        </p>
      )}
      <div className={classes.sentHead}>
        <h3>{message.subject ? `Sent: ${message.subject}` : "Sent"}</h3>
        {message.body && <CopyButton text={message.body} label="Copy" />}
      </div>
      {message.problem ? (
        <p className="t2">{message.problem}</p>
      ) : (
        <>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so keys must reach it */}
          <pre className={classes.sent} tabIndex={0} role="region" aria-label="What was sent">
            {message.body}
          </pre>
          <p className="t3">{`${message.content_type}. Secrets are not shown.`}</p>
        </>
      )}
    </>
  );
}
