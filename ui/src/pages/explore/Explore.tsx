import { useDebouncedValue } from "@mantine/hooks";
import { IconLink } from "@tabler/icons-react";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useEffect, useMemo, useRef, useState } from "react";
import { askStreams, useSeries } from "../../api/series";
import type { ChartDraft, Stream } from "../../api/types";
import { useLines } from "../../chart/ChartView";
import { Workbench } from "../../chart/Workbench";
import { AddToSpace } from "../../components/AddToSpace";
import { Button } from "../../components/Button";
import { Chip } from "../../components/controls";
import { EmptyState } from "../../components/EmptyState";
import { Field, Select } from "../../components/fields";
import { FilterBar } from "../../components/filter/FilterBar";
import { MetricSearch } from "../../components/MetricSearch";
import { Page } from "../../components/Page";
import { ComposeField } from "../../compose/ComposeField";
import { filtersOf, filterText, groupsOf } from "../../lib/filters";
import type { TagSearch } from "../../lib/search";
import { note } from "../../notes/notes";
import { useSession } from "../../shell/useSession";
import { useTime } from "../../time/TimeContext";
import { TimePicker } from "../../time/TimePicker";
import classes from "./Explore.module.css";

const none: never[] = [];
const wait = 350;
const summaries = ["average", "max", "min", "sum", "count"].map((label) => ({
  value: label === "average" ? "" : label,
  label,
}));

export function Explore() {
  const search = useSearch({ from: "/shell/explore" });
  const navigate = useNavigate();
  const { canEdit } = useSession();
  const time = useTime();
  const mode = search.q !== undefined || search.view === "composite" ? "composite" : "metric";
  const [text, setText] = useState(search.q ?? "");
  const [settled] = useDebouncedValue(text, wait);
  const change = (p: Record<string, string | undefined>, replace = false) =>
    void navigate({ to: "/explore", search: (old: object) => ({ ...old, ...p }), replace } as never);

  const written = useRef(search.q);
  // biome-ignore lint/correctness/useExhaustiveDependencies: what was typed goes into the address once it rests
  useEffect(() => {
    if (mode !== "composite" || settled === (search.q ?? "")) return;
    written.current = settled || undefined;
    const view = search.view === "composite" ? undefined : search.view;
    change({ q: settled || undefined, view: settled ? view : "composite" }, true);
  }, [settled]);
  useEffect(() => {
    // Back and links bring another question; our own words coming back must not undo what was typed since.
    if (search.q === undefined || search.q === written.current) return;
    written.current = search.q;
    setText(search.q);
  }, [search.q]);

  const filters = useMemo(() => filtersOf(search as TagSearch), [search]);
  const groups = useMemo(() => groupsOf(search.group), [search.group]);
  const stream = useMemo<Stream | undefined>(() => {
    if (mode === "composite") return search.q ? { composite: search.q, type: "composite" } : undefined;
    if (!search.metric) return undefined;
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
      metric: search.metric,
      ...(tags.length && { tags }),
      ...(search.summary && { summary_function: search.summary }),
      group_function: groups.length ? search.summary || "mean" : "breakout",
    };
  }, [mode, search.q, search.metric, search.summary, filters, groups]);
  const streams = useMemo(() => (stream ? [stream] : []), [stream]);
  const chart = useMemo<ChartDraft>(
    () => ({ name: search.metric ?? "Composite", type: "line", streams }),
    [search.metric, streams],
  );
  const ask = useMemo(() => askStreams(streams, none), [streams]);
  const q = useSeries({
    key: streams,
    ask,
    range: time.range,
    window: time.window,
    live: time.live,
    tick: time.now,
    enabled: streams.length > 0,
  });
  const result = q.isPlaceholderData ? undefined : q.data?.results[0];
  const error = stream && result?.error;
  const lines = useLines(chart, error ? undefined : q.data);
  const table = search.view === "table";
  const copy = async () => {
    await navigator.clipboard.writeText(location.href);
    note("Address copied. Whoever opens it sees this.");
  };
  return (
    <Page
      title="Explore"
      tools={
        <>
          <TimePicker />
          <Button
            variant="default"
            leftSection={<IconLink size={15} stroke={1.6} />}
            onClick={() => void copy()}
            className={classes.wide ?? ""}
          >
            Copy link
          </Button>
        </>
      }
    >
      <div className={classes.ask}>
        <div className={classes.modes} role="tablist" aria-label="Ask for">
          {(["metric", "composite"] as const).map((m) => (
            <Chip
              key={m}
              role="tab"
              aria-selected={mode === m}
              active={mode === m}
              onClick={() =>
                change(
                  m === "metric"
                    ? { q: undefined, view: undefined }
                    : { view: "composite", metric: undefined, q: text || startFrom(search.metric) },
                )
              }
            >
              {m === "metric" ? "Metric" : "Composite"}
            </Chip>
          ))}
        </div>
        {mode === "composite" ? (
          <ComposeField
            value={text}
            onChange={setText}
            error={text ? error : undefined}
            empty={result && result.series.length === 0 ? "No points in this range." : undefined}
            autoFocus={text === ""}
          />
        ) : (
          <>
            <div className={classes.metric}>
              <Field label="Metric">
                {(id) => <MetricSearch id={id} value={search.metric ?? ""} onPick={(metric) => change({ metric })} />}
              </Field>
              <Field label="Show">
                {(id) => (
                  <Select
                    id={id}
                    options={summaries}
                    value={search.summary ?? ""}
                    onChange={(summary) => change({ summary: summary || undefined })}
                  />
                )}
              </Field>
            </div>
            {search.metric && (
              <div className={classes.filters}>
                <FilterBar
                  filters={filters}
                  groups={groups}
                  metrics={[search.metric]}
                  onFilter={(tag, values, not) => change({ [`tag.${tag}`]: filterText(values, not) })}
                  onGroup={(tag, on) =>
                    change({ group: (on ? [...groups, tag] : groups.filter((g) => g !== tag)).join(",") || undefined })
                  }
                />
              </div>
            )}
          </>
        )}
      </div>
      {stream ? (
        <Workbench
          title={search.metric ?? "Composite"}
          unit=""
          lines={lines}
          loaded={error ? undefined : q.data}
          streams={result?.streams}
          by={groups}
          time={time}
          view={table ? "table" : "groups"}
          faded={q.isPlaceholderData}
          message={error ? "The expression has an error." : q.data ? undefined : q.error?.message}
          tools={
            <>
              <Chip active={table} aria-pressed={table} onClick={() => change({ view: table ? undefined : "table" })}>
                Table of points
              </Chip>
              {canEdit && <AddToSpace chart={chart} disabled={Boolean(error)} />}
            </>
          }
        />
      ) : (
        <EmptyState title="Ask for a metric, or write a composite.">
          The answer appears here, and its address can be sent to anyone in your organization.
        </EmptyState>
      )}
    </Page>
  );
}

/** A composite that begins with the metric one was looking at. */
const startFrom = (metric: string | undefined) => (metric ? `s("${metric}", "*")` : undefined);
