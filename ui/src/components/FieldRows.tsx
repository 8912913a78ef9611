import { type ReactNode, useState } from "react";
import { numberProblem, parseNumber } from "../lib/number";
import { Field, Input, type Option, Select } from "./fields";

/** A label with a choice under it. */
export function SelectRow(props: {
  label: string;
  options: Option[];
  value: string;
  hint?: string | undefined;
  onChange: (v: string) => void;
}): ReactNode {
  const { label, hint, ...rest } = props;
  return (
    <Field label={label} hint={hint}>
      {(id) => <Select id={id} {...rest} />}
    </Field>
  );
}

type TextProps = {
  label: string;
  value: string;
  placeholder?: string;
  hint?: string;
  inputMode?: "numeric" | "decimal";
  error?: string | undefined;
  onChange: (v: string) => void;
};

/** A label with a text under it. */
export function TextRow({ label, hint, error, onChange, ...rest }: TextProps) {
  return (
    <Field label={label} hint={hint} error={error}>
      {(id) => <Input id={id} {...rest} onChange={(e) => onChange(e.currentTarget.value)} />}
    </Field>
  );
}

type NumberProps = {
  label: string;
  value: number | null | undefined;
  hint?: string;
  error?: string | undefined;
  onChange: (v: number | null) => void;
};

/**
 * A label with a number under it; none means that the chart decides. What is
 * half typed stays as it is, and what is no number is NaN and says so.
 */
export function NumberRow({ label, value, hint, error, onChange }: NumberProps) {
  const [text, setText] = useState(value == null || Number.isNaN(value) ? "" : String(value));
  const typed = (t: string) => {
    setText(t);
    onChange(t.trim() === "" ? null : parseNumber(t));
  };
  return (
    <Field label={label} hint={hint} error={(text.trim() && numberProblem(text)) || error}>
      {(id) => (
        <Input
          id={id}
          inputMode="decimal"
          value={text}
          placeholder="Auto"
          onChange={(e) => typed(e.currentTarget.value)}
        />
      )}
    </Field>
  );
}
