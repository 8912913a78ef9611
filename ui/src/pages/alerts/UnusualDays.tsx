import { useState } from "react";
import type { Against } from "../../api/types";
import { Tag } from "../../components/controls";
import { Field, Input } from "../../components/fields";
import { day } from "../../lib/format";
import { viewer } from "../../lib/viewer";
import { parseMoment } from "../../time/moment";
import { wall } from "../../time/wall";
import classes from "./Editor.module.css";

const most = 100;

/** A day as it is kept, 2026-12-24, in the viewer's words. It is the same day in every zone. */
const shown = (iso: string) => day(Date.parse(iso) / 1000, { ...viewer(), zone: "UTC" });

/** The day that somebody typed, as it is kept; undefined if it is none. */
function dayOf(text: string): string | undefined {
  const at = text.trim() === "" ? undefined : parseMoment(text, Date.now() / 1000); // nothing would be today
  if (at === undefined) return undefined;
  const { y, mo, d } = wall(at, viewer().zone);
  return [String(y).padStart(4, "0"), String(mo).padStart(2, "0"), String(d).padStart(2, "0")].join("-");
}

type Props = { against: Against; set: (change: Partial<Against>) => void };

/** The days that a band does not learn from. */
export function UnusualDays({ against: g, set }: Props) {
  const days = g.unusual_days ?? [];
  const [marking, setMarking] = useState(false);
  // The zone is that of whoever marks the first day.
  const mark = (more: string) =>
    set({ unusual_days: [...new Set([...days, more])].sort(), zone: g.zone ?? viewer().zone });
  const zone = g.zone && g.zone !== viewer().zone ? ` Days are those of ${g.zone}.` : "";
  return (
    <div className={classes.unusual}>
      <p className={classes.apart}>
        {`Left out of learning: maintenance that suspends the alert, and days you mark as unusual.${zone} `}
        {!marking && days.length < most && (
          <button type="button" className={classes.link} onClick={() => setMarking(true)}>
            Mark days
          </button>
        )}
      </p>
      {days.length > 0 && (
        <div className={classes.words}>
          {days.map((d) => (
            <Tag
              key={d}
              onRemove={() => set({ unusual_days: days.filter((o) => o !== d) })}
              removeLabel={`Learn from ${shown(d)}`}
            >
              {shown(d)}
            </Tag>
          ))}
        </div>
      )}
      {marking && <MarkDay mark={mark} close={() => setMarking(false)} full={days.length >= most} />}
    </div>
  );
}

function MarkDay({ mark, close, full }: { mark: (day: string) => void; close: () => void; full: boolean }) {
  const [text, setText] = useState("");
  const [left, setLeft] = useState(false);
  const found = dayOf(text);
  const today = day(Date.now() / 1000);
  const wrong = left && text.trim() !== "" && found === undefined;
  const add = () => {
    if (found === undefined || full) return;
    mark(found);
    setText("");
  };
  return (
    <Field
      label="Unusual day"
      left={wrong}
      error={full ? `${most} days are marked. Remove one.` : wrong ? `This is not a date. Write ${today}.` : undefined}
      hint={found && text ? `${shown(found)}: press Enter to mark it.` : undefined}
    >
      {(id) => (
        <Input
          id={id}
          dir="auto"
          autoFocus
          value={text}
          placeholder={today}
          onChange={(e) => {
            setLeft(false);
            setText(e.currentTarget.value);
          }}
          onBlur={() => {
            setLeft(true);
            add();
          }}
          onKeyDown={(e) => {
            if (e.key === "Enter") {
              e.preventDefault();
              setLeft(true);
              add();
            }
            if (e.key === "Escape") close();
          }}
        />
      )}
    </Field>
  );
}
