import { IconLink } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useMemo } from "react";
import { metrics } from "../../api/metrics";
import type { Stream } from "../../api/types";
import { useAnswer } from "../../chart/useAnswer";
import { Workbench } from "../../chart/Workbench";
import { AddToSpace } from "../../components/AddToSpace";
import { Busiest, useBusiest } from "../../components/Busiest";
import { Button } from "../../components/Button";
import { Chip } from "../../components/controls";
import { EmptyState } from "../../components/EmptyState";
import { Page } from "../../components/Page";
import { useAnnotate } from "../../dialogs/useAnnotate";
import { questionOf, questionWords, streamOf } from "../../lib/question";
import type { TagSearch } from "../../lib/search";
import { useSession } from "../../shell/useSession";
import { useTime } from "../../time/TimeContext";
import { TimePicker } from "../../time/TimePicker";
import { toast } from "../../toasts/toasts";
import { Asking, type Mode } from "./Asking";
import classes from "./Explore.module.css";
import { useText } from "./useText";

const none: string[] = []; // annotation streams that are shown here

/** A question of the moment: everything about it is in the address. */
export function Explore() {
  const search = useSearch({ from: "/shell/explore" });
  const navigate = useNavigate();
  const { canEdit } = useSession();
  const time = useTime();
  const mode: Mode = search.q !== undefined || search.view === "composite" ? "composite" : "metric";
  const change = (p: Record<string, string | undefined>, replace = false) =>
    void navigate({ to: "/explore", search: (old: object) => ({ ...old, ...p }), replace } as never);
  const [text, setText] = useText(search.q, mode === "composite", (q) => {
    const view = search.view === "composite" ? undefined : search.view;
    change({ q: q || undefined, view: q ? view : "composite" }, true);
  });
  const metric = mode === "metric" ? search.metric : undefined;
  const about = useQuery({ ...metrics.one(metric ?? ""), enabled: metric !== undefined, retry: false });
  const unit = String(about.data?.attributes.display_units_short ?? "");
  const question = useMemo(() => questionOf(search as TagSearch), [search]);
  const stream = useMemo<Stream | undefined>(() => {
    if (metric) return streamOf(metric, question, unit);
    return search.q && mode === "composite" ? { composite: search.q, type: "composite" } : undefined;
  }, [mode, search.q, metric, question, unit]);
  const { chart, series, result, error, lines, past } = useAnswer(metric ?? "Composite", stream);
  const table = search.view === "table";
  const annotate = useAnnotate(none);
  const setMode = (m: Mode) =>
    change(
      m === "metric"
        ? { q: undefined, view: undefined }
        : { view: "composite", metric: undefined, q: text || startFrom(search.metric) },
    );
  return (
    <Page title="Explore" tools={<Tools />}>
      <Asking
        mode={mode}
        onMode={setMode}
        text={text}
        onText={setText}
        error={error}
        empty={mode === "composite" && !error && result?.series.length === 0}
        metric={search.metric}
        question={question}
        change={change}
      />
      {stream ? (
        <Workbench
          title={metric ? questionWords(question) : "Composite"}
          file={metric ? `${metric} ${questionWords(question)}` : "composite"}
          unit={String(about.data?.attributes.display_units_long || unit)}
          lines={lines}
          loaded={error ? undefined : series.data}
          streams={result?.streams}
          by={metric ? question.groups : []}
          time={time}
          past={past}
          view={table ? "table" : "groups"}
          faded={series.isPlaceholderData}
          message={error && "The expression has an error."}
          error={series.data ? undefined : series.error}
          retry={() => void series.refetch()}
          wait={series.wait}
          {...annotate.take}
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
        <Nothing busiest={mode === "metric"} />
      )}
      {annotate.dialog}
    </Page>
  );
}

/** Nothing was asked for yet: the busiest metrics are where to begin. */
function Nothing({ busiest }: { busiest: boolean }) {
  const found = useBusiest(busiest);
  return (
    <EmptyState title="Ask for a metric, or write a composite.">
      The answer appears here, and its address can be sent to anyone in your organization.
      {busiest && found && found.length > 0 && <Busiest metrics={found} to="/explore" />}
    </EmptyState>
  );
}

/** A composite that begins with the metric one was looking at. */
const startFrom = (metric: string | undefined) => (metric ? `s("${metric}", "*")` : undefined);

function Tools() {
  const { canBeLive } = useTime();
  const copy = async () => {
    await navigator.clipboard.writeText(location.href);
    toast(`Address copied. Whoever opens it sees ${canBeLive ? "the newest data then" : "this"}.`);
  };
  return (
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
  );
}
