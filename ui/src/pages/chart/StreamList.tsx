import { IconFlag, IconMathFunction, IconPlus } from "@tabler/icons-react";
import { useState } from "react";
import type { Stream } from "../../api/types";
import { Button } from "../../components/Button";
import { Panel } from "../../components/Panel";
import { moveStream, patchStream } from "./draft";
import classes from "./Editor.module.css";
import { StreamRow } from "./StreamRow";
import type { PreviewState } from "./usePreview";

type Props = {
  streams: Stream[];
  preview: PreviewState;
  /** Only annotation streams are shown. */
  events?: boolean;
  /** Of each, how its values are distributed. */
  distribution?: boolean;
  onChange: (streams: Stream[]) => void;
};
const icon = { size: 15, stroke: 1.6 };

/** The rows of a chart, one of them open. */
export function StreamList({ streams, preview, events = false, distribution = false, onChange }: Props) {
  const [open, setOpen] = useState<number | null>(streams.length === 1 ? 0 : null);
  const add = (s: Stream) => {
    onChange([...streams, s]);
    setOpen(streams.length);
  };
  return (
    <Panel className={classes.streams ?? ""}>
      <div className={classes.streamsHead}>
        <h2>Streams</h2>
        <div className={classes.tools}>
          {!events && (
            <>
              <Button
                variant="default"
                leftSection={<IconPlus {...icon} />}
                onClick={() => add({ gap_detection: true })}
              >
                Metric
              </Button>
              <Button
                variant="default"
                leftSection={<IconMathFunction {...icon} />}
                onClick={() => add({ type: "composite", composite: "", gap_detection: true })}
              >
                Composite
              </Button>
            </>
          )}
          <Button variant="default" leftSection={<IconFlag {...icon} />} onClick={() => add({ type: "annotation" })}>
            Annotations
          </Button>
        </div>
      </div>
      {streams.map((s, i) => (
        <StreamRow
          key={i}
          stream={s}
          index={i}
          alone={streams.length === 1}
          distribution={distribution}
          open={open === i}
          error={preview.said.get(i)}
          streams={preview.counts.get(i)}
          series={preview.series.get(i)}
          dynamic={preview.dynamic}
          onOpen={() => setOpen(open === i ? null : i)}
          onChange={(patch) => onChange(patchStream(streams, i, patch))}
          onDuplicate={() => {
            onChange([...streams.slice(0, i + 1), { ...s }, ...streams.slice(i + 1)]);
            setOpen(i + 1);
          }}
          onMove={(by) => {
            onChange(moveStream(streams, i, i + by));
            setOpen(null);
          }}
          onRemove={() => {
            onChange(streams.filter((_, n) => n !== i));
            setOpen(null);
          }}
        />
      ))}
      {streams.length === 0 && <p className={classes.none}>No streams yet.</p>}
    </Panel>
  );
}
