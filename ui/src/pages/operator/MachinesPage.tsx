import { IconAlertTriangle } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { operator } from "../../api/operator";
import type { Machine, OperatorMachines } from "../../api/ui.gen";
import { Notice } from "../../components/Notice";
import { Page } from "../../components/Page";
import { Panel } from "../../components/Panel";
import { ErrorCard } from "../../components/problems";
import { SkeletonRows } from "../../components/Skeleton";
import { count, number, parts } from "../../lib/format";
import { diskNear, fullDisk, inUnit, machineName, machineNotice, slowest, zones } from "../../lib/machines";
import { Behind } from "./Behind";
import { Leases } from "./Leases";
import classes from "./Machines.module.css";
import { MachineTable } from "./MachineTable";
import { NearestLimits } from "./NearestLimits";

/** The servers that share the control store: whether they answer, what they do, and how full they are. */
export function MachinesPage() {
  const { data, error, refetch } = useQuery(operator.machines);
  return (
    <Page title="Machines" parent={{ to: "/", label: "your organization" }}>
      {error && !data && <ErrorCard error={error} retry={() => void refetch()} what="the machines" />}
      {!data && !error && <SkeletonRows rows={4} height={48} />}
      {data && <Machines data={data} />}
    </Page>
  );
}

function Machines({ data }: { data: OperatorMachines }) {
  const notice = machineNotice(data.machines);
  return (
    <>
      <p className={classes.lead}>{`${lead(data)}.`}</p>
      {notice && (
        <Notice tone="amber" icon={<IconAlertTriangle size={18} stroke={1.6} />}>
          <b>{notice.title}</b> {notice.text}
        </Notice>
      )}
      <Tiles data={data} />
      <MachineTable list={data.machines} leases={data.leases.length} />
      <div className={classes.below}>
        <Behind list={data.machines} />
        {data.leases.length > 0 && <Leases data={data} />}
        <NearestLimits />
      </div>
      {data.machines.length === 1 && (
        <p className={classes.alone}>
          One machine. Servers that share PostgreSQL and ClickHouse survive the loss of one: see Help, Scaling.
        </p>
      )}
    </>
  );
}

const lead = (data: OperatorMachines) =>
  [
    count(data.machines.length, "machine"),
    zones(data.machines) > 0 && count(zones(data.machines), "zone"),
    count(data.orgs, "organization"),
  ]
    .filter(Boolean)
    .join(", ");

function Tiles({ data }: { data: OperatorMachines }) {
  const recorded = data.machines.reduce((sum, m) => sum + m.measurements, 0);
  const disks = data.machines
    .filter((m) => fullDisk(m) !== undefined)
    .sort((a, b) => (fullDisk(b) ?? 0) - (fullDisk(a) ?? 0));
  return (
    <div className={classes.tiles}>
      <Tile title="Measurements a second" value={recorded} below="of all organizations" />
      <Tile title="Streams" value={data.streams} below="of all organizations" />
      {disks[0] && <Disk machine={disks[0]} />}
      <Queries list={data.machines} />
    </div>
  );
}

function Disk({ machine }: { machine: Machine }) {
  const part = Math.round(fullDisk(machine) ?? 0);
  return <Tile title="Disk, fullest" value={part} unit="%" below={machineName(machine)} near={diskNear(part)} />;
}

function Queries({ list }: { list: Machine[] }) {
  const slow = slowest(list);
  const asked = list.reduce((sum, m) => sum + m.queries, 0);
  if (!slow) return <Tile title="Queries, p95" value={0} unit="ms" below="none in five minutes" />;
  const where = list.length > 1 ? `${machineName(slow)}, ` : "";
  const [time, unit] = inUnit(slow.query_p95);
  return <Tile title="Queries, p95" value={time} unit={unit} below={`${where}${number(asked)} a minute`} />;
}

function Tile({
  title,
  value,
  unit = "",
  below,
  near = "quiet",
}: {
  title: string;
  value: number;
  unit?: string;
  below: string;
  near?: string;
}) {
  const big = unit ? parts(value, unit) : { digits: number(value), unit: "" };
  return (
    <Panel className={classes.tile ?? ""} data-near={near}>
      <div className="t2">{title}</div>
      <div className={`num ${classes.big}`}>
        {big.digits} {big.unit && <small>{big.unit}</small>}
      </div>
      <div className="t2">{below}</div>
    </Panel>
  );
}
