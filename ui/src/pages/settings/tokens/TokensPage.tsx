import { Button } from "@mantine/core";
import { IconDots, IconPlus } from "@tabler/icons-react";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Link, Outlet, useNavigate, useSearch } from "@tanstack/react-router";
import { members } from "../../../api/org";
import { useChange } from "../../../api/resource";
import { type Token, tokens } from "../../../api/tokens";
import { Menu } from "../../../components/Menu";
import {
  Chip,
  EmptyState,
  ErrorCard,
  IconButton,
  RelativeTime,
  SearchField,
  SkeletonRows,
} from "../../../components/parts";
import { count, day } from "../../../lib/format";
import { agentName, tokenHint } from "../../../lib/tokenHints";
import { note } from "../../../notes/notes";
import { useShortcuts } from "../../../shell/shortcuts";
import { useSession } from "../../../shell/useSession";
import { Head } from "../Head";
import classes from "../Settings.module.css";
import { RoleName } from "./RoleIcon";

const matches = (t: Token, q: string) =>
  `${t.name} ${t.agent} ${t.last4}`.toLowerCase().includes(q.trim().toLowerCase());

/** API Tokens: who may talk to this organization, and is each still needed. */
export function TokensPage() {
  const { canManage, org } = useSession();
  const navigate = useNavigate();
  useShortcuts([{ keys: "c", label: "Generate New API Token", run: () => navigate({ to: "/settings/tokens/new" }) }]);
  if (!canManage) return <NotAdmin />;
  return (
    <>
      <Head
        title="API Tokens"
        lead={
          <>
            Tokens let agents, scripts and libraries act in <b>{org.name}</b>. Each has one role.
          </>
        }
        action={
          <Button component={Link} to="/settings/tokens/new" leftSection={<IconPlus size={15} stroke={1.6} />}>
            Generate New API Token
          </Button>
        }
      />
      <TokenList />
      <Outlet />
    </>
  );
}

/** Whoever cannot do this is told who can. */
function NotAdmin() {
  const { data } = useQuery(members.list);
  const admins = data?.filter((m) => m.role === "admin").map((m) => m.name || m.email);
  return (
    <EmptyState title="Only Admins manage tokens.">
      {admins &&
        `Ask ${admins.length > 4 ? `${admins.slice(0, 4).join(", ")} or another Admin` : admins.join(" or ")}.`}
    </EmptyState>
  );
}

function TokenList() {
  const { q = "", status = "" } = useSearch({ from: "/shell/settings/tokens" });
  const navigate = useNavigate();
  const list = useQuery(tokens.list);
  const search = (change: { q?: string; status?: string }) =>
    navigate({ to: "/settings/tokens", search: { q, status, ...change }, replace: true });
  if (list.error) return <ErrorCard error={list.error} retry={list.refetch} what="the tokens" />;
  if (!list.data) return <SkeletonRows rows={8} />;
  if (list.data.length === 0)
    return (
      <EmptyState
        title="No tokens yet. An agent needs one to send data."
        actions={<Link to="/settings/tokens/new">Generate New API Token</Link>}
      />
    );
  const active = list.data.filter((t) => t.active).length;
  const shown = list.data.filter((t) => matches(t, q) && (!status || t.active === (status === "active")));
  const chip = (value: string, label: string) => (
    <Chip active={status === value} onClick={() => search({ status: value })}>
      {label}
    </Chip>
  );
  return (
    <>
      <div className={classes.row}>
        <SearchField value={q} onChange={(v) => search({ q: v })} placeholder="Find by name, agent or last 4" />
        {chip("", `All ${list.data.length}`)}
        {chip("active", `Active ${active}`)}
        {chip("inactive", `Inactive ${list.data.length - active}`)}
        <span className={classes.spring} />
        <span className={`t3 ${classes.hide}`}>Sorted by created</span>
      </div>
      <div className={classes.panel}>
        <table className={classes.table}>
          <thead>
            <tr>
              <th>Name</th>
              <th className={classes.hide}>Role</th>
              <th className={classes.hide}>Status</th>
              <th className={classes.hide}>Last used</th>
              <th className={classes.hide}>Created</th>
              <th>
                <span className="sr">Actions</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {shown.map((t) => (
              <TokenRow key={t.id} token={t} />
            ))}
          </tbody>
        </table>
        {shown.length === 0 && <EmptyState title={`Nothing matches ${q}.`} />}
      </div>
      <p className={classes.foot}>
        Tidemark stores only a hash of each token. A lost token cannot be shown again: rotate it instead.
      </p>
    </>
  );
}

