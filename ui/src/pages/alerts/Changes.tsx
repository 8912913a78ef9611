import { useInfiniteQuery } from "@tanstack/react-query";
import { lazy, Suspense, useState } from "react";
import { alerts } from "../../api/alerts";
import type { AuditEntry } from "../../api/types.gen";
import { Panel } from "../../components/Panel";
import { ErrorCard } from "../../components/problems";
import { deed, differences, who } from "../../lib/audit";
import { exact, moment } from "../../lib/format";
import classes from "./Alert.module.css";
import own from "./Incident.module.css";
import parts from "./pillsAndLinks.module.css";

const HistoryDrawer = lazy(() => import("../../history/HistoryDrawer"));
const few = 5;

/** Who did what to the alert; older entries fold out, and every version can be compared and restored. */
export function Changes({ id, name }: { id: number; name: string }) {
  const [open, setOpen] = useState(false);
  const { data, error, refetch, fetchNextPage, hasNextPage } = useInfiniteQuery(alerts.changes(id));
  const [all, setAll] = useState(false);
  const entries = data?.pages.flatMap((p) => p.changes) ?? [];
  const more = all ? hasNextPage : entries.length > few || hasNextPage;
  const fold = () => (all ? void fetchNextPage() : setAll(true));
  return (
    <Panel className={classes.box ?? ""} aria-label="History">
      <header>
        <h2>History</h2>
        <button type="button" className={parts.link} onClick={() => setOpen(true)}>
          Compare and restore
        </button>
      </header>
      {error && <ErrorCard error={error} retry={refetch} what="the history" />}
      {data && entries.length === 0 && <p className="t3">None that the audit log still has.</p>}
      <ul className={own.changes}>
        {entries.slice(0, all ? entries.length : few).map((e) => (
          <Change key={e.id} entry={e} />
        ))}
      </ul>
      {more && (
        <button type="button" className={parts.link} onClick={fold}>
          Older
        </button>
      )}
      <Suspense fallback={null}>
        {open && <HistoryDrawer thing={{ kind: "alert", id }} name={name} close={() => setOpen(false)} />}
      </Suspense>
    </Panel>
  );
}

/** "made the alert" needs no object here: it is the page's. */
const did = (action: string) => (deed(action).endsWith(" of") ? deed(action).slice(0, -3) : deed(action));

function Change({ entry: e }: { entry: AuditEntry }) {
  const fields = e.action === "alert.update" ? differences(e) : [];
  return (
    <li>
      <span>
        <b>{who(e.actor)}</b> {did(e.action)}
      </span>
      <span className="num t3" data-tip={exact(e.at)}>
        {moment(e.at)}
      </span>
      {fields.map((d) => (
        <small key={d.field} className="t2">
          {`${d.field}: ${d.before ?? "not set"} → ${d.after ?? "not set"}`}
        </small>
      ))}
    </li>
  );
}
