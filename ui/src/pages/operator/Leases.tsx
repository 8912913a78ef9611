import type { OperatorMachines } from "../../api/ui.gen";
import { Panel } from "../../components/Panel";
import { count } from "../../lib/format";
import { machineName } from "../../lib/machines";
import classes from "./Machines.module.css";

/** Which machine has the right to do what for all. */
export function Leases({ data }: { data: OperatorMachines }) {
  const name = (id: string) => data.machines.find((m) => m.id === id);
  return (
    <Panel className={classes.part ?? ""}>
      <h2>
        {count(data.leases.length, "lease")} <small>who does it for all</small>
      </h2>
      <table className={classes.small}>
        <tbody>
          {data.leases.map((l) => {
            const holder = name(l.holder);
            return (
              <tr key={l.name}>
                <td>{l.name}</td>
                <td className="mono">{holder ? machineName(holder) : l.holder || "nobody"}</td>
                <td className="num t2">{`no. ${l.number}`}</td>
              </tr>
            );
          })}
        </tbody>
      </table>
      <p className="t3">The number grows each time a lease changes hands.</p>
    </Panel>
  );
}
