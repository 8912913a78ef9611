import { useState } from "react";
import { operator } from "../../api/operator";
import { useChange } from "../../api/resource";
import type { LimitRequest } from "../../api/ui.gen";
import { Button } from "../../components/Button";
import { Field, Input } from "../../components/fields";
import { Modal } from "../../components/overlays";
import { Panel } from "../../components/Panel";
import { FormError, fieldError } from "../../components/problems";
import { RelativeTime } from "../../components/RelativeTime";
import settings from "../../components/settingsPages.module.css";
import { amount, numberProblem, readNumber } from "../../lib/limits";
import { toast } from "../../toasts/toast";
import classes from "./Operator.module.css";

/** What organizations wait for, the oldest first. */
export function Requests({ list }: { list: LimitRequest[] }) {
  const [open, setOpen] = useState<LimitRequest>();
  if (list.length === 0) return null;
  return (
    <Panel className={classes.requests ?? ""}>
      <h2>Waiting for an answer</h2>
      <ul>
        {list.map((r) => (
          <li key={`${r.org_id} ${r.name}`}>
            <div>
              <b>{r.org_name}</b>
              {` asks for ${amount(r, r.wanted)} ${r.unit}. `}
              {r.use === null
                ? `${amount(r, r.allowed)} are allowed.`
                : `It uses ${amount(r, r.use)} of ${amount(r, r.allowed)}.`}
              {r.note && <p className={classes.note}>{r.note}</p>}
              <p className="t3">
                {`${r.asked_by}, `}
                <RelativeTime at={r.asked_at} />
              </p>
            </div>
            <Button
              variant="default"
              size="xs"
              onClick={() => setOpen(r)}
              aria-label={`Answer ${r.org_name}, ${r.title}`}
            >
              Answer…
            </Button>
          </li>
        ))}
      </ul>
      {open && <Answer request={open} close={() => setOpen(undefined)} />}
    </Panel>
  );
}

/** Accepts, with the number that was asked for or another, or declines. */
function Answer({ request, close }: { request: LimitRequest; close: () => void }) {
  const [value, setValue] = useState(String(request.wanted));
  const [text, setText] = useState("");
  const [tried, setTried] = useState(false);
  const answer = useChange(["operator"], operator.answer, (_, { accept }) => {
    toast(accept ? `${request.org_name} has its new limit.` : `${request.org_name} gets your answer.`);
    close();
  });
  const problem = numberProblem("Allow", value);
  const send = (accept: boolean) => {
    setTried(true);
    if (accept && problem) return;
    answer.mutate({
      id: request.org_id,
      limit: request.name,
      accept,
      ...(accept && { value: readNumber(value) }),
      ...(text && { answer: text }),
    });
  };
  return (
    <Modal opened onClose={close} title={`${request.title} of ${request.org_name}`}>
      <form
        className={settings.form}
        noValidate
        onSubmit={(e) => {
          e.preventDefault();
          send(true);
        }}
      >
        <Field
          label="Allow"
          error={fieldError(answer.error, "value") ?? (tried ? problem : undefined)}
          hint={`${amount(request, request.wanted)} ${request.unit} are asked for; ${amount(request, request.allowed)} are allowed now.`}
        >
          {(id) => (
            <Input
              id={id}
              inputMode="numeric"
              data-autofocus
              value={value}
              onChange={(e) => setValue(e.currentTarget.value)}
            />
          )}
        </Field>
        <Field label="Answer (optional)" error={fieldError(answer.error, "answer")} hint="Their Admins read it.">
          {(id) => <Input id={id} value={text} onChange={(e) => setText(e.currentTarget.value)} />}
        </Field>
        <FormError error={answer.error} fields={["value", "answer"]} />
        <div className={settings.actions}>
          <Button variant="default" onClick={() => send(false)} disabled={answer.isPending}>
            Decline
          </Button>
          <Button type="submit" loading={answer.isPending}>
            Accept
          </Button>
        </div>
      </form>
    </Modal>
  );
}
