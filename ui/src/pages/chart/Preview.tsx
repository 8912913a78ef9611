import { IconAlertCircle } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import type { Loaded } from "../../api/series";
import { spaces } from "../../api/spaces";
import type { ChartDraft } from "../../api/types";
import { ChartView } from "../../chart/ChartView";
import { tagKey } from "../../chart/data";
import { distributionOf, hasSeries, kindOf } from "../../chart/kind";
import { NotCompared } from "../../chart/NotCompared";
import { useEvents } from "../../chart/useEvents";
import { Panel } from "../../components/Panel";
import { count, step, took } from "../../lib/format";
import { countsOf } from "../../panels/counts";
import { useTime } from "../../time/TimeContext";
import { TimePicker } from "../../time/TimePicker";
import { drawable, isBlank, letter } from "./draft";
import classes from "./Editor.module.css";
import type { PreviewState } from "./usePreview";

/** "1 distribution from 24 streams, 4 min by 26 ranges" */
function spreadWords({ results, window: w }: Loaded): string {
  const groups = new Set(results.flatMap((r) => r.series.map((s) => `${r.id} ${s.metric} ${tagKey(s.tags)}`)));
  const streams = results.reduce((sum, r) => sum + (r.streams ?? 0), 0);
  const ranges = countsOf(results, w).length;
  return `${count(groups.size, "distribution")} from ${count(streams, "stream")}, ${step(w.step)} by ${count(ranges, "range")}`;
}

/** What the chart looks like, always the last good answer. */
export function Preview({ draft, space, preview }: { draft: ChartDraft; space: number; preview: PreviewState }) {
  const shown = useMemo(() => drawable(draft), [draft]);
  const time = useTime();
  const { data: layout } = useQuery(spaces.layout(space));
  const own = draft.streams.flatMap((s) => (s.type === "annotation" && s.metric && !s.hidden ? [s.metric] : []));
  const sources = [...new Set([...(layout?.annotations ?? []), ...own])];
  const events = useEvents(sources, time.window);
  const kind = kindOf(draft);
  const broken = [...preview.said.keys()].map(letter);
  const sorry = `${broken.join(", ")} ${broken.length === 1 ? "has" : "have"} an error.`;
  const lines = [...preview.series.values()].reduce((a, b) => a + b, 0);
  return (
    <Panel className={classes.preview ?? ""}>
      <div className={classes.previewHead}>
        <h2>Preview</h2>
        {broken.length > 0 ? (
          <span className={classes.warn} role="status">
            <IconAlertCircle size={15} stroke={1.6} aria-hidden />
            {preview.loaded ? `Showing the last valid result. ${sorry}` : sorry}
          </span>
        ) : (
          preview.loaded &&
          hasSeries(kind) && (
            <span className="t3">{`${distributionOf(draft) ? spreadWords(preview.loaded) : `${count(lines, "stream")}, ${step(preview.loaded.window.step)} resolution`}, answered in ${took(preview.loaded.took)}`}</span>
          )
        )}
        <NotCompared kind={kind} />
        <span className={classes.previewTime}>
          <TimePicker live={false} compare />
        </span>
      </div>
      <div className={classes.canvas} data-type={kind}>
        {isBlank(draft) ? (
          <p className={classes.hint}>
            {kind === "text"
              ? "Write something: it appears here as others see it."
              : "Add a metric or a composite: the picture appears here while you choose."}
          </p>
        ) : (
          <ChartView
            chart={shown}
            loaded={preview.loaded}
            past={preview.past}
            events={events}
            incomplete={time.canBeLive}
            error={preview.loaded ? undefined : preview.failed}
            retry={preview.retry}
            wait={preview.wait}
            faded={broken.length > 0}
            rangeLabel={time.label}
            onZoom={time.zoom}
            onZoomOut={time.out}
          />
        )}
      </div>
    </Panel>
  );
}
