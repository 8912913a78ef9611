import { useQuery } from "@tanstack/react-query";
import { useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { useChange } from "../../../api/resource";
import { type TokenRole, tokens } from "../../../api/tokens";
import type { TokenSummary } from "../../../api/ui.gen";
import { Button } from "../../../components/Button";
import { discard, useConfirm } from "../../../components/confirm";
import { EmptyState } from "../../../components/EmptyState";
import { Field, Input, Select } from "../../../components/fields";
import { DrawerPage } from "../../../components/overlays";
import { FormError, fieldError } from "../../../components/problems";
import { RelativeTime } from "../../../components/RelativeTime";
import { Skeleton } from "../../../components/Skeleton";
import classes from "../../../components/settingsPages.module.css";
import { count, day, dayAndClock, number } from "../../../lib/format";
import { roles, roleText } from "../../../lib/roles";
import { useDebounced } from "../../../lib/useDebounced";
import { useShortcuts } from "../../../shell/shortcuts";
import { useSession } from "../../../shell/useSession";
import { toast } from "../../../toasts/toast";
import { IfUnused } from "./IfUnused";
import { RoleIcon } from "./RoleIcon";
import { ScopeFields } from "./ScopeFields";
import { Senders } from "./Senders";
import { draftOf, narrowed, narrowedTo, replaced, type ScopeDraft, scopeWords } from "./scope";
import { TokenActions } from "./TokenActions";
import own from "./Tokens.module.css";
import { useToken } from "./useToken";
import { madeWhen, wouldRefuse } from "./words";

/** One token: what it may do, who uses it, and how to stop it. */
export function TokenDrawer() {
  const { id } = useParams({ from: "/shell/settings/tokens/$id" });
  const search = useSearch({ from: "/shell/settings/tokens" });
  const token = useToken(id);
  const navigate = useNavigate();
  const close = () => navigate({ to: "/settings/tokens", search });
  if (token) return <Details key={token.id} token={token} close={close} />;
  return (
    <DrawerPage opened onClose={close} above="API Tokens" title={token === null ? "No such token" : ""}>
      {token === null ? <EmptyState title="It may have been deleted." /> : <Skeleton height={300} />}
    </DrawerPage>
  );
}

function Details({ token, close }: { token: TokenSummary; close: () => void }) {
  const [name, setName] = useState(token.name);
  const [role, setRole] = useState<TokenRole>(token.role);
  const [idle, setIdle] = useState(String(token.idle_days));
  const [scope, setScope] = useState<ScopeDraft>();
  const save = useChange(["tokens"], tokens.update);
  const confirm = useConfirm();
  const narrower = scope && replaced(scope, role);
  const changed =
    name !== token.name || role !== token.role || Number(idle) !== token.idle_days || !isSame(narrower, token);
  const leave = async () => {
    if (!changed || (await confirm(discard(token.name)))) close();
  };
  const submit = () =>
    save.mutate(
      { id: token.id, name, role, idle_days: Number(idle), ...narrower },
      {
        onSuccess: () => {
          setScope(undefined);
          toast(`${name} is saved.`);
        },
      },
    );
  useShortcuts([{ keys: "mod+s", label: "Save changes", run: () => changed && submit() }]);
  return (
    <DrawerPage
      opened
      onClose={leave}
      above="API Tokens"
      title={token.name}
      footer={
        <>
          <Button variant="default" onClick={leave}>
            Close
          </Button>
          <Button disabled={!changed} loading={save.isPending} onClick={submit}>
            Save changes
          </Button>
        </>
      }
    >
      <p className={`t2 ${own.state}`}>
        <span className={classes.status} data-on={token.active}>
          {token.active ? "Active" : "Inactive"}
        </span>
        <span>
          {token.last_used_at ? "Last used " : ""}
          <RelativeTime at={token.last_used_at} never="Never used" />
        </span>
      </p>
      <div className={classes.two}>
        <Field label="Name" error={fieldError(save.error, "name")}>
          {(id) => <Input id={id} value={name} onChange={(e) => setName(e.currentTarget.value)} />}
        </Field>
        <RoleField role={role} onChange={setRole} error={fieldError(save.error, "role")} />
      </div>
      <RoleChange token={token} role={role} />
      <FormError error={save.error} fields={["name", "role", "idle_days", ...(scope ? ["scope", "networks"] : [])]} />
      <dl className={classes.facts}>
        <dt>Token</dt>
        <dd className="mono">…{token.last4}</dd>
        <dt>Created</dt>
        <dd>{madeWhen(token)}</dd>
        <dt>Scope</dt>
        <dd>{narrowedTo(token) || "Whole organization"}</dd>
        <dt>Networks</dt>
        <dd>{token.networks.length > 0 ? token.networks.join(", ") : "Anywhere"}</dd>
        <dt>Expires</dt>
        <dd>{token.expires_at ? dayAndClock(token.expires_at) : "Never"}</dd>
      </dl>
      <div className={own.narrow}>
        <IfUnused days={idle} onChange={setIdle} error={fieldError(save.error, "idle_days")} />
      </div>
      {scope ? (
        <Narrow draft={scope} onChange={setScope} role={role} error={save.error} />
      ) : (
        <Button variant="default" onClick={() => setScope(draftOf(token))} className={own.narrow ?? ""}>
          Change scope and networks…
        </Button>
      )}
      <SeenUsing token={token} />
      <TokenActions token={token} />
    </DrawerPage>
  );
}

/** Whether what a token would be narrowed to is what it is narrowed to. */
function isSame(to: ReturnType<typeof replaced> | undefined, token: TokenSummary): boolean {
  return !to || JSON.stringify(to) === JSON.stringify(replaced(draftOf(token), "recorder"));
}

type NarrowProps = { draft: ScopeDraft; onChange: (d: ScopeDraft) => void; role: TokenRole; error: unknown };

/** Scope and networks of a token that is there. */
function Narrow({ draft, onChange, role, error }: NarrowProps) {
  const limits = narrowed(draft, role);
  const checked = useDebounced(JSON.stringify({ role, ...limits }), 300);
  const preview = useQuery(tokens.preview(JSON.parse(checked)));
  return (
    <div className={own.narrow}>
      <ScopeFields draft={draft} onChange={onChange} role={role} preview={preview.data} error={error} />
    </div>
  );
}

type RoleFieldProps = { role: TokenRole; onChange: (role: TokenRole) => void; error: string | undefined };

function RoleField({ role, onChange, error }: RoleFieldProps) {
  return (
    <Field label="Role" error={error}>
      {(id) => (
        <span className={own.roleField}>
          <RoleIcon role={role} />
          <Select
            id={id}
            value={role}
            onChange={(v) => onChange(v as TokenRole)}
            options={roles.map((r) => ({ value: r.role, label: r.title }))}
          />
        </span>
      )}
    </Field>
  );
}

/** What the role means, and what changing to it would. */
function RoleChange({ token, role }: { token: TokenSummary; role: TokenRole }) {
  const { org } = useSession();
  const { data } = useQuery(tokens.senders(token.id));
  const refused = role !== token.role && data ? wouldRefuse(data.uses, role) : undefined;
  return (
    <div className={own.means}>
      <p className="t2">{roleText(role).detail}</p>
      {role === "admin" && token.role !== "admin" && (
        <p className={classes.amber}>
          Whoever holds this token can then read, change and delete everything in {org.name}, tokens included.
        </p>
      )}
      {refused && <p className={classes.amber}>{refused}</p>}
      {role !== token.role && scopeWords(token.scope) && <p className={classes.amber}>{scopeThen(token, role)}</p>}
    </div>
  );
}

/** What another role means for the scope that a token has. */
function scopeThen(token: TokenSummary, role: TokenRole): string {
  if (role === "admin")
    return "This token has a scope, which Full Access tokens cannot have. Generate another token for that.";
  if (role === "viewer" && token.scope.add)
    return "This token adds tags to what it sends, and View Only tokens send nothing. Change its scope, too.";
  return `Its scope stays: it then ${role === "viewer" ? "reads" : "sends"} what is in it and does nothing else.`;
}

function SeenUsing({ token }: { token: TokenSummary }) {
  const { data } = useQuery(tokens.senders(token.id));
  const requests = data?.senders.reduce((n, s) => n + s.requests, 0) ?? 0;
  return (
    <>
      <div className={classes.section}>
        <h3>Seen using it, last 30 days</h3>
        {requests > 0 && (
          <span className="t2 num">{`${number(requests)} ${requests === 1 ? "request" : "requests"}`}</span>
        )}
      </div>
      <Senders token={token} />
      {data?.old_value && (
        <p className={classes.amber} style={{ marginTop: 8 }}>
          {`Old value works until ${day(data.old_value.until)}. `}
          {data.old_value.senders > 0
            ? `${count(data.old_value.senders, "sender still uses", "senders still use")} it.`
            : "No sender uses it any more."}
        </p>
      )}
    </>
  );
}
