import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useParams } from "@tanstack/react-router";
import { type FormEvent, useState } from "react";
import { useChange } from "../../../api/resource";
import { type Token, type TokenRole, tokens } from "../../../api/tokens";
import { discard, useConfirm } from "../../../components/confirm";
import { Field, Input, Select, Switch } from "../../../components/fields";
import { DrawerPage } from "../../../components/overlays";
import { FormError, fieldError, RelativeTime, Skeleton } from "../../../components/parts";
import { count, day, number } from "../../../lib/format";
import { roles, roleText } from "../../../lib/roles";
import { note } from "../../../notes/notes";
import { useSession } from "../../../shell/useSession";
import classes from "../Settings.module.css";
import { Rotate } from "./Rotate";
import { Senders } from "./Senders";
import { useSetActive } from "./TokensPage";

/** The token an address names, from the list behind the drawer. */
function useToken(from: "/shell/settings/tokens/$id" | "/shell/settings/tokens/$id/delete"): Token | undefined {
  const { id } = useParams({ from });
  return useQuery(tokens.list).data?.find((t) => t.id === Number(id));
}

export function TokenDrawer() {
  const token = useToken("/shell/settings/tokens/$id");
  const navigate = useNavigate();
  const close = () => navigate({ to: "/settings/tokens" });
  if (!token)
    return (
      <DrawerPage opened onClose={close} above="API Tokens" title="">
        <Skeleton height={300} />
      </DrawerPage>
    );
  return <Details key={token.id} token={token} close={close} />;
}

function Details({ token, close }: { token: Token; close: () => void }) {
  const { org } = useSession();
  const [name, setName] = useState(token.name);
  const [role, setRole] = useState<TokenRole>(token.role);
  const save = useChange(["tokens"], tokens.update);
  const changed = name !== token.name || role !== token.role;
  const confirm = useConfirm();
  const leave = async () => {
    if (!changed || (await confirm(discard(token.name)))) close();
  };
  const submit = () => save.mutate({ id: token.id, name, role }, { onSuccess: () => note(`${name} is saved.`) });
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
      <p className="t2" style={{ margin: "0 0 16px" }}>
        <span className={classes.status} data-on={token.active}>
          {token.active ? "Active" : "Inactive"}
        </span>
        <span style={{ marginLeft: 12 }}>
          Last used <RelativeTime at={token.last_used_at} />
        </span>
      </p>
      <div className={classes.two}>
        <Field label="Name" error={fieldError(save.error, "name")}>
          {(id) => <Input id={id} value={name} onChange={(e) => setName(e.currentTarget.value)} />}
        </Field>
        <Field label="Role" error={fieldError(save.error, "role")}>
          {(id) => (
            <Select
              id={id}
              value={role}
              onChange={(v) => setRole(v as TokenRole)}
              options={roles.map((r) => ({ value: r.role, label: r.title }))}
            />
          )}
        </Field>
      </div>
      <p className="t2" style={{ margin: "6px 0 16px" }}>
        {roleText(role).detail}
      </p>
      {role === "admin" && token.role !== "admin" && (
        <p className={classes.amber}>
          Whoever holds this token can then read, change and delete everything in {org.name}, tokens included.
        </p>
      )}
      <FormError error={save.error} fields={["name", "role"]} />
      <dl className={classes.facts}>
        <dt>Token</dt>
        <dd className="mono">tmk_…{token.last4}</dd>
        <dt>Created</dt>
        <dd>{day(token.created_at)}</dd>
        <dt>Expires</dt>
        <dd>{token.expires_at ? day(token.expires_at) : "Never"}</dd>
      </dl>
      <SeenUsing token={token} />
      <ChangeOrStop token={token} />
    </DrawerPage>
  );
}

function SeenUsing({ token }: { token: Token }) {
  const { data } = useQuery(tokens.senders(token.id));
  const requests = data?.senders.reduce((n, s) => n + s.requests, 0) ?? 0;
  return (
    <>
      <div className={classes.section}>
        <h3>Seen using it, last 30 days</h3>
        {requests > 0 && <span className="t2">{`${number(requests)} requests`}</span>}
      </div>
      <Senders id={token.id} />
      {data?.old_value && (
        <p className={classes.amber}>
          {`Old value works until ${day(data.old_value.until)}; ${count(data.old_value.senders, "sender still uses", "senders still use")} it.`}
        </p>
      )}
    </>
  );
}

