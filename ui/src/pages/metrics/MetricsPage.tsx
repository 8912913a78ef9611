import { IconMathFunction } from "@tabler/icons-react";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { Button } from "../../components/Button";
import { EmptyState } from "../../components/EmptyState";
import { usePageTitle } from "../../components/Page";
import { SearchField } from "../../components/SearchField";
import { usePhone } from "../../shell/usePhone";
import { useSession } from "../../shell/useSession";
import { TimeProvider } from "../../time/TimeContext";
import { MetricList } from "./MetricList";
import classes from "./Metrics.module.css";
import { MetricView } from "./MetricView";

/** All metrics left, one of them right. */
export function MetricsPage() {
  const search = useSearch({ from: "/shell/metrics" });
  const navigate = useNavigate();
  const { canEdit } = useSession();
  const phone = usePhone();
  const [q, setQ] = useState(search.q ?? "");
  usePageTitle(search.name ?? "Metrics");
  useEffect(() => {
    if (q === (search.q ?? "")) return;
    const timer = window.setTimeout(
      () =>
        void navigate({
          to: "/metrics",
          search: (old: object) => ({ ...old, q: q || undefined }),
          replace: true,
        } as never),
      200,
    );
    return () => window.clearTimeout(timer);
  }, [q, search.q, navigate]);
  const open = (name: string) =>
    void navigate({
      to: "/metrics",
      search: {
        ...(q && { q }),
        name,
        ...(sort && { sort }),
        ...(search.from && { from: search.from }),
        ...(search.to && { to: search.to }),
      },
    });
  const sort = search.sort === "streams" ? "streams" : "";
  const showList = !phone || !search.name;
  return (
    <div className={classes.split}>
      {showList && (
        <section className={classes.left} aria-label="Metrics">
          <header className={classes.leftTop}>
            <h1>Metrics</h1>
            {canEdit && (
              <Button
                variant="default"
                leftSection={<IconMathFunction size={15} stroke={1.6} />}
                onClick={() => void navigate({ to: "/explore", search: { view: "composite" } })}
              >
                New composite
              </Button>
            )}
          </header>
          <SearchField
            value={q}
            onChange={setQ}
            placeholder="checkout.* or words"
            label="Find metrics"
            mono={q !== ""}
            keyHint="/"
          />
          <MetricList
            q={q}
            selected={search.name}
            sort={sort}
            onSort={(next) =>
              void navigate({
                to: "/metrics",
                search: (old: object) => ({ ...old, sort: next || undefined }),
                replace: true,
              } as never)
            }
            onOpen={open}
            onSuggest={setQ}
          />
        </section>
      )}
      {search.name ? (
        <TimeProvider key={search.name}>
          <MetricView
            name={search.name}
            onBack={() => void navigate({ to: "/metrics", search: { ...(q && { q }) } })}
          />
        </TimeProvider>
      ) : (
        !phone && (
          <section className={classes.right}>
            <EmptyState title="Choose a metric.">Its chart, its streams and where it is used appear here.</EmptyState>
          </section>
        )
      )}
    </div>
  );
}
