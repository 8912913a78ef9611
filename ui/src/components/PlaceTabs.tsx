import { useQueries, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { checks } from "../api/checks";
import { resource } from "../api/resource";
import { whole } from "../lib/format";
import { alertPages } from "../shell/navigation";
import classes from "./PlaceTabs.module.css";

type Noun = { id: number };

/** The pages under Alerts, with how many there are of each. */
export default function PlaceTabs() {
  const counted = alertPages.map((p) => p.noun);
  const totals = useQueries({
    queries: counted.map((noun) => ({ ...resource<Noun>(noun).list(0, 1), enabled: noun !== "checks" })),
  });
  const checked = useQuery(checks.all).data?.checks.length;
  return (
    <nav className={classes.tabs} aria-label="Alerts">
      {alertPages.map((p, i) => {
        const n = p.noun === "checks" ? checked : totals[i]?.data?.total;
        return (
          <Link
            key={p.to}
            to={p.to}
            activeOptions={{ exact: true, includeSearch: false }}
            activeProps={{ "data-active": true, "aria-current": "page" } as never}
          >
            {p.label}
            {n !== undefined && <small className="num">{whole(n)}</small>}
          </Link>
        );
      })}
    </nav>
  );
}
