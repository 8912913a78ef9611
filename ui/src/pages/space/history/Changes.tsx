import type { Version } from "../../../api/ui.gen";
import { Panel } from "../../../components/Panel";
import { ErrorCard } from "../../../components/problems";
import { Skeleton } from "../../../components/Skeleton";
import { TableHead } from "../../../components/TableHead";
import table from "../../../components/table.module.css";
import type { Row } from "../../../history/compare";
import { MarkWord, rowKey } from "../../../history/Differences";
import { useDifferences } from "../../../history/useDifferences";
import { count } from "../../../lib/format";
import classes from "./SpaceHistory.module.css";
import { between } from "./saves";

const columns = [
  { label: "Mark", silent: true, width: "104px" },
  { label: "Chart" },
  { label: "What" },
  { label: "Before" },
  { label: "After" },
];

/** What differs between two saves, one difference a row. */
export function Changes({ before, version }: { before: Version; version: Version }) {
  const { rows, pending, error } = useDifferences("space", before.document, version.document);
  return (
    <Panel className={classes.changes ?? ""} aria-busy={pending || undefined}>
      <header className={classes.changesHead}>
        <h2>{pending ? "Changes" : count(rows.length, "change")}</h2>
        <span className="t3">{between(before.at, version.at)}</span>
      </header>
      {rows.length > 0 && (
        <table className={table.table}>
          <TableHead columns={columns} quiet />
          <tbody>
            {rows.map((r) => (
              <One key={rowKey(r)} row={r} />
            ))}
          </tbody>
        </table>
      )}
      {pending && <Skeleton height={18} />}
      {error && <ErrorCard error={error} what="what changed in charts" />}
    </Panel>
  );
}

function One({ row: r }: { row: Row }) {
  return (
    <tr>
      <td>
        <MarkWord mark={r.mark} />
      </td>
      <th scope="row">{r.of || "The space"}</th>
      <td>{r.what}</td>
      <td className={classes.was}>{r.before ?? <span className="t3">none</span>}</td>
      <td className={classes.is}>{r.after ?? <span className="t3">none</span>}</td>
    </tr>
  );
}
