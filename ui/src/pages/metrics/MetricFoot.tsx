import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { metrics } from "../../api/metrics";
import { org as orgApi } from "../../api/org";
import { Pop } from "../../components/Pop";
import { count, duration } from "../../lib/format";
import classes from "./Metrics.module.css";

const windows: Record<number, string> = { 1: "raw", 60: "minutes", 3600: "hours" };
const year = 365 * 86400;
const long = (s: number) => (s >= year ? count(Math.round(s / year), "year") : duration(s));

/** Unit, how long it is kept, and what would miss it. */
export function MetricFoot({
  name,
  unit,
  canEdit,
  onEdit,
}: {
  name: string;
  unit: string;
  canEdit: boolean;
  onEdit: () => void;
}) {
  const { data: org } = useQuery(orgApi.one);
  const { data: uses } = useQuery(metrics.uses(name));
  const kept = org?.retention.map((r) => `${windows[r.window] ?? `${r.window} s`} ${long(r.retention)}`).join(", ");
  const used = uses
    ? [
        ...(uses.spaces.length ? [count(uses.spaces.length, "space")] : []),
        ...(uses.alerts.length ? [count(uses.alerts.length, "alert")] : []),
      ].join(", ")
    : "";
  return (
    <footer className={classes.foot}>
      <span>
        <span className="t3">Unit</span> {unit || "none"}
      </span>
      {kept && (
        <span>
          <span className="t3">Kept</span> {kept}
        </span>
      )}
      {uses && (
        <span>
          <span className="t3">Used in</span>{" "}
          {used ? (
            <Pop
              label="Used in"
              target={(p) => (
                <button type="button" className={classes.link} {...p}>
                  {used}
                </button>
              )}
            >
              {() => (
                <ul className={classes.uses}>
                  {uses.spaces.map((s) => (
                    <li key={`s${s.id}`}>
                      <Link to="/spaces/$id" params={{ id: String(s.id) }}>
                        {s.name}
                      </Link>
                    </li>
                  ))}
                  {uses.alerts.map((a) => (
                    <li key={`a${a.id}`}>
                      <Link to="/alerts/$id" params={{ id: String(a.id) }}>
                        {a.name}
                      </Link>
                    </li>
                  ))}
                </ul>
              )}
            </Pop>
          ) : (
            "nothing"
          )}
        </span>
      )}
      {canEdit && (
        <button type="button" className={`${classes.link} ${classes.edit}`} onClick={onEdit}>
          Edit properties
        </button>
      )}
    </footer>
  );
}
