import { type Ref, useImperativeHandle, useRef, useState } from "react";
import { value } from "../lib/format";
import { viewer } from "../lib/viewer";
import classes from "./Chart.module.css";
import { type Line, lastValue } from "./data";
import { colorOf } from "./palette";
import { useScheme } from "./useScheme";

export type LegendHandle = { show: (idx: number | null) => void };
type Props = {
  ref?: Ref<LegendHandle>;
  lines: Line[];
  square?: boolean;
  incomplete?: boolean;
  isolated: ReadonlySet<string>;
  onIsolate: (keys: ReadonlySet<string>) => void;
  onFocus: (key: string | null) => void;
};

const room = 8;

/** What a click on a name means: it alone, with Cmd or Ctrl one more, again all. */
export function isolate(now: ReadonlySet<string>, key: string, add: boolean): ReadonlySet<string> {
  if (!add) return now.size === 1 && now.has(key) ? new Set() : new Set([key]);
  const next = new Set(now);
  if (!next.delete(key)) next.add(key);
  return next;
}

/** The names of the lines with their values: now, or under the crosshair. */
export function Legend({ ref, lines, square = false, incomplete = false, isolated, onIsolate, onFocus }: Props) {
  const scheme = useScheme();
  const [all, setAll] = useState(false);
  const values = useRef(new Map<string, HTMLElement>());
  const at = (l: Line, idx: number | null) =>
    value(idx === null ? lastValue(l.values, incomplete) : (l.values[idx] ?? null), l.unit, viewer());
  useImperativeHandle(ref, () => ({
    show(idx) {
      for (const l of lines) {
        const node = values.current.get(l.key);
        const text = at(l, idx);
        if (node && node.textContent !== text) node.textContent = text;
      }
    },
  }));
  const shown = all ? lines : lines.slice(0, room);
  const coloured = lines.filter((l) => !l.muted).length;
  return (
    <div className={classes.legend}>
      {shown.map((l) => (
        <button
          key={l.key}
          type="button"
          className={classes.item}
          data-legend
          data-off={isolated.size > 0 && !isolated.has(l.key)}
          aria-pressed={isolated.has(l.key)}
          onClick={(e) => onIsolate(isolate(isolated, l.key, e.metaKey || e.ctrlKey))}
          onKeyDown={(e) => e.key === "Escape" && onIsolate(new Set())}
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
          <span className={l.mono ? "mono cut" : "cut"}>{l.label}</span>
          <b
            ref={(node) => {
              if (node) values.current.set(l.key, node);
              else values.current.delete(l.key);
            }}
          >
            {at(l, null)}
          </b>
          {l.axis === 1 && <span className="t3">right axis</span>}
        </button>
      ))}
      {lines.length > room && (
        <button type="button" className={classes.item} onClick={() => setAll(!all)}>
          {all ? "fewer" : `+ ${lines.length - room}`}
        </button>
      )}
      {coloured < lines.length && <span className="t3">{`${coloured} of ${lines.length} shown in colour`}</span>}
    </div>
  );
}
