import { IconChevronDown, IconMathFunction } from "@tabler/icons-react";
import { useQueries } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useLayoutEffect, useRef, useState } from "react";
import { type MetricSort, metrics } from "../../api/metrics";
import { EmptyState } from "../../components/EmptyState";
import { Menu } from "../../components/Menu";
import { ErrorCard } from "../../components/problems";
import { Skeleton } from "../../components/Skeleton";
import { count, value, whole } from "../../lib/format";
import { useRows } from "../../shell/useRows";
import { ChartThem } from "./ChartThem";
import classes from "./Metrics.module.css";

type Props = {
  q: string;
  selected: string | undefined;
  sort: MetricSort;
  onSort: (sort: MetricSort) => void;
  onOpen: (name: string) => void;
  onSuggest: (q: string) => void;
};

const rowHeight = 44;
const pageSize = 100;
const margin = 8;

/** As many rows as fit, of as many as there are: pages are loaded when they come into sight. */
export function MetricList({ q, selected, sort, onSort, onOpen, onSuggest }: Props) {
  const box = useRef<HTMLDivElement>(null);
  const [view, setView] = useState({ top: 0, height: 800 });
  useRows();
  useLayoutEffect(() => {
    const el = box.current;
    if (!el) return;
    const measure = () => setView({ top: el.scrollTop, height: el.clientHeight });
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(el);
    el.addEventListener("scroll", measure, { passive: true });
    return () => {
      observer.disconnect();
      el.removeEventListener("scroll", measure);
    };
  }, []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another search begins at the top
  useLayoutEffect(() => {
    box.current?.scrollTo(0, 0);
  }, [q, sort]);
  const first = Math.max(0, Math.floor(view.top / rowHeight) - margin);
  const last = Math.ceil((view.top + view.height) / rowHeight) + margin;
  const pages = Array.from(
    { length: Math.floor(last / pageSize) - Math.floor(first / pageSize) + 1 },
    (_, i) => Math.floor(first / pageSize) + i,
  );
  const loaded = useQueries({
    queries: pages.map((p) => ({ ...metrics.search(q, p * pageSize, pageSize, sort), refetchInterval: 30_000 })),
  });
  const any = loaded.find((l) => l.data)?.data;
  // It is tried again for some seconds; meanwhile it is said why nothing is there.
  const failed = loaded.find((l) => l.failureReason && !l.data);
  const found = any?.query.found ?? 0;
  const rows = Array.from({ length: Math.max(0, Math.min(found, last) - first) }, (_, i) => {
    const at = first + i;
    const page = loaded[pages.indexOf(Math.floor(at / pageSize))]?.data;
    return { at, metric: page?.metrics[at % pageSize] };
  });
  return (
    <>
      <div className={classes.count}>
        <span role="status">
          {any && (q ? `${whole(found)} of ${count(any.query.total, "metric")}` : count(any.query.total, "metric"))}
        </span>
        {q && found > 0 && <ChartThem q={q} found={found} />}
        {any && any.query.total > 1 && <Sort sort={sort} onSort={onSort} />}
      </div>
      <div ref={box} className={classes.list}>
        {failed && <ErrorCard error={failed.failureReason} retry={() => void failed.refetch()} what="the metrics" />}
        {any && found === 0 && q && (
          <EmptyState
            title={`Nothing matches ${q}.`}
            actions={
              any.did_you_mean && (
                <button type="button" className={classes.link} onClick={() => onSuggest(any.did_you_mean ?? "")}>
                  {`Did you mean ${any.did_you_mean}?`}
                </button>
              )
            }
          />
        )}
        {any && any.query.total === 0 && !q && (
          <EmptyState title="No metrics yet." actions={<Link to="/send">Send the first measurement</Link>} />
        )}
        <div style={{ height: found * rowHeight, position: "relative" }}>
          {rows.map(({ at, metric: m }) =>
            m ? (
              <Link
                key={m.name}
                to="/metrics"
                search={(old: object) => ({ ...old, name: m.name })}
                className={classes.item}
                style={{ top: at * rowHeight }}
                data-row
                data-active={m.name === selected || undefined}
                aria-current={m.name === selected || undefined}
                onClick={(e) => {
                  if (e.metaKey || e.ctrlKey) return;
                  e.preventDefault();
                  onOpen(m.name);
                }}
              >
                <span className={`${classes.name} mono`} title={m.name}>
                  {m.type === "composite" && <IconMathFunction size={13} stroke={1.6} aria-hidden />}
                  <span className="cut">{m.name}</span>
                </span>
                <span className={classes.streams}>
                  {m.type === "composite" ? "composite" : count(m.streams, "stream")}
                </span>
                <span className={classes.value}>{value(m.last_value, m.units)}</span>
              </Link>
            ) : (
              <div key={at} className={classes.item} style={{ top: at * rowHeight }}>
                <Skeleton height={12} width="60%" />
              </div>
            ),
          )}
        </div>
      </div>
    </>
  );
}

const orders: { sort: MetricSort; label: string }[] = [
  { sort: "", label: "by name" },
  { sort: "streams", label: "by streams" },
];

/** The order of the list. */
function Sort({ sort, onSort }: { sort: MetricSort; onSort: (sort: MetricSort) => void }) {
  return (
    <Menu
      label="Order"
      items={orders.map((o) => ({ label: o.label, checked: o.sort === sort, run: () => onSort(o.sort) }))}
      target={(p) => (
        <button type="button" className={classes.sort} {...p}>
          {orders.find((o) => o.sort === sort)?.label}
          <IconChevronDown size={13} stroke={1.6} aria-hidden />
        </button>
      )}
    />
  );
}
