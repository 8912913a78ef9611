import { useState } from "react";
import { Field, Input } from "../components/fields";
import { notADate } from "./moment";

type Props = {
  label: string;
  value: string;
  onChange: (text: string) => void;
  /** Whether the text is no time. */
  wrong: boolean;
  error?: string | undefined;
  placeholder?: string;
  hint?: string;
};

/** A time as people write it; what is wrong with it is said when the field is left, not while somebody types. */
export function TimeField({ label, value, onChange, wrong, error, placeholder, hint }: Props) {
  const [left, setLeft] = useState(true);
  const said = wrong && left;
  return (
    <Field label={label} error={said ? notADate() : error} hint={hint} left={said}>
      {(id) => (
        <Input
          id={id}
          dir="auto"
          value={value}
          placeholder={placeholder}
          onFocus={() => setLeft(false)}
          onBlur={() => setLeft(true)}
          onChange={(e) => onChange(e.currentTarget.value)}
        />
      )}
    </Field>
  );
}