function LastUsed({ token }: { token: Token }) {
  const hint = tokenHint(token);
  return (
    <>
      <RelativeTime at={token.last_used_at} never="Never" />
      {token.agent && <span className="t2"> · {agentName(token.agent)}</span>}
      {token.senders > 1 && <span className="t2"> · {count(token.senders, "sender")}</span>}
      {hint && <span className={classes.amber}>{hint}</span>}
    </>
  );
}

function TokenRow({ token }: { token: Token }) {
  const navigate = useNavigate();
  const setActive = useSetActive();
  const id = String(token.id);
  const open = () => navigate({ to: "/settings/tokens/$id", params: { id } });
  return (
    // The name is the link for keyboards; the row is a larger target for the mouse.
    <tr data-link data-off={token.active ? undefined : true} onClick={open}>
      <td>
        <Link
          to="/settings/tokens/$id"
          params={{ id }}
          className={classes.name ?? ""}
          onClick={(e) => e.stopPropagation()}
        >
          {token.name}
        </Link>
        <span className={`mono ${classes.last4}`}>…{token.last4}</span>
        <div className={classes.only}>
          <RoleName role={token.role} /> · <LastUsed token={token} />
        </div>
      </td>
      <td className={classes.hide}>
        <RoleName role={token.role} />
      </td>
      <td className={classes.hide}>
        <span className={classes.status} data-on={token.active}>
          {token.active ? "Active" : "Inactive"}
        </span>
      </td>
      <td className={classes.hide}>
        <LastUsed token={token} />
      </td>
      <td className={`t2 ${classes.hide}`}>{day(token.created_at)}</td>
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: only keeps clicks on the menu from opening the row */}
      <td className={classes.right} onClick={(e) => e.stopPropagation()}>
        <Menu
          label={`Actions for ${token.name}`}
          items={[
            { label: token.active ? "Set Inactive" : "Set Active", run: () => setActive(token, !token.active) },
            { label: "Rotate…", run: open },
            "line",
            {
              label: "Delete…",
              danger: true,
              run: () => navigate({ to: "/settings/tokens/$id/delete", params: { id } }),
            },
          ]}
          target={(p) => (
            <IconButton label={`Actions for ${token.name}`} {...p}>
              <IconDots size={17} stroke={1.6} />
            </IconButton>
          )}
        />
      </td>
    </tr>
  );
}

/** Sets a token Inactive or active at once, and says what that means. */
export function useSetActive() {
  const client = useQueryClient();
  const change = useChange(["tokens"], tokens.update);
  const set = (t: Token, active: boolean, quiet = false) => {
    // The switch shows what was meant at once; what the server says follows.
    client.setQueryData(tokens.list.queryKey, (old) => old?.map((o) => (o.id === t.id ? { ...o, active } : o)));
    change.mutate(
      { id: t.id, active },
      {
        onSuccess: () => {
          if (quiet) return;
          const text = active
            ? `${t.name} is Active again.`
            : `${t.name} is Inactive. ${t.senders > 0 ? `${count(t.senders, "sender is", "senders are")} refused from now on.` : ""}`;
          note(text, { undo: () => set(t, !active, true) });
        },
        onError: (err) => {
          note(err.message, { tone: "error" });
          void client.invalidateQueries({ queryKey: ["tokens"] });
        },
      },
    );
  };
  return set;
}