function ChangeOrStop({ token }: { token: Token }) {
  const setActive = useSetActive();
  const [rotating, setRotating] = useState(false);
  const stops = token.senders > 0 ? `${count(token.senders, "sender stops", "senders stop")} at once. ` : "";
  return (
    <>
      <div className={classes.section}>
        <h3>Change or stop</h3>
      </div>
      <div className={`${classes.panel} ${classes.list}`}>
        <div className={classes.item}>
          <div>
            <b>Active</b>
            <small>Inactive refuses the next request with 401. Can be undone.</small>
          </div>
          <Switch label="Active" hidden checked={token.active} onChange={(on) => setActive(token, on)} />
        </div>
        <div className={classes.item}>
          <div>
            <b>Rotate</b>
            <small>New value now; the old one keeps working for as long as you choose.</small>
          </div>
          <Button variant="default" size="xs" onClick={() => setRotating(true)}>
            Rotate…
          </Button>
        </div>
        <div className={classes.item}>
          <div>
            <b>Delete</b>
            <small>{stops}Cannot be undone.</small>
          </div>
          <Button
            variant="default"
            size="xs"
            c="var(--tm-red)"
            component={Link}
            to={`/settings/tokens/${token.id}/delete`}
          >
            Delete…
          </Button>
        </div>
      </div>
      {rotating && <Rotate token={token} close={() => setRotating(false)} />}
    </>
  );
}

/** Deleting is a second step in the same drawer: who stops working, the softer way, the typed name. */
export function DeleteTokenDrawer() {
  const token = useToken("/shell/settings/tokens/$id/delete");
  const navigate = useNavigate();
  const setActive = useSetActive();
  const [typed, setTyped] = useState("");
  const remove = useChange(["tokens"], tokens.remove);
  const { data } = useQuery(tokens.list);
  const close = () => navigate({ to: "/settings/tokens" });
  if (!token) return null;
  const back = () => navigate({ to: "/settings/tokens/$id", params: { id: String(token.id) } });
  const typing = token.senders > 0;
  const confirm = (e?: FormEvent) => {
    e?.preventDefault();
    if (typing && typed !== token.name) return;
    remove.mutate(token.id, {
      onSuccess: () => {
        note(`${token.name} is deleted.`);
        close();
      },
    });
  };
  const lastFull =
    token.role === "admin" && token.active && data?.filter((t) => t.role === "admin" && t.active).length === 1;
  return (
    <DrawerPage
      opened
      onClose={close}
      above={
        <Link to="/settings/tokens/$id" params={{ id: String(token.id) }}>
          ← {token.name}
        </Link>
      }
      title={`Delete “${token.name}”?`}
      footer={
        <>
          <Button variant="default" {...(!typing && { "data-autofocus": true })} onClick={back}>
            Keep it
          </Button>
          <Button
            color="ember"
            disabled={typing && typed !== token.name}
            loading={remove.isPending}
            {...(typing ? { type: "submit", form: "delete-token" } : { onClick: () => confirm() })}
          >
            Delete token
          </Button>
        </>
      }
    >
      {token.senders > 0 ? (
        <>
          <p className="t2">
            These senders used it in the last 30 days. Their next request is refused with 401, and what they measure is
            lost until they get another token.
          </p>
          <Senders id={token.id} />
          <div
            className={classes.item}
            style={{ background: "var(--tm-sunken)", borderRadius: 10, margin: "12px 0 20px" }}
          >
            <div className="t2">
              Not sure who still needs it? Set it Inactive first. The effect is the same, and it can be undone.
            </div>
            <Button
              variant="subtle"
              size="xs"
              onClick={() => {
                setActive(token, false);
                back();
              }}
            >
              Set Inactive
            </Button>
          </div>
        </>
      ) : (
        <p className="t2">Nothing used it in the last 30 days.</p>
      )}
      {lastFull && (
        <p className={classes.amber}>
          This is the last Full Access token. You can still manage everything here when signed in.
        </p>
      )}
      {typing && (
        <form id="delete-token" onSubmit={confirm}>
          <Field label={`Type ${token.name} to delete it for good`}>
            {(id) => (
              <Input id={id} mono data-autofocus value={typed} onChange={(e) => setTyped(e.currentTarget.value)} />
            )}
          </Field>
        </form>
      )}
      <FormError error={remove.error} />
    </DrawerPage>
  );
}
