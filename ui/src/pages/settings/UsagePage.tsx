import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { org } from "../../api/org";
import type { OrgUsage } from "../../api/ui.gen";
import { EmptyState } from "../../components/EmptyState";
import { Panel } from "../../components/Panel";
import { ErrorCard } from "../../components/problems";
import { Skeleton } from "../../components/Skeleton";
import { TableHead } from "../../components/TableHead";
import table from "../../components/table.module.css";
import { count, number, parts, value } from "../../lib/format";
import { SettingsHead } from "./SettingsHead";
import { DroppedTags } from "./usage/DroppedTags";
import { Limits } from "./usage/Limits";
import { MeasurementDays } from "./usage/MeasurementDays";
import classes from "./usage/Usage.module.css";

/** Usage: how much there is, how much comes, and of what. */
export function UsagePage() {
  const { data, error, refetch } = useQuery(org.usage);
  if (error) return <ErrorCard error={error} retry={refetch} what="the usage" />;
  if (!data) return <Skeleton height={320} />;
  return (
    <>
      <SettingsHead
        title="Limits and usage"
        lead={`${count(data.metrics, "metric")} in all. Limits protect the other organizations of this server.`}
      />
      <div className={classes.numbers}>
        <Big label="Streams" {...parts(data.streams, "")} />
        <Big label="Measurements stored" {...parts(data.samples, "")} />
        <Big label="On disk, about" {...parts(data.bytes, "B")} />
      </div>
      <Limits usage={data} />
      <DroppedTags />
      <Panel className={classes.days ?? ""}>
        <h3>Measurements a day, last 30 days</h3>
        <MeasurementDays days={data.days} />
      </Panel>
      <Top usage={data} />
    </>
  );
}

const Big = ({ label, digits, unit }: { label: string; digits: string; unit: string }) => (
  <Panel className={classes.number ?? ""}>
    <span className="t2">{label}</span>
    <strong>
      {digits}
      {unit && <small>{unit}</small>}
    </strong>
  </Panel>
);

const columns = [
  { label: "Metric" },
  { label: "Streams", right: true },
  { label: "Share of all streams", wide: true, width: "34%" },
];

/** The metrics with the most streams, and what part of all that is. */
function Top({ usage }: { usage: OrgUsage }) {
  const share = (streams: number) => (streams / Math.max(1, usage.streams)) * 100;
  return (
    <Panel>
      <table className={`${table.table} ${classes.top}`}>
        <TableHead columns={columns} />
        <tbody>
          {usage.top.map((t) => (
            <tr key={t.name}>
              <td>
                <Link to="/metrics" search={{ name: t.name }} className="mono breaks" data-row>
                  {t.name}
                </Link>
                <div className={classes.under}>
                  <Bar percent={share(t.streams)} />
                </div>
              </td>
              <td className={`num ${table.right}`}>{number(t.streams)}</td>
              <td className={table.hide}>
                <div className={classes.share}>
                  <Bar percent={share(t.streams)} />
                  <span className={`num t2 ${table.right}`}>{value(share(t.streams), "%")}</span>
                </div>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {usage.top.length === 0 && (
        <EmptyState title="No streams yet." actions={<Link to="/send">Send data</Link>}>
          They appear with the first measurement.
        </EmptyState>
      )}
    </Panel>
  );
}

const Bar = ({ percent }: { percent: number }) => (
  <div className={classes.bar} aria-hidden>
    <span style={{ width: `${percent}%` }} />
  </div>
);
