import { IconChevronRight } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { members } from "../../../api/org";
import { spaces } from "../../../api/spaces";
import type { AuditEntry } from "../../../api/types.gen";
import { RelativeTime } from "../../../components/RelativeTime";
import { changes, deed, thing, who } from "../../../lib/audit";
import classes from "./Audit.module.css";

/** "{who} {did} {what}, {when}"; what changed folds out. */
export function AuditRow({ entry }: { entry: AuditEntry }) {
  const list = changes(entry.detail, entry.action);
  const sentence = (
    <>
      <b>{who(entry.actor)}</b> {deed(entry.action)} <What entry={entry} />, <RelativeTime at={entry.at} />
    </>
  );
  if (list.length === 0) return <p className={classes.entry}>{sentence}</p>;
  return (
    <details className={classes.more}>
      <summary className={classes.entry}>
        <IconChevronRight size={15} stroke={1.6} aria-hidden />
        {sentence}
      </summary>
      <dl className={classes.changes}>
        {list.map((c) => (
          <div key={c.field}>
            <dt>{c.field}</dt>
            <dd>
              {c.from !== undefined && <span className="t3">{`${c.from} → `}</span>}
              {c.to}
            </dd>
          </div>
        ))}
      </dl>
    </details>
  );
}

/** What it was done to, by the name it has now. */
function What({ entry }: { entry: AuditEntry }) {
  const { kind, id, name } = thing(entry.object);
  const people = useQuery({ ...members.list, enabled: kind === "user" && name === "" });
  const all = useQuery({ ...spaces.all, enabled: kind === "space" });
  if (kind === "organization") return null;
  if (kind === "user") return <b>{name || people.data?.find((m) => m.user_id === id)?.email || `user ${id}`}</b>;
  if (kind === "space") return <b>{all.data?.spaces.find((s) => s.id === id)?.name ?? `space ${id}`}</b>;
  return <b>{name}</b>;
}
