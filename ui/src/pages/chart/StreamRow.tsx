import { IconDots, IconEye, IconEyeOff, IconFlag, IconGripVertical, IconMathFunction } from "@tabler/icons-react";
import type { KeyboardEvent } from "react";
import type { Dynamic } from "../../api/query";
import type { Stream } from "../../api/types";
import type { QueryError } from "../../api/ui.gen";
import { colorOf } from "../../chart/palette";
import { useScheme } from "../../chart/useScheme";
import { IconButton, Tag } from "../../components/controls";
import { ColorField } from "../../components/fields";
import { Menu } from "../../components/Menu";
import { count } from "../../lib/format";
import { letter } from "./draft";
import classes from "./Editor.module.css";
import { AnnotationForm, CompositeForm, MetricForm } from "./StreamForms";

export type StreamPatch = { [K in keyof Stream]?: Stream[K] | undefined };
export type RowProps = {
  stream: Stream;
  index: number;
  alone: boolean;
  open: boolean;
  /** It is shown how its values are distributed, and not what they come to. */
  distribution: boolean;
  error: QueryError | undefined;
  streams: number | undefined;
  series: number | undefined;
  dynamic: Dynamic[];
  onOpen: () => void;
  onChange: (patch: StreamPatch) => void;
  onDuplicate: () => void;
  onMove: (by: number) => void;
  onRemove: () => void;
};

const tooMany = 100;
const names: Record<string, string> = { mean: "average", average: "average" };

/** One row: closed it says what it is, open it asks. */
export function StreamRow(props: RowProps) {
  const { stream: s, index, open, error, streams, series, onOpen, onChange } = props;
  const scheme = useScheme();
  const isComposite = s.type === "composite" || s.composite !== undefined;
  const isEvents = s.type === "annotation";
  const shown = colorOf(s.color ? { hex: s.color } : { slot: index % 8 }, scheme);
  const busy = (streams ?? 0) > tooMany && (series ?? 0) > tooMany;
  const move = (e: KeyboardEvent) => {
    const by = { ArrowUp: -1, ArrowDown: 1 }[e.key];
    if (by) {
      e.preventDefault();
      props.onMove(by);
    }
  };
  return (
    <div className={classes.row} data-open={open || undefined} data-hidden={s.hidden || undefined}>
      <div className={classes.rowHead}>
        <button
          type="button"
          className={classes.grip}
          aria-label={`Move ${letter(index)}: arrow up or down`}
          onKeyDown={move}
        >
          <IconGripVertical size={14} stroke={1.6} />
        </button>
        {isEvents ? (
          <IconFlag size={14} stroke={1.6} color="var(--tm-ann)" />
        ) : (
          <ColorField
            label={`Colour of ${letter(index)}`}
            value={s.color}
            shown={shown}
            onChange={(color) => onChange({ color })}
          />
        )}
        <span className={classes.letter}>{letter(index)}</span>
        <button type="button" className={classes.rowName} aria-expanded={open} onClick={onOpen}>
          {isComposite && <IconMathFunction size={15} stroke={1.6} className={classes.fx} aria-hidden />}
          <RowTitle stream={s} />
          {!isComposite &&
            s.tags?.map((t) => (
              <Tag key={t.name}>
                {t.dynamic ? `${t.name} from space` : t.values?.length ? `${t.name}=${t.values.join(",")}` : t.name}
                {t.grouped && !t.dynamic ? ", one line each" : ""}
              </Tag>
            ))}
        </button>
        {!isComposite && !isEvents && (
          <span className={classes.summary}>
            {props.distribution ? "distribution" : (names[s.summary_function ?? "average"] ?? s.summary_function)}
          </span>
        )}
        {s.hidden && <span className="t3">hidden</span>}
        {!isEvents && !s.hidden && series !== undefined && !error && (
          <span
            className={busy ? classes.amber : "t3"}
            data-tip={busy ? `${series} streams. Group or filter to keep the chart readable.` : undefined}
          >
            {props.distribution && "merged "}
            {isComposite ? count(series, "series", "series") : count(streams ?? series, "stream")}
          </span>
        )}
        <IconButton
          label={`${s.hidden ? "Show" : "Hide"} ${letter(index)}`}
          aria-pressed={s.hidden === true}
          onClick={() => onChange({ hidden: s.hidden ? undefined : true })}
        >
          {s.hidden ? <IconEyeOff size={15} stroke={1.6} /> : <IconEye size={15} stroke={1.6} />}
        </IconButton>
        <Menu
          label={`More for ${letter(index)}`}
          items={[
            { label: open ? "Close" : "Edit", run: onOpen },
            { label: "Duplicate", run: props.onDuplicate },
            { label: "Move up", run: () => props.onMove(-1), disabled: index === 0 && "It is the first." },
            { label: "Move down", run: () => props.onMove(1) },
            "line",
            { label: "Remove", danger: true, run: props.onRemove },
          ]}
          target={(p) => (
            <IconButton label="More" {...p}>
              <IconDots size={15} stroke={1.8} />
            </IconButton>
          )}
        />
      </div>
      {open && (
        <div className={classes.form}>
          {busy && (
            <p
              className={classes.amber}
            >{`${count(series ?? 0, "stream")}. Group or filter to keep the chart readable.`}</p>
          )}
          {isEvents ? (
            <AnnotationForm stream={s} onChange={onChange} />
          ) : isComposite ? (
            <CompositeForm stream={s} error={error} series={series} dynamic={props.dynamic} onChange={onChange} />
          ) : (
            <MetricForm stream={s} dynamic={props.dynamic} distribution={props.distribution} onChange={onChange} />
          )}
        </div>
      )}
    </div>
  );
}

/** A metric is known by its name, a composite by the one it was given. */
function RowTitle({ stream: s }: { stream: Stream }) {
  if (s.metric)
    return (
      <>
        <b className="mono cut">{s.metric}</b>
        {s.name && <span className="t3 cut">{s.name}</span>}
      </>
    );
  if (s.name) return <b className="cut">{s.name}</b>;
  if (s.composite) return <b className="mono cut">{s.composite.replace(/\s+/g, " ")}</b>;
  const missing =
    s.type === "annotation" ? "Choose a stream" : s.type === "composite" ? "New composite" : "Choose a metric";
  return <b className="cut">{missing}</b>;
}
