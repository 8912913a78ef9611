import { IconChevronRight, IconDots } from "@tabler/icons-react";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import type { TokenSummary } from "../../../api/ui.gen";
import { IconButton } from "../../../components/controls";
import { Menu } from "../../../components/Menu";
import { RelativeTime } from "../../../components/RelativeTime";
import classes from "../../../components/settingsPages.module.css";
import { actions, type Column, TableHead } from "../../../components/TableHead";
import table from "../../../components/table.module.css";
import { count, day } from "../../../lib/format";
import { roleText } from "../../../lib/roles";
import { agentName, tokenHint } from "../../../lib/tokenHints";
import { RoleName } from "./RoleIcon";
import { narrowedTo } from "./scope";
import own from "./Tokens.module.css";
import { useSetActive } from "./useSetActive";

type Props = { tokens: TokenSummary[]; sort: string; onSort: (by: string) => void };

const columns: Column[] = [
  { label: "Name", by: "name" },
  { label: "Role", by: "role", wide: true },
  { label: "Status", by: "status", wide: true },
  { label: "Last used", by: "used", wide: true },
  { label: "Created", by: "created", wide: true },
  actions,
];

export function TokenTable({ tokens, sort, onSort }: Props) {
  return (
    <div className={table.panel}>
      <table className={table.table}>
        <TableHead columns={columns} sort={sort} onSort={onSort} quiet />
        <tbody>
          {tokens.map((t) => (
            <Row key={t.id} token={t} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** "12 s ago · telegraf · 14 hosts", and what is worth a look below it. */
function LastUsed({ token }: { token: TokenSummary }) {
  const hint = tokenHint(token);
  return (
    <>
      <RelativeTime at={token.last_used_at} never="Never" />
      {token.agent && <span className="t2"> · {agentName(token.agent)}</span>}
      {token.hosts > 1 && <span className="t2"> · {count(token.hosts, "host")}</span>}
      {hint && <span className={classes.amber}>{hint}</span>}
    </>
  );
}

/** The second line of a phone's row: the hint where there is one, else the last use. */
function Brief({ token }: { token: TokenSummary }) {
  const hint = tokenHint(token);
  return (
    <div className={table.only}>
      <span className="t2">
        {roleText(token.role).title}
        <span className={own.dot}>·</span>
        {!token.active && "Inactive"}
        {token.active && !hint && <RelativeTime at={token.last_used_at} never="Never used" />}
      </span>
      {token.active && hint && <span className={own.brief}>{hint}</span>}
    </div>
  );
}

/** "Sends edge.* with site=ams · from 10.20.0.0/16 · until 16 Feb 2027" */
function Narrowed({ token }: { token: TokenSummary }) {
  const parts = [
    narrowedTo(token),
    token.networks.length > 0 && `from ${token.networks.join(", ")}`,
    token.expires_at > 0 && `until ${day(token.expires_at)}`,
  ].filter(Boolean);
  if (parts.length === 0) return null;
  return <span className={`t2 ${own.agent} ${table.hide}`}>{parts.join(" · ")}</span>;
}

function Row({ token }: { token: TokenSummary }) {
  const navigate = useNavigate();
  const search = useSearch({ from: "/shell/settings/tokens" });
  const id = String(token.id);
  const open = () => navigate({ to: "/settings/tokens/$id", params: { id }, search });
  return (
    // The name is the link for keyboards; the row is a larger target for the mouse.
    <tr data-link data-off={token.active ? undefined : true} onClick={open}>
      <td className={own.first} data-on={token.active}>
        <Link
          data-row
          to="/settings/tokens/$id"
          params={{ id }}
          search={search}
          className={table.name ?? ""}
          onClick={(e) => e.stopPropagation()}
        >
          {token.name}
        </Link>
        <span className={`mono ${classes.last4} ${table.hide}`}>…{token.last4}</span>
        <Narrowed token={token} />
        <Brief token={token} />
      </td>
      <td className={table.hide}>
        <RoleName role={token.role} />
      </td>
      <td className={table.hide}>
        <span className={classes.status} data-on={token.active}>
          {token.active ? "Active" : "Inactive"}
        </span>
      </td>
      <td className={table.hide}>
        <LastUsed token={token} />
      </td>
      <td className={`t2 ${table.hide}`}>{day(token.created_at)}</td>
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: only keeps clicks on the menu from opening the row */}
      <td className={`${table.right} ${table.hide}`} onClick={(e) => e.stopPropagation()}>
        <Actions token={token} />
      </td>
      <td className={`${table.right} ${own.more}`} aria-hidden>
        <IconChevronRight size={17} stroke={1.6} />
      </td>
    </tr>
  );
}

function Actions({ token }: { token: TokenSummary }) {
  const navigate = useNavigate();
  const setActive = useSetActive();
  const params = { id: String(token.id) };
  return (
    <Menu
      label={`Actions for ${token.name}`}
      items={[
        { label: token.active ? "Set Inactive" : "Set Active", run: () => setActive(token, !token.active) },
        { label: "Rotate…", run: () => navigate({ to: "/settings/tokens/$id/rotate", params }) },
        "line",
        { label: "Delete…", danger: true, run: () => navigate({ to: "/settings/tokens/$id/delete", params }) },
      ]}
      target={(p) => (
        <IconButton label={`Actions for ${token.name}`} {...p}>
          <IconDots size={17} stroke={1.6} />
        </IconButton>
      )}
    />
  );
}
