import { IconArrowLeft } from "@tabler/icons-react";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Link, useNavigate, useParams } from "@tanstack/react-router";
import { type FormEvent, useState } from "react";
import { tokens } from "../../../api/tokens";
import type { TokenSummary } from "../../../api/ui.gen";
import { Button } from "../../../components/Button";
import { Field, Input } from "../../../components/fields";
import { DrawerPage } from "../../../components/overlays";
import { FormError } from "../../../components/problems";
import classes from "../../../components/settingsPages.module.css";
import { toast } from "../../../toasts/toast";
import { Senders } from "./Senders";
import own from "./Tokens.module.css";
import { useSetActive } from "./useSetActive";
import { useToken } from "./useToken";

/** Deleting is a second step in the same drawer: who stops working, the softer way, the typed name. */
export function DeleteTokenDrawer() {
  const { id } = useParams({ from: "/shell/settings/tokens/$id/delete" });
  const token = useToken(id);
  return token ? <Delete token={token} /> : null;
}

function Delete({ token }: { token: TokenSummary }) {
  const navigate = useNavigate();
  const [typed, setTyped] = useState("");
  const client = useQueryClient();
  const remove = useMutation({
    mutationFn: tokens.remove,
    // The list alone: the drawer still shows who sent with the token, and nobody knows that any more.
    onSuccess: () => client.invalidateQueries({ queryKey: tokens.list.queryKey, exact: true }),
  });
  const close = () => navigate({ to: "/settings/tokens" });
  const back = () => navigate({ to: "/settings/tokens/$id", params: { id: String(token.id) } });
  const inUse = token.senders > 0;
  const ready = !inUse || typed === token.name;
  const submit = (e: FormEvent) => {
    e.preventDefault();
    if (!ready) return;
    // Not by mutate's own callback: the drawer may be gone with its token before that is called.
    remove.mutateAsync(token.id).then(
      () => {
        toast(`${token.name} is deleted.`);
        void close();
      },
      () => undefined, // shown above the buttons
    );
  };
  return (
    <DrawerPage
      opened
      onClose={close}
      above={
        <Link to="/settings/tokens/$id" params={{ id: String(token.id) }} className={own.back ?? ""}>
          <IconArrowLeft size={13} stroke={1.6} aria-label="Back to" /> {token.name}
        </Link>
      }
      title={`Delete “${token.name}”?`}
      footer={
        <>
          <Button variant="default" {...(!inUse && { "data-autofocus": true })} onClick={back}>
            Keep it
          </Button>
          <Button color="ember" type="submit" form="delete-token" disabled={!ready} loading={remove.isPending}>
            Delete token
          </Button>
        </>
      }
    >
      {inUse ? <InUse token={token} back={back} /> : <p className="t2">Nothing used it in the last 30 days.</p>}
      <LastFullAccess token={token} />
      <form noValidate id="delete-token" onSubmit={submit}>
        {inUse && (
          <Field
            label={
              <>
                Type <span className="mono">{token.name}</span> to delete it for good
              </>
            }
          >
            {(id) => <Input id={id} data-autofocus value={typed} onChange={(e) => setTyped(e.currentTarget.value)} />}
          </Field>
        )}
      </form>
      <FormError error={remove.error} />
    </DrawerPage>
  );
}

function InUse({ token, back }: { token: TokenSummary; back: () => void }) {
  const setActive = useSetActive();
  return (
    <>
      <p className={`t2 ${own.lost}`}>
        These senders used it in the last 30 days. Their next request is refused with 401, and what they measure is lost
        until they get another token.
      </p>
      <Senders token={token} />
      {token.active && (
        <div className={own.softer}>
          <span>Not sure who still needs it? Set it Inactive first. The effect is the same, and it can be undone.</span>
          <button
            type="button"
            onClick={() => {
              setActive(token, false);
              back();
            }}
          >
            Set Inactive
          </button>
        </div>
      )}
    </>
  );
}

function LastFullAccess({ token }: { token: TokenSummary }) {
  const { data } = useQuery(tokens.list);
  const others = data?.some((t) => t.id !== token.id && t.role === "admin" && t.active);
  if (token.role !== "admin" || !token.active || others !== false) return null;
  return (
    <p className={classes.amber} style={{ margin: "12px 0" }}>
      This is the last Full Access token. You can still manage everything here when signed in.
    </p>
  );
}
