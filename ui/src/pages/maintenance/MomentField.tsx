import { useEffect, useState } from "react";
import { Field, Input } from "../../components/fields";
import { dayAndClock } from "../../lib/format";
import { momentOf } from "../../time/moment";

type Props = {
  label: string;
  hint: string;
  at: number | null;
  onChange: (at: number) => void;
  error?: string | undefined;
  placeholder?: string;
  /** An empty field means this. */
  onEmpty?: () => void;
};

/** A time, typed as people write it. */
export function MomentField({ label, hint, at, onChange, error, placeholder, onEmpty }: Props) {
  const written = at === null ? "" : dayAndClock(at);
  const [text, setText] = useState(written);
  const [left, setLeft] = useState(true);
  // What the calendar changes is written again; what is being typed is not.
  useEffect(() => {
    if (left) setText(written);
  }, [written, left]);
  const read = text.trim() === "" ? null : momentOf(text, at ?? undefined, Date.now() / 1000);
  const wrong = read === undefined || (read === null && !onEmpty);
  const take = (typed: string) => {
    setText(typed);
    const next = typed.trim() === "" ? null : momentOf(typed, at ?? undefined, Date.now() / 1000);
    if (next === null) onEmpty?.();
    else if (next !== undefined) onChange(Math.round(next / 60) * 60);
  };
  const said = wrong && left;
  const problem = said ? `This is not a date. Write ${dayAndClock(Date.now() / 1000)}.` : error;
  return (
    <Field label={label} hint={hint} error={problem} left={said}>
      {(id) => (
        <Input
          id={id}
          dir="auto"
          value={text}
          placeholder={placeholder}
          onFocus={() => setLeft(false)}
          onBlur={() => setLeft(true)}
          onChange={(e) => take(e.currentTarget.value)}
        />
      )}
    </Field>
  );
}
