import type { KeyboardEvent, PointerEvent } from "react";
import { longDay, span } from "../../lib/format";
import { viewer } from "../../lib/viewer";
import { atWall, wall } from "../../time/wall";
import type { Piece } from "../../time/week";
import { type Draft, draftOf, moved, quarter } from "./draft";
import classes from "./Maintenance.module.css";
import type { Shown } from "./Week";

type Props = {
  piece: Piece<Shown>;
  now: number;
  open: (d: Draft) => Promise<boolean>;
  change: (d: Draft) => void;
  grab: ((e: PointerEvent, kind: "start" | "end" | "move", d: Draft) => void) | undefined;
};

/** From here on there is room for the times under the name. */
const tall = 1.3 / 24;

/** One time of a window in the calendar. Its edges can be dragged; keys do the same. */
export function WindowBlock({ piece, now, open, change, grab }: Props) {
  const shown = piece.of;
  const draft = "draft" in shown ? shown.draft : draftOf(shown.window, shown.occurrence);
  const isDraft = "draft" in shown;
  const on = !isDraft && draft.start <= now && draft.end > now;
  const kind = isDraft ? "draft" : on ? "on" : draft.window?.repeat ? "repeats" : "once";
  const state = isDraft ? (draft.window ? "changed, not saved" : "new, not saved") : on ? "under way" : "";
  const name = draft.name || "New window";
  const spoken = [longDay(draft.start), span(draft.start, draft.end), name, state].filter(Boolean).join(", ");
  const onKey = (e: KeyboardEvent) => {
    const next = grab && keyed(e, draft);
    if (!next) return;
    e.preventDefault();
    e.stopPropagation();
    if (isDraft) change(next);
    else void open(draft).then((yes) => yes && change(next));
  };
  return (
    <div
      className={classes.block}
      data-kind={kind}
      style={{
        top: `${piece.from * 100}%`,
        height: `${(piece.to - piece.from) * 100}%`,
        left: `${(piece.lane / piece.lanes) * 100}%`,
        width: `${100 / piece.lanes}%`,
      }}
    >
      <button
        type="button"
        onKeyDown={onKey}
        onPointerDown={(e) => {
          e.stopPropagation();
          grab?.(e, "move", draft);
        }}
        onClick={() => void (isDraft || open(draft))}
      >
        <span className="sr">{spoken}</span>
        <span className={classes.words} aria-hidden>
          <b className="cut">{name}</b>
          {piece.to - piece.from >= tall && <span className="cut">{span(draft.start, draft.end)}</span>}
          {state && piece.to - piece.from >= tall * 1.5 && <span className="cut">{state}</span>}
        </span>
      </button>
      {grab && piece.from > 0 && (
        <span className={classes.edge} data-edge="start" aria-hidden onPointerDown={(e) => grab(e, "start", draft)} />
      )}
      {grab && piece.to < 1 && (
        <span className={classes.edge} data-edge="end" aria-hidden onPointerDown={(e) => grab(e, "end", draft)} />
      )}
    </div>
  );
}

/** What an arrow makes of a window: it moves by a quarter of an hour or a day; with Shift its end does. */
function keyed(e: KeyboardEvent, d: Draft): Draft | undefined {
  const by = { ArrowUp: -quarter, ArrowDown: quarter }[e.key];
  const days = { ArrowLeft: -1, ArrowRight: 1 }[e.key];
  if (by !== undefined && e.shiftKey) return { ...d, end: Math.max(d.start + quarter, d.end + by) };
  if (by !== undefined) return moved(d, d.start + by);
  if (days === undefined) return undefined;
  const shift = (at: number) => {
    const w = wall(at, viewer().zone);
    return atWall(w.y, w.mo, w.d + days, w.secs, viewer().zone);
  };
  if (!e.shiftKey) return moved(d, shift(d.start));
  return { ...d, end: Math.max(d.start + quarter, shift(d.end)) };
}
