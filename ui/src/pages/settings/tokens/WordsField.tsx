import { type KeyboardEvent, type ReactNode, useState } from "react";
import { Tag } from "../../../components/controls";
import { Field } from "../../../components/fields";
import own from "./NewToken.module.css";

type Props = {
  label: string;
  words: string[];
  onChange: (words: string[]) => void;
  placeholder: string;
  /** What ends a word while typing, besides Enter and leaving the field. */
  ends: RegExp;
  /** How a word is shown. */
  show?: (word: string) => string;
  error?: string | undefined;
  hint: ReactNode;
};

/** Words to add and remove: what is typed becomes one with Enter, a blank, or when the field is left. */
export function WordsField({ label, words, onChange, placeholder, ends, show = String, error, hint }: Props) {
  const [text, setText] = useState("");
  const add = (typed: string) => {
    const fresh = typed.split(ends).filter((w) => w && !words.includes(w));
    if (fresh.length > 0) onChange([...words, ...new Set(fresh)]);
    setText("");
  };
  const onKey = (e: KeyboardEvent<HTMLInputElement>) => {
    if (e.key === "Backspace" && text === "" && words.length > 0) onChange(words.slice(0, -1));
    if (e.key !== "Enter") return;
    e.preventDefault(); // what is typed becomes a word; nobody generates a token by that
    add(text);
  };
  return (
    <Field label={label} error={error} hint={hint}>
      {(id) => (
        <div className={own.words}>
          {words.map((w) => (
            <Tag key={w} onRemove={() => onChange(words.filter((o) => o !== w))} removeLabel={`Remove ${w}`}>
              {show(w)}
            </Tag>
          ))}
          <input
            id={id}
            className="mono"
            autoComplete="off"
            spellCheck={false}
            placeholder={placeholder}
            value={text}
            onChange={(e) => {
              const typed = e.currentTarget.value;
              if (ends.test(typed) && typed.trim() !== "") add(typed);
              else setText(typed);
            }}
            onKeyDown={onKey}
            onBlur={() => add(text)}
          />
        </div>
      )}
    </Field>
  );
}
