import { useState } from "react";
import { org } from "../../../api/org";
import { useChange } from "../../../api/resource";
import type { LimitRequest, LimitUse } from "../../../api/ui.gen";
import { Button } from "../../../components/Button";
import { Field, Input, Select } from "../../../components/fields";
import { Modal } from "../../../components/overlays";
import { FormError, fieldError } from "../../../components/problems";
import settings from "../../../components/settingsPages.module.css";
import { day } from "../../../lib/format";
import { amount, askable, numberProblem, readNumber, worst } from "../../../lib/limits";
import { useSession } from "../../../shell/useSession";
import { toast } from "../../../toasts/toast";
import classes from "./Limits.module.css";

type Props = { limits: LimitUse[]; requests: LimitRequest[] };

/** What was asked for and what became of it, and the way to ask for more. */
export function AskForMore({ limits, requests }: Props) {
  const { canManage } = useSession();
  const [open, setOpen] = useState(false);
  const list = askable(limits, requests);
  return (
    <div className={classes.more}>
      {requests.length > 0 && (
        <ul>
          {requests.map((r) => (
            <li key={r.name}>
              {`${amount(r, r.wanted)} ${r.unit}, asked for on ${day(r.asked_at)} by ${r.asked_by}: `}
              <b>{outcome(r)}</b>
              {r.answer && ` “${r.answer}”`}
            </li>
          ))}
        </ul>
      )}
      {canManage && list.length > 0 && (
        <button type="button" onClick={() => setOpen(true)}>
          Ask the operator for more…
        </button>
      )}
      {open && <Ask list={list} first={worst(list) ?? list[0]} close={() => setOpen(false)} />}
    </div>
  );
}

function outcome(r: LimitRequest): string {
  if (r.state === "open") return "waiting for the operator.";
  return r.state === "accepted" ? `${amount(r, r.granted)} are allowed.` : "declined.";
}

type AskProps = { list: LimitUse[]; first: LimitUse | undefined; close: () => void };

function Ask({ list, first, close }: AskProps) {
  const [name, setName] = useState(first?.name ?? "");
  const [wanted, setWanted] = useState(first ? String(first.limit * 2) : "");
  const [note, setNote] = useState("");
  const [tried, setTried] = useState(false);
  const ask = useChange(["limits"], org.askForLimit);
  const limit = list.find((l) => l.name === name);
  const problem = numberProblem("How many", wanted);
  const choose = (to: string) => {
    setName(to);
    const l = list.find((l) => l.name === to);
    if (l) setWanted(String(l.limit * 2));
  };
  const submit = () => {
    setTried(true);
    if (problem) return;
    ask.mutate(
      { name, wanted: readNumber(wanted), ...(note && { note }) },
      {
        onSuccess: () => {
          toast("The operator sees your request with the numbers.");
          close();
        },
      },
    );
  };
  return (
    <Modal opened onClose={close} title="Ask the operator for more">
      <form
        className={settings.form}
        noValidate
        onSubmit={(e) => {
          e.preventDefault();
          submit();
        }}
      >
        <Field label="Of what" hint="The limit that is too low." error={fieldError(ask.error, "name")}>
          {(id) => (
            <Select
              id={id}
              value={name}
              onChange={choose}
              options={list.map((l) => ({ value: l.name, label: l.title }))}
            />
          )}
        </Field>
        <Field
          label="How many"
          error={fieldError(ask.error, "wanted") ?? (tried ? problem : undefined)}
          hint={
            limit &&
            (limit.use === null
              ? `${amount(limit, limit.limit)} are allowed now.`
              : `${amount(limit, limit.use)} of ${amount(limit, limit.limit)} are used now.`)
          }
        >
          {(id) => (
            <Input
              id={id}
              inputMode="numeric"
              data-autofocus
              value={wanted}
              onChange={(e) => setWanted(e.currentTarget.value)}
            />
          )}
        </Field>
        <Field label="What for (optional)" hint="The operator reads it." error={fieldError(ask.error, "note")}>
          {(id) => <Input id={id} value={note} onChange={(e) => setNote(e.currentTarget.value)} />}
        </Field>
        <FormError error={ask.error} fields={["name", "wanted", "note"]} />
        <div className={settings.actions}>
          <Button variant="default" onClick={close}>
            Cancel
          </Button>
          <Button type="submit" loading={ask.isPending}>
            Send request
          </Button>
        </div>
      </form>
    </Modal>
  );
}
