import { IconChevronRight } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { members } from "../../../api/org";
import { spaces } from "../../../api/spaces";
import type { AuditEntry } from "../../../api/types.gen";
import { RelativeTime } from "../../../components/RelativeTime";
import { changes, deed, differences, thing, who } from "../../../lib/audit";
import classes from "./Audit.module.css";

/** When, who, did what, from where; what was before and after folds out. */
export function AuditRow({ entry }: { entry: AuditEntry }) {
  const compared = differences(entry);
  const details = compared.length > 0 ? [] : changes(entry.detail, entry.action);
  const summary = (
    <>
      <RelativeTime at={entry.at} /> <b>{who(entry.actor)}</b>{" "}
      <span>
        {deed(entry.action)} <What entry={entry} />
        {(entry.count ?? 0) > 1 && <span className="t3">{` ${entry.count} times within a minute`}</span>}
      </span>{" "}
      <span className={`${classes.from} mono`}>{entry.address}</span>
    </>
  );
  if (compared.length === 0 && details.length === 0) return <p className={classes.entry}>{summary}</p>;
  return (
    <details className={classes.more}>
      <summary className={classes.entry}>
        <IconChevronRight size={15} stroke={1.6} aria-hidden />
        {summary}
      </summary>
      {compared.length > 0 && <Compared entry={entry} />}
      {details.length > 0 && (
        <dl className={classes.changes}>
          {details.map((c) => (
            <div key={c.field}>
              <dt>{c.field}</dt>
              <dd>{c.from === undefined ? c.to : `${c.from} → ${c.to}`}</dd>
            </div>
          ))}
        </dl>
      )}
    </details>
  );
}

/** The changed fields beside each other. */
function Compared({ entry }: { entry: AuditEntry }) {
  return (
    <div className={classes.compared}>
      <table>
        <thead>
          <tr>
            <th scope="col">Field</th>
            <th scope="col">Before</th>
            <th scope="col">After</th>
          </tr>
        </thead>
        <tbody>
          {differences(entry).map((d) => (
            <tr key={d.field}>
              <th scope="row">{d.field}</th>
              <td data-was={d.before !== undefined || undefined}>{d.before ?? <span className="t3">not set</span>}</td>
              <td data-is={d.after !== undefined || undefined}>{d.after ?? <span className="t3">not set</span>}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** What it was done to, by the name it has now. */
function What({ entry }: { entry: AuditEntry }) {
  const { kind, id, name } = thing(entry.object);
  const people = useQuery({ ...members.list, enabled: kind === "user" && name === "" });
  const all = useQuery({ ...spaces.all, enabled: kind === "space" && name === "" });
  const own = /^session\.(open|end)$/.test(entry.action) && name === who(entry.actor);
  if (own || (kind === "organization" && name === "")) return null;
  if (kind === "user") return <b>{name || people.data?.find((m) => m.user_id === id)?.email || `user ${id}`}</b>;
  if (kind === "space" && name === "") {
    return <b>{all.data?.spaces.find((s) => s.id === id)?.name ?? `space ${id}`}</b>;
  }
  return <b>{name}</b>;
}
