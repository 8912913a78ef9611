import type { Machine } from "../../api/ui.gen";
import { PartBar } from "../../components/LimitBar";
import { Panel } from "../../components/Panel";
import { TableHead } from "../../components/TableHead";
import table from "../../components/table.module.css";
import { duration, number, value } from "../../lib/format";
import { diskNear, fullDisk, fullMemory, machineName, muchBehind, shortTime } from "../../lib/machines";
import classes from "./Machines.module.css";

const columns = [
  { label: "Machine", width: "20%" },
  { label: "State" },
  { label: "Leases held", wide: true },
  { label: "Behind", right: true, wide: true },
  { label: "Writes/s", right: true, wide: true },
  { label: "Queries, p95", right: true, wide: true },
  { label: "Disk", wide: true, width: "11%" },
  { label: "Memory", wide: true, width: "11%" },
  { label: "Version", wide: true },
  { label: "Heartbeat", right: true },
];

const states: Record<string, string> = { answers: "Answers", draining: "Draining", late: "Late", gone: "Gone" };

/** The machines, one a row, of which each has some of the leases. */
export function MachineTable({ list, leases }: { list: Machine[]; leases: number }) {
  return (
    <Panel>
      <table className={`${table.table} ${classes.machines}`}>
        <TableHead columns={columns} />
        <tbody>
          {list.map((m) => (
            <Row key={m.id} machine={m} alone={list.length === 1} leases={leases} />
          ))}
        </tbody>
      </table>
    </Panel>
  );
}

function Row({ machine: m, alone, leases }: { machine: Machine; alone: boolean; leases: number }) {
  const disk = fullDisk(m);
  const does = m.does.join(", ") || (alone ? "everything" : "none");
  return (
    <tr data-state={m.state}>
      <td>
        <span className="mono" title={m.id}>
          {machineName(m)}
        </span>
        {m.zone && <span className={`t2 ${classes.zone}`}>{m.zone}</span>}
        <div className={`t3 mono ${classes.address}`}>{m.address}</div>
        <div className={table.only}>{`${m.version}, ${does}`}</div>
      </td>
      <td>
        <span className={classes.state}>
          <i aria-hidden />
          {states[m.state]}
        </span>
      </td>
      <td className={`t2 ${table.hide}`}>
        {does}
        {m.does.length > 0 && <div className="num t3">{`${m.does.length} of ${leases}`}</div>}
      </td>
      <td className={`num ${table.right} ${table.hide}`} data-late={m.behind > muchBehind || undefined}>
        {shortTime(m.behind)}
      </td>
      <td className={`num ${table.right} ${table.hide}`}>{number(m.measurements)}</td>
      <td className={`num ${table.right} ${table.hide}`}>{m.queries > 0 ? shortTime(m.query_p95) : ""}</td>
      <td className={table.hide}>{disk !== undefined && <PartBar part={disk} near={diskNear(disk)} />}</td>
      <td className={table.hide}>
        <Memory machine={m} />
      </td>
      <td className={`mono t2 ${table.hide}`}>{m.version}</td>
      <td className={`num ${table.right}`}>{`${duration(m.heartbeat)} ago`}</td>
    </tr>
  );
}

function Memory({ machine }: { machine: Machine }) {
  const part = fullMemory(machine);
  if (part === undefined) return <span className="num t2">{value(machine.memory, "B")}</span>;
  return <PartBar part={part} />;
}
