import type { LimitUse } from "../../api/ui.gen";
import { Panel } from "../../components/Panel";
import { TableHead } from "../../components/TableHead";
import table from "../../components/table.module.css";
import { amount } from "../../lib/limits";
import classes from "./Operator.module.css";

const columns = [
  { label: "Limit" },
  { label: "Value", right: true },
  { label: "Setting", wide: true, width: "26%" },
  { label: "At the limit", wide: true, width: "34%" },
];

/** What holds where an organization has no value of its own. It is set where the server is set up. */
export function ServerLimits({ list }: { list: LimitUse[] }) {
  return (
    <details className={classes.server}>
      <summary>The server’s values</summary>
      <p className="t2">
        They hold where an organization has none of its own. Set them in the server’s settings and start it again; those
        without a setting are the same on every server.
      </p>
      <Panel>
        <table className={`${table.table} ${classes.orgs}`}>
          <TableHead columns={columns} />
          <tbody>
            {list.map((l) => (
              <tr key={l.name}>
                <td>{l.title}</td>
                <td className={`num ${table.right}`}>{l.limit === 0 ? "any number" : amount(l, l.limit)}</td>
                <td className={`mono ${table.hide}`}>{l.fixed ? "" : `limits.${l.name}`}</td>
                <td className={`t2 ${table.hide}`}>{l.effect}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </Panel>
    </details>
  );
}
