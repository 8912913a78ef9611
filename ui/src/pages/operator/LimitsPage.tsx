import { useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { operator } from "../../api/operator";
import type { OperatorLimits } from "../../api/ui.gen";
import { Button } from "../../components/Button";
import { EmptyState } from "../../components/EmptyState";
import { Page } from "../../components/Page";
import { ErrorCard } from "../../components/problems";
import { SearchField } from "../../components/SearchField";
import { SkeletonRows } from "../../components/Skeleton";
import { count, whole } from "../../lib/format";
import NewOrg from "../../shell/NewOrg";
import classes from "./Operator.module.css";
import { OrgDrawer } from "./OrgDrawer";
import { OrgTable } from "./OrgTable";
import { Requests } from "./Requests";
import { ServerLimits } from "./ServerLimits";

/** What every organization uses of its limits, and what they ask for. Of what they have, names and numbers alone. */
export function LimitsPage() {
  const { q = "", org = "" } = useSearch({ from: "/operator/operator/limits" });
  const navigate = useNavigate();
  const [making, setMaking] = useState(false);
  const { data, error, refetch } = useQuery(operator.limits(q));
  const show = (q: string, org: string) =>
    void navigate({ to: "/operator/limits", search: { ...(q && { q }), ...(org && { org }) }, replace: true });
  return (
    <Page
      title="Limits"
      parent={{ to: "/", label: "your organization" }}
      tools={<Button onClick={() => setMaking(true)}>New organization</Button>}
    >
      <p className={classes.lead}>
        {data && `${count(data.total, "organization")} on this server. `}
        Limits protect each from the others.
      </p>
      {error && !data && <ErrorCard error={error} retry={() => void refetch()} what="the limits" />}
      {!data && !error && <SkeletonRows rows={5} height={48} />}
      {data && (
        <>
          <Requests list={data.requests} />
          <div className={classes.search}>
            <SearchField value={q} onChange={(v) => show(v, org)} placeholder="Search organizations" keyHint="/" />
          </div>
          <Found data={data} q={q} open={(id) => show(q, String(id))} />
          <ServerLimits list={data.server} />
        </>
      )}
      {making && <NewOrg close={() => setMaking(false)} />}
      {org && <OrgDrawer key={org} id={Number(org)} close={() => show(q, "")} />}
    </Page>
  );
}

function Found({ data, q, open }: { data: OperatorLimits; q: string; open: (id: number) => void }) {
  if (data.orgs.length === 0) return <EmptyState title={`No organization has ${q} in its name.`} />;
  return (
    <>
      <OrgTable orgs={data.orgs} open={open} />
      {data.found > data.orgs.length && (
        <p className={classes.rest}>
          {`The ${whole(data.orgs.length)} nearest to a limit of ${whole(data.found)}. Search for the others.`}
        </p>
      )}
    </>
  );
}
