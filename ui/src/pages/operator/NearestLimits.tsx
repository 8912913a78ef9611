import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { operator } from "../../api/operator";
import { LimitBar } from "../../components/LimitBar";
import { Panel } from "../../components/Panel";
import { ErrorCard } from "../../components/problems";
import classes from "./Machines.module.css";

const shown = 4;

/** The organizations that are nearest to one of their limits. */
export function NearestLimits() {
  const { data, error, refetch } = useQuery(operator.limits(""));
  if (error && !data) return <ErrorCard error={error} retry={() => void refetch()} what="the limits" />;
  const near = (data?.orgs ?? []).filter((o) => o.nearest.length > 0).slice(0, shown);
  return (
    <Panel className={classes.part ?? ""}>
      <h2>Nearest to a limit</h2>
      {data && near.length === 0 && <p className="t2">No organization uses anything that is limited.</p>}
      {near.length > 0 && (
        <table className={classes.small}>
          <thead>
            <tr>
              <th>Organization</th>
              <th>Limit</th>
              <th>Used</th>
            </tr>
          </thead>
          <tbody>
            {near.map((o) => {
              const [first] = o.nearest;
              return (
                <tr key={o.id}>
                  <td>
                    <Link to="/operator/limits" search={{ org: String(o.id) }}>
                      {o.name}
                    </Link>
                  </td>
                  <td className="t2">{first?.title}</td>
                  <td>{first && <LimitBar limit={first} />}</td>
                </tr>
              );
            })}
          </tbody>
        </table>
      )}
    </Panel>
  );
}
