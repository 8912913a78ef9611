import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { charts } from "../../api/spaces";
import { EmptyState } from "../../components/EmptyState";
import { Panel } from "../../components/Panel";
import { ErrorCard } from "../../components/problems";
import table from "../../components/table.module.css";
import { useDebounced } from "../../lib/useDebounced";
import classes from "./Spaces.module.css";

const wait = 120;

/** Charts that show what is looked for; each leads to itself in its space. */
export default function FoundCharts({ q, none }: { q: string; none: boolean }) {
  const settled = useDebounced(q.trim(), wait);
  const { data, error, refetch } = useQuery(charts.search(settled));
  if (error) return <ErrorCard error={error} retry={() => void refetch()} what="the charts" />;
  if (!data) return null;
  if (data.charts.length === 0) return none ? <EmptyState title={`Nothing matches ${q}.`} /> : null;
  return (
    <section className={classes.charts} aria-label="Charts">
      <h2>Charts</h2>
      <Panel>
        <table className={table.table}>
          <tbody>
            {data.charts.map((c) => (
              <tr key={c.id}>
                <td>
                  <Link
                    to="/spaces/$id"
                    params={{ id: String(c.space) }}
                    search={{ chart: String(c.id) }}
                    className={`${table.name} cut`}
                    data-row
                  >
                    {c.name || "Untitled"}
                  </Link>
                  <div className="t3 cut">{`in ${c.space_name}`}</div>
                </td>
                <td className={`t2 mono cut ${table.hide}`}>{c.metrics.join(", ")}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </Panel>
    </section>
  );
}
