import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { metrics } from "../api/metrics";
import { count, value } from "../lib/format";
import classes from "./Busiest.module.css";

/** The metrics with the most streams; null while that is not known. */
export function useBusiest(enabled = true) {
  const { data } = useQuery({ ...metrics.search("", 0, 5, "streams"), enabled });
  return data?.metrics ?? null;
}

type Props = {
  metrics: NonNullable<ReturnType<typeof useBusiest>>;
  /** Where one of them leads. */
  to: "/alerts/new" | "/explore";
};

/** Where to begin on a page that has nothing yet. */
export function Busiest({ metrics: list, to }: Props) {
  return (
    <ul className={classes.busiest}>
      {list.map((m) => (
        <li key={m.name}>
          <Link to={to} search={{ metric: m.name }} data-row>
            <span className="mono cut">{m.name}</span>
            <span className="t3">{count(m.streams, "stream")}</span>
            <span className="num">{m.last_value === null ? "" : value(m.last_value, m.units)}</span>
          </Link>
        </li>
      ))}
    </ul>
  );
}
