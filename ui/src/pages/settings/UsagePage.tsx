import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { org } from "../../api/org";
import { Sparkline } from "../../chart/Sparkline";
import { EmptyState } from "../../components/EmptyState";
import { Panel } from "../../components/Panel";
import { ErrorCard } from "../../components/problems";
import { Skeleton } from "../../components/Skeleton";
import { count, number, parts, value } from "../../lib/format";
import { Head } from "./Head";
import classes from "./Settings.module.css";

export function UsagePage() {
  const { data, error, refetch } = useQuery(org.usage);
  if (error) return <ErrorCard error={error} retry={refetch} what="the usage" />;
  if (!data) return <Skeleton height={320} />;
  const share = (streams: number) => (streams / Math.max(1, data.streams)) * 100;
  return (
    <>
      <Head title="Usage" lead={`${count(data.metrics, "metric")} in all.`} />
      <div className={classes.numbers}>
        <Big label="Streams" {...parts(data.streams, "")} />
        <Big label="Measurements stored" {...parts(data.samples, "")} />
        <Big label="On disk, about" {...parts(data.bytes, "B")} />
      </div>
      <Panel style={{ padding: 16, marginBottom: 12 }}>
        <div className={classes.section} style={{ margin: "0 0 8px" }}>
          <h3>Measurements a day, last 30 days</h3>
        </div>
        {data.days.length > 1 ? (
          <Sparkline
            values={data.days.map((d) => d.samples)}
            color="var(--tm-acc)"
            height={80}
            width="100%"
            fill
            zero
          />
        ) : (
          <p className="t3">The first day is not over yet.</p>
        )}
      </Panel>
      <Panel>
        <table className={classes.table}>
          <thead>
            <tr>
              <th>Metric</th>
              <th className={classes.right}>Streams</th>
              <th className={classes.hide} style={{ width: "30%" }}>
                Share
              </th>
            </tr>
          </thead>
          <tbody>
            {data.top.map((t) => (
              <tr key={t.name}>
                <td>
                  <Link to="/metrics" search={{ name: t.name }} className="mono">
                    {t.name}
                  </Link>
                </td>
                <td className={`num ${classes.right}`}>{number(t.streams)}</td>
                <td className={classes.hide}>
                  <div className={classes.share}>
                    <div className={classes.bar}>
                      <span style={{ width: `${share(t.streams)}%` }} />
                    </div>
                    <span className={`num t2 ${classes.right}`}>{value(share(t.streams), "%")}</span>
                  </div>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
        {data.top.length === 0 && <EmptyState title="No streams yet." />}
      </Panel>
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
