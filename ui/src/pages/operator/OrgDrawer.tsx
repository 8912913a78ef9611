import { useQuery } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { operator } from "../../api/operator";
import { useChange } from "../../api/resource";
import type { LimitUse, OperatorOrgLimits } from "../../api/ui.gen";
import { Button } from "../../components/Button";
import { useConfirm } from "../../components/confirm";
import { Field, Input } from "../../components/fields";
import { LimitBar } from "../../components/LimitBar";
import { DrawerPage } from "../../components/overlays";
import { ErrorCard, FormError, fieldError } from "../../components/problems";
import { Skeleton } from "../../components/Skeleton";
import { amount, changedLimits, limitProblem, settable } from "../../lib/limits";
import { toast } from "../../toasts/toast";
import classes from "./Operator.module.css";

/** One organization: what it uses of each limit, and a field for a value of its own. */
export function OrgDrawer({ id, close }: { id: number; close: () => void }) {
  const { data, error, refetch } = useQuery(operator.org(id));
  if (data) return <Form org={data} close={close} />;
  return (
    <DrawerPage opened onClose={close} title="Limits">
      {error ? <ErrorCard error={error} retry={() => void refetch()} what="its limits" /> : <Skeleton height={320} />}
    </DrawerPage>
  );
}

type Typed = Record<string, string>;

const asTyped = (list: LimitUse[]): Typed =>
  Object.fromEntries(list.map((l) => [l.name, l.own ? String(l.limit) : ""]));

function Form({ org, close }: { org: OperatorOrgLimits; close: () => void }) {
  const list = settable(org.limits);
  const [typed, setTyped] = useState<Typed>(() => asTyped(list));
  const [left, setLeft] = useState<Set<string>>(new Set());
  const save = useChange(["operator"], operator.setLimits);
  const confirm = useConfirm();
  const changed = changedLimits(list, typed);
  const isDirty = Object.keys(changed).length > 0;
  const wrong = list.some((l) => limitProblem(l, typed[l.name] ?? ""));
  const leave = async () => {
    const discard = { title: "Discard changes?", action: "Discard", keep: "Keep editing", danger: true };
    if (!isDirty || (await confirm(discard))) close();
  };
  const submit = (e: FormEvent) => {
    e.preventDefault();
    setLeft(new Set(list.map((l) => l.name)));
    if (wrong || !isDirty) return;
    save.mutate(
      { id: org.id, limits: changed },
      {
        onSuccess: () => {
          toast(`${org.name} has its new limits.`);
          close();
        },
      },
    );
  };
  return (
    <DrawerPage
      opened
      onClose={() => void leave()}
      above="Limits"
      title={org.name}
      footer={
        <>
          <Button variant="default" onClick={() => void leave()}>
            Cancel
          </Button>
          <Button type="submit" form="org-limits" disabled={!isDirty} loading={save.isPending}>
            Save limits
          </Button>
        </>
      }
    >
      <p className={classes.hint}>Empty means the server’s value. 0 means no limit.</p>
      <form id="org-limits" onSubmit={submit} className={classes.form} noValidate>
        {list.map((l) => (
          <Field
            key={l.name}
            label={l.title}
            error={
              fieldError(save.error, `limits.${l.name}`) ??
              (left.has(l.name) ? limitProblem(l, typed[l.name] ?? "") : undefined)
            }
            hint={usedOf(l)}
          >
            {(field) => (
              <div className={classes.entry}>
                <Input
                  id={field}
                  inputMode="numeric"
                  value={typed[l.name] ?? ""}
                  placeholder={l.default === 0 ? "no limit" : String(l.default)}
                  onChange={(e) => setTyped({ ...typed, [l.name]: e.currentTarget.value })}
                  onBlur={() => setLeft(new Set(left).add(l.name))}
                />
                <LimitBar limit={l} />
              </div>
            )}
          </Field>
        ))}
        <FormError error={save.error} fields={list.map((l) => `limits.${l.name}`)} />
      </form>
    </DrawerPage>
  );
}

function usedOf(l: LimitUse): string {
  const server = l.default === 0 ? "no limit" : amount(l, l.default);
  return l.use === null ? `The server allows ${server}.` : `${amount(l, l.use)} used. The server allows ${server}.`;
}
