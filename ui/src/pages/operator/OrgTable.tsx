import type { LimitUse, OperatorOrg } from "../../api/ui.gen";
import { LimitBar } from "../../components/LimitBar";
import { Panel } from "../../components/Panel";
import { TableHead } from "../../components/TableHead";
import table from "../../components/table.module.css";
import { count } from "../../lib/format";
import { amount, nearness } from "../../lib/limits";
import classes from "./Operator.module.css";

const columns = [
  { label: "Organization" },
  { label: "Nearest limit", wide: true },
  { label: "Use", right: true },
  { label: "Part of the limit", wide: true, width: "22%" },
  { label: "Then", wide: true, width: "24%" },
];

/** Organizations, the one nearest to a limit first. */
export function OrgTable({ orgs, open }: { orgs: OperatorOrg[]; open: (id: number) => void }) {
  return (
    <Panel className={classes.panel ?? ""}>
      <table className={`${table.table} ${classes.orgs}`}>
        <TableHead columns={columns} />
        <tbody>
          {orgs.map((o) => (
            <Row key={o.id} org={o} open={() => open(o.id)} />
          ))}
        </tbody>
      </table>
    </Panel>
  );
}

const used = (l: LimitUse) => `${amount(l, l.use ?? 0)} of ${amount(l, l.limit)}`;

function Row({ org, open }: { org: OperatorOrg; open: () => void }) {
  const [first, ...others] = org.nearest;
  return (
    <tr data-near={first && nearness(first)}>
      <td>
        <button type="button" className={classes.name} onClick={open}>
          {org.name}
        </button>
        {org.own > 0 && <div className="t3">{`${count(org.own, "limit")} of its own`}</div>}
        {first && <div className={table.only}>{first.title}</div>}
      </td>
      <td className={table.hide}>{first?.title ?? "none is counted"}</td>
      <td className={`num ${table.right} ${classes.use}`}>{first && used(first)}</td>
      <td className={table.hide}>{first && <LimitBar limit={first} />}</td>
      <td className={`t2 ${table.hide}`}>{others.map((l) => `${l.title}: ${used(l)}`).join("; ")}</td>
    </tr>
  );
}
