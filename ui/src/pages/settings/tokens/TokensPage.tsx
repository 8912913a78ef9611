import { IconPlus } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { Link, Outlet, useNavigate, useSearch } from "@tanstack/react-router";
import { tokens } from "../../../api/tokens";
import type { TokenSummary } from "../../../api/ui.gen";
import { LinkButton } from "../../../components/Button";
import { Chip } from "../../../components/controls";
import { EmptyState } from "../../../components/EmptyState";
import { ErrorCard } from "../../../components/problems";
import { SearchField } from "../../../components/SearchField";
import { SkeletonRows } from "../../../components/Skeleton";
import classes from "../../../components/settingsPages.module.css";
import table from "../../../components/table.module.css";
import { whole } from "../../../lib/format";
import { useShortcuts } from "../../../shell/shortcuts";
import { useRows } from "../../../shell/useRows";
import { useSession } from "../../../shell/useSession";
import { SettingsHead } from "../SettingsHead";
import { NotAdmin } from "./NotAdmin";
import own from "./Tokens.module.css";
import { TokenTable } from "./TokenTable";
import { matches, sorted, sortedBy } from "./words";

/** API Tokens: who may talk to this organization, and is each still needed. */
export function TokensPage() {
  const { canManage, org } = useSession();
  if (!canManage) return <NotAdmin />;
  return (
    <>
      <div className={own.head}>
        <SettingsHead
          title="API Tokens"
          lead={
            <>
              Tokens let agents, scripts and libraries act in <b>{org.name}</b>. Each has one role.
            </>
          }
          action={
            <LinkButton to="/settings/tokens/new" leftSection={<IconPlus size={15} stroke={1.6} />}>
              Generate New API Token
            </LinkButton>
          }
        />
      </div>
      <TokenList />
      <Outlet />
    </>
  );
}

function TokenList() {
  const navigate = useNavigate();
  const list = useQuery(tokens.list);
  useShortcuts([{ keys: "c", label: "Generate New API Token", run: () => navigate({ to: "/settings/tokens/new" }) }]);
  useRows();
  if (list.error) return <ErrorCard error={list.error} retry={list.refetch} what="the tokens" />;
  if (!list.data) return <SkeletonRows rows={8} />;
  if (list.data.length === 0)
    return (
      <EmptyState
        title="No tokens yet. An agent needs one to send data."
        actions={<Link to="/settings/tokens/new">Generate New API Token</Link>}
      />
    );
  return <Found all={list.data} />;
}

function Found({ all }: { all: TokenSummary[] }) {
  const { q = "", status = "", sort = "created" } = useSearch({ from: "/shell/settings/tokens" });
  const navigate = useNavigate();
  const search = (change: { q?: string; status?: string; sort?: string }) => {
    const next = { q, status, sort, ...change };
    // What is so anyway is not part of the address.
    void navigate({ to: ".", search: { ...next, sort: next.sort === "created" ? "" : next.sort }, replace: true });
  };
  const active = all.filter((t) => t.active).length;
  const shown = sorted(
    all.filter((t) => matches(t, q) && (!status || t.active === (status === "active"))),
    sort,
  );
  const chip = (value: string, label: string) => (
    <Chip active={status === value} onClick={() => search({ status: value })}>
      {label}
    </Chip>
  );
  return (
    <>
      <div className={classes.row}>
        <SearchField value={q} onChange={(v) => search({ q: v })} placeholder="Find by name, agent or last 4" />
        {chip("", `All ${whole(all.length)}`)}
        {chip("active", `Active ${active}`)}
        {chip("inactive", `Inactive ${whole(all.length - active)}`)}
        <span className={classes.spring} />
        <span className={`t3 ${table.hide}`}>{sortedBy(sort)}</span>
      </div>
      {shown.length > 0 ? (
        <TokenTable tokens={shown} sort={sort} onSort={(by) => search({ sort: by })} />
      ) : (
        <EmptyState
          title={q ? `Nothing matches ${q}.` : `No token is ${status === "active" ? "Active" : "Inactive"}.`}
        />
      )}
      <p className={classes.foot}>
        Tidemark stores only a hash of each token. A lost token cannot be shown again: rotate it instead.
      </p>
    </>
  );
}
