import { type KeyboardEvent, useState } from "react";
import { Tag } from "./controls";
import { Field, Input } from "./fields";
import classes from "./Labels.module.css";

type Props = {
  tags: string[];
  onChange: (tags: string[]) => void;
  /** Tags that others have, to choose from while typing. */
  known: string[];
  error?: string | undefined;
  hint?: string;
};

/** Tags to add and remove: what is typed becomes one with Enter, a comma, or when the field is left. */
export function TagField({ tags, onChange, known, error, hint }: Props) {
  const [text, setText] = useState("");
  const add = () => {
    const tag = text.trim().toLowerCase();
    setText("");
    if (tag) onChange([...new Set([...tags, tag])].sort());
  };
  const onKey = (e: KeyboardEvent<HTMLInputElement>) => {
    if (e.key === "Backspace" && text === "") onChange(tags.slice(0, -1));
    if (text.trim() === "" || (e.key !== "Enter" && e.key !== ",")) return;
    e.preventDefault();
    add();
  };
  return (
    <Field label="Tags" error={error} hint={hint}>
      {(id) => (
        <div className={classes.field}>
          {tags.map((t) => (
            <Tag key={t} onRemove={() => onChange(tags.filter((o) => o !== t))} removeLabel={`Remove ${t}`}>
              {t}
            </Tag>
          ))}
          <Input
            id={id}
            list={`${id}-known`}
            placeholder="checkout"
            maxLength={64}
            value={text}
            onChange={(e) => setText(e.currentTarget.value)}
            onKeyDown={onKey}
            onBlur={add}
          />
          <datalist id={`${id}-known`}>
            {known
              .filter((k) => !tags.includes(k))
              .map((k) => (
                <option key={k} value={k} />
              ))}
          </datalist>
        </div>
      )}
    </Field>
  );
}
