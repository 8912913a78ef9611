import { type Ref, useImperativeHandle, useMemo, useRef, useState } from "react";
import type { ChartLink } from "../api/types";
import { among, whole } from "../lib/format";
import { viewer } from "../lib/viewer";
import { ofStreams } from "../panels/links";
import { StreamLinks } from "../panels/StreamLinks";
import type { Window } from "../time/range";
import { named } from "./band";
import classes from "./Chart.module.css";
import { valueAt } from "./columns";
import { currentValue, type Line, spreadOf } from "./data";
import { colorOf } from "./palette";
import { difference, type Past, pastCurrent, pastValue } from "./past";
import { useFit } from "./useFit";
import { useScheme } from "./useScheme";

export type LegendHandle = { show: (idx: number | null) => void };
type Props = {
  ref?: Ref<LegendHandle>;
  lines: Line[];
  square?: boolean;
  incomplete?: boolean;
  /** What the lines are compared with, and when they are. */
  past?: Past | undefined;
  window?: Window | undefined;
  /** Where people go on from each stream. */
  links?: ChartLink[] | null | undefined;
  isolated: ReadonlySet<string>;
  onIsolate: (keys: ReadonlySet<string>) => void;
  onFocus: (key: string | null) => void;
};

/** What a click on a name means: it alone, with Cmd or Ctrl one more, again all. */
export function isolate(now: ReadonlySet<string>, key: string, add: boolean): ReadonlySet<string> {
  if (!add) return now.size === 1 && now.has(key) ? new Set() : new Set([key]);
  const next = new Set(now);
  if (!next.delete(key)) next.add(key);
  return next;
}

/** Where most are grey, the coloured ones come first. */
const inOrder = (lines: Line[]) =>
  lines.some((l) => l.muted) ? [...lines.filter((l) => !l.muted), ...lines.filter((l) => l.muted)] : lines;

/** The names of the lines with their values: now, or under the crosshair. */
export function Legend(props: Props) {
  const { ref, square = false, incomplete = false, past, window: w, isolated, onIsolate, onFocus } = props;
  const lines = useMemo(() => named(props.lines), [props.lines]);
  const [all, setAll] = useState(false);
  const box = useRef<HTMLDivElement>(null);
  const values = useRef(new Map<string, HTMLElement>());
  // The place whose values stand here; what was rendered since may have others.
  const shown = useRef<number | null>(undefined);
  shown.current = undefined;
  const links = useMemo(() => ofStreams(props.links), [props.links]);
  const ordered = useMemo(() => inOrder(lines), [lines]);
  const byKey = useMemo(() => new Map(lines.map((l) => [l.key, l])), [lines]);
  const at = (l: Line, idx: number | null) => {
    const now = idx === null ? currentValue(l.values, incomplete) : valueAt(l.values, idx);
    const text = among(now, spreadOf(l), l.unit, viewer());
    if (!past || !w) return text;
    const was = idx === null ? pastCurrent(past, l.key, incomplete) : pastValue(past, l.key, w.start + idx * w.step);
    return `${text} ${difference(now, was, viewer())}`.trim();
  };
  useImperativeHandle(ref, () => ({
    show(idx) {
      if (shown.current === idx) return;
      shown.current = idx;
      // Only the names that have room here: writing numbers takes long, and there may be thousands of lines.
      for (const [key, node] of values.current) {
        const l = byKey.get(key);
        const text = l ? at(l, idx) : "";
        if (node.textContent !== text) node.textContent = text;
      }
    },
  }));
  const names = `${ordered.map((l) => l.label).join("|")}|${links.length}`;
  const fit = useFit(box, names, lines.length);
  const coloured = lines.filter((l) => !l.muted).length;
  return (
    <div ref={box} className={classes.legend} data-all={all || undefined}>
      {(all ? ordered : ordered.slice(0, fit)).map((l) => (
        <Entry
          key={l.key}
          line={l}
          square={square}
          text={at(l, null)}
          value={(node) => {
            if (node) values.current.set(l.key, node);
            else values.current.delete(l.key);
          }}
          links={links}
          isolated={isolated}
          onIsolate={onIsolate}
          onFocus={onFocus}
        />
      ))}
      {(all || fit < lines.length) && (
        <button type="button" className={classes.item} data-more aria-expanded={all} onClick={() => setAll(!all)}>
          {all ? "fewer" : `+ ${whole(lines.length - fit)}`}
        </button>
      )}
      {lines.length < props.lines.length && (
        <span className="t3" data-note>
          tinted: 10th to 90th percentile
        </span>
      )}
      {coloured < lines.length && (
        <span className="t3" data-note>{`${coloured} of ${whole(lines.length)} shown in colour`}</span>
      )}
    </div>
  );
}

type NameProps = Pick<Props, "isolated" | "onIsolate" | "onFocus"> & {
  line: Line;
  square: boolean;
  text: string;
  value: (node: HTMLElement | null) => void;
};

/** A name, and beside it where it leads; most lead nowhere. */
function Entry({ links, ...name }: NameProps & { links: ChartLink[] }) {
  if (links.length === 0) return <Name {...name} />;
  return (
    <span className={classes.entry} data-entry>
      <Name {...name} />
      <StreamLinks links={links} name={name.line.label} tags={name.line.tags} />
    </span>
  );
}

function Name({ line: l, square, text, value: hold, isolated, onIsolate, onFocus }: NameProps) {
  const scheme = useScheme();
  return (
    <button
      type="button"
      className={classes.item}
      data-legend
      data-off={isolated.size > 0 && !isolated.has(l.key)}
      aria-pressed={isolated.has(l.key)}
      onClick={(e) => onIsolate(isolate(isolated, l.key, e.metaKey || e.ctrlKey))}
      onPointerEnter={() => onFocus(l.key)}
      onPointerLeave={() => onFocus(null)}
      onFocus={() => onFocus(l.key)}
      onBlur={() => onFocus(null)}
    >
      <span
        data-swatch
        className={square ? classes.square : classes.swatch}
        style={{ background: colorOf(l.paint, scheme) }}
      />
      <span data-name className={l.mono ? "mono cut" : "cut"}>
        {l.label}
      </span>
      <b ref={hold} data-value>
        {text}
      </b>
      {l.axis === 1 && (
        <span data-value className="t3">
          right axis
        </span>
      )}
    </button>
  );
}
