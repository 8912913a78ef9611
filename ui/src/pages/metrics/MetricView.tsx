import { IconBell } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { lazy, Suspense, useMemo } from "react";
import { metrics } from "../../api/metrics";
import { useAnswer } from "../../chart/useAnswer";
import { Workbench } from "../../chart/Workbench";
import { AddToSpace } from "../../components/AddToSpace";
import { Button } from "../../components/Button";
import { QuestionRow } from "../../components/filter/QuestionRow";
import { ErrorCard } from "../../components/problems";
import { useAnnotate } from "../../dialogs/useAnnotate";
import { questionOf, questionWords, streamOf } from "../../lib/question";
import type { TagSearch } from "../../lib/search";
import { useAlertOn } from "../../lib/useAlertOn";
import { usePhone } from "../../shell/usePhone";
import { useSession } from "../../shell/useSession";
import { useTime } from "../../time/TimeContext";
import { TimePicker } from "../../time/TimePicker";
import { MetricFoot } from "./MetricFoot";
import classes from "./Metrics.module.css";
import { MetricTop } from "./MetricTop";

const Dialogs = lazy(() => import("./MetricDialogs"));
const none: string[] = []; // annotation streams that are shown here

/** One metric: its lines, told apart and summed up as the address says. */
export function MetricView({ name, onBack }: { name: string; onBack: () => void }) {
  const { canEdit } = useSession();
  const search = useSearch({ from: "/shell/metrics" });
  const navigate = useNavigate();
  const time = useTime();
  const phone = usePhone();
  const { data: metric, error, refetch } = useQuery(metrics.one(name));
  const change = (p: Record<string, string | undefined>) =>
    void navigate({ to: "/metrics", search: (old: object) => ({ ...old, ...p }) } as never);
  const unit = String(metric?.attributes.display_units_short ?? "");
  const long = String(metric?.attributes.display_units_long || unit);
  const question = useMemo(() => questionOf(search as TagSearch), [search]);
  const stream = useMemo(() => streamOf(name, question, unit), [name, question, unit]);
  const { chart, series, result, lines, past } = useAnswer(name, stream, search.streams === "all");
  const annotate = useAnnotate(none);
  const alertOn = useAlertOn();
  if (error && !metric)
    return (
      <section className={classes.right}>
        <ErrorCard error={error} retry={() => void refetch()} what={name} />
      </section>
    );
  return (
    <section className={classes.right} aria-label={name}>
      <MetricTop
        name={name}
        metric={metric}
        canEdit={canEdit}
        onBack={onBack}
        onDialog={(dialog) => change({ dialog })}
      />
      <div className={classes.filters}>
        {phone && <TimePicker />}
        <QuestionRow metric={name} question={question} change={change} />
      </div>
      <Workbench
        title={questionWords(question)}
        file={`${name} ${questionWords(question)}`}
        unit={long}
        lines={lines}
        loaded={series.data}
        streams={result?.streams}
        by={question.groups}
        time={time}
        past={past}
        every={{ on: search.streams === "all", set: (on) => change({ streams: on ? "all" : undefined }) }}
        faded={series.isPlaceholderData}
        error={series.data ? undefined : series.error}
        retry={() => void series.refetch()}
        wait={series.wait}
        {...annotate.take}
        tools={
          canEdit && (
            <>
              <Button
                variant="default"
                leftSection={<IconBell size={15} stroke={1.6} />}
                onClick={() => alertOn({ ...search, metric: name })}
              >
                Alert on this
              </Button>
              <AddToSpace chart={chart} />
            </>
          )
        }
      />
      {annotate.dialog}
      <MetricFoot name={name} unit={long} canEdit={canEdit} onEdit={() => change({ dialog: "edit" })} />
      <Suspense fallback={null}>
        {search.dialog && metric && (
          <Dialogs
            kind={search.dialog}
            metric={metric}
            streams={result?.streams}
            close={() => change({ dialog: undefined })}
            onDeleted={onBack}
          />
        )}
      </Suspense>
    </section>
  );
}
