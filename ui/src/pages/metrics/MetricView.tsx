import { IconArrowLeft, IconBell, IconDots, IconPlus, IconX } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { lazy, Suspense, useMemo } from "react";
import { metrics } from "../../api/metrics";
import { askStreams, useSeries } from "../../api/series";
import type { ChartDraft, Stream } from "../../api/types";
import { useLines } from "../../chart/ChartView";
import { Workbench } from "../../chart/Workbench";
import { AddToSpace } from "../../components/AddToSpace";
import { Button } from "../../components/Button";
import { Chip, IconButton } from "../../components/controls";
import { Select } from "../../components/fields";
import { FilterBar } from "../../components/filter/FilterBar";
import TagNames from "../../components/filter/TagNames";
import { Menu } from "../../components/Menu";
import { Pop } from "../../components/Pop";
import { ErrorCard } from "../../components/problems";
import { filtersOf, filterText, groupsOf } from "../../lib/filters";
import { step } from "../../lib/format";
import type { TagSearch } from "../../lib/search";
import { useSession } from "../../shell/useSession";
import { useTime } from "../../time/TimeContext";
import { TimePicker } from "../../time/TimePicker";
import { MetricFoot } from "./MetricFoot";
import classes from "./Metrics.module.css";

const Dialogs = lazy(() => import("./MetricDialogs"));

export const summaries = [
  { value: "", label: "average" },
  { value: "max", label: "max" },
  { value: "min", label: "min" },
  { value: "sum", label: "sum" },
  { value: "count", label: "count" },
];
const none: never[] = [];

/** One metric: its lines, told apart and summed up as the address says. */
export function MetricView({ name, onBack }: { name: string; onBack: () => void }) {
  const { canEdit } = useSession();
  const search = useSearch({ from: "/shell/metrics" });
  const navigate = useNavigate();
  const time = useTime();
  const { data: metric, error, refetch } = useQuery(metrics.one(name));
  const change = (p: Record<string, string | undefined>) =>
    void navigate({ to: "/metrics", search: (old: object) => ({ ...old, ...p }) } as never);
  const filters = useMemo(() => filtersOf(search as TagSearch), [search]);
  const groups = useMemo(() => groupsOf(search.group), [search.group]);
  const unit = String(metric?.attributes.display_units_short ?? "");
  const long = String(metric?.attributes.display_units_long || unit);
  const stream = useMemo<Stream>(() => {
    const names = [...new Set([...filters.map((f) => f.name), ...groups])];
    const tags = names.map((n) => {
      const f = filters.find((x) => x.name === n);
      return {
        name: n,
        ...(f && { values: f.values.map((v) => (f.not ? `!${v}` : v)) }),
        ...(groups.includes(n) && { grouped: true }),
      };
    });
    return {
      metric: name,
      ...(tags.length && { tags }),
      ...(search.summary && { summary_function: search.summary }),
      group_function: groups.length
        ? search.summary === "sum" || search.summary === "count"
          ? "sum"
          : search.summary || "mean"
        : "breakout",
      units_short: unit,
    };
  }, [name, filters, groups, search.summary, unit]);
  const chart = useMemo<ChartDraft>(() => ({ name, type: "line", streams: [stream] }), [name, stream]);
  const ask = useMemo(() => askStreams([stream], none), [stream]);
  const q = useSeries({ key: [stream], ask, range: time.range, window: time.window, live: time.live, tick: time.now });
  const lines = useLines(chart, q.data);
  const shown = summaries.find((s) => s.value === (search.summary ?? ""))?.label ?? "average";
  const title = `${shown.charAt(0).toUpperCase()}${shown.slice(1)}${groups.length ? ` by ${groups.join(", ")}` : " of each stream"}`;
  if (error && !metric)
    return (
      <section className={classes.right}>
        <ErrorCard error={error} retry={() => void refetch()} what={name} />
      </section>
    );
  return (
    <section className={classes.right} aria-label={name}>
      <header className={classes.top}>
        <IconButton className={classes.back ?? ""} label="Back to the list" onClick={onBack}>
          <IconArrowLeft size={20} stroke={1.6} />
        </IconButton>
        <h2 className="mono cut" title={name}>
          {name}
        </h2>
        {metric && (
          <span className="t3 cut">{`${metric.type}${metric.period ? `, every ${step(metric.period)}` : ""}`}</span>
        )}
        <div className={classes.tools}>
          <TimePicker />
          {canEdit && (
            <Menu
              label="More for this metric"
              items={[
                { label: "Edit properties", run: () => change({ dialog: "edit" }) },
                { label: "Explore", run: () => void navigate({ to: "/explore", search: { metric: name } }) },
                "line",
                { label: "Delete…", danger: true, run: () => change({ dialog: "delete" }) },
              ]}
              target={(p) => (
                <IconButton label="More" {...p}>
                  <IconDots size={17} stroke={1.8} />
                </IconButton>
              )}
            />
          )}
        </div>
      </header>
      <div className={classes.filters}>
        <FilterBar
          filters={filters}
          groups={none}
          metrics={[name]}
          onFilter={(tag, values, not) => change({ [`tag.${tag}`]: filterText(values, not) })}
          onGroup={(tag, on) =>
            change({ group: (on ? [...groups, tag] : groups.filter((g) => g !== tag)).join(",") || undefined })
          }
        />
        <span className="t3">Group by</span>
        {groups.map((g) => (
          <Chip
            key={g}
            active
            onClick={() => change({ group: groups.filter((x) => x !== g).join(",") || undefined })}
            aria-label={`Stop grouping by ${g}`}
          >
            <span className="mono">{g}</span>
            <IconX size={13} stroke={1.8} />
          </Chip>
        ))}
        <Pop
          label="Group by"
          width={250}
          target={(p) => (
            <Chip dashed aria-label="Group by a tag" {...p}>
              <IconPlus size={13} stroke={1.8} />
              {groups.length === 0 && "tag"}
            </Chip>
          )}
        >
          {(close) => (
            <TagNames
              metrics={[name]}
              taken={groups}
              onPick={(tag) => {
                change({ group: [...groups, tag].join(",") });
                close();
              }}
            />
          )}
        </Pop>
        <span className="t3">Show</span>
        <Select
          small
          aria-label="Show"
          options={summaries}
          value={search.summary ?? ""}
          onChange={(v) => change({ summary: v || undefined })}
        />
      </div>
      <Workbench
        title={title}
        unit={long}
        lines={lines}
        loaded={q.data}
        streams={q.data?.results[0]?.streams}
        by={groups}
        time={time}
        faded={q.isPlaceholderData}
        message={q.data ? undefined : q.error?.message}
        tools={
          canEdit && (
            <>
              <Button
                variant="default"
                leftSection={<IconBell size={15} stroke={1.6} />}
                onClick={() => void navigate({ to: "/alerts/new", search: { metric: name } })}
              >
                Alert on this
              </Button>
              <AddToSpace chart={{ ...chart, streams: [stream] }} />
            </>
          )
        }
      />
      <MetricFoot name={name} unit={long} canEdit={canEdit} onEdit={() => change({ dialog: "edit" })} />
      <Suspense fallback={null}>
        {search.dialog && metric && (
          <Dialogs
            kind={search.dialog}
            metric={metric}
            streams={q.data?.results[0]?.streams}
            close={() => change({ dialog: undefined })}
            onDeleted={onBack}
          />
        )}
      </Suspense>
    </section>
  );
}
