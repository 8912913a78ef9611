import type { OpenSession } from "../../../api/ui.gen";
import { Button } from "../../../components/Button";
import { RelativeTime } from "../../../components/RelativeTime";
import classes from "../../../components/settingsPages.module.css";
import { actions, TableHead } from "../../../components/TableHead";
import table from "../../../components/table.module.css";
import { browserName } from "../../../lib/browser";
import { dayAndClock } from "../../../lib/format";

const columns = [{ label: "Browser" }, { label: "Signed in", wide: true }, { label: "Last seen", wide: true }, actions];

/** Where you are signed in; this one first. */
export function SessionTable({ sessions, end }: { sessions: OpenSession[]; end: (id: number) => void }) {
  const sorted = [...sessions].sort((a, b) => Number(b.current) - Number(a.current) || b.last_seen_at - a.last_seen_at);
  return (
    <div className={table.panel}>
      <table className={table.table}>
        <TableHead columns={columns} quiet />
        <tbody>
          {sorted.map((s) => (
            <tr key={s.id}>
              <td>
                <span className={table.name} data-tip={s.user_agent}>
                  {browserName(s.user_agent)}
                </span>
                {s.current && <span className={classes.mark}>this one</span>}
                <div className="t2">
                  from {s.address}
                  <span className={classes.onlyInline}>
                    {" · "}
                    <RelativeTime at={s.last_seen_at} />
                  </span>
                </div>
              </td>
              <td className={`t2 ${table.hide}`}>{dayAndClock(s.created_at)}</td>
              <td className={table.hide}>
                <RelativeTime at={s.last_seen_at} />
              </td>
              <td className={table.right}>
                {!s.current && (
                  <Button variant="subtle" size="xs" onClick={() => end(s.id)}>
                    End session
                  </Button>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
